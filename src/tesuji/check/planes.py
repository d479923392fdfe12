"""The checks of `planes()` and of what a game says about them: names, moves and symmetries."""

from __future__ import annotations

from typing import Any

from tesuji.adapter import offers
from tesuji.check.keys import Reporter
from tesuji.full_game import CHANCE, FullGame, Move
from tesuji.planes import StatePlanes

SHAPE = "planes() must return an array [planes, rows, columns]"


class PlanesCheck:
    """Checks the planes of a game written in Python; a native game has `game.planes`."""

    def __init__(self, check: Reporter, game: FullGame) -> None:
        self.check, self.game = check, game
        self.shape: tuple[int, ...] | None = None
        self.move_space = set(game.move_space)

    def position(self, state: Any, moves: list[Move]) -> None:
        """Check the planes and the moves of a position."""
        missing = [move for move in moves if move not in self.move_space]
        if self.move_space and missing and state.player != CHANCE:
            self.check.report("move_space must contain every possible move", f"{missing[0]!r} is missing")
        if offers(state, "planes"):
            planes = self.check.attempt("planes()", state.planes)
            if planes is not None:
                self._array(planes)

    def end(self) -> None:
        """Check what the game says about planes, once they are known to be arrays."""
        if self.shape is None or not self.game.offers("move_space") or self.game.players != 2:
            return
        try:
            StatePlanes(self.game)
        except Exception as error:
            self.check.report("planes, plane_names, move_space and symmetries must fit together", error)

    def _array(self, planes: Any) -> None:
        import numpy as np

        try:
            array = np.asarray(planes, dtype=np.float64)
        except (TypeError, ValueError):  # ragged, or not numbers
            self.check.report(SHAPE, "its rows have different lengths, or it has other things than numbers")
            return
        if array.ndim != 3 or 0 in array.shape:
            self.check.report(SHAPE, f"not shape {array.shape}")
        elif self.shape is not None and array.shape != self.shape:
            self.check.report("planes() must always have the same shape", f"{array.shape} after {self.shape}")
        elif not np.isfinite(array).all():
            plane = int(np.argwhere(~np.isfinite(array))[0][0])
            self.check.report("planes() must contain finite numbers", f"not so in plane {plane}")
        else:
            self.shape = array.shape
