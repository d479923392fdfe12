"""Reversi (Othello) in plain Python, with a clickable board for the web page.

A position is a string of `.`, `b` and `w`, row by row from a1, with a border of `#` so that lines end by
themselves.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from functools import cached_property

import tesuji
from tesuji.board import Board, Layout, Piece, squares

EMPTY, DISCS, PASS = ".", "bw", -1
PIECES = {"b": Piece("black"), "w": Piece("white")}


@dataclass(frozen=True)
class ReversiState:
    """A position: the cells, and the player to move."""

    cells: str
    size: int
    player: int = 0

    def flips(self, cell: int, player: int) -> list[int]:
        """The discs that this player's disc on an empty cell turns over."""
        own, other, wide = DISCS[player], DISCS[1 - player], self.size + 2
        found: list[int] = []
        for step in (-wide - 1, -wide, -wide + 1, -1, 1, wide - 1, wide, wide + 1):
            at = cell + step
            while self.cells[at] == other:
                at += step
            if self.cells[at] == own:
                found += range(cell + step, at, step)
        return found

    def placements(self, player: int) -> list[int]:
        return [at for at, cell in enumerate(self.cells) if cell == EMPTY and self.flips(at, player)]

    @cached_property
    def legal(self) -> list[int]:
        return self.placements(self.player) or ([PASS] if self.placements(1 - self.player) else [])

    def moves(self) -> list[int]:
        return self.legal

    def play(self, move: int) -> ReversiState:
        cells = list(self.cells)
        if move != PASS:
            for cell in (move, *self.flips(move, self.player)):
                cells[cell] = DISCS[self.player]
        return ReversiState("".join(cells), self.size, 1 - self.player)

    def scores(self) -> tuple[float, float] | None:
        """The game ends when neither player can place a disc; the majority wins."""
        if self.legal:
            return None
        lead = self.count(0) - self.count(1)
        return (0.5, 0.5) if lead == 0 else (float(lead > 0), float(lead < 0))

    def count(self, player: int) -> int:
        return Counter(self.cells)[DISCS[player]]

    def key(self) -> tuple[str, int]:
        return self.cells, self.player

    def name(self, cell: int) -> str:
        row, column = divmod(cell, self.size + 2)
        return f"{'abcdefghijklmnop'[column - 1]}{row}"

    def text(self, move: int) -> str:
        return "pass" if move == PASS else self.name(move)

    def notes(self) -> list[str]:
        return [f"Black {self.count(0)}, White {self.count(1)}."]

    def board(self) -> Board:
        pieces = {self.name(at): PIECES[cell] for at, cell in enumerate(self.cells) if cell in PIECES}
        placing = PIECES[DISCS[self.player]]
        return Board(LAYOUTS[self.size], pieces, placing=placing, surface="green")

    def __str__(self) -> str:
        wide = self.size + 2
        rows = [self.cells[row * wide + 1 : row * wide + 1 + self.size] for row in range(1, self.size + 1)]
        lines = [f"{number:2} {' '.join(row)}" for number, row in enumerate(rows, 1)]
        return "\n".join(["   " + " ".join("abcdefghijklmnop"[: self.size]), *lines])


LAYOUTS: dict[int, Layout] = {size: squares(size, size, from_top=True) for size in range(4, 17, 2)}


@tesuji.register_game("reversi")
@dataclass(frozen=True)
class Reversi:
    """Enclose enemy discs to turn them over; most discs at the end win."""

    size: int = 8

    player_names = ("Black", "White")

    def __post_init__(self) -> None:
        if self.size not in LAYOUTS:
            raise ValueError(f"size must be an even number from 4 to 16, not {self.size}")

    def start(self) -> ReversiState:
        half, border = self.size // 2, "#" * (self.size + 2)
        rows = ["." * self.size] * self.size
        rows[half - 1] = "." * (half - 1) + "wb" + "." * (half - 1)
        rows[half] = "." * (half - 1) + "bw" + "." * (half - 1)
        return ReversiState(border + "".join(f"#{row}#" for row in rows) + border, self.size)
