"""Work in parallel, with its progress: `--on SPEC`, or `--processes N` for short."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Generator, Iterator
from contextlib import closing, contextmanager
from typing import TYPE_CHECKING

from tesuji.cli.shared.errors import BadInput, input_errors
from tesuji.cli.shared.output import console
from tesuji.scale import ExecutorWarning

if TYPE_CHECKING:
    from tesuji.arena.progress import Status
    from tesuji.scale.executor import Executor


@contextmanager
def open_executor(on: str | None, processes: int | None = None) -> Iterator[Executor]:
    """The chosen executor; defaults to local processes."""
    from tesuji.scale.executor import DEFAULT, executor

    if on is not None and processes is not None:
        raise BadInput(f"--processes {processes} means --on processes:workers={processes}; give only one")
    spec = on or (DEFAULT if processes is None else f"processes:workers={processes}")
    with input_errors(), console(stderr=True).status(f"Starting {spec} …"):
        made = executor(spec)
    with made, warnings.catch_warnings():
        warnings.simplefilter("always", ExecutorWarning)
        yield made


def watch(
    running: Generator[object, None, None],
    status: Callable[[], Status],
    *,
    quiet: bool,
    what: str = "games",
) -> bool:
    """Run the work with a live display; returns True if Ctrl-C stopped it."""
    from tesuji.arena.progress import TerminalBar, open_bar, with_progress

    bar = None if quiet else open_bar() or TerminalBar(log=True)
    try:
        shown = with_progress(running, status, bar=bar, what=what, hint=" · Ctrl-C stops")
        with closing(running), closing(shown):
            for _ in shown:
                pass
        return False
    except KeyboardInterrupt:
        return True
