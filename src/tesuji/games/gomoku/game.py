"""The Gomoku game and its positions."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass
from typing import Literal

from tesuji import _core
from tesuji.games.gomoku.notation import cell_text, parse_cell
from tesuji.games.native import NativeState
from tesuji.options import Options, option

SWAP = "swap"
TWO = "two"


class GomokuState(NativeState["Gomoku", _core.GomokuState]):
    """A Gomoku position: `Gomoku(size=9).start()`. Moves are row · size + column, rows from the bottom.

    >>> import tesuji
    >>> state = tesuji.replay("gomoku", "h8 i9")
    >>> state.player, state.text(112), state.parse("a1"), state.scores()
    (0, 'h8', 0, None)
    """

    __slots__ = ()

    fixed_texts = True
    """A text means the same move in every position: readers of many games parse each text once."""

    @property
    def size(self) -> int:
        """Cells along each side."""
        return self.core.size

    @property
    def ply(self) -> int:
        """How many moves have been played."""
        return self.core.ply

    @property
    def last_move(self) -> int | None:
        """The newest move, None at the start."""
        return self.core.last_move

    @property
    def colour(self) -> int:
        """Whose stone comes next: 0 Black's, 1 White's."""
        return self.core.colour

    def cells(self) -> bytes:
        """One byte a cell from a1, row by row upwards: 0 empty, 1 Black, 2 White."""
        return self.core.cells()

    def key(self) -> Hashable:
        """Equal for equal positions, whatever way led there."""
        return self.cells(), self.colour, self.core.stage, self.core.colour_of(0)

    def text(self, move: int) -> str:
        """A move as people write it: `h8`, `swap`, `two`."""
        return {self.size**2: SWAP, self.size**2 + 1: TWO}.get(move) or cell_text(self.size, move)

    def parse(self, text: str) -> int:
        """The move that a text means; ValueError where it is no cell of this board."""
        words = {SWAP: self.size**2, TWO: self.size**2 + 1}
        word = text.strip().lower()
        return words[word] if word in words else parse_cell(self.size, text)

    def __str__(self) -> str:
        rows = [self.cells()[start : start + self.size] for start in range(0, self.size**2, self.size)]
        return "\n".join(" ".join(".xo"[owner] for owner in row) for row in reversed(rows))


@dataclass(frozen=True, kw_only=True)
class Gomoku(Options):
    """Gomoku: five in a row wins. Player 0 is Black and starts. `Gomoku(size=15).start()`."""

    size: int = option(15, "cells along each side", minimum=5, maximum=20)
    rule: Literal["freestyle", "standard", "renju"] = option(
        "freestyle",
        "freestyle: five or more win; standard: exactly five; renju: moves forbidden to Black",
    )
    swap2: bool = option(False, "the second player chooses a colour after three stones, or puts two more")

    players = 2
    player_names = ("Black", "White")
    default_bot = "mcts"

    def start(self) -> GomokuState:
        """The empty board."""
        return GomokuState(self, _core.GomokuState(self.size, self.rule, self.swap2))

    def wrap(self, core: _core.GomokuState) -> GomokuState:
        """The public state for a core state, without its history."""
        return GomokuState(self, core, None)
