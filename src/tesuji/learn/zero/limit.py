"""When a run ends: at a deadline, or when it is stopped.

Games, training and the ladder look at the limit between their small steps. What cannot look, because it
takes long inside a library or in a user's rules (a compilation, one batch on a slow processor), is called in
a thread of its own, and abandoned if it does not return in time:

    limit = Limit()
    limit.begin(seconds=60)
    answer = limit.call(compile_network)      # Abandoned, GRACE_SECONDS after the limit at the latest
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterable
from typing import TypeVar

from tesuji.scale.threads import BackgroundThread, wait

T = TypeVar("T")

GRACE_SECONDS = 1.0  # after the limit, for a call to return by itself
POLL_SECONDS = 0.05  # between two looks at the limit, while a call runs
KEEP_SECONDS = 0.5  # after the limit, for keeping results


class Abandoned(Exception):
    """A call did not return in time; it goes on in its thread, and nobody waits for its result."""


class Limit:
    """The limit of a run: `Limit().call(len, "abc") == 3`. `stop` may be called from a signal handler."""

    def __init__(self) -> None:
        self._end = self._stopped_at = math.inf
        self._thread = BackgroundThread()  # one for all calls: torch keeps settings and helpers by thread
        self._abandoned: list[BackgroundThread] = []

    def begin(self, seconds: float | None) -> None:
        """Set the deadline, None for none; waits for calls that were abandoned before."""
        self.settle()
        self._end = math.inf if seconds is None else time.monotonic() + seconds

    def extend(self, seconds: float) -> None:
        """Move the deadline."""
        self._end += seconds

    def stop(self) -> None:
        """End now."""
        self._stopped_at = min(self._stopped_at, time.monotonic())

    @property
    def stopped(self) -> bool:
        """Whether `stop` was called."""
        return self._stopped_at < math.inf

    @property
    def left(self) -> float | None:
        """Seconds until the limit, at least 0; None if there is no deadline."""
        left = min(self._end, self._stopped_at) - time.monotonic()
        return None if left == math.inf else max(0.0, left)

    @property
    def reached(self) -> bool:
        """Whether it is time to end."""
        return self.left == 0

    @property
    def busy(self) -> bool:
        """Whether a call is running, perhaps an abandoned one."""
        return any(thread.busy for thread in (*self._abandoned, self._thread))

    def settle(self, seconds: float | None = None) -> None:
        """Wait until no call is running, at most `seconds` for each."""
        for thread in (*self._abandoned, self._thread):
            thread.settle(seconds)

    def keep(self, keep: Callable[[T], object], results: Iterable[T]) -> int:
        """`call` keep on each result, for KEEP_SECONDS once the limit is reached; return how many."""
        began, kept = time.monotonic(), 0
        for result in results:
            if kept and self.reached and time.monotonic() > began + KEEP_SECONDS:
                break
            try:
                self.call(keep, result)
            except Abandoned:
                break
            kept += 1
        return kept

    def call(self, function: Callable[..., T], *arguments: object) -> T:
        """The function's result; Abandoned if it takes too long after the limit. One call at a time."""
        if self._thread.busy:  # with a call that was abandoned
            self._abandoned = [thread for thread in (*self._abandoned, self._thread) if thread.busy]
            self._thread = BackgroundThread()
        future = self._thread.submit(function, *arguments)
        while not wait([future], POLL_SECONDS).done:
            if time.monotonic() > min(self._end, self._stopped_at) + GRACE_SECONDS:
                raise Abandoned
        return future.result()
