"""Gomoku cells as text: column letter and row number, a1 at the bottom left, h8 the centre of 15×15.

A cell's number is row * size + column, the numbering of `GomokuState.cells()` and of its moves.
"""

import re

_LETTERS = "abcdefghijklmnopqrst"
# One name per cell: no leading zero.
_CELL = re.compile("([a-z])([1-9][0-9]?)")


def cell_text(size: int, move: int) -> str:
    """Name a cell.

    >>> cell_text(15, 0), cell_text(15, 112), cell_text(15, 224)
    ('a1', 'h8', 'o15')
    """
    if not 0 <= move < size * size:
        raise ValueError(
            f"{move} is not a cell of {size}×{size} Gomoku; cells run from 0 to {size * size - 1}"
        )
    row, column = divmod(move, size)
    return f"{_LETTERS[column]}{row + 1}"


def parse_cell(size: int, text: str) -> int:
    """Read the name of a cell, in upper or lower case.

    >>> parse_cell(15, "h8"), parse_cell(15, "O15")
    (112, 224)
    >>> parse_cell(15, "z9")
    Traceback (most recent call last):
        ...
    ValueError: 'z9' is not a cell of 15×15 Gomoku; cells run from a1 to o15
    """
    if match := _CELL.fullmatch(text.strip().lower()):
        column, row = ord(match[1]) - ord("a"), int(match[2]) - 1
        if column < size and row < size:
            return row * size + column
    last = cell_text(size, size * size - 1)
    raise ValueError(f"{text!r} is not a cell of {size}×{size} Gomoku; cells run from a1 to {last}")
