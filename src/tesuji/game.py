"""The State and Game protocols, and functions that work with any game.

A state needs `player`, `moves()`, `play(move)` and `scores()`. Optional methods enable more:

    key()                      equal positions have equal keys: caches, transpositions
    chances()                  [(move, probability)] if player is CHANCE
    determinize(player, rng)   a full state consistent with all that player has seen
    view(player)               all that player has seen, hashable: for check_game
    features(player)           named numbers, for learning and for explaining
    planes()                   arrays, for networks
    text(move), parse(text)    move notation
    __str__, svg()             pictures of the position
    remarks()                  hints for the person to move
    board(), clicks(move)      the board for the web page, and where a move is clicked: see `tesuji.board`
                               (`board(viewer)` in a game with hidden cards)
    board_view(viewer)         the board as JSON for a renderer of the web page, named by its `kind`
    seen_by(player), told(player)   the position, and the result of the last move, as a seat sees them
                               (None: a spectator)
"""

from __future__ import annotations

import inspect
import random
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Protocol, Self, TypeAlias, TypeVar, cast, overload, runtime_checkable

from tesuji import _core
from tesuji.clipping import clip
from tesuji.registry import games, spec_of
from tesuji.spec import Spec

CHANCE = -1
"""The player at a chance node: a card is dealt, a die is thrown."""

MOST_PLAYERS = _core.MAX_PLAYERS
"""More seats than any game that we know of."""

Move: TypeAlias = Any
"""Any hashable value. `Any`, and not `Hashable`, so that a game may declare `play(self, move: int)`."""


class State(Protocol):
    """A position, immutable: `state.play(move)` returns the next one."""

    @property
    def player(self) -> int:
        """The player to move, from 0; CHANCE at a chance node."""

    def moves(self) -> Sequence[Move]:
        """The legal moves in a fixed order; empty only when the game is over."""

    def play(self, move: Move) -> State:
        """The position after a legal move."""

    def scores(self) -> Sequence[float] | None:
        """Each player's score in [0, 1], or None while the game is in progress."""


@runtime_checkable
class Game(Protocol):
    """Rules with their options: `Hex(size=11)`.

    `start` takes a `seed` in games with a deal. Optional attributes: `players` (default 2),
    `player_names`, `knowledge`, `default_bot`, `levels`, `openings`, `record_formats`, `typical_plies`,
    `open_tablebase(path)`, `set_up(diagram, player)` (see `tesuji.set_up`) and `rules` (the game from its
    usual start); for the web page `title`, `goal` (how to win, in one line) and `preview` (a position for
    the home page).
    """

    def start(self) -> State:
        """The first position."""


class FullState(State, Protocol):
    """A state with the optional methods that all built-in games have.

    `tesuji.game(spec)` and `tesuji.replay(spec, moves)` are typed with it, because a type checker cannot read
    a spec. A state of your own may lack some of these methods.
    """

    def play(self, move: Move) -> Self:
        """The position after a legal move."""

    def text(self, move: Move) -> str:
        """A move as text."""

    def parse(self, text: str) -> Move:
        """The move that a text stands for; ValueError for an invalid text."""

    def svg(self, *, heat: Mapping[Any, float] | None = None, labels: Mapping[Any, str] | None = None) -> str:
        """The position as SVG; `heat` and `labels` mark candidate moves."""


class FullGame(Game, Protocol):
    """A game whose states have the optional methods of `FullState`."""

    def start(self) -> FullState:
        """The first position."""


G = TypeVar("G", bound=Game)
S_co = TypeVar("S_co", bound=State, covariant=True)


class _Starts(Protocol[S_co]):
    """A game, by the type of its states."""

    def start(self) -> S_co: ...


@overload
def game(spec: str | Spec) -> FullGame: ...
@overload
def game(spec: G) -> G: ...
def game(spec: str | Spec | Game) -> Game:
    """The game that a spec describes: `tesuji.game("hex:size=9")`. A game is returned unchanged."""
    if isinstance(spec, str | Spec):
        return cast(Game, games.make(spec))
    given: object = spec
    if isinstance(given, type):
        raise ValueError(f"{given.__name__} is a class, not a game; use {given.__name__}()")
    if not isinstance(given, Game):
        raise ValueError(f"{given!r} is not a game: it has no start()")
    return given


def shown(game: Game) -> str:
    """A game in a message: its spec, or its `repr` if it has none: `shown(Hex(size=9)) == "hex:size=9"`."""
    try:
        return spec_of(game)
    except ValueError:
        return repr(game)


def players_of(game: Game) -> int:
    """The number of players: the game's `players`, or 2."""
    players = getattr(game, "players", 2)
    if not isinstance(players, int) or not 1 <= players <= MOST_PLAYERS:
        raise ValueError(f"players must be from 1 to {MOST_PLAYERS}, not {players!r}")
    return players


def start(game: Game, seed: int | None = None) -> State:
    """The first position; the seed reaches only games whose `start` takes one: `start(GoFish(), seed=7)`."""
    if seed is None:
        return game.start()
    try:
        deals = "seed" in inspect.signature(game.start).parameters
    except ValueError:  # compiled methods may have no signature
        deals = False
    return cast(Any, game).start(seed=seed) if deals else game.start()


@overload
def replay(
    game_or_spec: str | Spec, moves: str | Iterable[Move], *, seed: int | None = None
) -> FullState: ...
@overload
def replay(game_or_spec: _Starts[S_co], moves: str | Iterable[Move], *, seed: int | None = None) -> S_co: ...
def replay(game_or_spec: str | Spec | Game, moves: str | Iterable[Move], *, seed: int | None = None) -> State:
    """The position after these moves, as text or as values: `tesuji.replay("hex:size=5", "c3 d2")`."""
    state = start(game(game_or_spec), seed)
    written = isinstance(moves, str)
    for number, move in enumerate(moves.replace(",", " ").split() if isinstance(moves, str) else moves, 1):
        try:
            state = state.play(parse_move(state, move) if written else _legal(state, move, repr(move)))
        except ValueError as error:
            raise ValueError(f"move {number}: {error}{spaces_hint(state) if written else ''}") from error
    return state


def determinizations(state: State, rng: random.Random, count: int) -> list[State]:
    """The position itself, or with hidden cards `count` determinizations for the player to move."""
    determinize = getattr(state, "determinize", None)
    return [state] if determinize is None else [determinize(state.player, rng) for _ in range(count)]


def text_of(state: State, move: Move) -> str:
    """A move as text: `state.text(move)` if the state has it, otherwise `str(move)`."""
    text = getattr(state, "text", None)
    return str(move if text is None else text(move))


def parse_move(state: State, text: str) -> Move:
    """The legal move for a text: by `state.parse` if the state has it, otherwise by the moves' texts."""
    parse = getattr(state, "parse", None)
    if parse is None:
        found = [move for move in state.moves() if text_of(state, move) == text]
        return _legal(state, found[0] if found else text, clip(text))
    try:
        move = parse(text)
    except ValueError as error:
        message = str(error) if clip(text) in str(error) else f"cannot read {clip(text)} ({error})"
        raise ValueError(f"{message}; {_allowed(state)}") from error
    return _legal(state, move, clip(text))


def spaces_hint(state: State) -> str:
    """A hint to append to an error in a list of moves if the moves' texts contain spaces, otherwise ''."""
    if any(" " in text_of(state, move) or "," in text_of(state, move) for move in state.moves()):
        return "; these moves contain spaces or commas, which separate moves: define text(move) on the states"
    return ""


def _legal(state: State, move: Move, shown: str) -> Move:
    if move not in state.moves():
        raise ValueError(f"{shown} is not legal; {_allowed(state)}")
    return move


def _allowed(state: State, limit: int = 8) -> str:
    moves = state.moves()
    if len(moves) == 0:
        return "the game is over"
    some = ", ".join(text_of(state, move) for move in moves[:limit])
    return f"legal: {some}" + (f", … ({len(moves)} moves)" if len(moves) > limit else "")


def is_position_of(game: object, state: Any) -> bool:
    """Whether a position belongs to this game, or to a deal of it.

    >>> import tesuji
    >>> start = tesuji.game("hex:size=5").start()
    >>> is_position_of(tesuji.game("hex:size=5"), start), is_position_of(tesuji.game("hex:size=6"), start)
    (True, False)
    """
    wrap: Any = getattr(game, "wrap", None)
    theirs = getattr(state, "game", None)
    if wrap is None or theirs is None or not hasattr(state, "core"):
        return wrap is None and not hasattr(state, "core")  # a Python state need not know its game
    return type(theirs) is type(game) and rules_of(theirs) in (
        rules_of(game),
        rules_of(wrap(state.core).game),
    )


def rules_of(game: Any) -> Any:
    """The game from its usual start: its `rules`, or the game itself."""
    return getattr(game, "rules", game)
