"""Training on a Ray cluster: the same run as on one machine, also when workers and nodes are killed."""

from __future__ import annotations

import contextlib
import os
import random
import signal
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.arena import marks
from tests.learn.zero.test_workers import ITERATIONS, differences, outcome, run_on, undisturbed
from tesuji.learn.zero.metrics import read_metrics

pytest.importorskip("ray")

__all__ = ["undisturbed"]


@pytest.fixture
def mark(monkeypatch: pytest.MonkeyPatch) -> str:
    """Whatever is started now carries it, and can be found by it."""
    made = marks.new_mark()
    monkeypatch.setenv(marks.NAME, made)
    return made


def actors(mark: str) -> list[int]:
    """The processes in which Ray runs actors."""
    found = []
    for pid in marks.marked(mark):
        with contextlib.suppress(OSError):
            if Path(f"/proc/{pid}/cmdline").read_bytes().startswith(b"ray::Cell"):
                found.append(pid)
    return sorted(found)


@contextlib.contextmanager
def meanwhile(strike: Callable[[random.Random], bool], seed: int, times: int) -> Iterator[None]:
    """Strike so many times, at moments that follow from the seed."""
    rng, over = random.Random(seed), threading.Event()

    def go() -> None:
        left = times
        while left and not over.wait(rng.uniform(0.1, 1.5)):
            left -= strike(rng)

    thread = threading.Thread(target=go)
    thread.start()
    try:
        yield
    finally:
        over.set()
        thread.join()


@marks.needs_proc
def test_ray_plays_the_same_games_also_when_its_workers_are_killed(
    tmp_path: Path, undisturbed: dict[str, Any], mark: str
) -> None:
    def kill(rng: random.Random) -> bool:
        there = actors(mark)
        if there:
            os.kill(rng.choice(there), signal.SIGKILL)
        return bool(there)

    with run_on("ray:local,workers=2", tmp_path) as run, meanwhile(kill, 1, 2):
        run.run(iterations=ITERATIONS)
    assert sum(row["lost"] for row in read_metrics(tmp_path)) > 0
    assert differences(outcome(tmp_path), undisturbed) == []
    assert marks.all_gone(mark)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(3))
def test_a_node_that_dies_changes_nothing(
    tmp_path: Path, undisturbed: dict[str, Any], seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    from ray.cluster_utils import Cluster

    monkeypatch.setenv("RAY_ENABLE_WINDOWS_OR_OSX_CLUSTER", "1")
    cluster = Cluster(initialize_head=True, head_node_args={"num_cpus": 0})
    try:
        nodes = [cluster.add_node(num_cpus=1) for _ in range(2)]

        def kill(rng: random.Random) -> bool:
            cluster.remove_node(nodes.pop(0), allow_graceful=False)
            nodes.append(cluster.add_node(num_cpus=1))
            return True

        where = f'ray:address="{cluster.address}",workers=2'
        with run_on(where, tmp_path) as run, meanwhile(kill, seed, 3):
            run.run(iterations=ITERATIONS)
        assert sum(row["lost"] for row in read_metrics(tmp_path)) > 0
        assert differences(outcome(tmp_path), undisturbed) == []
    finally:
        cluster.shutdown()
