"""Searches that Ctrl-C stops, and their results in words."""

from __future__ import annotations

import inspect
import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from tesuji.search import Analysis, Candidate

STOPPED = {
    "iterations": "simulation limit reached",
    "seconds": "time limit reached",
    "depth": "depth limit reached",
    "nodes": "node limit reached",
    "memory": "memory full",
    "proven": "result proven",
    "cancelled": "stopped by Ctrl-C",
    "running": "searching · Ctrl-C stops",
}
UNKNOWN = "–"


def can_analyse(bot: object) -> bool:
    """Whether a bot or bot class gives an analysis, not just a move."""
    return hasattr(bot, "analyse")


def think(bot: Any, state: Any, progress: Callable[[Analysis], object] | None = None) -> Analysis:
    """The bot's analysis; the first Ctrl-C stops the search and keeps its result, the second raises."""
    with _ctrl_c_cancels(bot) as cancel_again:

        def report(analysis: Analysis) -> None:
            cancel_again()
            if progress is not None:
                progress(analysis)

        reports = "progress" in inspect.signature(bot.analyse).parameters
        analysis: Analysis = bot.analyse(state, progress=report) if reports else bot.analyse(state)
        return analysis


@contextmanager
def _ctrl_c_cancels(bot: Any) -> Iterator[Callable[[], None]]:
    """Install the handler; yields a function that cancels again, for a Ctrl-C before the search has begun."""
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

    def cancel_again() -> None:
        if pressed:
            cancel()

    before = signal.signal(signal.SIGINT, handle)
    try:
        yield cancel_again
    finally:
        signal.signal(signal.SIGINT, before)


def proof_text(found: Analysis | Candidate) -> str:
    """A proven result: `win`, `loss in 6 plies`; empty if nothing is proven."""
    if found.proven is None:
        return ""
    word = {0.0: "loss", 0.5: "draw", 1.0: "win"}.get(found.proven, f"{found.proven:.2f}")
    if found.plies is None:
        return word
    most = "" if getattr(found, "exact", True) else "≤ "
    return f"{word} in {most}{found.plies} {'ply' if found.plies == 1 else 'plies'}"


def value_text(candidate: Candidate) -> str:
    """The mover's mean score: `43.2%`; `≤ 43.2%` for a bound, `–` if unknown."""
    bound = candidate.proven is None and not candidate.exact
    if bound and candidate.value in (0.0, 1.0) or not (candidate.visits or candidate.proven is not None):
        return UNKNOWN  # an unsearched move has the value 0
    return f"{'≤ ' if bound else ''}{candidate.value:.1%}"


def effort_text(analysis: Analysis) -> str:
    """The size of a search: `2,000 simulations`, or `96,948 nodes, depth 8`."""
    if analysis.depth is None:
        return counted(analysis.iterations, "simulation")
    return f"{counted(analysis.nodes, 'node')}, depth {analysis.depth}"


def counted(number: int, noun: str) -> str:
    """A number with its noun: `counted(2000, "simulation") == "2,000 simulations"`."""
    return f"{number:,} {noun}{'' if number == 1 else 's'}"
