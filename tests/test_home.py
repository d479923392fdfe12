"""Tests write nothing into the user's home folder."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest


def told(program: str) -> Path:
    """What a Python program in a process of its own prints: a path."""
    return Path(subprocess.check_output([sys.executable, "-c", program], text=True).strip())


def test_this_process_and_its_children_have_another_home(home: Path) -> None:
    assert Path.home() == home
    assert told("import pathlib; print(pathlib.Path.home())") == home


def test_ipython_writes_into_that_home(home: Path) -> None:
    pytest.importorskip("IPython")
    assert home in told("from IPython.paths import get_ipython_dir; print(get_ipython_dir())").parents


def test_browsers_keep_their_profiles_in_that_home(home: Path) -> None:
    program = "import os; print(os.environ['XDG_CONFIG_HOME'])"
    assert told(program) == home / ".config"
