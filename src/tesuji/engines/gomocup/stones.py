"""The board in the protocol's terms: own and opponent's stones, in order of arrival.

Colours follow from the numbers. Stones alternate in every opening, swap2 included: when it is our turn, we
are White if the opponent has more stones, else Black.
"""

from __future__ import annotations

from tesuji.engines.gomocup.protocol import BLOCKED, OPPONENT, OWN, Point

BLACK, WHITE = 0, 1


class Stones:
    """The stones of a square board. Row 0 of our cells is at the bottom, y = 0 of the protocol at the top.

    >>> stones = Stones(15)
    >>> stones.put(Point(7, 7), OPPONENT), stones.put(Point(0, 14), OWN), stones.point(0)
    (112, 0, Point(x=0, y=14))
    """

    def __init__(self, size: int) -> None:
        self.size = size
        self._owners: dict[int, int] = {}

    def __len__(self) -> int:
        return len(self._owners)

    def put(self, point: Point, owner: int) -> int:
        """Put a stone and return its cell; ValueError if it is not possible."""
        cell = self.cell(point)
        if cell in self._owners:
            raise ValueError(f"{point} is taken")
        if owner not in (OWN, OPPONENT):
            what = "blocked cells are not supported" if owner == BLOCKED else f"unknown owner {owner}"
            raise ValueError(f"{point},{owner}: {what}; expected x,y,1 (own) or x,y,2 (opponent)")
        self._owners[cell] = owner
        return cell

    def take(self, point: Point) -> None:
        """Remove a stone; ValueError if there is none."""
        if self._owners.pop(self.cell(point), None) is None:
            raise ValueError(f"there is no stone on {point}")

    def point(self, cell: int) -> Point:
        """A cell in protocol coordinates."""
        row, column = divmod(cell, self.size)
        return Point(column, self.size - 1 - row)

    @property
    def colour(self) -> int:
        """Our colour, when it is our turn."""
        return WHITE if len(self._of(OPPONENT)) > len(self._of(OWN)) else BLACK

    def sequence(self) -> list[int] | None:
        """The cells as moves of a game with us to move; None if one colour has too many stones."""
        own, others = self._of(OWN), self._of(OPPONENT)
        first, second = (own, others) if self.colour == BLACK else (others, own)
        if len(first) - len(second) != self.colour:
            return None
        cells = [0] * len(self)
        cells[::2], cells[1::2] = first, second
        return cells

    def cells(self) -> bytes:
        """One byte per cell: 0 empty, 1 Black, 2 White, when it is our turn."""
        ours = 1 + self.colour
        cells = bytearray(self.size**2)
        for cell, owner in self._owners.items():
            cells[cell] = ours if owner == OWN else 3 - ours
        return bytes(cells)

    def _of(self, owner: int) -> list[int]:
        return [cell for cell, whose in self._owners.items() if whose == owner]

    def cell(self, point: Point) -> int:
        """The cell of a point; ValueError if it is off the board."""
        if not (0 <= point.x < self.size and 0 <= point.y < self.size):
            raise ValueError(f"{point} is not on the board; x and y go from 0 to {self.size - 1}")
        return (self.size - 1 - point.y) * self.size + point.x
