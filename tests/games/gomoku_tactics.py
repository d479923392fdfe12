"""Tactical positions of Gomoku with the moves that are right, by row and column; all their symmetries."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from typing import NamedTuple

from tests.games.slow_gomoku import Cell
from tesuji import _core
from tesuji.games import Gomoku
from tesuji.games.gomoku import GomokuState

SIZE = 15
APART = 5  # steps: no row of five holds stones that are so far from each other


class Tactic(NamedTuple):
    """Stones of the player to move and of the other, and the right moves."""

    mine: tuple[Cell, ...]
    theirs: tuple[Cell, ...]
    right: tuple[Cell, ...]


def along(row: int, first: int, last: int) -> tuple[Cell, ...]:
    return tuple((row, column) for column in range(first, last + 1))


def down(column: int, first: int, last: int) -> tuple[Cell, ...]:
    return tuple((row, column) for row in range(first, last + 1))


TACTICS = {
    "complete an open four": Tactic(along(7, 6, 9), ((6, 7), (8, 7)), ((7, 5), (7, 10))),
    "complete a diagonal": Tactic(tuple((n, n) for n in (7, 8, 9, 10)), (), ((6, 6), (11, 11))),
    "fill a broken three": Tactic(((7, 6), (7, 7), (7, 9)), ((6, 8), (8, 8)), ((7, 8),)),
    "make an open four": Tactic((*along(7, 5, 7), (8, 9)), ((6, 6), (8, 6)), ((7, 4), (7, 8))),
    "stop a four": Tactic(((7, 5),), along(7, 6, 9), ((7, 10),)),
    "stop a four though it is open": Tactic((), along(7, 6, 9), ((7, 5), (7, 10))),
    "stop a broken four": Tactic((), ((7, 5), (7, 6), (7, 8), (7, 9)), ((7, 7),)),
    "complete a five rather than stop one": Tactic(down(10, 6, 9), along(5, 5, 8), ((5, 10), (10, 10))),
    "stop an open three": Tactic(((5, 5), (6, 6)), along(7, 6, 8), ((7, 5), (7, 9))),
    "complete a five at the edge": Tactic(along(0, 1, 4), (), ((0, 0), (0, 5))),
}


def symmetries(tactic: Tactic) -> Iterator[Tactic]:
    """The eight symmetries of the position."""
    for turned, flipped_row, flipped_column in product((False, True), repeat=3):

        def seen(
            cell: Cell, turned: bool = turned, row: bool = flipped_row, column: bool = flipped_column
        ) -> Cell:
            r, c = cell[::-1] if turned else cell
            return (SIZE - 1 - r if row else r), (SIZE - 1 - c if column else c)

        yield Tactic(*(tuple(map(seen, cells)) for cells in tactic))


def position(tactic: Tactic, colour: int = 0, rule: str = "freestyle") -> tuple[GomokuState, set[int]]:
    """The position with this colour to move, and the right moves. Lone stones make the count legal."""
    stones = dict.fromkeys(tactic.mine, colour) | dict.fromkeys(tactic.theirs, 1 - colour)
    lone = (cell for cell in product(range(SIZE), range(SIZE)) if cell not in tactic.right)
    while (more := sum(owner == 0 for owner in stones.values()) * 2 - len(stones)) != colour:
        cell = next(cell for cell in lone if all(_steps(cell, other) >= APART for other in stones))
        stones[cell] = 1 if more > colour else 0
    board = bytearray(SIZE**2)
    for (row, column), owner in stones.items():
        board[row * SIZE + column] = owner + 1
    core = _core.GomokuState.set_up(SIZE, rule, bytes(board), colour)
    return Gomoku(rule=rule).from_core(core), {row * SIZE + column for row, column in tactic.right}  # type: ignore[arg-type]


def _steps(one: Cell, other: Cell) -> int:
    return max(abs(one[0] - other[0]), abs(one[1] - other[1]))
