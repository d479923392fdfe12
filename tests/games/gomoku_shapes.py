"""Gomoku positions as pictures, and the patterns of lines computed slowly from their definitions."""

from __future__ import annotations

from functools import cache

from tesuji import _core

BLACK, WHITE = 0, 1
STEPS = ((0, 1), (1, 0), (1, 1), (-1, 1))  # row, column: rows, columns, rising and falling diagonals


def position(picture: str, *, colour: int = BLACK, rule: str = "freestyle") -> _core.GomokuState:
    """A position drawn as people see it, the highest row first: x Black, o White, anything else empty."""
    rows = [line.split() for line in picture.strip().splitlines()]
    owners = bytes({"x": 1, "o": 2}.get(mark, 0) for row in reversed(rows) for mark in row)
    return _core.GomokuState.set_up(len(rows), rule, owners, colour)


def marked(picture: str, mark: str) -> list[int]:
    """The cells that bear this mark, in ascending order."""
    rows = [line.split() for line in picture.strip().splitlines()]
    return [i for i, found in enumerate(found for row in reversed(rows) for found in row) if found == mark]


def along(size: int, owners: bytes, cell: int, step: tuple[int, int], colour: int) -> tuple[str, int]:
    """A line through a cell as a text, own stones x, enemies and edges |, and the cell's place in it."""
    row, column = divmod(cell, size)
    text = ""
    for steps in range(-6, 7):
        there, beside = row + steps * step[0], column + steps * step[1]
        if not (0 <= there < size and 0 <= beside < size):
            text += "|"
        else:
            text += {0: ".", colour + 1: "x"}.get(owners[there * size + beside], "|")
    return text, 6


@cache
def line_made(text: str, place: int, exact: bool, forbids_double_four: bool = False) -> str:
    """The pattern at this place of a line after an own stone is put there."""
    text = text[:place] + "x" + text[place + 1 :]
    length = run(text, place)
    if length >= 5:
        return "five" if length == 5 or not exact else "overline"
    empty = [i for i, mark in enumerate(text) if mark == "."]
    fives = [i for i in empty if is_five(put(text, i), place, exact)]
    if len(fives) == 2:
        return "open_four" if fives[1] - fives[0] == 5 else "double_four"
    if fives:
        return "four"
    after = {line_made(put(text, i), place, exact, forbids_double_four) for i in empty}
    if "open_four" in after or ("double_four" in after and not forbids_double_four):
        return "open_three"
    for name, next_name in (
        ("three", "four"),
        ("open_two", "open_three"),
        ("two", "three"),
        ("open_one", "open_two"),
        ("one", "two"),
    ):
        if next_name in after:
            return name
    return "none"


def put(text: str, place: int) -> str:
    return text[:place] + "x" + text[place + 1 :]


def run(text: str, place: int) -> int:
    """How many own stones stand together around a place that has one."""
    return len(text[place:].split("|")[0].split(".")[0]) + len(text[:place]) - len(text[:place].rstrip("x"))


def is_five(text: str, place: int, exact: bool) -> bool:
    length = run(text, place)
    return length == 5 or (length > 5 and not exact)
