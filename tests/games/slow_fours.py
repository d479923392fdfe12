"""The shortest win by continuous fours on 15×15, found slowly: the tests compare the solver with it.

It counts the stones in windows of five cells and shares no code with the solver.
"""

from __future__ import annotations

from itertools import product

SIZE = 15
LONGEST = 15  # plies of a win that is looked for
SLOW_NODES = 6_000  # of the slow search, per position


def _distance(a: int, b: int) -> int:
    return max(abs(a // SIZE - b // SIZE), abs(a % SIZE - b % SIZE))


NEAR = [[b for b in range(SIZE**2) if a != b and _distance(a, b) <= 2] for a in range(SIZE**2)]
CELLS: list[tuple[int, ...]] = []  # the cells of every window
BEYOND: list[tuple[int, ...]] = []  # the cells just outside of it
AROUND: list[list[int]] = [[] for _ in range(SIZE**2)]  # the windows that contain a cell
for _row, _column, (_down, _right) in product(range(SIZE), range(SIZE), ((0, 1), (1, 0), (1, 1), (1, -1))):
    _places = [(_row + i * _down, _column + i * _right) for i in range(-1, 6)]
    _numbers = [r * SIZE + c if 0 <= r < SIZE and 0 <= c < SIZE else -1 for r, c in _places]
    if min(_numbers[1:6]) >= 0:
        for _cell in _numbers[1:6]:
            AROUND[_cell].append(len(CELLS))
        CELLS.append(tuple(_numbers[1:6]))
        BEYOND.append(tuple(cell for cell in (_numbers[0], _numbers[6]) if cell >= 0))


class Windows:
    """A board as counts of stones in all windows of five cells. Colours are 0 and 1."""

    def __init__(self, *, exact: bool) -> None:
        self.exact = exact  # six in a row, with a stone just outside a window, does not win
        self.owner: list[int | None] = [None] * SIZE**2
        self.stones = [[0] * len(CELLS), [0] * len(CELLS)]
        self.with_stones: list[dict[int, set[int]]] = [{3: set(), 4: set()} for _ in (0, 1)]

    def put(self, cell: int, colour: int) -> None:
        """Place a stone."""
        self.owner[cell] = colour
        self._count(cell, colour, 1)

    def take(self, cell: int) -> None:
        """Remove a stone."""
        colour = self.owner[cell]
        assert colour is not None
        self.owner[cell] = None
        self._count(cell, colour, -1)

    def _count(self, cell: int, colour: int, change: int) -> None:
        own, theirs = self.stones[colour], self.stones[1 - colour]
        for window in AROUND[cell]:
            own[window] += change
            for side, count, other in ((colour, own, theirs), (1 - colour, theirs, own)):
                for stones, windows in self.with_stones[side].items():
                    if count[window] == stones and not other[window]:
                        windows.add(window)
                    else:
                        windows.discard(window)

    def _empties(self, colour: int, stones: int) -> set[tuple[int, ...]]:
        return {
            tuple(cell for cell in CELLS[window] if self.owner[cell] is None)
            for window in self.with_stones[colour][stones]
            if not self.exact or all(self.owner[cell] != colour for cell in BEYOND[window])
        }

    def fives(self, colour: int) -> set[int]:
        """Cells where a stone of the colour wins."""
        return {cell for (cell,) in self._empties(colour, 4)}

    def fours(self, colour: int) -> list[int]:
        """Cells where a stone of the colour threatens to win."""
        return sorted({cell for pair in self._empties(colour, 3) for cell in pair})


class OutOfNodes(Exception):
    """The slow search has reached its node limit."""


class SlowSearch:
    """Shortest win by fours, by iterative deepening without a transposition table or move ordering."""

    def __init__(self, board: Windows, colour: int) -> None:
        self.board, self.colour, self.nodes = board, colour, 0

    def shortest(self) -> int | None:
        """Plies of the shortest win, up to `LONGEST`; None if there is none or it takes too long to find."""
        if self.board.fives(self.colour):
            return 1
        try:
            return next((2 * fours + 1 for fours in range(1, LONGEST // 2 + 1) if self._wins(fours)), None)
        except OutOfNodes:
            return None

    def _wins(self, fours: int) -> bool:
        board, colour = self.board, self.colour
        forced = board.fives(1 - colour)
        if len(forced) > 1:
            return False
        for cell in board.fours(colour):
            if forced and cell not in forced:
                continue
            self.nodes += 1
            if self.nodes > SLOW_NODES:
                raise OutOfNodes
            board.put(cell, colour)
            try:
                fives = board.fives(colour)
                if len(fives) > 1:
                    return True
                if fours > 1:
                    (reply,) = fives
                    board.put(reply, 1 - colour)
                    try:
                        if self._wins(fours - 1):
                            return True
                    finally:
                        board.take(reply)
            finally:
                board.take(cell)
        return False
