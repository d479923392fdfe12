"""A worker process: progress, stopping, crashes and hangs."""

from __future__ import annotations

import os
import signal
import threading
import time
from collections.abc import Iterator
from typing import Any

import pytest

from tesuji.scale.worker import Report, Stop, Worker, WorkerFailed, WorkerLost


def answer(question: Any, report: Report, stop: Stop) -> Any:
    what, number = question
    if what == "square":
        for step in range(number):
            report(step)
        return number * number
    if what == "raise":
        raise ValueError("line one\nline two")
    if what == "leave":
        raise SystemExit(3)
    if what == "die":
        os.kill(os.getpid(), signal.SIGKILL)
    stopped = threading.Event()
    stop.set_callback(stopped.set)
    report("begun")
    if what == "wait":
        stopped.wait()
        return "stopped"
    while True:
        time.sleep(60)


@pytest.fixture
def worker() -> Iterator[Worker]:
    made = Worker(answer)
    yield made
    made.close()


def test_a_worker_answers_and_reports_progress(worker: Worker) -> None:
    told: list[int] = []
    assert worker.request(("square", 3), seconds=60, progress=told.append) == 9
    assert told == [0, 1, 2]
    first = worker.pid
    assert worker.request(("square", 4), seconds=60) == 16 and worker.pid == first


def test_an_exception_is_reported_in_one_line_and_the_worker_stays_alive(worker: Worker) -> None:
    with pytest.raises(WorkerFailed, match=r"^ValueError: line one line two$"):
        worker.request(("raise", 0), seconds=60)
    first = worker.pid
    with pytest.raises(WorkerFailed, match="SystemExit: 3"):
        worker.request(("leave", 0), seconds=60)
    assert worker.request(("square", 2), seconds=60) == 4 and worker.pid == first


def test_a_process_that_dies_is_replaced(worker: Worker) -> None:
    with pytest.raises(WorkerLost, match="SIGKILL"):
        worker.request(("die", 0), seconds=60)
    assert worker.request(("square", 5), seconds=60) == 25


def test_a_process_that_dies_between_requests_is_replaced(worker: Worker) -> None:
    assert worker.request(("square", 2), seconds=60) == 4
    first = worker.pid
    assert first is not None
    os.kill(first, signal.SIGKILL)
    os.waitid(os.P_PID, first, os.WEXITED | os.WNOWAIT)
    assert worker.request(("square", 5), seconds=60) == 25 and worker.pid != first


def test_a_request_can_be_stopped(worker: Worker) -> None:
    assert worker.request(("wait", 0), seconds=60, progress=lambda told: worker.stop()) == "stopped"
    worker.stop()  # no request: no-op
    assert worker.request(("square", 2), seconds=60) == 4


@pytest.mark.parametrize("error", [KeyboardInterrupt, ZeroDivisionError])
def test_the_answer_to_an_interrupted_request_is_not_that_to_the_next(
    worker: Worker, error: type[BaseException]
) -> None:
    def interrupt(told: object) -> None:
        raise error

    with pytest.raises(error):
        worker.request(("square", 3), seconds=60, progress=interrupt)
    assert worker.request(("square", 2), seconds=60) == 4


def test_a_request_that_takes_too_long_is_stopped_and_then_killed(worker: Worker) -> None:
    assert worker.request(("wait", 0), seconds=0.1) == "stopped"
    with pytest.raises(WorkerLost, match=r"no answer within 0\.1 s"):
        worker.request(("hang", 0), seconds=0.1)
    assert worker.pid is None
    assert worker.request(("square", 6), seconds=60) == 36


def test_a_closed_worker_answers_no_request() -> None:
    worker = Worker(answer)
    worker.close()
    with pytest.raises(WorkerLost, match="closed"):
        worker.request(("square", 3), seconds=60)
    assert worker.pid is None


@pytest.mark.parametrize("delay", [0.0, 0.01, 0.1, 0.5])
def test_closing_ends_a_request_that_starts_its_process(delay: float) -> None:
    worker = Worker(answer)
    ended: list[BaseException] = []

    def ask() -> None:
        try:
            worker.request(("hang", 0), seconds=3600)
        except BaseException as error:
            ended.append(error)

    thread = threading.Thread(target=ask, daemon=True)
    thread.start()
    time.sleep(delay)
    worker.close()
    thread.join(60)
    assert [type(error) for error in ended] == [WorkerLost] and worker.pid is None
