"""A bot at work: Ctrl-C ends its search with the best so far, and its findings are put in words."""

from __future__ import annotations

import inspect
import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any

from tesuji.search import Analysis, Candidate

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
UNKNOWN = "–"


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


def certainty(found: Analysis | Candidate) -> str:
    """What is proven of a position or a move: `win`, `loss in 6 plies`; empty where nothing is."""
    if found.proven is None:
        return ""
    word = {0.0: "loss", 0.5: "draw", 1.0: "win"}.get(found.proven, f"{found.proven:.2f}")
    if found.plies is None:
        return word
    most = "" if getattr(found, "exact", True) else "≤ "
    return f"{word} in {most}{found.plies} {'ply' if found.plies == 1 else 'plies'}"


def mean(candidate: Candidate) -> str:
    """The mover's mean score: `43.2%`; `≤ 43.2%` where that is a bound, `–` where nothing is known."""
    bound = candidate.proven is None and not candidate.exact
    if bound and candidate.value in (0.0, 1.0) or not (candidate.visits or candidate.proven is not None):
        return UNKNOWN  # a move that was not searched to any depth has the value 0
    return f"{'≤ ' if bound else ''}{candidate.value:.1%}"


def effort(analysis: Analysis) -> str:
    """How much a search has done: `2,000 simulations`, or `96,948 positions, depth 8`."""
    if analysis.depth is None:
        return counted(analysis.iterations, "simulation")
    return f"{counted(analysis.nodes, 'position')}, depth {analysis.depth}"


def counted(number: int, noun: str) -> str:
    """A number with its noun: `counted(2000, "simulation") == "2,000 simulations"`."""
    return f"{number:,} {noun}{'' if number == 1 else 's'}"
