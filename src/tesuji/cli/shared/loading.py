"""A user's Python files, which register games and bots: here, and in workers on other machines."""

from __future__ import annotations

import importlib.util
import os
import shlex
import sys
import traceback
from collections.abc import Callable, Sequence
from functools import partial
from importlib.machinery import SourceFileLoader
from pathlib import Path
from types import CodeType

from tesuji.cli.shared.errors import BadInput, one_line
from tesuji.registry import games

LOAD_VARIABLE = "TESUJI_LOAD"
"""Environment variable with files that every command loads first, separated as in PATH."""


class _SourceLoader(SourceFileLoader):
    """Loads a module from source that was read on another machine."""

    def __init__(self, name: str, path: str, source: bytes) -> None:
        super().__init__(name, path)
        self._source = source

    def get_code(self, fullname: str) -> CodeType:
        """Compile the given source."""
        return self.source_to_code(self._source, self.path)


def files_to_load(given: Sequence[Path] | None) -> list[Path]:
    """The files of the environment variable and of --load, each once."""
    named = [Path(text) for text in os.environ.get(LOAD_VARIABLE, "").split(os.pathsep) if text]
    found = {path.absolute(): path for path in (*named, *(given or ()))}
    return list(found.values())


def load(given: Sequence[Path] | None) -> list[str]:
    """Load all files; returns the names of the games that those of --load register."""
    named = {path.absolute() for path in given or ()}
    names = []
    for path in files_to_load(given):
        registered = load_file(path)
        names += registered if path.absolute() in named else []
    return names


def load_option(given: Sequence[Path] | None) -> str:
    """The --load options for a command that is suggested to the user, with a space before each."""
    return "".join(f" --load {shlex.quote(str(path))}" for path in given or ())


def load_file(path: Path, source: bytes | None = None) -> list[str]:
    """Run a user's Python file, as `python FILE.py` would; returns the names of the games it registers.

    With `source` given, the file need not exist on this machine.
    """
    if source is None and not path.is_file():
        raise BadInput(f"cannot load {path}: {'not a file' if path.exists() else 'no such file'}")
    before = set(games.names())
    name = f"tesuji_loaded_{path.stem}"  # not just the stem: a file may be called random.py
    loader = None if source is None else _SourceLoader(name, str(path.absolute()), source)
    found = importlib.util.spec_from_file_location(name, path.absolute(), loader=loader)
    if found is None or found.loader is None:
        raise BadInput(f"cannot load {path}: its name must end in .py")
    module = importlib.util.module_from_spec(found)
    sys.modules[name] = module  # dataclasses look their module up
    sys.path.insert(0, str(path.resolve().parent))
    try:
        found.loader.exec_module(module)
    except (Exception, SystemExit) as error:
        frames = traceback.extract_tb(error.__traceback__)
        lines = [frame.lineno for frame in frames if Path(frame.filename) == path.absolute()]
        where = f", line {lines[-1]}" if lines else ""
        message = one_line(f"{type(error).__name__}: {error}").removesuffix(":")
        raise BadInput(f"cannot load {path}{where}: {message}") from error
    return [name for name in games.names() if name not in before]


def worker_setup(files: Sequence[Path] | None) -> Callable[[], object] | None:
    """What every worker runs first: load the user's files, with their contents on this machine."""
    found = [(path.absolute(), path.read_bytes()) for path in files_to_load(files)]
    return partial(_load_all, found) if found else None


def _load_all(files: Sequence[tuple[Path, bytes]]) -> None:
    for path, source in files:
        load_file(path, source)
