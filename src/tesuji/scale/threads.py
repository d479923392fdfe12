"""Threads of this process, for work that waits, or runs without the interpreter's lock."""

from __future__ import annotations

from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait

__all__ = ["FIRST_COMPLETED", "Future", "ThreadPoolExecutor", "pool", "wait"]


def pool(threads: int, name: str = "") -> ThreadPoolExecutor:
    """So many threads that take work from one queue: `pool(1).submit(len, "abc").result() == 3`."""
    return ThreadPoolExecutor(threads, name)
