"""Searches that Ctrl-C stops, and why they stopped, in words."""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tesuji.bots import FullBot
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


def think(bot: FullBot, state: FullState, progress: Callable[[Analysis], object] | None = None) -> Analysis:
    """The bot's analysis; the first Ctrl-C stops the search and keeps its result, the second raises."""
    with ctrl_c_cancels(bot.cancel if bot.can_cancel else None) as cancel_again:

        def report(analysis: Analysis) -> None:
            cancel_again()
            if progress is not None:
                progress(analysis)

        return bot.analyse(state, progress=report)


@contextmanager
def ctrl_c_cancels(cancel: Callable[[], object] | None) -> Iterator[Callable[[], None]]:
    """Make the first Ctrl-C call `cancel`, and the second raise.

    Yields a function that cancels again, for a Ctrl-C before the search has begun.
    """
    if cancel is None or threading.current_thread() is not threading.main_thread():
        yield lambda: None
        return
    pressed = False

    def handle(number: int, frame: FrameType | None) -> None:
        nonlocal pressed
        if pressed:
            raise KeyboardInterrupt
        pressed = True
        cancel()

    def cancel_again() -> None:
        if pressed:
            cancel()

    before = signal.signal(signal.SIGINT, handle)
    try:
        yield cancel_again
    finally:
        signal.signal(signal.SIGINT, before)


def counted(number: int, noun: str) -> str:
    """A number with its noun: `counted(2000, "simulation") == "2,000 simulations"`."""
    return f"{number:,} {noun}{'' if number == 1 else 's'}"
