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
from typing import NamedTuple

from tesuji.engines.lines import LONGEST_LINE, Line, clean

_COMMAND = re.compile(r"(?:(?P<id>[0-9]+)(?: +|\Z))?(?P<rest>.*)")
_ANSWER = re.compile(r"(?P<mark>[=?])(?: +(?P<text>.*))?")


class Command(NamedTuple):
    """A command: `Command("7", "play", ("black", "f6"))`; the id is empty where none was given."""

    id: str
    name: str
    arguments: tuple[str, ...]


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
