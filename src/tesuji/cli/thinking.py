"""A bot at work: Ctrl-C ends its search with the best so far, and its findings are put in words."""

from __future__ import annotations

import inspect
import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any

from tesuji.search import Analysis

STOPPED = {
    "iterations": "all simulations done",
    "seconds": "time is up",
    "depth": "searched to its depth",
    "nodes": "all positions done",
    "memory": "memory is full",
    "proven": "the result is proven",
    "cancelled": "stopped by Ctrl-C",
    "running": "searching, Ctrl-C ends it",
}


def can_analyse(bot: object) -> bool:
    """Whether a bot, or a bot class, gives an analysis and not just a move."""
    return hasattr(bot, "analyse")


def think(bot: Any, state: Any, progress: Callable[[Analysis], object] | None = None) -> Analysis:
    """The bot's analysis; the first Ctrl-C ends the search with what it has, the second raises."""
    with _ctrl_c_cancels(bot) as insist:

        def report(analysis: Analysis) -> None:
            insist()
            if progress is not None:
                progress(analysis)

        reports = "progress" in inspect.signature(bot.analyse).parameters
        analysis: Analysis = bot.analyse(state, progress=report) if reports else bot.analyse(state)
        return analysis


@contextmanager
def _ctrl_c_cancels(bot: Any) -> Iterator[Callable[[], None]]:
    """Install the handler; gives a function that cancels again, for a Ctrl-C before the search had begun."""
    cancel = getattr(bot, "cancel", None)
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

    def insist() -> None:
        if pressed:
            cancel()

    before = signal.signal(signal.SIGINT, handle)
    try:
        yield insist
    finally:
        signal.signal(signal.SIGINT, before)


def certainty(score: float | None) -> str:
    """A proven score in a word: `certainty(1.0) == "win"`; empty where nothing is proven."""
    if score is None:
        return ""
    return {0.0: "loss", 0.5: "draw", 1.0: "win"}.get(score, f"{score:.2f}")


def effort(analysis: Analysis) -> str:
    """How much a search has done: `2,000 simulations`, or `96,948 positions, depth 8`."""
    if analysis.depth is None:
        return counted(analysis.iterations, "simulation")
    return f"{counted(analysis.nodes, 'position')}, depth {analysis.depth}"


def counted(number: int, noun: str) -> str:
    """A number with its noun: `counted(2000, "simulation") == "2,000 simulations"`."""
    return f"{number:,} {noun}{'' if number == 1 else 's'}"
