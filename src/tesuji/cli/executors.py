"""Where a command's work runs: `--on SPEC`, and `--processes N`, which is short for one."""

from __future__ import annotations

import sys
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TypeAlias

import typer

from tesuji.cli.errors import BadInput, reading
from tesuji.cli.inputs import load
from tesuji.scale import ExecutorWarning

if TYPE_CHECKING:
    from tesuji.scale.executor import Executor

Processes: TypeAlias = Annotated[
    int | None,
    typer.Option(metavar="N", min=1, help="Games at the same time; else as many as processors."),
]
On: TypeAlias = Annotated[
    str | None,
    typer.Option(
        "--on",
        metavar="SPEC",
        help="Where it runs: processes:workers=N, threads:workers=N, ray:address=auto for a cluster.",
    ),
]


@contextmanager
def open_executor(on: str | None, processes: int | None = None) -> Iterator[Executor]:
    """The executor that was asked for, processes of this machine where none was."""
    from rich.console import Console

    from tesuji.scale.executor import DEFAULT, executor

    if on is not None and processes is not None:
        raise BadInput(f"--processes {processes} is short for --on processes:workers={processes}: give one")
    spec = on or (DEFAULT if processes is None else f"processes:workers={processes}")
    with reading(), Console(stderr=True).status(f"Getting {spec} ready …"):
        made = executor(spec)
    with made, warnings.catch_warnings():
        warnings.simplefilter("always", ExecutorWarning)
        warnings.showwarning = partial(_warn, warnings.showwarning)
        yield made


def _warn(show: Callable[..., None], message: object, category: type[Warning], *where: Any) -> None:
    """What an executor has to say is for whoever typed the command: without the place in our code."""
    if issubclass(category, ExecutorWarning):
        print(f"tesuji: {message}", file=sys.stderr, flush=True)
    else:
        show(message, category, *where)


def setup(file: Path | None) -> Callable[[], object] | None:
    """What every worker does first: load the user's file, as it is here."""
    return None if file is None else partial(load, file.absolute(), file.read_bytes())
