"""Records of random Gomoku games by the real rules."""

from __future__ import annotations

import random
from datetime import UTC, datetime
from typing import Any

import tesuji
from tests.records.examples import FAULTS, NAMES
from tesuji.records import Note, Record
from tesuji.records.record import Ending


def random_gomoku_record(seed: int) -> Record:
    """A game by the real rules, the same for the same seed: any rule, with and without swap2, all endings."""
    rng = random.Random(seed)
    rules: Any = tesuji.games.Gomoku(
        size=rng.choice([5, 6, 9, 15, 20]),
        rule=rng.choice(["freestyle", "standard", "renju"]),
        swap2=rng.random() < 0.5,
    )
    some: list[Ending] = ["played", "played", "resigned", "unfinished", *FAULTS]
    ending = rng.choice(some)
    state = rules.start()
    length = 1000 if ending == "played" else rng.randrange(9)
    while state.scores() is None and state.ply < length:
        choices = [move for move in state.moves() if move >= rules.size**2]
        state = state.play(rng.choice(choices if choices and rng.random() < 0.8 else state.moves()))
    scores = state.scores()
    if ending == "limit":
        scores = (0.5, 0.5)
    elif ending not in ("played", "unfinished"):
        scores = rng.choice([(1.0, 0.0), (0.0, 1.0)])
    return Record(
        game=tesuji.spec_of(rules),
        players=(rng.choice(NAMES), rng.choice(NAMES)),
        moves=tuple(map(state.text, state.history)),
        notes=tuple(Note(0, None, None, rng.randrange(10**6) / 1000) for _ in state.history),
        scores=scores,
        ending=ending,
        fault=FAULTS.get(ending, ""),
        when=datetime(2026, 1, 31, tzinfo=UTC),
    )
