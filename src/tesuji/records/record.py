"""A record: one game as data, enough to play it again move by move and to say who thought what.

Moves are texts, as `state.text` writes them: they outlive the numbering inside a program, and fit any game.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any, Literal, NamedTuple, TypeAlias

from tesuji.game import State, game, parse_move, start

Ending: TypeAlias = Literal["played", "resigned", "limit", "illegal", "crashed", "hung", "unfinished"]
"""How a game ended: played out; given up; stopped by a move limit; by a move that is not legal; because a bot
crashed or did not answer; or not at all."""

LOST_ON_TIME = "lost on time"
"""How the fault of a game ends that is `hung` because somebody overstepped a clock."""

PERSON = "person"
"""Stands in `Record.players` where somebody played who is not a bot."""

UNDATED = datetime(1970, 1, 1, tzinfo=UTC)
"""Stands in `Record.when` where nobody knows when: a file of another program need not say."""


class Note(NamedTuple):
    """What the mover thought: who it was, its expected score, the visits behind it, the seconds it took."""

    player: int
    value: float | None
    visits: int | None
    seconds: float


@dataclass(frozen=True, kw_only=True)
class Record:
    """One game.

    >>> record = Record(game="hex:size=3", players=("mcts", "random"), moves=("b2", "a1"))
    >>> [state.player for state in record.states()]
    [0, 1, 0]
    """

    game: str
    """The game's spec."""
    players: tuple[str, ...]
    """The spec of each seat's bot, or PERSON."""
    seed: int | None = None
    """What the game was dealt with; the bots' own seeds follow from it, the leg and the seat."""
    leg: int = 0
    """Which of the games with this deal and opening it is: in each the bots sit elsewhere."""
    moves: tuple[str, ...] = ()
    notes: tuple[Note | None, ...] = ()
    """One for each move, None where nobody thought: an opening, nature, a person. Empty: none at all."""
    opening: int = 0
    """How many of the moves were given, not chosen."""
    scores: tuple[float, ...] | None = None
    """Each player's score; None where the game is unfinished."""
    ending: Ending = "unfinished"
    fault: str = ""
    """What went wrong, in one line, where a bot lost by crashing, hanging or an illegal move."""
    when: datetime = field(default_factory=lambda: datetime.now(UTC))
    """When the game began, in UTC."""

    def __post_init__(self) -> None:
        if self.notes and len(self.notes) != len(self.moves):
            raise ValueError(
                f"{len(self.moves)} moves have {len(self.notes)} notes; give one for each, or none"
            )

    def states(self) -> Iterator[State]:
        """Every position from the first on, by the game's own rules; ValueError where a move is not legal."""
        state: Any = start(game(self.game), self.seed)
        yield state
        for number, text in enumerate(self.moves, 1):
            try:
                state = state.play(parse_move(state, text))
            except ValueError as error:
                raise ValueError(f"move {number}: {error}") from error
            yield state


def even(players: int) -> tuple[float, ...]:
    """The scores of a draw: `even(2) == (0.5, 0.5)`."""
    return (1 / players,) * players


def without(loser: int, players: int) -> tuple[float, ...]:
    """The scores where one player loses, and the others share the win: `without(0, 2) == (0.0, 1.0)`."""
    return tuple(0.0 if player == loser else 1 / (players - 1) for player in range(players))
