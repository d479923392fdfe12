"""The grammar of the Gomocup protocol between Gomoku programs and their managers.

    command = name [argument]              START 15 · TURN 7,7 · INFO timeout_turn 1000
    point   = x "," y                      from 0; x to the right, y downwards
    stone   = point "," (1 | 2 | 3)        between BOARD and DONE: ours, the opponent's, blocked

One command per line. Names are in capitals, but any case is accepted. Lines may end in CR LF.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from tesuji._helpers.clipping import clip
from tesuji.engines.lines import LONGEST_LINE, Line, clean

OWN, OPPONENT, BLOCKED = 1, 2, 3

EXACT_FIVE, CONTINUOUS, RENJU, CARO = 1, 2, 4, 8
"""The bits of `INFO rule`."""

RULE_BITS = {"freestyle": 0, "standard": EXACT_FIVE, "renju": RENJU}

UNLIMITED = 2_147_483_647
"""`INFO time_left` without a limit for the match, in milliseconds."""

LONGEST_ERROR = 500  # characters

_NUMBERS = re.compile(r"[0-9]{1,9}(?: *, *[0-9]{1,9})*", re.ASCII)


class GomocupCommand(NamedTuple):
    """A command, its argument, and the original line: `GomocupCommand("TURN", "7,7", "turn 7,7")`."""

    name: str
    argument: str
    text: str


class Point(NamedTuple):
    """A cell in protocol coordinates: `Point(x=7, y=7)` is the centre of 15×15."""

    x: int
    y: int

    def __str__(self) -> str:
        return f"{self.x},{self.y}"


def parse_command(line: str | Line) -> GomocupCommand | None:
    r"""Parse a line; None for an empty one, ValueError for one that was cut.

    >>> parse_command("turn  7,7\r")
    GomocupCommand(name='TURN', argument='7,7', text='turn  7,7')
    """
    line = line if isinstance(line, Line) else Line(line)
    if not line.whole:
        raise ValueError(f"this line is longer than {LONGEST_LINE} bytes")
    text = clean(line.text).strip()
    name, _, argument = text.partition(" ")
    return GomocupCommand(name.upper(), argument.strip(), text) if name else None


def is_info(line: str | Line) -> bool:
    r"""Whether a line is an INFO, even if it was cut: `is_info("info rule\t1")`."""
    text = line.text if isinstance(line, Line) else line
    return [word.upper() for word in clean(text).split(None, 1)[:1]] == ["INFO"]


def parse_numbers(text: str, form: str) -> list[int]:
    """Parse comma-separated numbers in this form: `parse_numbers("7,8", "x,y") == [7, 8]`."""
    names = form.split(",")
    if not _NUMBERS.fullmatch(text) or text.count(",") != len(names) - 1:
        raise ValueError(f"expected {form}, not {clip(text)}")
    return [int(number) for number in text.split(",")]


def parse_points(text: str) -> list[Point]:
    """Parse points separated by spaces, as in an answer with a move or an opening.

    >>> parse_points("7,7 8,6")
    [Point(x=7, y=7), Point(x=8, y=6)]
    """
    return [Point(*parse_numbers(word, "x,y")) for word in text.split()]


def rule_name(bits: int) -> str:
    """The game's name for a rule; ValueError if it is not supported: `rule_name(1) == "standard"`.

    Continuous play is ignored: until the first win it is the same game.
    """
    known = bits & ~CONTINUOUS
    if known & CARO or known > EXACT_FIVE | RENJU:
        raise ValueError(f"rule {bits} is not supported; 0 is freestyle, 1 exactly five, 4 renju")
    return "renju" if known & RENJU else "standard" if known & EXACT_FIVE else "freestyle"


def error_line(word: str, message: str) -> str:
    """An error as one line: `error_line("ERROR", "no such size") == "ERROR no such size"`."""
    return f"{word} {' '.join(message.split())[:LONGEST_ERROR]}"
