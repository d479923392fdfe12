"""The grammar of GTP, the Go Text Protocol, version 2 (Farnebäck 2002), which Hex programs use, too.

    command   = [id] name {argument} newline
    success   = "=" [id] " " text newline newline
    failure   = "?" [id] " " text newline newline

Before a command is parsed, control characters are dropped, tabs become spaces, and comments after # are
removed; empty lines are ignored. An empty answer is "= " with a space, which HexGui needs.

The table of commands is here, too; a command's usage also sets how many arguments it takes:

    @command("play COLOUR MOVE")
    def play(engine, colour, word): ...

A command returns its answer. A ValueError is the controller's mistake and becomes the failure response.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from tesuji.engines.lines import LONGEST_LINE, Line, clean

if TYPE_CHECKING:
    from tesuji.engines.gtp.engine import GtpEngine

Function: TypeAlias = Callable[..., str | None]

_COMMAND = re.compile(r"(?:(?P<id>[0-9]+)(?: +|\Z))?(?P<rest>.*)")
_ANSWER = re.compile(r"(?P<mark>[=?])(?: +(?P<text>.*))?")


class GtpCommand(NamedTuple):
    """A command: `GtpCommand("7", "play", ("black", "f6"))`; the id is empty if none was given."""

    id: str
    name: str
    arguments: tuple[str, ...]


def parse_command(line: str | Line) -> GtpCommand | None:
    r"""Parse a line; None for an empty one, ValueError for one that was cut.

    >>> parse_command("12 play black f6\t# the centre\r")
    GtpCommand(id='12', name='play', arguments=('black', 'f6'))
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
    assert match is not None  # the pattern matches any single line
    name, *arguments = match["rest"].split() or [""]
    return GtpCommand(match["id"] or "", name, tuple(arguments))


def format_answer(text: str, *, id: str = "", good: bool = True) -> str:
    r"""Format an answer: `format_answer("f6", id="7") == "=7 f6\n\n"`.

    Empty lines in the text get a space, since an empty line ends the answer.
    """
    first, *others = text.rstrip().split("\n")
    lines = [first, *(line.rstrip() or " " for line in others)]
    return f"{'=' if good else '?'}{id} " + "\n".join(lines) + "\n\n"


def parse_answer(line: str) -> tuple[bool, str] | None:
    """Success, and the text of an answer's first line; None if it is no answer to a command without id.

    >>> parse_answer("= f6"), parse_answer("? illegal move"), parse_answer("f6")
    ((True, 'f6'), (False, 'illegal move'), None)
    """
    match = _ANSWER.fullmatch(clean(line).rstrip())
    return None if match is None else (match["mark"] == "=", match["text"] or "")


class Entry(NamedTuple):
    """A command and its usage; optional arguments are in brackets, and "..." allows more of them."""

    usage: str
    function: Function

    def run(self, engine: GtpEngine, arguments: tuple[str, ...]) -> str:
        """Run the command; ValueError for a wrong number of arguments."""
        _, *wanted = self.usage.removesuffix("...").split()
        needed = [name for name in wanted if not name.startswith("[") and not name.endswith("]")]
        most = len(arguments) if self.usage.endswith("...") else len(wanted)
        if not len(needed) <= len(arguments) <= most:
            raise ValueError(f"syntax error; expected {self.usage}")
        return self.function(engine, *arguments) or ""


COMMANDS: dict[str, Entry] = {}


def command(usage: str) -> Callable[[Function], Function]:
    """Register a function: `@command("genmove COLOUR")`."""

    def add(function: Function) -> Function:
        COMMANDS[usage.split()[0]] = Entry(usage, function)
        return function

    return add
