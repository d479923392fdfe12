"""A progress bar for contests run from Python: in a notebook, on a terminal, or nowhere."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterable, Iterator
from contextlib import closing
from typing import Any, Protocol, TypeVar

from tesuji.notebook import NotebookBar, in_notebook

T = TypeVar("T")
REFRESH_SECONDS = 0.25


class _Bar(Protocol):
    def show(self, done: int, planned: int, text: str) -> None: ...

    def close(self) -> None: ...


def with_progress(games: Iterable[T], done: int, planned: int, *, shown: bool) -> Iterator[T]:
    """Pass the games through, with a bar that counts them from `done` to `planned`."""
    bar = _bar() if shown else None
    if bar is None:
        yield from games
        return
    fresh, began, last = 0, time.monotonic(), 0.0
    with closing(bar):
        bar.show(done, planned, f"{done} of {planned} games")
        for game in games:
            fresh += 1
            if (now := time.monotonic()) - last >= REFRESH_SECONDS:
                pace = fresh / (now - began) if now > began else 0.0
                bar.show(done + fresh, planned, f"{done + fresh} of {planned} games, {pace * 60:.0f}/min")
                last = now
            yield game


def _bar() -> _Bar | None:
    if in_notebook():
        return NotebookBar()
    return _TerminalBar() if sys.stderr.isatty() else None


class _TerminalBar:
    """Rich's bar on standard error; it disappears at the end."""

    def __init__(self) -> None:
        from rich.console import Console
        from rich.progress import BarColumn, Progress, TextColumn

        self._progress: Any = Progress(
            BarColumn(20), TextColumn("{task.description}"), console=Console(stderr=True), transient=True
        )
        self._progress.start()
        self._task = self._progress.add_task("")

    def show(self, done: int, planned: int, text: str) -> None:
        self._progress.update(self._task, completed=done, total=planned, description=text)

    def close(self) -> None:
        self._progress.stop()
