"""Whether a machine is fit for work that another has planned: the same Tesuji, byte for byte.

A node with another version, or with a native core that was built otherwise, might play other moves, and
nobody would see it in the results. So it is refused.
"""

from __future__ import annotations

import functools
import hashlib
import os
import socket
from collections.abc import Callable, Iterable, Mapping
from importlib.metadata import version
from pathlib import Path
from typing import NamedTuple

from tesuji import _core
from tesuji.scale import ExecutorError

LARGE = 64 << 20  # bytes: a tablebase; to read it all would take longer than many a game
DIGITS = 8  # of a digest: people read them


class Build(NamedTuple):
    """Which Tesuji this is: its version, and digests of its native core and of all else."""

    version: str
    core: str
    code: str

    def __str__(self) -> str:
        return f"tesuji {self.version} (core {self.core}, code {self.code})"


@functools.cache
def this_build() -> Build:
    """The Tesuji of this process."""
    core = hashlib.sha256(Path(_core.__file__).read_bytes()).hexdigest()[:DIGITS]
    folder = Path(__file__).resolve().parent.parent
    code = hashlib.sha256()
    for path in sorted([*folder.rglob("*.py"), *folder.glob("models/*.onnx")]):
        code.update(f"{path.relative_to(folder).as_posix()}\n".encode())
        code.update(path.read_bytes())
    return Build(version("tesuji"), core, code.hexdigest()[:DIGITS])


def check_fit(build: Build, folder: str) -> None:
    """On a node, before its first task: ExecutorError where it has another Tesuji than the program has.

    The program's folder becomes this process's own where there is one: then files have the same names.
    """
    if this_build() != build:
        where = socket.gethostname()
        raise ExecutorError(
            f"{where} has {this_build()}, and this program is {build}: install the same on every node"
        )
    if os.path.isdir(folder):
        os.chdir(folder)


def file_marks(paths: Iterable[str]) -> dict[str, str]:
    """By which files are known again elsewhere: what they hold, or how much where that is very much.

    A text that is no file's name is left out: `file_marks(["game", "off"]) == {}`.
    """
    found = {path: _mark(path) for path in paths}
    return {path: mark for path, mark in found.items() if mark}


def ready(files: Mapping[str, str], setup: Callable[[], object] | None) -> None:
    """In a worker, before its first task: the files are there as they should be, and the setup is called."""
    for path, mark in files.items():
        if _mark(path) != mark:
            raise ExecutorError(
                f"{socket.gethostname()} has no {path}, or not the same as here: put it there under that "
                "name, or into a folder that all nodes share"
            )
    if setup is not None:
        setup()


def _mark(path: str) -> str:
    try:
        size = os.path.getsize(path) if os.path.isfile(path) else -1
        if size > LARGE:
            return f"{size} bytes"
        return "" if size < 0 else hashlib.sha256(Path(path).read_bytes()).hexdigest()
    except (OSError, ValueError):  # not a path
        return ""
