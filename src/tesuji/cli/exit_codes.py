"""How a command line ends: what an exception prints, and the exit code."""

from __future__ import annotations

import errno
import os
import sys
import traceback
from pathlib import Path
from types import TracebackType
from typing import Any

import typer

from tesuji.cli.errors import BadInput, one_line

# Older releases of typer use the package click and newer ones a copy of their own; both lead here.
UsageError: type[Exception] = typer.BadParameter.__mro__[1]

FAILED, BAD_INPUT, INTERRUPTED = 1, 2, 130
DISK_FULL = (errno.ENOSPC, errno.EDQUOT)


def report(error: BaseException) -> int:
    """Print what ended the command to standard error, and return the exit code."""
    from tesuji._helpers.atomic_write import WriteError
    from tesuji._helpers.extras import MissingExtra
    from tesuji.records.schema import StoreError
    from tesuji.scale import ExecutorError

    if isinstance(error, typer.Abort | KeyboardInterrupt):
        return INTERRUPTED
    if isinstance(error, BadInput | MissingExtra | StoreError | ExecutorError | WriteError):
        return _print_error(str(error))
    if isinstance(error, UsageError):
        return _print_error(_usage_message(error))
    if isinstance(error, BrokenPipeError):  # the reader has closed the pipe
        _discard_stdout()
        return FAILED
    if isinstance(error, OSError) and error.errno in DISK_FULL:
        _discard_stdout()
        where = f" {error.filename}" if error.filename else ""
        return _print_error(f"cannot write{where}: {error.strerror}")
    # A defect of a game or bot, whose author needs the place.
    traceback.print_exception(error.with_traceback(_without_typer(error.__traceback__)))
    return FAILED


def _discard_stdout() -> None:
    """Send what is still buffered nowhere: Python would fail again when it flushes at exit."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _print_error(message: str) -> int:
    print(f"tesuji: {message}", file=sys.stderr)
    return BAD_INPUT


def _usage_message(error: Any) -> str:
    """A usage error in one line, with a pointer to the help."""
    message = one_line(error.format_message()).rstrip(".")
    if message[1:2].islower():
        message = message[0].lower() + message[1:]
    path = error.ctx.command_path if error.ctx else "tesuji"
    return f"{message} (see {path} --help)"


def _without_typer(frames: TracebackType | None) -> TracebackType | None:
    """The frames from the command onwards."""
    rest = frames
    while rest and not _is_command(Path(rest.tb_frame.f_code.co_filename)):
        rest = rest.tb_next
    return rest or frames


def _is_command(file: Path) -> bool:
    return file.parent == Path(__file__).parent and file.name not in ("__init__.py", "app.py")
