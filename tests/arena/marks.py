"""Find all processes of a command by a variable in their environment."""

from __future__ import annotations

import itertools
import os
import time
from pathlib import Path

import pytest

NAME = "TESUJI_TEST_MARK"
_numbers = itertools.count()

needs_proc = pytest.mark.skipif(not Path("/proc/self/environ").exists(), reason="looks at processes in /proc")


def new_mark() -> str:
    return f"{os.getpid()}-{next(_numbers)}"


def marked(mark: str) -> list[int]:
    """The running processes that carry the mark."""
    found = []
    for folder in Path("/proc").iterdir():
        if folder.name.isdigit():
            try:
                variables = (folder / "environ").read_bytes().split(b"\0")
            except OSError:  # gone meanwhile
                continue
            if f"{NAME}={mark}".encode() in variables:
                found.append(int(folder.name))
    return found


def all_gone(mark: str) -> bool:
    for _ in range(400):
        if not marked(mark):
            return True
        time.sleep(0.05)
    return False
