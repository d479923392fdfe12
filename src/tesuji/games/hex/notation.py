"""Hex cells as text: column letter and row number, a1 at the top left.

A cell's number is row * size + column, the numbering of `HexState.cells()` and of its moves.
"""

import re

_LETTERS = "abcdefghijklmnopqrstuvwxyz"
# One name per cell: no leading zero.
_CELL = re.compile("([a-z])([1-9][0-9]?)")


def column_text(column: int) -> str:
    """Give the letter of a column, counted from 0 at the left.

    >>> column_text(0), column_text(10)
    ('a', 'k')
    """
    return _LETTERS[column]


def cell_text(size: int, move: int) -> str:
    """Name a cell.

    >>> cell_text(11, 0), cell_text(11, 10), cell_text(11, 120)
    ('a1', 'k1', 'k11')
    """
    if not 0 <= move < size * size:
        raise ValueError(f"{move} is not a cell of {size}×{size} Hex; cells run from 0 to {size * size - 1}")
    row, column = divmod(move, size)
    return f"{column_text(column)}{row + 1}"


def parse_cell(size: int, text: str) -> int:
    """Read the name of a cell, in upper or lower case.

    >>> parse_cell(11, "f6"), parse_cell(11, "K11")
    (60, 120)
    >>> parse_cell(11, "z9")
    Traceback (most recent call last):
        ...
    ValueError: 'z9' is not a cell of 11×11 Hex; cells run from a1 to k11
    """
    if match := _CELL.fullmatch(text.strip().lower()):
        column, row = _LETTERS.index(match[1]), int(match[2]) - 1
        if column < size and row < size:
            return row * size + column
    last = cell_text(size, size * size - 1)
    raise ValueError(f"{text!r} is not a cell of {size}×{size} Hex; cells run from a1 to {last}")
