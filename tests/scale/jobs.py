"""Tasks and actors for the tests of executors, importable by every kind of worker."""

from __future__ import annotations

import os
import signal
import sys
import time
from collections.abc import Generator, Iterator
from pathlib import Path
from typing import Any

import numpy as np

from tesuji.scale.local import Processes
from tesuji.scale.processes import heartbeat


def run(function: Any, tasks: Iterator[Any], workers: int = 1, **options: Any) -> Generator[Any, None, None]:
    """Run tasks in worker processes."""
    return Processes(workers=workers).map(function, tasks, **options)


def work(task: tuple[str, int]) -> int:
    what, number = task
    heartbeat(number, f"began {number}")
    if what == "die":
        os.kill(os.getpid(), signal.SIGKILL)
    if what == "leave":
        sys.exit(3)
    if what == "hang":
        while True:
            time.sleep(60)
    if what == "raise":
        raise ValueError("the task's own fault")
    return number * number


def die_at_first(task: tuple[str, int]) -> int:
    """Kill the process the first times; a file counts the attempts."""
    path, deaths = Path(task[0]), task[1]
    begun = len(path.read_text()) if path.exists() else 0
    path.write_text("." * (begun + 1))
    heartbeat(begun, f"life {begun}")
    if begun < deaths:
        os.kill(os.getpid(), signal.SIGKILL)
    return begun


def is_running(pid: int) -> bool:
    status = Path(f"/proc/{pid}/status")
    return status.exists() and "State:\tZ" not in status.read_text()


def gone(pid: int) -> bool:
    """Whether a process ends within a bounded time."""
    for _ in range(200):
        if not is_running(pid):
            return True
        time.sleep(0.05)
    return False


class Counter:
    """An actor that counts, and fails on request."""

    def __init__(self, start: int, data: Any = None) -> None:
        if start < 0:
            raise ValueError("a start below 0")
        self.count, self.data = start, data

    def add(self, number: int) -> int:
        self.count += number
        return self.count

    def total(self, data: Any = None) -> tuple[float, bool]:
        """The sum of shared data, and whether they could be written to."""
        found = self.data if data is None else data
        if isinstance(found, bytes):
            return float(sum(found)), False
        arrays = found.values() if isinstance(found, dict) else [found]
        return float(sum(np.sum(each) for each in arrays)), any(each.flags.writeable for each in arrays)

    def pid(self) -> int:
        return os.getpid()

    def die(self) -> None:
        os.kill(os.getpid(), signal.SIGKILL)

    def fail(self) -> None:
        raise ValueError("the method's own fault")

    def leave(self) -> None:
        sys.exit(3)

    def unpicklable(self) -> object:
        """Something that cannot be pickled."""
        return lambda: self.count

    def sleep(self, seconds: float) -> None:
        time.sleep(seconds)


def fall(task: tuple[str, str, int]) -> str:
    """Kill this process ("self") or its parent so many times, as counted in a file; then end well."""
    whom, path, times = task
    with Path(path).open("a") as file:
        file.write("begun\n")
    if len(Path(path).read_text().splitlines()) <= times:
        os.kill(os.getpid() if whom == "self" else os.getppid(), signal.SIGKILL)
        time.sleep(600)
    return "done"


def tell_and_wait(path: str) -> None:
    Path(path + ".part").write_text(str(os.getpid()))
    os.replace(path + ".part", path)
    time.sleep(600)
