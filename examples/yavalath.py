"""Yavalath (found by Cameron Browne's program Ludi, 2007) on hexagons: make four in a row, but not three.

http://cambolbro.com/games/yavalath/
"""

from __future__ import annotations

from dataclasses import dataclass, field

import tesuji
from tesuji.board import Board, Mark, Piece, hexagons

LAYOUT = hexagons(5)
NAMES = tuple(cell.name for cell in LAYOUT.cells)
AT = {(round(2 * cell.x), round(cell.y / 0.866)): index for index, cell in enumerate(LAYOUT.cells)}
STEPS = ((2, 0), (1, 1), (1, -1))  # to the neighbours in three of the six directions
STONES = (Piece("white"), Piece("black"))
Line = tuple[int, ...]


def lines(length: int) -> list[list[Line]]:
    """For each cell, the lines of this length through it."""
    found: list[list[Line]] = [[] for _ in NAMES]
    for x, y in AT:
        for right, down in STEPS:
            line = tuple(AT.get((x + k * right, y + k * down), -1) for k in range(length))
            for cell in line if -1 not in line else ():
                found[cell].append(line)
    return found


FOURS, THREES = lines(4), lines(3)


@dataclass(frozen=True)
class YavalathState:
    """A position: the stones of both players as sets of bits, and the cell of the last move."""

    stones: tuple[int, int] = (0, 0)
    last: int | None = None
    line: Line = field(init=False, default=())
    """The line of three or four that ends the game."""

    def __post_init__(self) -> None:
        if self.last is not None:
            own = self.stones[1 - self.player]
            ends = (
                line for line in FOURS[self.last] + THREES[self.last] if all(own >> cell & 1 for cell in line)
            )
            object.__setattr__(self, "line", next(ends, ()))

    @property
    def player(self) -> int:
        return (self.stones[0] | self.stones[1]).bit_count() % 2

    def moves(self) -> list[int]:
        taken = self.stones[0] | self.stones[1]
        return [] if self.line else [cell for cell in range(len(NAMES)) if not taken >> cell & 1]

    def play(self, move: int) -> YavalathState:
        first, second = self.stones
        bit = 1 << move
        return YavalathState((first | bit, second) if self.player == 0 else (first, second | bit), move)

    def scores(self) -> tuple[float, float] | None:
        """Four in a row win, three without a fourth lose; a full board is a draw."""
        if not self.line:
            return None if self.moves() else (0.5, 0.5)
        winner = 1 - self.player if len(self.line) == 4 else self.player
        return float(winner == 0), float(winner == 1)

    def key(self) -> tuple[tuple[int, int], bool]:
        return self.stones, bool(self.line)

    def text(self, move: int) -> str:
        return NAMES[move]

    def board(self) -> Board:
        pieces = {
            name: STONES[player]
            for player in (0, 1)
            for cell, name in enumerate(NAMES)
            if self.stones[player] >> cell & 1
        }
        mark: Mark = "win" if len(self.line) == 4 else "cross"
        marks = dict.fromkeys((NAMES[cell] for cell in self.line), mark)
        return Board(LAYOUT, pieces, marks, players=("white", "black"), placing=STONES[self.player])

    def __str__(self) -> str:
        rows: dict[str, list[str]] = {}
        for cell, name in enumerate(NAMES):
            symbol = "O" if self.stones[0] >> cell & 1 else "X" if self.stones[1] >> cell & 1 else "."
            rows.setdefault(name[0], []).append(symbol)
        return "\n".join(
            f"{letter}{' ' * (10 - len(row))}{' '.join(row)}" for letter, row in reversed(rows.items())
        )


@tesuji.register_game("yavalath")
class Yavalath:
    """Make four in a row, but never three."""

    player_names = ("White", "Black")

    def start(self) -> YavalathState:
        return YavalathState()
