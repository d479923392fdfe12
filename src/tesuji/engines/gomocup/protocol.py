"""The grammar of the Gomocup protocol between Gomoku programs and their managers.

    command = name [argument]              START 15 · TURN 7,7 · INFO timeout_turn 1000
    point   = x "," y                      from 0; x to the right, y downwards
    stone   = point "," (1 | 2 | 3)        between BOARD and DONE: ours, the opponent's, blocked

`Stones` is the board in these terms. Colours follow from the numbers of stones, which alternate in every
opening, swap2 included: when it is our turn, we are White if the opponent has more stones, else Black.

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

BLACK, WHITE = 0, 1

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


class Stones:
    """The stones of a square board. Row 0 of our cells is at the bottom, y = 0 of the protocol at the top.

    >>> stones = Stones(15)
    >>> stones.put(Point(7, 7), OPPONENT), stones.put(Point(0, 14), OWN), stones.point(0)
    (112, 0, Point(x=0, y=14))
    """

    def __init__(self, size: int) -> None:
        self.size = size
        self._owners: dict[int, int] = {}

    def __len__(self) -> int:
        return len(self._owners)

    def put(self, point: Point, owner: int) -> int:
        """Put a stone and return its cell; ValueError if it is not possible."""
        cell = self.cell(point)
        if cell in self._owners:
            raise ValueError(f"{point} is taken")
        if owner not in (OWN, OPPONENT):
            what = "blocked cells are not supported" if owner == BLOCKED else f"unknown owner {owner}"
            raise ValueError(f"{point},{owner}: {what}; expected x,y,1 (own) or x,y,2 (opponent)")
        self._owners[cell] = owner
        return cell

    def take(self, point: Point) -> None:
        """Remove a stone; ValueError if there is none."""
        if self._owners.pop(self.cell(point), None) is None:
            raise ValueError(f"there is no stone on {point}")

    def point(self, cell: int) -> Point:
        """A cell in protocol coordinates."""
        row, column = divmod(cell, self.size)
        return Point(column, self.size - 1 - row)

    @property
    def colour(self) -> int:
        """Our colour, when it is our turn."""
        return WHITE if len(self._of(OPPONENT)) > len(self._of(OWN)) else BLACK

    def sequence(self) -> list[int] | None:
        """The cells as moves of a game with us to move; None if one colour has too many stones."""
        own, others = self._of(OWN), self._of(OPPONENT)
        first, second = (own, others) if self.colour == BLACK else (others, own)
        if len(first) - len(second) != self.colour:
            return None
        cells = [0] * len(self)
        cells[::2], cells[1::2] = first, second
        return cells

    def cells(self) -> bytes:
        """One byte per cell: 0 empty, 1 Black, 2 White, when it is our turn."""
        ours = 1 + self.colour
        cells = bytearray(self.size**2)
        for cell, owner in self._owners.items():
            cells[cell] = ours if owner == OWN else 3 - ours
        return bytes(cells)

    def _of(self, owner: int) -> list[int]:
        return [cell for cell, whose in self._owners.items() if whose == owner]

    def cell(self, point: Point) -> int:
        """The cell of a point; ValueError if it is off the board."""
        if not (0 <= point.x < self.size and 0 <= point.y < self.size):
            raise ValueError(f"{point} is not on the board; x and y go from 0 to {self.size - 1}")
        return (self.size - 1 - point.y) * self.size + point.x
