"""SIGTERM, which service managers and batch systems send, ends a command as Ctrl-C does: it closes stores."""

from __future__ import annotations

import signal
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager

REPEAT_SECONDS = 1.0
"""timeout(1) signals its child, then the whole group: a second signal so soon is the same request."""


@contextmanager
def sigterm_interrupts() -> Iterator[None]:
    """Raise KeyboardInterrupt on SIGTERM, unless somebody handles or ignores it already."""
    main = threading.current_thread() is threading.main_thread()
    if not main or signal.getsignal(signal.SIGTERM) is not signal.SIG_DFL:
        yield
        return
    last = -REPEAT_SECONDS

    def interrupt(number: int, frame: object) -> None:
        nonlocal last
        before, last = last, time.monotonic()
        if last - before >= REPEAT_SECONDS:
            raise KeyboardInterrupt

    signal.signal(signal.SIGTERM, interrupt)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, signal.SIG_DFL)
