"""Hex cells as text: column letter and row number, a1 at the top left.

A cell's number is row * size + column, the numbering of `HexState.cells()` and of its moves.
"""

from tesuji.games import coordinates


def cell_text(size: int, move: int) -> str:
    """Name a cell.

    >>> cell_text(11, 0), cell_text(11, 10), cell_text(11, 120)
    ('a1', 'k1', 'k11')
    """
    return coordinates.cell_text("Hex", size, move)


def parse_cell(size: int, text: str) -> int:
    """Read the name of a cell, in upper or lower case.

    >>> parse_cell(11, "f6"), parse_cell(11, "K11")
    (60, 120)
    >>> parse_cell(11, "z9")
    Traceback (most recent call last):
        ...
    ValueError: 'z9' is not a cell of 11×11 Hex; cells run from a1 to k11
    """
    return coordinates.parse_cell("Hex", size, text)
