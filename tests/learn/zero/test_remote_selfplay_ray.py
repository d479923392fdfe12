"""Training on a Ray cluster: the same run as on one machine, also when workers and nodes are killed."""

from __future__ import annotations

import contextlib
import os
import random
import signal
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests import children
from tests.arena.marks import needs_proc
from tests.clusters import STORE_BYTES, cluster
from tests.learn.zero.test_remote_selfplay import GAME, ITERATIONS, SETTINGS, differences, outcome, run_on
from tesuji.learn.zero.metrics import read_metrics

pytest.importorskip("ray")


def actors() -> list[int]:
    """The processes in which the cluster of this process runs actors: children of its child, the raylet."""
    found = []
    for folder in Path("/proc").iterdir():
        if folder.name.isdigit():
            with contextlib.suppress(OSError):
                if (folder / "cmdline").read_bytes().startswith(b"ray::ActorHost"):
                    found.append(folder)
    return sorted(int(folder.name) for folder in found if parent(parent(int(folder.name))) == os.getpid())


def parent(pid: int) -> int:
    with contextlib.suppress(OSError):
        status = Path(f"/proc/{pid}/status").read_text().splitlines()
        return int(next(line.split()[1] for line in status if line.startswith("PPid:")))
    return 0


@contextlib.contextmanager
def killing(seed: int, kills: int) -> Iterator[None]:
    """Meanwhile kill so many actors, at moments that follow from the seed."""
    rng, over, left = random.Random(seed), threading.Event(), kills

    def kill() -> None:
        nonlocal left
        while left and not over.wait(rng.uniform(0.1, 1.5)):
            if there := actors():
                os.kill(rng.choice(there), signal.SIGKILL)
                left -= 1

    thread = threading.Thread(target=kill)
    thread.start()
    try:
        yield
    finally:
        over.set()
        thread.join()


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore:.*have not answered")  # a busy machine
@needs_proc
def test_ray_plays_the_same_games_also_when_its_workers_are_killed(
    tmp_path: Path, undisturbed: dict[str, Any], one_node: str
) -> None:
    with run_on("ray:workers=2", tmp_path) as run, killing(1, 2):
        run.run(iterations=ITERATIONS)
    assert sum(row["lost"] for row in read_metrics(tmp_path)) > 0
    assert differences(outcome(tmp_path), undisturbed) == []


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(3))
def test_lost_nodes_do_not_change_the_result(tmp_path: Path, undisturbed: dict[str, Any], seed: int) -> None:
    settings = [word for key, value in SETTINGS.items() for word in ("--set", f"{key}={value}")]
    command = [sys.executable, "-c", "from tesuji.cli import main; main()", "learn", "zero", GAME]
    command += ["--out", str(tmp_path), "--store", str(tmp_path / "games.db"), "--device", "cpu"]
    command += ["--iterations", str(ITERATIONS)]
    rng = random.Random(seed)
    with cluster(nodes=2) as made:
        nodes = sorted(made.worker_nodes, key=str)
        on = ["--on", f'ray:address="{made.address}",workers=2']
        run = children.start([*command, *settings, *on])
        try:
            for _ in range(2):
                time.sleep(rng.uniform(1, 6))
                nodes.append(made.add_node(num_cpus=1, object_store_memory=STORE_BYTES))
                made.remove_node(nodes.pop(0), allow_graceful=False)
            assert run.wait(timeout=120) == 0
        finally:
            run.kill()
            run.wait()
    assert sum(row["lost"] for row in read_metrics(tmp_path)) > 0
    assert differences(outcome(tmp_path), undisturbed) == []
