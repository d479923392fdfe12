"""Tic-tac-toe in plain Python, with two bitboards and lookup tables.

Cells are numbered row by row from a1, top left, to c3; bit `cell` of a board is set if the cell is occupied.
"""

from __future__ import annotations

import numpy as np

import tesuji

BITS = tuple(1 << cell for cell in range(9))
LINES = (0b111, 0b111 << 3, 0b111 << 6, 0b1001001, 0b10010010, 0b100100100, 0b100010001, 0b1010100)
WINS = tuple(any(board & line == line for line in LINES) for board in range(512))
EMPTY_CELLS = tuple(tuple(cell for cell in range(9) if not board >> cell & 1) for board in range(512))
CELLS_OF = tuple(tuple(float(board >> cell & 1) for cell in range(9)) for board in range(512))
WINNER_SCORES = ((1.0, 0.0), (0.0, 1.0))
DRAW_SCORES = (0.5, 0.5)
TURNED = [3 * (cell % 3) + 2 - cell // 3 for cell in range(9)]  # rotated clockwise by 90 degrees
MIRRORED = [3 * (cell // 3) + 2 - cell % 3 for cell in range(9)]


class TicTacToeState:
    """A position: the marks of the player who moved last and of the player to move; moves and scores."""

    __slots__ = ("_last", "_moves", "_next", "_scores", "player")

    def __init__(self, last: int = 0, next: int = 0, player: int = 0) -> None:
        self._last = last
        self._next = next
        self.player = player
        if WINS[last]:
            self._moves: tuple[int, ...] = ()
            self._scores: tuple[float, float] | None = WINNER_SCORES[1 - player]
        else:
            self._moves = moves = EMPTY_CELLS[last | next]
            self._scores = None if moves else DRAW_SCORES

    def moves(self) -> tuple[int, ...]:
        return self._moves

    def play(self, move: int) -> TicTacToeState:
        if move not in self._moves:
            raise ValueError(f"{move!r} is not legal here; legal are {self._moves}")
        return TicTacToeState(self._next | BITS[move], self._last, 1 - self.player)

    def scores(self) -> tuple[float, float] | None:
        return self._scores

    def key(self) -> int:
        return self._last << 9 | self._next  # the number of marks determines the player to move

    def planes(self) -> np.ndarray:
        """Own marks and the opponent's, for networks."""
        return np.array((CELLS_OF[self._next], CELLS_OF[self._last]), dtype=np.float32).reshape(2, 3, 3)

    def text(self, move: int) -> str:
        return "abc"[move % 3] + "123"[move // 3]

    def parse(self, text: str) -> int:
        if len(text) != 2 or text[0] not in "abc" or text[1] not in "123":
            raise ValueError(f"a move is a column a-c and a row 1-3, such as b2, not {text!r}")
        return "123".index(text[1]) * 3 + "abc".index(text[0])

    def __str__(self) -> str:
        crosses, noughts = (self._last, self._next) if self.player else (self._next, self._last)
        cells = ["X" if crosses & bit else "O" if noughts & bit else "." for bit in BITS]
        rows = [f"{row + 1} {' '.join(cells[3 * row : 3 * row + 3])}" for row in range(3)]
        return "\n".join(["  a b c", *rows])


@tesuji.register_game("tictactoe")
class TicTacToe:
    """Three in a row on a board of nine cells; player 0 is X."""

    move_space = range(9)
    plane_names = ("own", "other")

    @property
    def symmetries(self) -> list[tuple[list[int], list[int]]]:
        """The eight rotations and reflections; moves map like cells."""
        found = [list(range(9)), MIRRORED]
        for _ in range(3):
            found += [[TURNED[cell] for cell in known] for known in found[-2:]]
        return [(cells, cells) for cells in found]

    def start(self) -> TicTacToeState:
        return TicTacToeState()
