"""A worker that answers questions: progress, stopping, and what it does when it goes wrong."""

from __future__ import annotations

import os
import signal
import threading
import time
from collections.abc import Iterator
from typing import Any

import pytest

from tesuji.scale.worker import Failed, Lost, Stop, Tell, Worker


def answer(question: Any, tell: Tell, stop: Stop) -> Any:
    what, number = question
    if what == "square":
        for step in range(number):
            tell(step)
        return number * number
    if what == "raise":
        raise ValueError("line one\nline two")
    if what == "leave":
        raise SystemExit(3)
    if what == "die":
        os.kill(os.getpid(), signal.SIGKILL)
    stopped = threading.Event()
    stop.calls(stopped.set)
    tell("begun")
    if what == "wait":
        stopped.wait()
        return "stopped"
    while True:
        time.sleep(60)


@pytest.fixture
def worker() -> Iterator[Worker]:
    made = Worker(answer)
    yield made
    made.end()


def test_a_worker_answers_and_tells_how_far_it_is(worker: Worker) -> None:
    told: list[int] = []
    assert worker.ask(("square", 3), seconds=60, progress=told.append) == 9
    assert told == [0, 1, 2]
    first = worker.pid
    assert worker.ask(("square", 4), seconds=60) == 16 and worker.pid == first


def test_what_the_function_raises_is_one_line_and_the_worker_goes_on(worker: Worker) -> None:
    with pytest.raises(Failed, match=r"^ValueError: line one line two$"):
        worker.ask(("raise", 0), seconds=60)
    first = worker.pid
    with pytest.raises(Failed, match="SystemExit: 3"):
        worker.ask(("leave", 0), seconds=60)
    assert worker.ask(("square", 2), seconds=60) == 4 and worker.pid == first


def test_a_process_that_dies_is_replaced(worker: Worker) -> None:
    with pytest.raises(Lost, match="SIGKILL"):
        worker.ask(("die", 0), seconds=60)
    assert worker.ask(("square", 5), seconds=60) == 25


def test_a_process_that_dies_while_nobody_asks_is_replaced_too(worker: Worker) -> None:
    assert worker.ask(("square", 2), seconds=60) == 4
    first = worker.pid
    assert first is not None
    os.kill(first, signal.SIGKILL)
    os.waitid(os.P_PID, first, os.WEXITED | os.WNOWAIT)
    assert worker.ask(("square", 5), seconds=60) == 25 and worker.pid != first


def test_a_question_can_be_stopped(worker: Worker) -> None:
    assert worker.ask(("wait", 0), seconds=60, progress=lambda told: worker.stop()) == "stopped"
    worker.stop()  # nobody is asked: nothing happens
    assert worker.ask(("square", 2), seconds=60) == 4


def test_a_question_that_takes_too_long_is_stopped_and_then_killed(worker: Worker) -> None:
    assert worker.ask(("wait", 0), seconds=0.1) == "stopped"
    with pytest.raises(Lost, match=r"no answer within 0\.1 s"):
        worker.ask(("hang", 0), seconds=0.1)
    assert worker.pid is None
    assert worker.ask(("square", 6), seconds=60) == 36
