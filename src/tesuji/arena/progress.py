"""Progress of long work: a bar in a notebook or on a terminal, elsewhere a line now and then, or nothing."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from contextlib import closing
from typing import TYPE_CHECKING, NamedTuple, Protocol, TypeVar

from tesuji.notebook import NotebookBar, in_notebook

if TYPE_CHECKING:
    from rich.console import Group, RenderableType

T = TypeVar("T")
REFRESH_SECONDS = 0.25
LOG_SECONDS = 60.0
"""Interval of the lines where nobody sees a bar."""


class Bar(Protocol):
    """A bar with a text beside it."""

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
    fresh: int
    """How much was done in this run."""
    above: Sequence[RenderableType] = ()
    """Tables and lines to show with the bar."""


def open_bar() -> Bar | None:
    """A bar where somebody sees it."""
    if in_notebook():
        return NotebookBar()
    return _TerminalBar() if sys.stderr.isatty() else None


def with_progress(games: Iterable[T], done: int, planned: int, *, shown: bool) -> Iterator[T]:
    """Pass the games through, with a bar that counts them from `done` to `planned`."""
    fresh = 0

    def counted() -> Iterator[T]:
        nonlocal fresh
        for game in games:
            fresh += 1
            yield game

    return watched(counted(), lambda: Status(done + fresh, planned, fresh), bar=open_bar() if shown else None)


def watched(
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
    began = last = time.monotonic()
    interval = LOG_SECONDS if isinstance(bar, Log) else REFRESH_SECONDS

    def draw() -> None:
        done, planned, fresh, above = status()
        bar.show(done, planned, pace(done, planned, fresh, began, what=what) + hint, above)

    with closing(bar):
        if not isinstance(bar, Log):
            draw()
        for one in work:
            if time.monotonic() - last >= interval:
                draw()
                last = time.monotonic()
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


class Log:
    """In place of a bar: prints each status to standard error."""

    def __init__(self) -> None:
        from rich.console import Console

        self._console = Console(stderr=True, highlight=False, markup=False)
        self._began = time.monotonic()

    def show(
        self, done: float, planned: float | None, text: str, above: Sequence[RenderableType] = ()
    ) -> None:
        """Print it."""
        self._console.print(_picture(done, planned, text, above, self._began))

    def close(self) -> None:
        """Nothing is left to do."""


class _TerminalBar:
    """Rich's bar on standard error; it disappears at the end."""

    def __init__(self) -> None:
        from rich.console import Console
        from rich.live import Live

        console = Console(stderr=True, highlight=False, markup=False)
        self._live = Live(console=console, auto_refresh=False, transient=True)
        self._live.start()
        self._began = time.monotonic()

    def show(
        self, done: float, planned: float | None, text: str, above: Sequence[RenderableType] = ()
    ) -> None:
        self._live.update(_picture(done, planned, text, above, self._began), refresh=True)

    def close(self) -> None:
        self._live.stop()


def _picture(
    done: float, planned: float | None, text: str, above: Sequence[RenderableType], began: float
) -> Group:
    from rich.console import Group
    from rich.progress_bar import ProgressBar
    from rich.table import Table
    from rich.text import Text

    line = Table.grid(padding=(0, 1))
    bar = ProgressBar(planned, done, width=20, pulse=planned is None)
    line.add_row(bar, Text(clock(time.monotonic() - began)), Text(text, "dim"))
    return Group(*above, line)
