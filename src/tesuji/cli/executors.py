"""Where a command runs its work: `--on SPEC`, or `--processes N` for short."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TypeAlias

import typer

from tesuji.cli.errors import BadInput, input_errors
from tesuji.cli.inputs import files_to_load, load_file
from tesuji.scale import ExecutorWarning

if TYPE_CHECKING:
    from tesuji.scale.executor import Executor

Processes: TypeAlias = Annotated[
    int | None,
    typer.Option(metavar="N", min=1, help="Worker processes; defaults to one per core."),
]
On: TypeAlias = Annotated[
    str | None,
    typer.Option(
        "--on",
        metavar="SPEC",
        help="Executor: processes:workers=N, threads:workers=N or, on a cluster, ray:address=auto.",
    ),
]


@contextmanager
def open_executor(on: str | None, processes: int | None = None) -> Iterator[Executor]:
    """The chosen executor; defaults to local processes."""
    from rich.console import Console

    from tesuji.scale.executor import DEFAULT, executor

    if on is not None and processes is not None:
        raise BadInput(f"--processes {processes} means --on processes:workers={processes}; give only one")
    spec = on or (DEFAULT if processes is None else f"processes:workers={processes}")
    with input_errors(), Console(stderr=True).status(f"Starting {spec} …"):
        made = executor(spec)
    with made, warnings.catch_warnings():
        warnings.simplefilter("always", ExecutorWarning)
        yield made


def setup(files: Sequence[Path] | None) -> Callable[[], object] | None:
    """What every worker runs first: load the user's files, with their contents on this machine."""
    found = [(path.absolute(), path.read_bytes()) for path in files_to_load(files)]
    return partial(_load_all, found) if found else None


def _load_all(files: Sequence[tuple[Path, bytes]]) -> None:
    for path, source in files:
        load_file(path, source)
