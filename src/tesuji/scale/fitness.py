"""Whether a machine is fit for work that another has planned: the same Tesuji, byte for byte.

A node with another version, or with a native core that was built otherwise, might play other moves, and
nobody would see it in the results. So it is refused.
"""

from __future__ import annotations

import functools
import hashlib
import os
import socket
from importlib.metadata import version
from pathlib import Path
from typing import NamedTuple

import tesuji
from tesuji import _core
from tesuji.scale import ExecutorError

DIGITS = 8  # of a digest: people read them


class Build(NamedTuple):
    """Which Tesuji this is: its version, and digests of its native core and of its Python files."""

    version: str
    core: str
    code: str

    def __str__(self) -> str:
        return f"tesuji {self.version} (core {self.core}, code {self.code})"


@functools.cache
def this_build() -> Build:
    """The Tesuji of this process."""
    core = hashlib.sha256(Path(_core.__file__).read_bytes()).hexdigest()[:DIGITS]
    folder = Path(tesuji.__file__).parent
    code = hashlib.sha256()
    for path in sorted(folder.rglob("*.py")):
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
