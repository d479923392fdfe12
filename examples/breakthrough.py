"""Breakthrough (Dan Troyka, 2000) in plain Python.

It has a board whose pieces are moved by two clicks, and features of moves, from which a prior can be learned.
"""

from __future__ import annotations

from dataclasses import dataclass

import tesuji
from tesuji.board import Board, Layout, Piece, squares

EMPTY, PIECES, FORWARD = (
    ".",
    "wb",
    (1, -1),
)  # player 0 is White and moves up, player 1 is Black and moves down
PAWNS = {"w": Piece("white", "pawn"), "b": Piece("black", "pawn")}
LETTERS = "abcdefghijkl"


@dataclass(frozen=True)
class BreakthroughState:
    """A position: the cells row by row from a1, and the player to move."""

    cells: str
    columns: int
    player: int = 0

    def scores(self) -> tuple[float, float] | None:
        if "w" in self.cells[-self.columns :] or "b" not in self.cells:
            return 1.0, 0.0
        if "b" in self.cells[: self.columns] or "w" not in self.cells:
            return 0.0, 1.0
        return None

    def moves(self) -> list[tuple[int, int]]:
        if self.scores() is not None:
            return []
        own, found = PIECES[self.player], []
        for start, piece in enumerate(self.cells):
            if piece == own:
                row, column = divmod(start, self.columns)
                for to in range(max(column - 1, 0), min(column + 2, self.columns)):
                    target = (row + FORWARD[self.player]) * self.columns + to
                    there = self.cells[target]
                    if there == EMPTY or (there != own and to != column):
                        found.append((start, target))
        return found

    def play(self, move: tuple[int, int]) -> BreakthroughState:
        start, target = move
        cells = list(self.cells)
        cells[start], cells[target] = EMPTY, cells[start]
        return BreakthroughState("".join(cells), self.columns, 1 - self.player)

    def move_features(self, move: tuple[int, int]) -> list[object]:
        """For learning a prior: how far the pawn gets, what it captures, who attacks and protects it."""
        _, target = move
        row, column = divmod(target, self.columns)
        ahead, rows = FORWARD[self.player], len(self.cells) // self.columns
        steps = row if ahead > 0 else rows - 1 - row
        attackers, protectors = (
            sum(
                self.cells[other * self.columns + beside] == piece
                for beside in (column - 1, column + 1)
                if 0 <= beside < self.columns
            )
            if 0 <= other < rows
            else 0
            for other, piece in (
                (row + ahead, PIECES[1 - self.player]),
                (row - ahead, PIECES[self.player]),
            )
        )
        captures = self.cells[target] != EMPTY
        return [f"row {steps}", ("captures", captures, attackers, protectors)]

    def key(self) -> tuple[str, int]:
        return self.cells, self.player

    def name(self, cell: int) -> str:
        return f"{LETTERS[cell % self.columns]}{cell // self.columns + 1}"

    def text(self, move: tuple[int, int]) -> str:
        start, target = map(self.name, move)
        return f"{start}{'-' if self.cells[move[1]] == EMPTY else 'x'}{target}"

    def board(self) -> Board:
        pieces = {self.name(at): PAWNS[piece] for at, piece in enumerate(self.cells) if piece != EMPTY}
        layout = layout_of(self.columns, len(self.cells) // self.columns)
        return Board(layout, pieces, players=("white", "black"), flips=True)

    def clicks(self, move: tuple[int, int]) -> tuple[str, ...]:
        return tuple(map(self.name, move))

    def __str__(self) -> str:
        rows = [self.cells[at : at + self.columns] for at in range(0, len(self.cells), self.columns)]
        lines = [f"{number:2} {' '.join(row)}" for number, row in enumerate(rows, 1)]
        return "\n".join([*reversed(lines), "   " + " ".join(LETTERS[: self.columns])])


LAYOUTS: dict[tuple[int, int], Layout] = {}


def layout_of(columns: int, rows: int) -> Layout:
    """Each layout is made once."""
    if (columns, rows) not in LAYOUTS:
        LAYOUTS[columns, rows] = squares(columns, rows, chequered=True)
    return LAYOUTS[columns, rows]


@tesuji.register_game("breakthrough")
@dataclass(frozen=True)
class Breakthrough:
    """Move a pawn to the far row; pawns move forward and capture diagonally."""

    columns: int = 8
    rows: int = 8

    player_names = ("White", "Black")

    def __post_init__(self) -> None:
        if not 2 <= self.columns <= len(LETTERS) or not 5 <= self.rows <= 12:
            raise ValueError(f"2 to 12 columns and 5 to 12 rows, not {self.columns} and {self.rows}")

    def start(self) -> BreakthroughState:
        army, gap = 2 * self.columns, (self.rows - 4) * self.columns
        return BreakthroughState("w" * army + "." * gap + "b" * army, self.columns)
