"""A record: one game as data, with its moves, result and the bots' evaluations.

Moves are stored as texts (`state.text`), which are independent of a program's internal encoding.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Literal, NamedTuple, TypeAlias

from tesuji.any_game import game, parse_move
from tesuji.full_game import FullState

Ending: TypeAlias = Literal["played", "resigned", "limit", "illegal", "crashed", "hung", "unfinished"]
"""How a game ended: played out; by resignation; by a move limit; by an illegal move; because a bot crashed or
did not answer; or not at all."""

LOST_ON_TIME = "lost on time"
"""The end of `fault` if a game is `hung` because a player ran out of time."""

IGNORED = "sent a line that was no answer"
_IGNORED = re.compile(rf"(\S.*?: {IGNORED}) \(([0-9]+)×\)(?:; |$)")

PERSON = "person"
"""In `Record.players`: an anonymous human player."""

UNDATED = datetime(1970, 1, 1, tzinfo=UTC)
"""In `Record.when`: unknown, such as for files without a date."""


class Note(NamedTuple):
    """The evaluation of a move: the player, its expected score, the visits, and the seconds it took."""

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
    """The bot's spec in each seat, PERSON, or a person's name."""
    seed: int | None = None
    """The seed of the deal; the bots' seeds derive from it, the leg and the seat."""
    leg: int = 0
    """The index among the games with this deal and opening; the seats rotate with it."""
    moves: tuple[str, ...] = ()
    notes: tuple[Note | None, ...] = ()
    """One per move, None for moves of an opening, of chance or of people; or empty."""
    opening: int = 0
    """Number of opening moves, which the players did not choose."""
    scores: tuple[float, ...] | None = None
    """Each player's score; None if the game is unfinished."""
    ending: Ending = "unfinished"
    fault: str = ""
    """One line about a crash, a hang, an illegal move, or lines of an engine that were no answers."""
    when: datetime = field(default_factory=lambda: datetime.now(UTC))
    """When the game began, in UTC."""

    def __post_init__(self) -> None:
        if self.notes and len(self.notes) != len(self.moves):
            raise ValueError(
                f"{len(self.moves)} moves, but {len(self.notes)} notes; give one per move, or none"
            )

    def states(self) -> Iterator[FullState]:
        """All positions of the game; ValueError if a move is illegal."""
        state = game(self.game).start(self.seed)
        yield state
        for number, text in enumerate(self.moves, 1):
            try:
                state = state.play(parse_move(state, text))
            except ValueError as error:
                raise ValueError(f"move {number}: {error}") from error
            yield state


def draw_scores(players: int) -> tuple[float, ...]:
    """The scores of a draw: `draw_scores(2) == (0.5, 0.5)`."""
    return (1 / players,) * players


def loss_scores(loser: int, players: int) -> tuple[float, ...]:
    """The scores if one player loses and the others share the win: `loss_scores(0, 2) == (0.0, 1.0)`."""
    return tuple(0.0 if player == loser else 1 / (players - 1) for player in range(players))


def ignored_lines(counted: Iterable[tuple[str, int]]) -> str:
    """The fault of a game whose engines sent lines that were ignored, by bot; empty if there were none.

    >>> ignored_lines([("gtp:command=x", 3), ("random", 0)])
    'gtp:command=x: sent a line that was no answer (3×)'
    """
    return "; ".join(f"{bot}: {IGNORED} ({number}×)" for bot, number in counted if number)


def count_faults(faults: Iterable[str]) -> dict[str, int]:
    """The faults of games with their counts, without empty ones; ignored lines are counted one by one.

    >>> count_faults(["a: KeyError", "b: sent a line that was no answer (3×)", "", "a: KeyError"])
    {'a: KeyError': 2, 'b: sent a line that was no answer': 3}
    """
    counts: Counter[str] = Counter()
    for fault in filter(None, faults):
        for text, number in _IGNORED.findall(fault) or [(fault, 1)]:
            counts[text] += int(number)
    return dict(counts)
