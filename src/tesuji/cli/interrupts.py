"""SIGTERM (from service managers, batch systems) and SIGHUP end a command as Ctrl-C does, closing stores."""

from __future__ import annotations

import signal
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager

REPEAT_SECONDS = 1.0
"""A second signal within this time is ignored: timeout(1) signals its child, then the whole group."""


@contextmanager
def sigterm_interrupts() -> Iterator[None]:
    """Raise KeyboardInterrupt on SIGTERM and SIGHUP, unless they are handled or ignored already."""
    last = -REPEAT_SECONDS

    def interrupt(number: int, frame: object) -> None:
        nonlocal last
        before, last = last, time.monotonic()
        if last - before >= REPEAT_SECONDS:
            raise KeyboardInterrupt

    def forward(number: int, frame: object) -> None:
        signal.raise_signal(signal.SIGTERM)  # to its current handler

    handlers = {"SIGTERM": interrupt, "SIGHUP": forward}
    numbers = {getattr(signal, name): handler for name, handler in handlers.items() if hasattr(signal, name)}
    main = threading.current_thread() is threading.main_thread()
    ours = [number for number in numbers if main and signal.getsignal(number) is signal.SIG_DFL]
    for number in ours:
        signal.signal(number, numbers[number])
    try:
        yield
    finally:
        for number in ours:
            signal.signal(number, signal.SIG_DFL)
