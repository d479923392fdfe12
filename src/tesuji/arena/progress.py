"""Progress of long work: a bar in a notebook or on a terminal, elsewhere a line now and then, or nothing."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Generator, Iterable, Sequence
from contextlib import closing
from typing import TYPE_CHECKING, NamedTuple, Protocol, TypeVar

from tesuji._helpers.notebook import NotebookBar, in_notebook

if TYPE_CHECKING:
    from rich.console import RenderableType

T = TypeVar("T")
REFRESH_SECONDS = 0.25
LOG_SECONDS = 60.0
"""Interval of the lines where nobody sees a bar."""


class Bar(Protocol):
    """A bar with a text beside it."""

    @property
    def interval(self) -> float:
        """Seconds between two drawings."""

    def show(
        self, done: float, planned: float | None, text: str, above: Sequence[RenderableType] = ()
    ) -> None:
        """Draw it anew, on a terminal below the tables in `above`; without a plan it shows no share."""

    def close(self) -> None:
        """Remove it."""


class Status(NamedTuple):
    """How far some work is."""

    done: int
    planned: int | None
    above: Sequence[RenderableType] = ()
    """Tables and lines to show with the bar."""


def open_bar(*, ticks: bool = False) -> Bar | None:
    """A bar where somebody sees it; if it `ticks`, its clock goes on between two drawings."""
    if in_notebook():
        return NotebookBar()
    return TerminalBar(ticks=ticks) if sys.stderr.isatty() else None


def with_progress(
    work: Iterable[T],
    status: Callable[[], Status],
    *,
    bar: Bar | None,
    what: str = "games",
    hint: str = "",
) -> Generator[T, None, None]:
    """Pass the results of the work through, drawing its status in between."""
    if bar is None:
        yield from work
        return
    fresh, began = 0, time.monotonic()

    def draw() -> float:
        done, planned, above = status()
        bar.show(done, planned, pace(done, planned, fresh, began, what=what) + hint, above)
        return time.monotonic()

    with closing(bar):
        last = draw() if bar.interval < LOG_SECONDS else began
        for one in work:
            fresh += 1
            if time.monotonic() - last >= bar.interval:
                last = draw()
            yield one


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


class TerminalBar:
    """A bar on standard error that disappears at the end; as a log, a new one is printed each time."""

    def __init__(self, *, log: bool = False, ticks: bool = False) -> None:
        from rich.console import Console
        from rich.live import Live

        self.interval = LOG_SECONDS if log else REFRESH_SECONDS
        self._log = log
        self._began = time.monotonic()
        self._shown: tuple[float, float | None, str, Sequence[RenderableType]] = (0, None, "", ())
        console = Console(stderr=True, highlight=False, markup=False)
        self._live = Live(self, console=console, auto_refresh=ticks, transient=True)
        if not log:
            self._live.start()

    def show(
        self, done: float, planned: float | None, text: str, above: Sequence[RenderableType] = ()
    ) -> None:
        """Draw it anew."""
        self._shown = done, planned, text, above
        if self._log:
            self._live.console.print(self)
        else:
            self._live.refresh()

    def close(self) -> None:
        """Remove it."""
        self._live.stop()

    def __rich__(self) -> RenderableType:
        from rich.console import Group
        from rich.progress_bar import ProgressBar
        from rich.table import Table
        from rich.text import Text

        done, planned, text, above = self._shown
        bar = ProgressBar(planned, done, width=20, pulse=planned is None)
        line = Table.grid(padding=(0, 1))
        line.add_row(bar, Text(clock(time.monotonic() - self._began)), Text(text, "dim"))
        return Group(*above, line)
