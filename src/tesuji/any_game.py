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
    notes()                    hints for the person to move
    board(), clicks(move)      the board for the web page, and where a move is clicked: see `tesuji.board`
                               (`board(viewer)` in a game with hidden cards)
    board_view(viewer)         the board as JSON for a renderer of the web page, named by its `kind`
    text_for(player), last_move_text(player)
                               the position, and the result of the last move, as a seat sees them (None: a
                               spectator)
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Sequence
from typing import Protocol, TypeVar, overload, runtime_checkable

from tesuji._helpers.clipping import clip
from tesuji.adapter import full_game, offers
from tesuji.full_game import CHANCE, MOST_PLAYERS, FullGame, FullState, Move
from tesuji.registry import games
from tesuji.spec import Spec

__all__ = [
    "CHANCE",
    "MOST_PLAYERS",
    "FullGame",
    "FullState",
    "Game",
    "Move",
    "State",
    "game",
    "position",
    "replay",
]


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
    `open_tablebase(path)`, `set_up(diagram, player)` (see `tesuji.position`), `rules` (the game from its
    usual start) and `includes(game)` (whether a network trained for this game plays the other, too, because
    its start may be dealt here); for the web page `title`, `goal` (how to win, in one line) and `preview` (a
    position for the home page).
    """

    def start(self) -> State:
        """The first position."""


S_co = TypeVar("S_co", bound=State, covariant=True)


class _Starts(Protocol[S_co]):
    """A game, by the type of its states."""

    def start(self) -> S_co: ...


F = TypeVar("F", bound=FullGame)


@overload
def game(spec: F) -> F: ...
@overload
def game(spec: str | Spec | Game) -> FullGame: ...
def game(spec: str | Spec | Game) -> FullGame:
    """The game that a spec describes, `tesuji.game("hex:size=9")`, or a game of your own with all members."""
    return full_game(games.make(spec) if isinstance(spec, str | Spec) else spec)


def received_game(spec: str | Spec) -> FullGame:
    """The game of a spec that came from elsewhere: a request, a store, a record, a model file.

    A ValueError for foreign rules, before anything of them is made.

    >>> received_game("hex:size=9").size
    9
    >>> received_game('openspiel:game="hex"')
    Traceback (most recent call last):
        ...
    ValueError: the rules of 'openspiel' are not available here: only a person may name foreign rules
    """
    spec = Spec.parse(spec) if isinstance(spec, str) else spec
    if games.is_foreign(spec.name):
        raise ValueError(
            f"the rules of {spec.name!r} are not available here: only a person may name foreign rules"
        )
    return game(spec)


def evaluated_seat(state: State) -> int:
    """The seat for which a position of two players is evaluated: the side to move; before chance, player 0.

    >>> import tesuji
    >>> evaluated_seat(tesuji.replay("hex:size=3", "a1"))
    1
    """
    return max(state.player, 0)


@overload
def replay(
    game_or_spec: str | Spec, moves: str | Iterable[Move], *, seed: int | None = None
) -> FullState: ...
@overload
def replay(game_or_spec: _Starts[S_co], moves: str | Iterable[Move], *, seed: int | None = None) -> S_co: ...
def replay(game_or_spec: str | Spec | Game, moves: str | Iterable[Move], *, seed: int | None = None) -> State:
    """The position after these moves, as text or as values: `tesuji.replay("hex:size=5", "c3 d2")`."""
    state = game(game_or_spec).start(seed)
    written = isinstance(moves, str)
    for number, move in enumerate(moves.replace(",", " ").split() if isinstance(moves, str) else moves, 1):
        try:
            state = state.play(parse_move(state, move) if written else _legal(state, move, repr(move)))
        except ValueError as error:
            raise ValueError(f"move {number}: {error}{spaces_hint(state) if written else ''}") from error
    # Whoever gives an own game gets own positions.
    return state if isinstance(game_or_spec, str | Spec) else state.own


def determinizations(state: FullState, rng: random.Random, count: int) -> list[FullState]:
    """The position itself, or with hidden cards `count` determinizations for the player to move."""
    return [state.determinize(state.player, rng) for _ in range(count)] if state.hidden else [state]


def parse_move(state: FullState, text: str) -> Move:
    """The legal move for a text."""
    try:
        move = state.parse(text)
    except ValueError as error:
        message = str(error) if clip(text) in str(error) else f"cannot read {clip(text)} ({error})"
        raise ValueError(f"{message}; {_allowed(state)}") from error
    return _legal(state, move, clip(text))


def nature_move(state: FullState, rng: random.Random) -> Move:
    """A chance move, drawn by its probability."""
    moves, weights = zip(*state.chances(), strict=True)
    return rng.choices(moves, weights)[0]


def after_chance(state: FullState, rng: random.Random) -> FullState:
    """The position after all chance moves that come next."""
    while state.player == CHANCE and state.scores() is None:
        state = state.play(nature_move(state, rng))
    return state


def spaces_hint(state: FullState) -> str:
    """A hint to append to an error in a list of moves if the moves' texts contain spaces, otherwise ''."""
    if any(" " in state.text(move) or "," in state.text(move) for move in state.moves()):
        return "; these moves contain spaces or commas, which separate moves: define text(move) on the states"
    return ""


def _legal(state: FullState, move: Move, shown: str) -> Move:
    if move not in state.moves():
        raise ValueError(f"{shown} is not legal; {_allowed(state)}")
    return move


def _allowed(state: FullState, limit: int = 8) -> str:
    moves = state.moves()
    if len(moves) == 0:
        return "the game is over"
    some = ", ".join(state.text(move) for move in moves[:limit])
    return f"legal: {some}" + (f", … ({len(moves)} moves)" if len(moves) > limit else "")


def is_position_of(game: FullGame, state: FullState) -> bool:
    """Whether a position belongs to this game, or to a deal of it.

    >>> import tesuji
    >>> start = tesuji.game("hex:size=5").start()
    >>> is_position_of(tesuji.game("hex:size=5"), start), is_position_of(tesuji.game("hex:size=6"), start)
    (True, False)
    """
    if not game.native or state.core is None:
        return not game.native and state.core is None  # an author's state need not know its game
    theirs = state.game
    return type(theirs) is type(game) and theirs.rules in (game.rules, game.from_core(state.core).game.rules)


@overload
def position(game_or_spec: str | Spec, diagram: str, player: int | None = None) -> FullState: ...
@overload
def position(game_or_spec: _Starts[S_co], diagram: str, player: int | None = None) -> S_co: ...
def position(game_or_spec: str | Spec | Game, diagram: str, player: int | None = None) -> State:
    r"""The position that a diagram shows, with this player to move.

    The diagram is a drawing such as `str(state)`, or the value of the option `position`. Without `player`,
    the diagram says who moves, or the numbers of stones imply it. The position's `game` begins from it.

    >>> import tesuji
    >>> state = tesuji.position("hex:size=3", "..B\n.W.\n...", player=1)
    >>> state
    tesuji.replay('hex:size=3,position=2b/1w1/3-w', '')
    >>> tesuji.position("hex:size=3", str(state)) == state
    True
    """
    return set_up(game(game_or_spec), diagram, player).start()


def set_up(rules: FullGame, diagram: str, player: int | None = None) -> FullGame:
    """The game that begins from a diagram; ValueError if it cannot: see `position`."""
    if not rules.can_set_up:
        raise ValueError(f"{rules.display_name} cannot be set up from a diagram: {_reason(rules)}")
    return rules.set_up(diagram, player)


def _reason(rules: FullGame) -> str:
    if rules.hidden:
        return "a diagram does not show the hidden cards; deal with start(seed=…) and replay the moves"
    allowed = [name for name in games.names() if offers(games.get(name), "set_up")]
    return f"it has no set_up(diagram, player); games that have: {', '.join(allowed)}"


def perft(state: FullState, depth: int) -> int:
    """The number of move sequences of a given length, to compare implementations of the same rules.

    A finished game is one leaf, whenever it ended. Each outcome of a chance move counts as one move. Native
    games are counted in the core.

    >>> import tesuji
    >>> [perft(tesuji.game("hex:size=3").start(), depth) for depth in range(4)]
    [1, 9, 72, 504]
    """
    if depth < 0:
        raise ValueError(f"depth must be at least 0, not {depth}")
    return _count(state, depth) if state.core is None else state.core.perft(depth)


def _count(state: FullState, depth: int) -> int:
    if depth == 0 or state.scores() is not None:
        return 1
    moves = state.moves()
    # Each move of the last ply is one leaf: there is no need to play it.
    return len(moves) if depth == 1 else sum(_count(state.play(move), depth - 1) for move in moves)
