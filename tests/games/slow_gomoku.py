"""Gomoku once more, slowly: straight from the definitions of the rules. The tests compare with it.

Renju's words, as the International Rules define them: a *four* is a row of four stones to which one more can
be added to make five in a row; it is *straight* where there are two ways. A *three* is a row of three stones
to which one more can be added to make a straight four, without making a five at the same time. Black may not
make an overline (six or more), two fours or two threes with one stone, unless that stone makes five in a row.
A three counts only where the stone that makes it a straight four would not be forbidden itself, and whether
it would be is asked in the same way, with one stone more upon the board.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from functools import cached_property

BLACK, WHITE = 0, 1
Cell = tuple[int, int]  # row and column, from the bottom left
Stones = dict[Cell, int]
DIRECTIONS = ((0, 1), (1, 0), (1, 1), (1, -1))


def row(stones: Stones, cell: Cell, direction: Cell) -> frozenset[Cell]:
    """The unbroken row of one colour, in this direction, that a stone belongs to."""
    found = {cell}
    for sign in (1, -1):
        step = 1
        while stones.get(along(cell, direction, sign * step)) == stones[cell]:
            found.add(along(cell, direction, sign * step))
            step += 1
    return frozenset(found)


def along(cell: Cell, direction: Cell, steps: int) -> Cell:
    return cell[0] + steps * direction[0], cell[1] + steps * direction[1]


def empty_near(size: int, stones: Stones, cell: Cell, direction: Cell) -> Iterator[Cell]:
    """The empty cells of a line that can share a row of five with a cell."""
    for step in (-4, -3, -2, -1, 1, 2, 3, 4):
        other = along(cell, direction, step)
        if 0 <= other[0] < size and 0 <= other[1] < size and other not in stones:
            yield other


def lengths(stones: Stones, cell: Cell) -> list[int]:
    return [len(row(stones, cell, direction)) for direction in DIRECTIONS]


def wins(stones: Stones, cell: Cell, rule: str) -> bool:
    """Whether the stone on this cell has won."""
    exactly = rule == "standard" or rule == "renju" and stones[cell] == BLACK
    return 5 in lengths(stones, cell) if exactly else max(lengths(stones, cell)) >= 5


def fours(size: int, stones: Stones, cell: Cell, direction: Cell) -> dict[frozenset[Cell], int]:
    """Black's fours in one direction that this stone is part of, each with the ways to make it a five."""
    found: dict[frozenset[Cell], int] = {}
    for fifth in empty_near(size, stones, cell, direction):
        five = row({**stones, fifth: BLACK}, fifth, direction)
        if len(five) == 5 and cell in five:
            found[five - {fifth}] = found.get(five - {fifth}, 0) + 1
    return found


def extensions(size: int, stones: Stones, cell: Cell, direction: Cell) -> dict[frozenset[Cell], list[Cell]]:
    """Black's threes in one direction that this stone is part of, each with what makes it a straight four."""
    found: dict[frozenset[Cell], list[Cell]] = {}
    for fourth in empty_near(size, stones, cell, direction):
        after = {**stones, fourth: BLACK}
        if 5 not in lengths(after, fourth):
            for four, ways in fours(size, after, fourth, direction).items():
                if ways == 2 and cell in four:
                    found.setdefault(four - {fourth}, []).append(fourth)
    return found


def why_forbidden(size: int, stones: Stones, cell: Cell) -> str | None:
    """What forbids a black stone on an empty cell: `overline`, `double four`, `double three`; or None."""
    # Each of them takes at least four more stones on the lines of the cell: most cells are done here.
    reach = (along(cell, direction, step) for direction in DIRECTIONS for step in range(-5, 6))
    if sum(stones.get(other) == BLACK for other in reach) < 4:
        return None
    after = {**stones, cell: BLACK}
    rows = lengths(after, cell)
    if 5 in rows:
        return None
    if max(rows) > 5:
        return "overline"
    if sum(len(fours(size, after, cell, direction)) for direction in DIRECTIONS) > 1:
        return "double four"
    threes = 0
    for direction in DIRECTIONS:
        for ways in extensions(size, after, cell, direction).values():
            threes += any(why_forbidden(size, after, fourth) is None for fourth in ways)
    return "double three" if threes > 1 else None


@dataclass(frozen=True)
class Slow:
    """A position. Moves are numbers: cells by rows, then the swap, then the two more stones."""

    size: int
    rule: str = "freestyle"
    swap2: bool = False
    stones: Stones = field(default_factory=dict)
    seat: int = 0
    black: int = 0
    left: int = 0  # stones that the seat puts before the other one chooses
    choices: tuple[int, ...] = ()
    winner: int | None = None

    @classmethod
    def start(cls, size: int, rule: str = "freestyle", swap2: bool = False) -> Slow:
        return cls(size, rule, swap2, left=3 if swap2 else 0)

    @property
    def colour(self) -> int:
        """Of the next stone."""
        return len(self.stones) % 2

    def cell(self, move: int) -> Cell:
        return divmod(move, self.size)

    def empty(self) -> list[int]:
        return [move for move in range(self.size**2) if self.cell(move) not in self.stones]

    def legal_cells(self) -> list[int]:
        if self.rule != "renju" or self.colour == WHITE:
            return self.empty()
        return [
            move for move in self.empty() if why_forbidden(self.size, self.stones, self.cell(move)) is None
        ]

    @cached_property
    def moves(self) -> list[int]:
        return [] if self.winner is not None else [*self.legal_cells(), *self.choices]

    def scores(self) -> tuple[float, float] | None:
        if self.winner is not None:
            return (1.0, 0.0) if self.winner == 0 else (0.0, 1.0)
        return None if self.moves else (0.5, 0.5)

    def play(self, move: int) -> Slow:
        swap, two = self.size**2, self.size**2 + 1
        other = 1 - self.seat
        if move == swap:  # who chose has Black; the other one puts the next stone, a white one
            return replace(self, black=self.seat, seat=other, choices=())
        if move == two:
            return replace(self, left=2, choices=())
        stones = {**self.stones, self.cell(move): self.colour}
        if self.left > 1:
            return replace(self, stones=stones, left=self.left - 1)
        if self.left == 1:  # the other one chooses; a stone, which is white, keeps White
            choices = (swap, two) if len(stones) == 3 else (swap,)
            return replace(self, stones=stones, seat=other, black=self.seat, left=0, choices=choices)
        won = wins(stones, self.cell(move), self.rule)
        return replace(self, stones=stones, seat=other, choices=(), winner=self.seat if won else None)

    def cells(self) -> bytes:
        """As GomokuState.cells()."""
        board = bytearray(self.size**2)
        for (across, up), colour in ((cell[::-1], colour) for cell, colour in self.stones.items()):
            board[up * self.size + across] = colour + 1
        return bytes(board)


def stones_of(size: int, cells: bytes) -> Stones:
    """The stones of a board given as bytes: 0 empty, 1 black, 2 white."""
    return {divmod(cell, size): stone - 1 for cell, stone in enumerate(cells) if stone}
