"""The progress bar of long work: in a notebook, on a terminal, or nowhere."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterable, Iterator
from contextlib import closing
from typing import Any, Protocol, TypeVar

from tesuji._helpers.notebook import NotebookBar, in_notebook

T = TypeVar("T")
REFRESH_SECONDS = 0.25


class Bar(Protocol):
    """A bar with a text beside it."""

    def show(self, done: float, planned: float | None, text: str) -> None:
        """Draw it anew; without a plan it shows no share."""

    def close(self) -> None:
        """Remove it."""


def open_bar() -> Bar | None:
    """A bar where somebody sees it."""
    if in_notebook():
        return NotebookBar()
    return _TerminalBar() if sys.stderr.isatty() else None


def with_progress(games: Iterable[T], done: int, planned: int, *, shown: bool) -> Iterator[T]:
    """Pass the games through, with a bar that counts them from `done` to `planned`."""
    bar = open_bar() if shown else None
    if bar is None:
        yield from games
        return
    fresh, began, last = 0, time.monotonic(), 0.0
    with closing(bar):
        bar.show(done, planned, pace(done, planned, 0, began))
        for game in games:
            fresh += 1
            if (now := time.monotonic()) - last >= REFRESH_SECONDS:
                bar.show(done + fresh, planned, pace(done + fresh, planned, fresh, began))
                last = now
            yield game


def pace(done: int, planned: int | None, fresh: int, began: float, *, what: str = "games") -> str:
    """How much is done, speed and time left; `fresh` games were played since `began`."""
    rate = fresh / max(time.monotonic() - began, 1e-9)
    status = f"{done} {what}" if planned is None else f"{done} of {planned} {what}"
    if fresh > 1:
        status += f", {rate * 60:.0f}/min"
        status += "" if planned is None else f", {clock((planned - done) / rate)} left"
    return status


def clock(seconds: float) -> str:
    """A duration as h:mm:ss: `clock(75) == "1:15"`."""
    minutes, seconds = divmod(round(max(seconds, 0)), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{seconds:02}" if hours else f"{minutes}:{seconds:02}"


class _TerminalBar:
    """Rich's bar on standard error; it disappears at the end."""

    def __init__(self) -> None:
        from rich.console import Console
        from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

        columns: Any = (BarColumn(20), TimeElapsedColumn(), TextColumn("{task.description}", style="dim"))
        self._progress: Any = Progress(*columns, console=Console(stderr=True), transient=True)
        self._progress.start()
        self._task = self._progress.add_task("", total=None)

    def show(self, done: float, planned: float | None, text: str) -> None:
        self._progress.update(self._task, completed=done, total=planned, description=text)

    def close(self) -> None:
        self._progress.stop()
