"""The winning chain of a finished Hex game."""

from __future__ import annotations


def winning_path(size: int, cells: bytes, winner: int) -> list[int]:
    """A shortest chain of the winner's stones from edge to edge, by breadth-first search; 1 is Black.

    >>> winning_path(3, bytes([0, 1, 0, 0, 1, 2, 1, 2, 2]), 1)
    [1, 4, 6]
    """

    def distance(cell: int) -> int:
        return cell // size if winner == 1 else cell % size

    edge = [cell for cell in range(size * size) if cells[cell] == winner and distance(cell) == 0]
    parents: dict[int, int | None] = dict.fromkeys(edge)
    for cell in (queue := list(edge)):
        if distance(cell) == size - 1:
            path: list[int] = []
            step: int | None = cell
            while step is not None:
                path.append(step)
                step = parents[step]
            return path[::-1]
        row, column = divmod(cell, size)
        for down, right in ((-1, 0), (-1, 1), (0, -1), (0, 1), (1, -1), (1, 0)):
            other = (row + down) * size + column + right
            inside = 0 <= row + down < size and 0 <= column + right < size
            if inside and other not in parents and cells[other] == winner:
                parents[other] = cell
                queue.append(other)
    return []
