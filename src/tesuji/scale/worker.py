"""A worker process that answers one request at a time, reports progress, and can be stopped.

    worker = Worker(function)
    answer = worker.request(request, seconds=10, progress=print)   # from any thread, one at a time
    worker.stop()                                                  # from another thread: answer now

The function is called as `function(request, report, stop)`: `report` sends progress to the caller, and
`stop.requested` is true once the answer is wanted now. For many independent tasks use `processes.run`.

A request that exceeds its time is stopped; if it still does not answer, the process is killed, and the next
request starts another. So a bot that hangs, crashes or runs out of memory affects nobody else.
"""

from __future__ import annotations

import contextlib
import re
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, Literal, TypeAlias

from tesuji.scale.child_process import (
    ChildDied,
    ChildProcess,
    Stop,
    WorkerError,
    current_stop,
    report_progress,
)

__all__ = ["Report", "Stop", "Worker", "WorkerFailed", "WorkerLost", "limit_memory"]

POLL_SECONDS = 0.25  # between two checks whether the answer is still wanted
STOP_SECONDS = 3.0  # that a function has to answer after it was stopped
START_SECONDS = 60.0  # that a new process has to import everything, on a busy machine

Report: TypeAlias = Callable[[Any], None]


class WorkerLost(Exception):
    """The process died or had to be killed; a one-line reason."""

    def __init__(self, why: Literal["died", "hung"], detail: str) -> None:
        super().__init__(detail)
        self.why = why


class WorkerFailed(Exception):
    """The function raised; the exception's type and message in one line."""


Function: TypeAlias = Callable[[Any, Report, Stop], object]


class Worker:
    """A process started with the first request, and again after it died.

    The function, its setup, requests and answers must be importable or picklable.
    """

    def __init__(self, function: Function, setup: Callable[[], object] | None = None) -> None:
        self._function, self._setup = function, setup
        self._child = ChildProcess()

    def request(
        self,
        request: object,
        *,
        seconds: float,
        progress: Report | None = None,
        stopping: Callable[[], bool] = lambda: False,
        unwanted: Callable[[], bool] = lambda: False,
    ) -> Any:
        """The answer. After `seconds` the worker is stopped, and STOP_SECONDS later it is killed.

        If `stopping()` is true, the request was stopped before it was sent. When `unwanted()` becomes true,
        it is stopped as if its time were over. Raises WorkerFailed if the function raises, WorkerLost if
        its process dies.
        """
        if self._child.is_started and not self._child.is_alive:
            self._child.kill()
        if not self._child.is_started:
            self._start()
        self._child.call("answer", request)
        if stopping():
            self.stop()
        try:
            return self._wait(seconds, progress, unwanted)
        except WorkerError as error:
            raise WorkerFailed(error.line) from None
        except ChildDied as error:
            raise WorkerLost("died", str(error)) from None
        except BaseException:  # Ctrl-C, or progress() raised: the next request must not get this answer
            self._child.kill()
            raise

    def _wait(self, seconds: float, progress: Report | None, unwanted: Callable[[], bool]) -> Any:
        """The answer to the current request."""
        limit, stopped = time.monotonic() + seconds, False
        while True:
            left = limit - time.monotonic()
            try:
                return self._child.answer(min(POLL_SECONDS, max(0.0, left)), progress)
            except TimeoutError:
                if left > 0 and (stopped or not unwanted()):
                    continue
                if stopped:
                    self._child.kill()
                    raise WorkerLost("hung", f"no answer within {seconds:g} s") from None
                stopped, limit = True, time.monotonic() + STOP_SECONDS
                self.stop()

    def stop(self) -> None:
        """Have the current request answered now; no-op if there is none."""
        self._child.stop()

    def close(self) -> None:
        """Kill the process, also one that a request in another thread is starting, and answer no more."""
        self._child.close()

    @property
    def pid(self) -> int | None:
        """The process ID; None if there is no process."""
        return self._child.pid

    def _start(self) -> None:
        try:
            self._child.start(_Answerer, self._function, self._setup)
            self._child.call("ready")
            self._child.answer(START_SECONDS)
        except TimeoutError:
            self._child.kill()
            raise WorkerLost("hung", f"it did not start within {START_SECONDS:g} s") from None
        except ChildDied as error:
            raise WorkerLost("died", str(error)) from None
        except WorkerError as error:
            self._child.kill()
            raise WorkerFailed(error.line) from None


def limit_memory(mebibytes: int) -> None:
    """Limit what this process may allocate from now on, where the system can."""
    with contextlib.suppress(ImportError, ValueError, OSError):
        import resource

        limit = (mebibytes << 20) + _mapped()
        resource.setrlimit(resource.RLIMIT_DATA, (limit, limit))


def _mapped() -> int:
    """Bytes of data mapped by the interpreter itself, where the system tells: terabytes under a sanitizer."""
    try:
        status = Path("/proc/self/status").read_text(encoding="ascii", errors="replace")
    except OSError:
        return 0
    found = re.search(r"^VmData:\s*(\d+) kB", status, re.MULTILINE)
    return int(found[1]) << 10 if found else 0


class _Answerer:
    """In the worker process."""

    def __init__(self, function: Function, setup: Callable[[], object] | None) -> None:
        self._function = function
        if setup is not None:
            setup()

    def ready(self) -> None:
        """Answers once the process is set up."""

    def answer(self, request: object) -> object:
        try:
            return self._function(request, report_progress, current_stop())
        except SystemExit as error:  # must not end the process
            raise WorkerError.of(error) from None
