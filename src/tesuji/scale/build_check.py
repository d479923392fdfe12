"""Checks that every node runs the same Tesuji, byte for byte, and has the same files.

A node with another version or another build of the native core might play other moves unnoticed.
"""

from __future__ import annotations

import functools
import hashlib
import os
import socket
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import NamedTuple

from tesuji import __version__, _core
from tesuji.scale import ExecutorError

LARGE = 64 << 20  # bytes; larger files, such as tablebases, take too long to hash
DIGITS = 8  # of a digest, in messages


class Build(NamedTuple):
    """A version of Tesuji, with digests of its native core and of its other files."""

    version: str
    core: str
    code: str

    def __str__(self) -> str:
        return f"tesuji {self.version} (core {self.core}, code {self.code})"


@functools.cache
def this_build() -> Build:
    """The build of this process."""
    core = hashlib.sha256(Path(_core.__file__).read_bytes()).hexdigest()[:DIGITS]
    folder = Path(__file__).resolve().parent.parent
    code = hashlib.sha256()
    for path in sorted([*folder.rglob("*.py"), *folder.glob("models/*.safetensors")]):
        code.update(f"{path.relative_to(folder).as_posix()}\n".encode())
        code.update(path.read_bytes())
    return Build(__version__, core, code.hexdigest()[:DIGITS])


def check_build(build: Build, folder: str) -> None:
    """On a node, before its first task: ExecutorError if its build differs from the driver's.

    Changes to the driver's working directory if it exists here, so that relative paths mean the same.
    """
    if this_build() != build:
        where = socket.gethostname()
        raise ExecutorError(
            f"{where} has {this_build()}, and this program is {build}: install the same on every node"
        )
    if os.path.isdir(folder):
        os.chdir(folder)


def file_digests(paths: Iterable[str]) -> dict[str, str]:
    """A SHA-256 digest of each file, or its size if it is LARGE.

    Names of no file are left out: `file_digests(["game", "off"]) == {}`.
    """
    found = {path: _digest(path) for path in paths}
    return {path: digest for path, digest in found.items() if digest}


def check_files(files: Mapping[str, str], setup: Callable[[], object] | None) -> None:
    """In a worker, before its first task: check the files against their digests, then call the setup."""
    for path, digest in files.items():
        if _digest(path) != digest:
            raise ExecutorError(
                f"{socket.gethostname()} has no {path}, or a different one: copy it there under the same "
                "path, or use a folder that all nodes share"
            )
    if setup is not None:
        setup()


def _digest(path: str) -> str:
    try:
        size = os.path.getsize(path) if os.path.isfile(path) else -1
        if size > LARGE:
            return f"{size} bytes"
        return "" if size < 0 else hashlib.sha256(Path(path).read_bytes()).hexdigest()
    except (OSError, ValueError):  # not a path
        return ""
