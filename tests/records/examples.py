"""Random games of Hex as records, with all fields that a record can have."""

from __future__ import annotations

import random
from datetime import UTC, datetime, timedelta
from typing import Any

import tesuji
from tesuji.records import Note, Record
from tesuji.records.record import Ending

NAMES = (
    'gtp:command="mohex --quiet"',
    'gtp:command="a \\"b\\" \\\\c"',
    "mcts:iterations=500,rave=off",
    "José [2 dan] \\ (北京) ]",
    "random",
    "person",
)
FAULTS: dict[Ending, str] = {
    "illegal": "White: 'z9' is not legal [1]",
    "crashed": "exit \\ code 1",
    "hung": "",
    "limit": "",
}


def random_record(seed: int, *, size: int | None = None, ending: Ending | None = None) -> Record:
    """The same for the same seed: finished or not, with and without swap, notes, openings."""
    rng = random.Random(seed)
    size = size or rng.choice([2, 3, 4, 5, 7])
    rules: Any = tesuji.games.Hex(size=size, swap=rng.random() < 0.5)
    some: list[Ending] = ["played", "played", "resigned", "unfinished", "limit", *FAULTS]
    any_ending: Ending = rng.choice(some)
    end = ending or any_ending
    state = rules.start()
    length = size**2 + 2 if end == "played" else rng.randrange(size)
    while state.scores() is None and state.ply < length:
        moves = state.moves()
        swap = state.ply == 1 and size**2 in moves and rng.random() < 0.7
        state = state.play(size**2 if swap else rng.choice(moves))
    scores = state.scores()
    if end == "limit":
        scores = (0.5, 0.5)
    elif end not in ("played", "unfinished"):
        scores = rng.choice([(1.0, 0.0), (0.0, 1.0)])
    moves = [state.text(move) for move in state.history]
    return Record(
        game=tesuji.spec_of(rules),
        players=(rng.choice(NAMES), rng.choice(NAMES)),
        seed=rng.choice([None, 7, -1, 2**63 - 1, 2**64, 10**30]),
        leg=rng.randrange(2),
        moves=tuple(moves),
        notes=tuple(_note(rng, number % 2) for number in range(len(moves))) if rng.random() < 0.5 else (),
        opening=rng.randrange(len(moves) + 1),
        scores=scores,
        ending=end,
        fault=FAULTS.get(end, ""),
        when=datetime(2026, 1, 31, tzinfo=UTC) + timedelta(seconds=seed, microseconds=rng.randrange(10**6)),
    )


def _note(rng: random.Random, player: int) -> Note | None:
    if rng.random() < 0.2:
        return None
    value = rng.choice([None, rng.random()])
    return Note(player, value, rng.choice([None, rng.randrange(10**6)]), rng.random())
