"""A thread pool, for work that waits or releases the GIL."""

from __future__ import annotations

from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait

__all__ = ["FIRST_COMPLETED", "Future", "ThreadPoolExecutor", "pool", "wait"]


def pool(threads: int, name: str = "") -> ThreadPoolExecutor:
    """Threads that take work from one queue: `pool(1).submit(len, "abc").result() == 3`."""
    return ThreadPoolExecutor(threads, name)
