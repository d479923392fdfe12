"""Connect Four in plain Python, with two bitboards after John Tromp's Fhourstones.

A column has seven bits: its six cells from the bottom up and one that is always empty, so that lines do not
wrap around into the next column. See https://tromp.github.io/c4/fhour.html.
"""

from __future__ import annotations

import itertools

import numpy as np

import tesuji

COLUMNS, ROWS = 7, 6
HEIGHT = ROWS + 1  # bits in a column
BOTTOM = tuple(1 << HEIGHT * column for column in range(COLUMNS))
TOP = tuple(bottom << ROWS - 1 for bottom in BOTTOM)
ALL_TOP = sum(TOP)
OPEN_COLUMNS = {  # keyed by the occupied top cells
    ALL_TOP - sum(TOP[column] for column in columns): columns
    for count in range(COLUMNS + 1)
    for columns in itertools.combinations(range(COLUMNS), count)
}
WINNER_SCORES = ((1.0, 0.0), (0.0, 1.0))
DRAW_SCORES = (0.5, 0.5)
ROW_BITS = np.array([[bottom << row for bottom in BOTTOM] for row in range(ROWS)])


class ConnectFourState:
    """A position: the discs of the player who moved last, all discs, and the resulting moves and scores."""

    __slots__ = ("_all", "_last", "_moves", "_scores", "player")

    def __init__(self, last: int = 0, all: int = 0, player: int = 0) -> None:
        self._last = last
        self._all = all
        self.player = player
        up = last & last >> 1  # pairs; two pairs two steps apart are four in a row
        right = last & last >> 7  # the next column is HEIGHT bits away
        rising = last & last >> 8
        falling = last & last >> 6
        if up & up >> 2 or right & right >> 14 or rising & rising >> 16 or falling & falling >> 12:
            self._moves: tuple[int, ...] = ()
            self._scores: tuple[float, float] | None = WINNER_SCORES[1 - player]
        else:
            self._moves = moves = OPEN_COLUMNS[all & ALL_TOP]
            self._scores = None if moves else DRAW_SCORES

    def moves(self) -> tuple[int, ...]:
        return self._moves

    def play(self, move: int) -> ConnectFourState:
        if move not in self._moves:
            raise ValueError(f"{move!r} is not legal here; legal are {self._moves}")
        taken = self._all
        after = taken | taken + BOTTOM[move]  # the carry sets the lowest empty cell
        return ConnectFourState(self._last ^ after, after, 1 - self.player)

    def scores(self) -> tuple[float, float] | None:
        return self._scores

    def key(self) -> int:
        return self._last << COLUMNS * HEIGHT | self._all  # the number of discs determines the player to move

    def planes(self) -> np.ndarray:
        """For networks: rows of own discs, then of the other's, so that a column is a cell of the policy."""
        rows = [(board & ROW_BITS != 0)[:, np.newaxis] for board in (self._last ^ self._all, self._last)]
        return np.concatenate(rows).astype(np.float32)

    def text(self, move: int) -> str:
        return "abcdefg"[move]

    def parse(self, text: str) -> int:
        if len(text) != 1 or text not in "abcdefg":
            raise ValueError(f"a move is a column, a to g, not {text!r}")
        return "abcdefg".index(text)

    def __str__(self) -> str:
        crosses = self._last if self.player else self._last ^ self._all
        lines = []
        for row in reversed(range(ROWS)):
            bits = [bottom << row for bottom in BOTTOM]
            lines.append(" ".join("X" if crosses & b else "O" if self._all & b else "." for b in bits))
        return "\n".join([*lines, "a b c d e f g"])


@tesuji.register_game("connect_four")
class ConnectFour:
    """Four in a row on seven columns and six rows; player 0 is X and moves first."""

    move_space = range(COLUMNS)
    symmetries = ((tuple(reversed(range(COLUMNS))), tuple(reversed(range(COLUMNS)))),)
    plane_names = tuple(f"{whose}_row_{row + 1}" for whose in ("own", "other") for row in range(ROWS))

    def start(self) -> ConnectFourState:
        return ConnectFourState()
