"""Threads, for work that waits or releases the GIL: a pool, and one thread that nobody has to wait for."""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from functools import partial
from typing import Any, TypeVar

__all__ = ["FIRST_COMPLETED", "BackgroundThread", "Future", "ThreadPoolExecutor", "pool", "wait"]

T = TypeVar("T")


def pool(threads: int, name: str = "") -> ThreadPoolExecutor:
    """Threads that take work from one queue: `pool(1).submit(len, "abc").result() == 3`."""
    return ThreadPoolExecutor(threads, name)


class BackgroundThread:
    """A thread that takes work from a queue, as `pool(1)`, but that the program does not wait for at its end.

    >>> BackgroundThread().submit(len, "abc").result()
    3
    """

    def __init__(self) -> None:
        self._work: queue.SimpleQueue[Callable[[], None]] | None = None
        self._last: Future[Any] | None = None

    @property
    def busy(self) -> bool:
        """Whether work is unfinished."""
        return self._last is not None and not self._last.done()

    def submit(self, function: Callable[..., T], *arguments: object) -> Future[T]:
        """Call the function after all earlier work."""
        if self._work is None:
            self._work = queue.SimpleQueue()
            threading.Thread(target=_serve, args=(self._work,), daemon=True).start()
        future = Future[T]()
        self._last = future
        self._work.put(partial(_run, future, function, arguments))
        return future

    def settle(self, seconds: float | None = None) -> None:
        """Wait until all work is done, at most `seconds`."""
        if self._last is not None:
            wait([self._last], seconds)


def _serve(work: queue.SimpleQueue[Callable[[], None]]) -> None:
    while True:
        work.get()()


def _run(future: Future[T], function: Callable[..., T], arguments: tuple[object, ...]) -> None:
    try:
        future.set_result(function(*arguments))
    except BaseException as error:
        future.set_exception(error)
    del future, function, arguments  # an exception's traceback holds this frame
