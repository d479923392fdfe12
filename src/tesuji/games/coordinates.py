"""Cells of a square board as text: column letter and row number, a1 first.

A cell's number is row · size + column. Whether row 1 is at the top or at the bottom depends on the game.
"""

import re

from tesuji._helpers.clipping import clip

_LETTERS = "abcdefghijklmnopqrstuvwxyz"
# One name per cell: no leading zero.
_CELL = re.compile("([a-z])([1-9][0-9]?)")


def column_text(column: int) -> str:
    """The letter of a column, counted from 0 at the left.

    >>> column_text(0), column_text(10)
    ('a', 'k')
    """
    return _LETTERS[column]


def cell_text(game: str, size: int, move: int) -> str:
    """Name a cell of a game's board: `cell_text("Hex", 11, 120) == "k11"`."""
    if not 0 <= move < size * size:
        raise ValueError(
            f"{move} is not a cell of {size}×{size} {game}; cells run from 0 to {size * size - 1}"
        )
    row, column = divmod(move, size)
    return f"{column_text(column)}{row + 1}"


def parse_cell(game: str, size: int, text: str) -> int:
    """Read the name of a cell, in upper or lower case: `parse_cell("Hex", 11, "K11") == 120`."""
    if match := _CELL.fullmatch(text.strip().lower()):
        column, row = _LETTERS.index(match[1]), int(match[2]) - 1
        if column < size and row < size:
            return row * size + column
    last = cell_text(game, size, size * size - 1)
    raise ValueError(f"{clip(text)} is not a cell of {size}×{size} {game}; cells run from a1 to {last}")
