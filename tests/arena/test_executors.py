"""The arena gives the same results and messages on every executor."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.arena.conftest import USERS
from tesuji.arena.exam import Exam
from tesuji.arena.match import Goal, Match, Pairing
from tesuji.arena.sprt import SPRT
from tesuji.arena.tournament import Tournament
from tesuji.arena.tune import Tuning
from tesuji.cli.shared.loading import worker_setup
from tesuji.games.onitama import Tablebase
from tesuji.learn.dataset import CHUNK, Dataset
from tesuji.records import Record, Store
from tesuji.scale.executor import Executor, executor

ELSEWHERE = ["threads:workers=2", "ray:workers=2"]


@pytest.fixture(params=ELSEWHERE)
def on(request: pytest.FixtureRequest) -> Any:
    if request.param.startswith("ray"):
        request.getfixturevalue("one_node")
    with executor(request.param) as made:
        yield made


def course(record: Record) -> tuple[object, ...]:
    """A record without its times."""
    notes = [note and (note.player, note.value, note.visits) for note in record.notes]
    return record.players, record.seed, record.moves, record.scores, record.ending, record.fault, notes


def courses(store: Store, key: str) -> dict[tuple[int, int], tuple[object, ...]]:
    return {place: course(record) for place, record in store.slots(key).items()}


def test_a_match_is_the_same_bit_for_bit(on: Executor, tmp_path: Path) -> None:
    pairing = Pairing("hex:size=4", ("mcts:iterations=60", "mcts:iterations=40,rave=off"))
    found = []
    for name, where in (("here", None), ("there", on)):
        with Store(tmp_path / f"{name}.db") as store:
            match = Match(pairing, Goal(games=40, sprt=SPRT(0, 300)), store)
            list(match.play(processes=2, on=where))
            rounds = len(match.rounds)
            counting = {at: found for at, found in courses(store, match.key).items() if at[0] < rounds}
            found.append((match.counts, counting))
    assert found[0] == found[1]
    assert len(found[0][1]) == 2 * found[0][0].pairs


def test_a_tuning_is_the_same(on: Executor, tmp_path: Path) -> None:
    found = []
    for name, where in (("here", None), ("there", on)):
        ranges = ["exploration=0.1..3", "expand_after=1..9"]
        tuning = Tuning("hex:size=3", "mcts:iterations=30,prover=off", ranges, tmp_path / name, games=40)
        list(tuning.play(processes=2, on=where))
        found.append(tuning.spsa.path)
    assert found[0] == found[1]
    assert len(found[0]) == 21


@pytest.mark.parametrize(
    "how", ["kill", *(pytest.param(how, marks=pytest.mark.slow) for how in ("hang", "string"))]
)
def test_a_failing_bot_from_a_local_file_loses_as_on_one_machine(
    how: str, one_node: str, loading: Callable[[Path], object], tmp_path: Path
) -> None:
    own = tmp_path / "own.py"
    shutil.copy(USERS, own)
    loading(own)
    brought = worker_setup([own])
    pairing = Pairing("hex:size=3", (f"faulty:how={how},after=2", "lucky"))
    own.unlink()  # a node has never seen it
    sys.path[:] = [path for path in sys.path if path != str(tmp_path)]
    found = []
    for spec in ("processes:workers=2", "ray:workers=2"):
        with Store(tmp_path / f"{spec[:3]}.db") as store, executor(spec) as on:
            match = Match(pairing, Goal(games=4), store)
            # Only a bot that hangs uses it up, so that a busy machine changes nothing.
            list(match.play(on=on, setup=brought, patience=5.0 if how == "hang" else 120.0))
            found.append(courses(store, match.key))
    assert found[0] == found[1]
    ending = {"kill": "crashed", "hang": "hung", "string": "illegal"}[how]
    assert ending in {found for *_, found, _, _ in found[1].values()}


def test_a_tournament_is_resumed_on_another_executor(on: Executor, tmp_path: Path) -> None:
    bots = ["mcts:iterations=30", "mcts:iterations=10", "random"]
    with Store(tmp_path / "here.db") as here, Store(tmp_path / "both.db") as both:
        calm = Tournament("hex:size=4", bots, here, rounds=4)
        list(calm.play(processes=2))
        first = Tournament("hex:size=4", bots, both, rounds=4)
        going = first.play(on=on)
        for _ in range(5):
            next(going)
        going.close()
        kept = both.count()
        second = Tournament("hex:size=4", bots, both, rounds=4)
        assert len(list(second.play(on=on))) == calm.planned - kept
        assert [courses(both, key) for key in second.pairings] == [
            courses(here, key) for key in calm.pairings
        ]
        assert second.results == calm.results and list(both.problems()) == []


def test_an_exam_gets_the_same_replies(on: Executor, four_men: Tablebase) -> None:
    bots = ["random", "alphabeta:depth=2"]
    replies = []
    for where in (None, on):
        exam = Exam("onitama", four_men.path, bots, positions=12)
        list(exam.run(processes=2, on=where))
        replies.append(
            {bot: {at: one.move_index for at, one in found.items()} for bot, found in exam.replies.items()}
        )
    assert replies[0] == replies[1] and all(len(found) == 12 for found in replies[0].values())


def games_of_hex(number: int) -> list[Record]:
    from tesuji.arena.playing import Task, play

    task = {"game": "hex:size=4", "players": ("random", "random")}
    return [play(Task(**task, seed=seed)) for seed in range(number)]  # type: ignore[arg-type]


def test_a_table_of_features_is_the_same_bit_for_bit(on: Executor) -> None:
    records = games_of_hex(CHUNK + 7)
    here, there = Dataset.read(records), Dataset.read(records, on=on)
    for name in ("table", "scores", "games", "remaining"):
        ours, theirs = getattr(here, name), getattr(there, name)
        assert ours.dtype == theirs.dtype and np.array_equal(ours, theirs)
    assert here.keys == there.keys


def test_a_broken_game_is_named_as_without_an_executor(on: Executor) -> None:
    from dataclasses import replace

    records = games_of_hex(3)
    records[1] = replace(records[1], moves=("a1", "a1", *records[1].moves[2:]))
    said = []
    for where in (None, on):
        with pytest.raises(ValueError, match="game 2") as caught:
            Dataset.read(records, on=where)
        said.append(str(caught.value))
    assert said[0] == said[1]
