"""Gomoku's moves as text: column letter and row number, a1 at the bottom left; the words of swap2.

A cell's number is row · size + column, rows from the bottom. After the cells come the choices of swap2: size²
is `swap`, size² + 1 is `two`.
"""

from tesuji.games import coordinates

SWAP, TWO = "swap", "two"
"""Take Black; put two more stones, a white and a black one, and let the other player choose."""


def cell_text(size: int, cell: int) -> str:
    """Name a cell.

    >>> cell_text(15, 0), cell_text(15, 112), cell_text(15, 224)
    ('a1', 'h8', 'o15')
    """
    return coordinates.cell_text("Gomoku", size, cell)


def move_text(size: int, move: int) -> str:
    """Name a move: a cell or a choice.

    >>> move_text(15, 112), move_text(15, 225), move_text(15, 226)
    ('h8', 'swap', 'two')
    """
    return {size**2: SWAP, size**2 + 1: TWO}.get(move) or cell_text(size, move)


def parse_move_text(size: int, text: str) -> int:
    """Read the name of a move, in upper or lower case.

    >>> parse_move_text(15, "h8"), parse_move_text(15, "O15"), parse_move_text(15, "swap")
    (112, 224, 225)
    >>> parse_move_text(15, "p1")
    Traceback (most recent call last):
        ...
    ValueError: 'p1' is not a cell of 15×15 Gomoku; cells run from a1 to o15
    """
    choices = {SWAP: size**2, TWO: size**2 + 1}
    word = text.strip().lower()
    return choices[word] if word in choices else coordinates.parse_cell("Gomoku", size, text)
