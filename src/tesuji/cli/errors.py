"""Bad input is the caller's to mend: one line, exit code 2. Everything else keeps its traceback."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager


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


def one_line(text: str) -> str:
    r"""The text without line breaks: `one_line("a\n b") == "a b"`."""
    return " ".join(text.split())
