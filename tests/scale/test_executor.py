"""What all executors have in common."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from tests.scale.jobs import Counter, gone, work
from tesuji.scale.child_process import WorkerError
from tesuji.scale.executor import ActorLost, Executor, executor, executors
from tesuji.scale.processes import TaskLost
from tesuji.spec import SpecError


@pytest.fixture(params=["threads:workers=2", "processes:workers=2", "ray:workers=2"])
def on(request: pytest.FixtureRequest) -> Iterator[Executor]:
    if request.param.startswith("ray"):
        request.getfixturevalue("one_node")
    with executor(request.param) as made:
        yield made


@pytest.fixture(params=["processes:workers=1", "ray:workers=1"])
def process_executor(request: pytest.FixtureRequest) -> Iterator[Executor]:
    """Executors whose workers are processes, which can be killed."""
    if request.param.startswith("ray"):
        request.getfixturevalue("one_node")
    with executor(request.param) as made:
        yield made


def test_every_task_gets_its_own_result(on: Executor) -> None:
    tasks = [("square", number) for number in range(20)]
    assert dict(on.map(work, iter(tasks))) == {task: task[1] ** 2 for task in tasks}


def test_tasks_are_taken_only_when_a_worker_is_free(on: Executor) -> None:
    asked = []

    def tasks() -> Iterator[tuple[str, int]]:
        for number in range(1000):
            asked.append(number)
            yield "square", number

    going = on.map(work, tasks())
    for _ in range(3):
        next(going)
    going.close()
    assert len(asked) <= 3 + 2 * on.workers


def test_an_exception_in_a_task_reaches_the_caller_with_its_traceback(on: Executor) -> None:
    with pytest.raises(WorkerError, match=r"jobs\.py(.|\n)*ValueError: the task's own fault"):
        list(on.map(work, iter([("raise", 1)])))


def test_wait_returns_as_soon_as_a_call_is_done(on: Executor) -> None:
    quick, slow = on.actors(Counter, [(0,), (10,)])
    assert quick.call("add", 1).result(60) == 1  # it is there
    late, soon = slow.call("sleep", 2.0), quick.call("add", 1)
    assert on.wait([late, soon], 60) == [soon]
    assert on.wait([late], 0.01) == []
    assert on.wait([late], 60) == [late]


def test_actors_have_their_own_state_and_answer_in_order(on: Executor) -> None:
    first, second = on.actors(Counter, [(0,), (10,)])
    calls = [first.call("add", 1), second.call("add", 1), first.call("add", 1)]
    assert [call.result(60) for call in calls] == [1, 11, 2]
    assert all(call.done() for call in calls)


@pytest.mark.parametrize("kind", ["bytes", "array", "dict"])
def test_shared_data_arrive_read_only_in_calls_and_constructors(on: Executor, kind: str) -> None:
    array = np.arange(100.0)
    values = {"bytes": bytes(range(100)), "array": array, "dict": {"a": array[:50], "b": array[50:]}}
    shared = on.share(values[kind])  # type: ignore[arg-type]
    (actor,) = on.actors(Counter, [(0, shared)])
    assert actor.call("total").result(60) == (4950.0, False)
    assert actor.call("total", shared).result(60) == (4950.0, False)
    assert array.flags.writeable  # the caller's own


def test_an_exception_in_a_method_reaches_the_caller_and_the_actor_stays_alive(on: Executor) -> None:
    (actor,) = on.actors(Counter, [(0,)])
    actor.call("add", 1)
    with pytest.raises(WorkerError, match=r"jobs\.py(.|\n)*ValueError: the method's own fault"):
        actor.call("fail").result(60)
    assert actor.call("add", 1).result(60) == 2


def test_an_actor_that_cannot_be_created_raises_at_every_call(on: Executor) -> None:
    (actor,) = on.actors(Counter, [(-1,)])
    for _ in range(2):
        with pytest.raises(WorkerError, match="ValueError: a start below 0"):
            actor.call("add", 1).result(60)


def test_waiting_for_an_answer_can_be_bounded(on: Executor) -> None:
    (actor,) = on.actors(Counter, [(0,)])
    slow = actor.call("sleep", 2.0)
    with pytest.raises(TimeoutError):
        slow.result(0.01)


def test_a_lost_actor_is_recreated_and_its_pending_calls_are_lost(process_executor: Executor) -> None:
    (actor,) = process_executor.actors(Counter, [(5,)])
    assert actor.call("add", 1).result(60) == 6
    lost, waiting = actor.call("die"), actor.call("add", 1)
    with pytest.raises(ActorLost, match="SIGKILL|has died"):
        lost.result(60)
    with pytest.raises(ActorLost):
        waiting.result(60)
    assert actor.call("add", 1).result(60) == 6


def test_an_actor_whose_running_call_is_cancelled_is_recreated(process_executor: Executor) -> None:
    (actor,) = process_executor.actors(Counter, [(5,)])
    before = actor.call("pid").result(60)
    endless = actor.call("sleep", 600.0)
    with pytest.raises(TimeoutError):
        endless.result(0.5)
    endless.cancel()
    with pytest.raises(ActorLost):
        endless.result(60)
    assert actor.call("pid").result(60) != before


@pytest.mark.skipif(not Path("/proc").exists(), reason="looks at processes in /proc")
def test_closing_ends_busy_actors(process_executor: Executor) -> None:
    (actor,) = process_executor.actors(Counter, [(0,)])
    pid = actor.call("pid").result(60)
    endless = actor.call("sleep", 600.0)
    process_executor.close()
    assert endless.done() and gone(pid)


def test_an_answer_that_cannot_be_pickled_is_an_error_and_the_actor_stays_alive() -> None:
    with executor("processes:workers=1") as on:
        (actor,) = on.actors(Counter, [(0,)])
        assert actor.call("add", 1).result(60) == 1
        with pytest.raises(WorkerError, match="lambda"):
            actor.call("unpicklable").result(60)
        assert actor.call("add", 1).result(60) == 2


def test_sys_exit_in_a_thread_does_not_end_the_program() -> None:
    with executor("threads:workers=1") as on:
        with pytest.raises(WorkerError, match="SystemExit: 3"):
            list(on.map(work, iter([("leave", 1)])))
        (actor,) = on.actors(Counter, [(0,)])
        with pytest.raises(WorkerError, match="SystemExit: 3"):
            actor.call("leave").result(60)


def test_a_task_that_kills_its_process_loses_no_other_task(process_executor: Executor) -> None:
    outcomes = dict(process_executor.map(work, iter([("die", 1), ("square", 2)])))
    assert isinstance(outcomes["die", 1], TaskLost) and outcomes["square", 2] == 4


@pytest.mark.parametrize(
    ("spec", "said"),
    [
        ("cluster", r"unknown executor 'cluster'.*threads, processes"),
        ("processes:worker=2", "'worker' for processes.*'workers'"),
        ("threads:workers=0", "workers.*0"),
    ],
)
def test_a_wrong_spec_says_what_is_allowed(spec: str, said: str) -> None:
    with pytest.raises(ValueError, match=said):
        executor(spec)


def test_a_spec_follows_the_one_grammar() -> None:
    with pytest.raises(SpecError):
        executor("processes:2")
    with executor("processes:workers=3") as on:
        assert on.workers == 3
        assert executors.spec_of(on) == "processes:workers=3"
