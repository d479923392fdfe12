"""Ctrl-C, SIGTERM and SIGHUP: what ends a command, closing stores, and what only stops its search."""

from __future__ import annotations

import signal
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from types import FrameType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tesuji.full_bot import FullBot
    from tesuji.full_game import FullState
    from tesuji.search import Analysis

STOPPED = {
    "iterations": "simulation limit reached",
    "seconds": "time limit reached",
    "depth": "depth limit reached",
    "nodes": "node limit reached",
    "proven": "result proven",
    "cancelled": "stopped by Ctrl-C",
    "running": "searching · Ctrl-C stops",
}

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


def think(bot: FullBot, state: FullState, progress: Callable[[Analysis], object] | None = None) -> Analysis:
    """The bot's analysis; the first Ctrl-C stops the search and keeps its result, the second raises."""
    with ctrl_c_cancels(bot.cancel if bot.can_cancel else None) as cancel_again:

        def report(analysis: Analysis) -> None:
            cancel_again()
            if progress is not None:
                progress(analysis)

        return bot.analyse(state, progress=report)


@contextmanager
def ctrl_c_cancels(
    cancel: Callable[[], object] | None, also: Sequence[signal.Signals] = ()
) -> Iterator[Callable[[], None]]:
    """Make the first Ctrl-C, or one of the signals in `also`, call `cancel`, and the next Ctrl-C raise.

    Yields a function that cancels again, for a Ctrl-C before the search has begun.
    """
    if cancel is None or threading.current_thread() is not threading.main_thread():
        yield lambda: None
        return
    pressed = False

    def handle(number: int, frame: FrameType | None) -> None:
        nonlocal pressed
        if pressed and number == signal.SIGINT:
            raise KeyboardInterrupt
        pressed = True
        cancel()

    def cancel_again() -> None:
        if pressed:
            cancel()

    before = {number: signal.signal(number, handle) for number in (signal.SIGINT, *also)}
    try:
        yield cancel_again
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
