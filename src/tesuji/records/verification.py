"""Does a record hold by the rules of its game?"""

from __future__ import annotations

from tesuji.game import State, game, players_of
from tesuji.records.plain import check_record
from tesuji.records.record import Record


def verify(record: Record) -> State:
    """Play a record again; the last position, or a ValueError that says what does not hold.

    The seats must be those of the game, every move legal, and the scores of a game that was played out the
    rules' own.

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
            raise ValueError(f"it says that it was played out, but after move {len(record.moves)} it goes on")
    elif record.ending != "played":
        raise ValueError(f"it is over after move {len(record.moves)}, but it says {record.ending!r}")
    elif record.scores is None or tuple(map(float, scores)) != tuple(map(float, record.scores)):
        raise ValueError(f"its scores should be {_shown(scores)}, not {_shown(record.scores)}")
    return state


def _shown(scores: object) -> str:
    return "none" if scores is None else ", ".join(f"{score:g}" for score in scores)  # type: ignore[attr-defined]
