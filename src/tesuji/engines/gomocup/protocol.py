"""The grammar of the Gomocup protocol, which Gomoku programs and their managers speak.

    command = name [argument]              START 15 · TURN 7,7 · INFO timeout_turn 1000
    point   = x "," y                      from 0; x to the right, y downwards
    stone   = point "," (1 | 2 | 3)        between BOARD and DONE: ours, the opponent's, blocked

One command a line, and names in capitals, though any case is read. Lines may end in CR LF.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from tesuji.clipping import clip
from tesuji.engines.lines import LONGEST_LINE, Line, clean

OWN, OPPONENT, BLOCKED = 1, 2, 3

EXACT_FIVE, CONTINUOUS, RENJU, CARO = 1, 2, 4, 8
"""The bits of `INFO rule`."""

RULE_BITS = {"freestyle": 0, "standard": EXACT_FIVE, "renju": RENJU}

UNLIMITED = 2_147_483_647
"""What `INFO time_left` says where the time for a match has no limit, in milliseconds."""

LONGEST_ERROR = 500  # characters

_NUMBERS = re.compile(r"[0-9]{1,9}(?: *, *[0-9]{1,9})*", re.ASCII)


class Command(NamedTuple):
    """A command, its argument, and the line as it came: `Command("TURN", "7,7", "turn 7,7")`."""

    name: str
    argument: str
    text: str


class Point(NamedTuple):
    """A place on the board as the protocol counts: `Point(x=7, y=7)` is the centre of 15×15."""

    x: int
    y: int

    def __str__(self) -> str:
        return f"{self.x},{self.y}"


def parse_command(line: str | Line) -> Command | None:
    r"""The command on a line, None where there is none; ValueError where a part of it is missing.

    >>> parse_command("turn  7,7\r")
    Command(name='TURN', argument='7,7', text='turn  7,7')
    """
    line = line if isinstance(line, Line) else Line(line)
    if not line.whole:
        raise ValueError(f"this line is longer than {LONGEST_LINE} bytes")
    text = clean(line.text).strip()
    name, _, argument = text.partition(" ")
    return Command(name.upper(), argument.strip(), text) if name else None


def is_info(line: str | Line) -> bool:
    r"""Whether a line is an INFO, be it whole or not: `is_info("info rule\t1")`."""
    text = line.text if isinstance(line, Line) else line
    return [word.upper() for word in clean(text).split(None, 1)[:1]] == ["INFO"]


def parse_numbers(text: str, form: str) -> list[int]:
    """Numbers with commas, as many as the form has names: `parse_numbers("7,8", "x,y") == [7, 8]`."""
    names = form.split(",")
    if not _NUMBERS.fullmatch(text) or text.count(",") != len(names) - 1:
        raise ValueError(f"expected {form}, not {clip(text)}")
    return [int(number) for number in text.split(",")]


def parse_points(text: str) -> list[Point]:
    """Points with spaces between them, as a move or an opening is answered.

    >>> parse_points("7,7 8,6")
    [Point(x=7, y=7), Point(x=8, y=6)]
    """
    return [Point(*parse_numbers(word, "x,y")) for word in text.split()]


def rule_name(bits: int) -> str:
    """The game's name for a rule; ValueError where it has none: `rule_name(1) == "standard"`.

    Continuous play has no rule of its own: until somebody has won it is the same game.
    """
    known = bits & ~CONTINUOUS
    if known & CARO or known > EXACT_FIVE | RENJU:
        raise ValueError(f"rule {bits} is not played here; 0 is freestyle, 1 exactly five, 4 renju")
    return "renju" if known & RENJU else "standard" if known & EXACT_FIVE else "freestyle"


def error_line(word: str, message: str) -> str:
    """An answer of one line: `error_line("ERROR", "no such size") == "ERROR no such size"`."""
    return f"{word} {' '.join(message.split())[:LONGEST_ERROR]}"
