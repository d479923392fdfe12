"""The winning row of a finished Gomoku game."""

from __future__ import annotations


def winning_row(size: int, cells: bytes, last: int) -> list[int]:
    """The row of five or more stones through the last one; empty if there is none.

    >>> winning_row(5, bytes([1, 1, 1, 1, 1] + [0] * 20), 2)
    [0, 1, 2, 3, 4]
    """
    colour = cells[last]
    for right, up in ((1, 0), (0, 1), (1, 1), (1, -1)):
        row = [last]
        for sign in (-1, 1):
            column, line = last % size, last // size
            while True:
                column, line = column + sign * right, line + sign * up
                if not (0 <= column < size and 0 <= line < size) or cells[line * size + column] != colour:
                    break
                row.append(line * size + column)
        if len(row) >= 5:
            return sorted(row)
    return []
