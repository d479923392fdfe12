"""Training with workers: results do not depend on where they run or whether they are killed."""

from __future__ import annotations

import multiprocessing
import os
import random
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

import tesuji
from tests import children
from tests.learn.zero.nets import SMALL_RUN
from tests.learn.zero.test_train import everything
from tesuji.learn.zero import checkpoint
from tesuji.learn.zero.config import ZeroConfig
from tesuji.learn.zero.metrics import read_metrics
from tesuji.records import Record
from tesuji.records.store import Store
from tesuji.scale.executor import executor

pytest.importorskip("torch")

from tesuji.learn.zero.learner import TrainingError
from tesuji.learn.zero.record_sink import RecordSink
from tesuji.learn.zero.train import Training

GAME = "gomoku:size=6"
ITERATIONS = 4
SETTINGS = {**SMALL_RUN, "positions": "300"}


@contextmanager
def run_on(spec: str, folder: Path, **given: Any) -> Iterator[Training]:
    """A small run with workers and a record store."""
    folder.mkdir(exist_ok=True)
    settings = {**SETTINGS, **{key: str(value) for key, value in given.items()}}
    with executor(spec) as on:
        yield Training(
            tesuji.game(GAME), folder, given=settings, device="cpu", on=on, store=folder / "games.db"
        )


def outcome(folder: Path) -> dict[str, Any]:
    """A run's checkpoint, metrics and games, without times and names."""
    rows = [
        {key: row[key] for key in row if "second" not in key and "share" not in key and key != "lost"}
        for row in read_metrics(folder)
    ]
    with Store(folder / "games.db", create=False) as store:
        games = sorted(
            (stored.round, stored.record.leg, stored.record.moves, stored.record.scores, stored.record.ending)
            for stored in store.records()
        )
        assert list(store.problems()) == []
    return {**everything(folder), "metrics": rows, "stored": games}


def differences(one: dict[str, Any], two: dict[str, Any]) -> list[str]:
    return [name for name in {**one, **two} if one.get(name) != two.get(name)]


@pytest.mark.slow
def test_processes_play_the_same_games_as_threads(tmp_path: Path, undisturbed: dict[str, Any]) -> None:
    with run_on("processes:workers=2", tmp_path) as run:
        run.run(iterations=ITERATIONS)
    assert differences(outcome(tmp_path), undisturbed) == []


@pytest.mark.slow
def test_another_number_of_workers_plays_other_games(tmp_path: Path, undisturbed: dict[str, Any]) -> None:
    with run_on("threads:workers=3", tmp_path) as run:
        run.run(iterations=ITERATIONS)
    assert outcome(tmp_path)["stored"] != undisturbed["stored"]


def test_a_resumed_run_equals_an_uninterrupted_one(tmp_path: Path, undisturbed: dict[str, Any]) -> None:
    for iterations in (1, 2, 1):
        with run_on("threads:workers=2", tmp_path) as run:
            run.run(iterations=iterations)
    assert differences(outcome(tmp_path), undisturbed) == []


def test_training_is_one_iteration_behind_self_play(tmp_path: Path) -> None:
    with run_on("threads:workers=2", tmp_path) as run:
        run.run(iterations=1)
        assert (run.learner.step, run.window.positions > 0) == (0, True)
        run.run(iterations=1)
        assert run.learner.step > 0


@contextmanager
def killing(seed: int, kills: int, pauses: tuple[float, float]) -> Iterator[None]:
    """Kill this many workers in the background, at times that derive from the seed."""
    rng, over = random.Random(seed), threading.Event()

    def kill() -> None:
        for _ in range(kills):
            if over.wait(rng.uniform(*pauses)):
                return
            children = [child.pid for child in multiprocessing.active_children()]
            if children:
                os.kill(rng.choice(sorted(pid for pid in children if pid)), signal.SIGKILL)

    thread = threading.Thread(target=kill)
    thread.start()
    try:
        yield
    finally:
        over.set()
        thread.join()


@pytest.mark.parametrize("seed", [0, pytest.param(1, marks=pytest.mark.slow)])
def test_killed_workers_do_not_change_the_result(
    tmp_path: Path, undisturbed: dict[str, Any], seed: int
) -> None:
    with run_on("processes:workers=2", tmp_path) as run, killing(seed, 3, (0.1, 1.5)):
        run.run(iterations=ITERATIONS)
    assert sum(row["lost"] for row in read_metrics(tmp_path)) > 0
    assert differences(outcome(tmp_path), undisturbed) == []


def test_a_worker_that_keeps_dying_ends_the_run_with_one_line(tmp_path: Path) -> None:
    with run_on("processes:workers=1", tmp_path) as run, killing(0, 1000, (0.02, 0.05)):
        with pytest.raises(TrainingError, match=r"worker 0 .*6 times .*iteration 1: .*SIGKILL"):
            run.run(iterations=1)
    assert not checkpoint.exists(tmp_path)


@pytest.mark.parametrize("rows", [1, pytest.param(3, marks=pytest.mark.slow)])
def test_a_killed_run_resumes_and_stores_no_game_twice(
    tmp_path: Path, undisturbed: dict[str, Any], rows: int
) -> None:
    settings = [word for key, value in SETTINGS.items() for word in ("--set", f"{key}={value}")]
    command = [sys.executable, "-c", "from tesuji.cli import main; main()", "learn", "zero", GAME]
    command += ["--out", str(tmp_path), "--store", str(tmp_path / "games.db"), "--device", "cpu"]
    command += ["--on", "processes:workers=2", "--iterations", str(ITERATIONS)]
    killed = children.start([*command, *settings], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        while len(read_metrics(tmp_path)) < rows:
            assert not killed.poll()
            time.sleep(0.01)
    finally:
        killed.kill()
        killed.wait()
    with run_on("threads:workers=2", tmp_path) as run:
        if run.resumed < ITERATIONS:
            run.run(iterations=ITERATIONS - run.resumed)
    assert differences(outcome(tmp_path), undisturbed) == []


def stored_games(folder: Path) -> int:
    with Store(folder / "games.db", create=False) as store:
        assert list(store.problems()) == []
        return store.count()


def test_time_ends_a_run_with_a_checkpoint(tmp_path: Path) -> None:
    with run_on("threads:workers=2", tmp_path, positions=10**9) as run:
        for ended in range(1, 60):  # a slow machine may not finish a game in a second
            run.run(seconds=1)
            assert run.iteration == ended
            assert stored_games(tmp_path) == checkpoint.load(tmp_path)[1]["games"] == run.games
            if run.games:
                break
        assert run.games > 0


def test_stop_ends_a_run_with_a_checkpoint_in_the_middle_of_an_iteration(tmp_path: Path) -> None:
    with run_on("threads:workers=2", tmp_path, positions=10**9) as run:
        timer = threading.Timer(0.5, run.stop)
        timer.start()
        run.run()
        assert run.iteration == 1
        assert stored_games(tmp_path) == run.games
        assert checkpoint.load(tmp_path)[0]["workers/1/move_counts"].size == 8


def test_a_hung_worker_is_abandoned_after_the_grace_period(
    tmp_path: Path,
) -> None:
    with run_on("processes:workers=2", tmp_path, positions=10**9) as run:

        def stop() -> None:
            while len(multiprocessing.active_children()) < 2:
                time.sleep(0.01)
            hung = multiprocessing.active_children()[0].pid
            assert hung is not None
            os.kill(hung, signal.SIGSTOP)
            while not (tmp_path / "games.db").exists() or stored_games(tmp_path) == 0:
                time.sleep(0.1)
            run.stop()

        stopper = threading.Thread(target=stop)
        stopper.start()
        run.run()
        stopper.join()
    assert stored_games(tmp_path) == run.games > 0
    arrays, _ = checkpoint.load(tmp_path)
    assert sum(name.endswith("/move_counts") for name in arrays if name.startswith("workers/")) == 1


def test_bad_input_of_a_worker_is_reported_in_one_line(tmp_path: Path) -> None:
    from tesuji.learn.zero.remote_selfplay import RemoteSelfPlay

    with run_on("threads:workers=1", tmp_path) as run, executor("threads:workers=1") as on:
        selfplay = RemoteSelfPlay(on, 1, GAME, run.config, run.learner, "tpu", run.limit)
        selfplay.start(0, visits=8)
        with pytest.raises(TrainingError, match="worker 0: .*'tpu'"):
            selfplay.finish(run.window)


def test_a_record_sink_numbers_thousands_of_games_of_one_task(tmp_path: Path) -> None:
    games = [Record(game="hex:size=3", players=("zero", "zero"), leg=leg) for leg in range(2100)]
    with RecordSink(tmp_path / "games.db", "hex:size=3", ZeroConfig(), tmp_path, workers=2) as sink:
        sink.add(games[:1500], task=0)
        sink.add(games, task=0)
        sink.add(games[:10], task=1)
    assert stored_games(tmp_path) == 2110


def test_a_run_without_workers_stores_its_games_too(tmp_path: Path) -> None:
    for _ in range(2):
        run = Training(
            tesuji.game("hex:size=3"),
            tmp_path,
            given=dict(SMALL_RUN),
            device="cpu",
            store=tmp_path / "games.db",
        )
        run.run(iterations=2)
        assert stored_games(tmp_path) == run.games
        with Store(tmp_path / "games.db") as store:
            ((key, plan, games),) = store.matches()
            assert (games, plan["workers"], plan["game"]) == (run.games, 0, "hex:size=3")
            assert store.count(bot="zero", match=key) == run.games
