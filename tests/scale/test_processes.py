"""Worker processes: a task that kills or hangs its worker affects no other task."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests import children
from tests.scale.jobs import die_at_first, gone, run, work
from tesuji.scale.child_process import WorkerError
from tesuji.scale.processes import NOBODY, RESTARTS, TaskLost, TaskProcess, heartbeat


def spawn_and_hang(path: str) -> int:
    child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"])
    Path(path).write_text(str(child.pid))
    heartbeat(0)
    time.sleep(600)
    return 0


def load(path: str) -> None:
    with Path(path).open("a") as file:
        file.write("loaded\n")


def test_every_task_gets_its_own_result() -> None:
    tasks = [("square", number) for number in range(20)]
    results = dict(run(work, iter(tasks), workers=2))
    assert results == {task: task[1] ** 2 for task in tasks}


def test_a_worker_that_dies_or_exits_loses_only_its_task_and_is_replaced() -> None:
    tasks = [("square", 1), ("die", 2), ("square", 3), ("leave", 4), ("square", 5), ("die", 6), ("square", 7)]
    results = dict(run(work, iter(tasks), workers=2))
    assert {task: result for task, result in results.items() if task[0] == "square"} == {
        ("square", number): number**2 for number in (1, 3, 5, 7)
    }
    died = results["die", 2]
    assert isinstance(died, TaskLost)
    assert (died.why, died.who, died.log) == ("died", 2, ("began 2",))
    assert "SIGKILL" in died.detail
    left = results["leave", 4]
    assert isinstance(left, TaskLost)
    assert "exit code 3" in left.detail


@pytest.mark.parametrize("deaths", range(RESTARTS + 2))
def test_a_task_whose_worker_was_killed_is_restarted_a_limited_number_of_times(
    deaths: int, tmp_path: Path
) -> None:
    outcomes: dict[Any, Any] = dict(
        run(die_at_first, iter([(str(tmp_path / "a"), deaths), (str(tmp_path / "b"), 0)]))
    )
    outcomes["alone"] = (process := TaskProcess[Any](die_at_first, None)).run((str(tmp_path / "c"), deaths))
    process.kill()
    assert outcomes[str(tmp_path / "b"), 0] == 0
    for outcome in (outcomes[str(tmp_path / "a"), deaths], outcomes["alone"]):
        if deaths <= RESTARTS:
            assert outcome == deaths
        else:
            assert isinstance(outcome, TaskLost)
            assert (outcome.why, outcome.log) == ("died", (f"life {RESTARTS}",))
            assert "SIGKILL" in outcome.detail
    assert (tmp_path / "a").read_text() == "." * (1 + min(deaths, RESTARTS))


def test_a_worker_that_is_killed_between_two_tasks_is_replaced(tmp_path: Path) -> None:
    process = TaskProcess[Any](die_at_first, None)
    assert process.run((str(tmp_path / "a"), 0)) == 0
    process._child.terminate()
    process._child.join(60)
    assert process.run((str(tmp_path / "b"), 0)) == 0
    process.kill()


def test_a_worker_that_hangs_is_killed_when_patience_runs_out() -> None:
    results = dict(run(work, iter([("hang", 1), ("square", 2)]), workers=1, patience=1))
    hung = results["hang", 1]
    assert isinstance(hung, TaskLost)
    assert (hung.why, hung.who) == ("hung", 1)
    assert results["square", 2] == 4


@pytest.mark.skipif(not Path("/proc").exists(), reason="looks at processes in /proc")
def test_processes_started_by_a_hung_task_are_killed_with_it(tmp_path: Path) -> None:
    path = tmp_path / "pid"
    [(_, outcome)] = run(spawn_and_hang, iter([str(path)]), patience=2)
    assert isinstance(outcome, TaskLost)
    assert gone(int(path.read_text()))


def test_an_exception_in_a_task_reaches_the_caller_with_its_traceback() -> None:
    with pytest.raises(WorkerError, match=r"ValueError: the task's own fault"):
        list(run(work, iter([("raise", 1)])))


def test_tasks_are_taken_only_when_a_worker_is_free() -> None:
    asked = []

    def tasks() -> Iterator[tuple[str, int]]:
        for number in range(1000):
            asked.append(number)
            yield "square", number

    going = run(work, tasks(), workers=1)
    for _ in range(3):
        next(going)
    going.close()
    assert len(asked) <= 5


def test_every_worker_is_set_up_once_before_its_first_task(tmp_path: Path) -> None:
    from functools import partial

    path = tmp_path / "loads"
    list(run(work, iter([("square", n) for n in range(6)]), workers=2, setup=partial(load, str(path))))
    assert path.read_text().splitlines() == ["loaded"] * 2


def test_a_heartbeat_outside_a_worker_is_a_no_op() -> None:
    heartbeat(3, "no parent")


def test_a_worker_lost_before_its_first_heartbeat_names_nobody() -> None:
    [(_, outcome)] = run(os._exit, iter([7]))
    assert isinstance(outcome, TaskLost)
    assert outcome.who == NOBODY


PARENT = """
import sys, time
from pathlib import Path
sys.path[:0] = {path!r}
from tests.scale.jobs import run, tell_and_wait
if __name__ == "__main__":
    list(run(tell_and_wait, iter([{folder!r} + "/a", {folder!r} + "/b"]), workers=2))
"""


@pytest.mark.skipif(not Path("/proc").exists(), reason="looks at processes in /proc")
def test_workers_end_when_their_parent_is_killed(tmp_path: Path) -> None:
    script = tmp_path / "parent.py"
    script.write_text(PARENT.format(path=[os.getcwd()], folder=str(tmp_path)))
    parent = children.start([sys.executable, str(script)])
    files = [tmp_path / "a", tmp_path / "b"]
    for _ in range(600):
        if all(file.exists() for file in files):
            break
        time.sleep(0.05)
    parent.kill()
    parent.wait()
    assert all(gone(int(file.read_text())) for file in files)
