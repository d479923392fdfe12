"""Worker processes: what a task does to its worker stays with the task."""

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
from tests.scale.jobs import die_at_first, gone, work
from tesuji.scale.processes import NOBODY, SECOND_CHANCES, Hand, Lost, WorkerError, note, run


def spawn_and_hang(path: str) -> int:
    child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"])
    Path(path).write_text(str(child.pid))
    note(0)
    time.sleep(600)
    return 0


def load(path: str) -> None:
    with Path(path).open("a") as file:
        file.write("loaded\n")


def test_every_task_gets_its_own_result() -> None:
    tasks = [("square", number) for number in range(20)]
    results = dict(run(work, iter(tasks), workers=2))
    assert results == {task: task[1] ** 2 for task in tasks}


def test_a_worker_that_dies_or_leaves_loses_its_task_alone_and_is_replaced() -> None:
    tasks = [("square", 1), ("die", 2), ("square", 3), ("leave", 4), ("square", 5), ("die", 6), ("square", 7)]
    results = dict(run(work, iter(tasks), workers=2))
    assert {task: result for task, result in results.items() if task[0] == "square"} == {
        ("square", number): number**2 for number in (1, 3, 5, 7)
    }
    died = results["die", 2]
    assert isinstance(died, Lost)
    assert (died.why, died.who, died.said) == ("died", 2, ("began 2",))
    assert "SIGKILL" in died.detail
    left = results["leave", 4]
    assert isinstance(left, Lost)
    assert "exit code 3" in left.detail


@pytest.mark.parametrize("deaths", range(SECOND_CHANCES + 2))
def test_a_task_whose_worker_was_killed_is_begun_again_but_not_for_ever(deaths: int, tmp_path: Path) -> None:
    outcomes: dict[Any, Any] = dict(
        run(die_at_first, iter([(str(tmp_path / "a"), deaths), (str(tmp_path / "b"), 0)]))
    )
    outcomes["alone"] = (hand := Hand[Any](die_at_first, None)).do((str(tmp_path / "c"), deaths))
    hand.end()
    assert outcomes[str(tmp_path / "b"), 0] == 0
    for outcome in (outcomes[str(tmp_path / "a"), deaths], outcomes["alone"]):
        if deaths <= SECOND_CHANCES:
            assert outcome == deaths
        else:
            assert isinstance(outcome, Lost)
            assert (outcome.why, outcome.said) == ("died", (f"life {SECOND_CHANCES}",))
            assert "SIGKILL" in outcome.detail
    assert (tmp_path / "a").read_text() == "." * (1 + min(deaths, SECOND_CHANCES))


def test_a_worker_that_is_killed_between_two_tasks_is_replaced(tmp_path: Path) -> None:
    hand = Hand[Any](die_at_first, None)
    assert hand.do((str(tmp_path / "a"), 0)) == 0
    assert hand._process is not None
    hand._process.kill()
    hand._process.join()
    assert hand.do((str(tmp_path / "b"), 0)) == 0
    hand.end()


def test_a_worker_that_hangs_is_killed_when_patience_runs_out() -> None:
    results = dict(run(work, iter([("hang", 1), ("square", 2)]), workers=1, patience=1))
    hung = results["hang", 1]
    assert isinstance(hung, Lost)
    assert (hung.why, hung.who) == ("hung", 1)
    assert results["square", 2] == 4


@pytest.mark.skipif(not Path("/proc").exists(), reason="looks at processes in /proc")
def test_what_a_hung_task_had_started_ends_with_it(tmp_path: Path) -> None:
    path = tmp_path / "pid"
    [(_, outcome)] = run(spawn_and_hang, iter([str(path)]), patience=2)
    assert isinstance(outcome, Lost)
    assert gone(int(path.read_text()))


def test_an_exception_in_a_task_reaches_the_caller_with_its_traceback() -> None:
    with pytest.raises(WorkerError, match=r"ValueError: the task's own fault"):
        list(run(work, iter([("raise", 1)])))


def test_tasks_are_asked_for_only_when_a_worker_is_free() -> None:
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


def test_notes_outside_a_worker_mean_nothing() -> None:
    note(3, "nobody hears this")


def test_a_lost_worker_that_noted_nothing_names_nobody() -> None:
    [(_, outcome)] = run(os._exit, iter([7]))
    assert isinstance(outcome, Lost)
    assert outcome.who == NOBODY


PARENT = """
import sys, time
from pathlib import Path
sys.path[:0] = {path!r}
from tests.scale.jobs import tell_and_wait
from tesuji.scale.processes import run
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
