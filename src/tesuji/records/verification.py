"""Check a record against the rules of its game, and replay it to show it.

A record may come from a stranger; foreign rules run in a child process (`foreign_rules`).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple, TypeVar

from tesuji.any_game import game
from tesuji.full_game import FullState
from tesuji.records.record import Record
from tesuji.records.serialization import check_record
from tesuji.registry import games
from tesuji.spec import Spec

T = TypeVar("T")


class Position(NamedTuple):
    """A position as data: who moves, and its text."""

    player: int
    text: str


class Replayed(NamedTuple):
    """A replayed record as data: the names of the seats, and all positions."""

    seat_names: tuple[str, ...]
    positions: tuple[Position, ...]


def verify(record: Record) -> None:
    """ValueError if a record breaks the rules.

    The number of players must fit the game, every move must be legal, and the scores of a game that was
    played out must be those of the rules. Foreign rules are replayed in a child process.

    >>> verify(Record(game="hex:size=3", players=("mcts", "random"), moves=("b2", "b2")))
    Traceback (most recent call last):
        ...
    ValueError: move 2: 'b2' is not legal; legal: a1, b1, c1, a2, c2, a3, b3, c3
    """
    _safely(_verify, record)


def replayed(record: Record) -> Replayed:
    """All positions of a record, as data; ValueError if a move is illegal.

    Foreign rules are replayed in a child process.

    >>> record = Record(game="hex:size=3", players=("mcts", "random"), moves=("b2", "a1"))
    >>> found = replayed(record)
    >>> found.seat_names, [position.player for position in found.positions]
    (('Black', 'White'), [0, 1, 0])
    """
    return _safely(_replay, record)


def last_position(record: Record) -> FullState:
    """As `verify`, in this process; returns the last position.

    >>> last_position(Record(game="hex:size=3", players=("mcts", "random"), moves=("b2", "a1"))).player
    0
    """
    check_record(record)
    seats = game(record.game).players
    if len(record.players) != seats:
        raise ValueError(f"{record.game} has {seats} players, not {len(record.players)}")
    for last in record.states():
        state = last
    scores = state.scores()
    if scores is None:
        if record.ending == "played":
            raise ValueError(f"ending is 'played', but the game is not over after move {len(record.moves)}")
    elif record.ending != "played":
        raise ValueError(f"ending is {record.ending!r}, but the game is over after move {len(record.moves)}")
    elif record.scores is None or tuple(map(float, scores)) != tuple(map(float, record.scores)):
        raise ValueError(f"scores must be {_shown(scores)}, not {_shown(record.scores)}")
    return state


def _verify(record: Record) -> None:
    last_position(record)


def _replay(record: Record) -> Replayed:
    rules = game(record.game)
    names = tuple(map(rules.seat_name, range(rules.players)))
    positions = tuple(Position(state.player, str(state)) for state in record.states())
    return Replayed(names, positions)


def _shown(scores: object) -> str:
    return "none" if scores is None else ", ".join(f"{score:g}" for score in scores)  # type: ignore[attr-defined]


def _safely(function: Callable[[Record], T], record: Record) -> T:
    """Call the function here, or in the child process if the rules of the record are foreign."""
    if not games.is_foreign(Spec.parse(record.game).name):
        return function(record)
    from tesuji.records.foreign_rules import call  # here: few records need a child process

    return call(function, record)
