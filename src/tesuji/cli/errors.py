"""Bad input is the caller's to mend: one line, exit code 2. Everything else keeps its traceback."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from traceback import walk_tb

PACKAGE = Path(__file__).resolve().parent.parent


class BadInput(Exception):
    """What was typed cannot be used; the message is one line."""


@contextmanager
def reading(what: str = "") -> Iterator[None]:
    """Turn the ValueErrors of parsing into BadInput. Put only parsing inside, never a user's rules."""
    try:
        yield
    except ValueError as error:
        message = one_line(str(error)) or type(error).__name__
        raise BadInput(f"{what}: {message}" if what else message) from error


@contextmanager
def judging() -> Iterator[None]:
    """As `reading`, around work that calls a user's rules: what their own code raises keeps its traceback."""
    try:
        yield
    except ValueError as error:
        if any(_is_foreign(frame.f_code.co_filename) for frame, _ in walk_tb(error.__traceback__)):
            raise
        raise BadInput(one_line(str(error)) or type(error).__name__) from error


def _is_foreign(file: str) -> bool:
    """Whether code is not of this package; `<string>` is what dataclasses generate."""
    return not file.startswith("<") and PACKAGE not in Path(file).resolve().parents


def one_line(text: str) -> str:
    r"""The text without line breaks: `one_line("a\n b") == "a b"`."""
    return " ".join(text.split())
