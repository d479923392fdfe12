"""Check a record against the rules of its game."""

from __future__ import annotations

from tesuji.game import State, game, players_of
from tesuji.records.record import Record
from tesuji.records.serialization import check_record


def verify(record: Record) -> State:
    """Replay a record; returns the last position, ValueError if it breaks the rules.

    The number of players must fit the game, every move must be legal, and the scores of a game that was
    played out must be those of the rules.

    >>> verify(Record(game="hex:size=3", players=("mcts", "random"), moves=("b2", "a1"))).player
    0
    """
    check_record(record)
    seats = players_of(game(record.game))
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


def _shown(scores: object) -> str:
    return "none" if scores is None else ", ".join(f"{score:g}" for score in scores)  # type: ignore[attr-defined]
