"""Reading lines from a pipe: overlong lines are cut, control characters removed."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import NamedTuple

LONGEST_LINE = 1 << 16  # bytes; no command needs more
CHUNK = 1 << 16  # bytes read at once

_CONTROL = re.compile(r"[\x00-\x08\x0a-\x1f\x7f-\x9f\u2028\u2029]")


class Line(NamedTuple):
    """A line of input; `whole` is False if it was too long and cut."""

    text: str
    whole: bool = True
    arrived: float | None = None
    """When it was read, by `time.monotonic`: the sender's clock runs from then."""


def read_lines(read: Callable[[], bytes]) -> Iterator[Line]:
    """The lines of a stream, in bounded memory. `read` returns bytes, empty at the end."""
    rest, cut = b"", False
    while chunk := read():
        *ended, rest = (rest + chunk).split(b"\n")
        for line in ended:
            yield _line(line, cut)
            cut = False
        if len(rest) > LONGEST_LINE:
            rest, cut = rest[:LONGEST_LINE], True
    if rest:
        yield _line(rest, cut)


def _line(line: bytes, cut: bool) -> Line:
    return Line(line[:LONGEST_LINE].decode(errors="replace"), not cut and len(line) <= LONGEST_LINE)


def clean(text: str) -> str:
    r"""The text without control characters, tabs as spaces: `clean("a\tb\r") == "a b"`."""
    return _CONTROL.sub("", text.replace("\t", " "))
