"""Worker processes for tasks that may crash or hang: only that task is lost.

`concurrent.futures` breaks the whole pool when one worker dies, and keeps nothing of what it was doing. Here
a task calls `heartbeat` to report who is computing and what has happened so far. Both go into shared memory,
which costs a microsecond and survives the worker.

SIGKILL may come from the kernel when memory is short. A task whose worker was killed is restarted, and counts
as lost only after RESTARTS restarts.
"""

from __future__ import annotations

import ctypes
import math
import multiprocessing
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from multiprocessing.connection import Connection
from typing import Any, Generic, Literal, TypeVar

from tesuji.scale.child_process import ChildDied, ChildProcess, exit_text

T = TypeVar("T")

NOBODY = -1
LOG_BYTES = 1 << 16
POLL_SECONDS = 0.25  # between two checks for hung workers
RESTARTS = 2
"""How often a task is restarted after its worker was killed."""
KILLED = exit_text(-9)


class _SharedStatus(ctypes.Structure):
    """The heartbeats of the current task."""

    _fields_ = [
        ("who", ctypes.c_longlong),
        ("since", ctypes.c_double),
        ("length", ctypes.c_longlong),
        ("full", ctypes.c_bool),
        ("log", ctypes.c_char * LOG_BYTES),
    ]


@dataclass(frozen=True)
class TaskLost:
    """The outcome of a task whose worker died, or hung for longer than `patience`."""

    why: Literal["died", "hung"]
    detail: str
    who: int
    """Who was computing, by the last heartbeat; NOBODY if there was none."""
    log: tuple[str, ...]
    """The lines of all heartbeats."""


_status: _SharedStatus | None = None  # in a worker: shared with the parent


def heartbeat(who: int, line: str = "") -> None:
    """Report who computes from now on, and add a line to the task's log; no-op outside a worker."""
    if _status is None:
        return
    if line:
        text = line.replace("\n", " ").encode() + b"\n"
        start = _status.length
        if _status.full or start + len(text) > LOG_BYTES:
            _status.full = True  # a shorter line must not follow: the log would have a gap
        else:
            ctypes.memmove(ctypes.addressof(_status) + _SharedStatus.log.offset + start, text, len(text))
            _status.length = start + len(text)
    _status.since = time.monotonic()
    _status.who = who


class TaskProcess(Generic[T]):
    """A worker process that runs one task at a time; started for its first task, and again after it died."""

    task: T

    def __init__(self, function: Callable[[T], object], setup: Callable[[], object] | None) -> None:
        self._function, self._setup = function, setup
        self._child = ChildProcess()

    @property
    def connection(self) -> Connection:
        """Readable when the task has an outcome."""
        return self._child.connection

    def take(self, tasks: Iterator[T]) -> bool:
        """Begin the next task; False if there is none."""
        try:
            self.task = next(tasks)
        except StopIteration:
            return False
        self._restarts_left = RESTARTS
        self._begin()
        return True

    def restart_after(self, outcome: object) -> bool:
        """Restart the task if its process was killed; False if it was not, or too often."""
        if self._restarts_left == 0 or not (isinstance(outcome, TaskLost) and outcome.detail == KILLED):
            return False
        self._restarts_left -= 1
        self._begin()
        return True

    def run(self, task: T, patience: float | None = None) -> Any:
        """Run one task: its result, or TaskLost."""
        self.take(iter([task]))
        while True:
            if self.connection.poll(POLL_SECONDS):
                outcome = self.outcome()
                if not self.restart_after(outcome):
                    return outcome
            elif patience is not None and self.silent_for() > patience:
                return self.kill_hung(patience)

    def outcome(self) -> Any:
        """The result of the task, or TaskLost."""
        try:
            return self._child.answer()
        except ChildDied as error:
            return self._lost("died", str(error))

    def silent_for(self) -> float:
        """Seconds since the last heartbeat."""
        return time.monotonic() - float(self._status.since)

    def kill_hung(self, patience: float) -> TaskLost:
        """Kill the process for lack of heartbeats."""
        return self._lost("hung", f"no answer within {patience:g} s")

    def request_exit(self) -> None:
        """Let an idle process exit by itself, so that it can clean up."""
        if self._child.is_started:
            self.connection.close()

    def join(self, deadline: float) -> None:
        """Wait for the process to exit."""
        self._child.join(max(0.0, deadline - time.monotonic()))

    def kill(self) -> None:
        """Kill the process and everything it has started."""
        self._child.kill()

    def _begin(self) -> None:
        if not self._child.is_started:
            self._status = multiprocessing.get_context("spawn").RawValue(_SharedStatus)
            self._child.start(_TaskRunner, self._status, self._function, self._setup)
        self._status.who, self._status.length, self._status.full = NOBODY, 0, False
        self._status.since = math.inf  # until the task begins: starting a process takes time
        self._child.call("run", self.task)

    def _lost(self, why: Literal["died", "hung"], detail: str) -> TaskLost:
        length, who = self._status.length, self._status.who
        raw = ctypes.string_at(ctypes.addressof(self._status) + _SharedStatus.log.offset, length)
        self._child.kill()
        return TaskLost(why, detail, who, tuple(raw.decode(errors="replace").split("\n")[:-1]))


class _TaskRunner:
    """In the worker process."""

    def __init__(
        self, status: _SharedStatus, function: Callable[[Any], object], setup: Callable[[], object] | None
    ) -> None:
        global _status
        _status, self._function = status, function
        if setup is not None:
            setup()

    def run(self, task: object) -> object:
        heartbeat(NOBODY)
        return self._function(task)
