"""The grammar of GTP, the Go Text Protocol, version 2 (Farnebäck 2002), which Hex programs speak too.

    command   = [id] name {argument} newline
    answer    = "=" [id] " " text newline newline
    complaint = "?" [id] " " text newline newline

Before a command is read, control characters are dropped, tabs become spaces, and what follows a # is a
comment; empty lines mean nothing. An answer to a command without anything to say is "= " with its space:
HexGui looks for it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import NamedTuple

LONGEST_LINE = 1 << 16  # bytes of a command that are kept; no command needs more
CHUNK = 1 << 16  # bytes read at once

_CONTROL = re.compile(r"[\x00-\x08\x0a-\x1f\x7f-\x9f\u2028\u2029]")
_COMMAND = re.compile(r"(?:(?P<id>[0-9]+)(?: +|\Z))?(?P<rest>.*)")
_ANSWER = re.compile(r"(?P<mark>[=?])(?: +(?P<text>.*))?")


class Line(NamedTuple):
    """A line of input. One that is too long is cut, and not whole."""

    text: str
    whole: bool = True


class Command(NamedTuple):
    """A command: `Command("7", "play", ("black", "f6"))`; the id is empty where none was given."""

    id: str
    name: str
    arguments: tuple[str, ...]


def read_lines(read: Callable[[], bytes]) -> Iterator[Line]:
    """The lines of a stream, whatever is in it, in bounded memory. `read` gives bytes, none at the end."""
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


def parse_command(line: str | Line) -> Command | None:
    r"""The command on a line, None where there is none; ValueError where a part of it is missing.

    >>> parse_command("12 play black f6\t# the centre\r")
    Command(id='12', name='play', arguments=('black', 'f6'))
    >>> parse_command("# only a comment") is None
    True
    """
    line = line if isinstance(line, Line) else Line(line)
    text, comment, _ = clean(line.text).partition("#")
    if not line.whole and not comment:
        raise ValueError(f"this line is longer than {LONGEST_LINE} bytes")
    if not text.strip():
        return None
    match = _COMMAND.fullmatch(text.strip())
    assert match is not None  # it takes any text of one line
    name, *arguments = match["rest"].split() or [""]
    return Command(match["id"] or "", name, tuple(arguments))


def format_answer(text: str, *, id: str = "", good: bool = True) -> str:
    r"""What goes over the wire: `format_answer("f6", id="7") == "=7 f6\n\n"`.

    An empty line would end the answer too early, so it gets a space.
    """
    first, *others = text.rstrip().split("\n")
    lines = [first, *(line.rstrip() or " " for line in others)]
    return f"{'=' if good else '?'}{id} " + "\n".join(lines) + "\n\n"


def parse_answer(line: str) -> tuple[bool, str] | None:
    """Whether an answer is good, and what its first line says; None for what answers no command without id.

    >>> parse_answer("= f6"), parse_answer("? illegal move"), parse_answer("f6")
    ((True, 'f6'), (False, 'illegal move'), None)
    """
    match = _ANSWER.fullmatch(clean(line).rstrip())
    return None if match is None else (match["mark"] == "=", match["text"] or "")
