"""The clock of GTP, and how much of it a move may take.

A player has main time first; after it, Canadian byo-yomi: so many stones in so many seconds, again and
again. A move in main time gets an even share for the moves still to come, guessed as a quarter of the empty
cells (Hex ends with about half of them filled, and half of those stones are ours), and one stone's byo-yomi
on top, where there is any. A move in byo-yomi gets its part of the period. A tenth is left for the way
there and back.
"""

from __future__ import annotations

from dataclasses import dataclass

from tesuji.engines.timed import LEAST

FEWEST_MOVES = 5  # expected to come, however full the board is
USED = 0.9  # of a move's share


@dataclass(frozen=True)
class TimeLeft:
    """What one player has: seconds for so many stones in byo-yomi, for all moves where stones is 0."""

    seconds: float
    stones: int = 0


class Clock:
    """Both players' time: `Clock().settle(1800, 0, 0)`. No move is limited until a time is set."""

    def __init__(self) -> None:
        self._main: TimeLeft | None = None
        self._period: TimeLeft | None = None
        self._left: dict[str, TimeLeft] = {}

    def settle(self, main: float, period: float, stones: int) -> None:
        """GTP's `time_settings`. A period without stones means no limit, and so does no time at all."""
        unlimited = stones == 0 and (period > 0 or main == 0)
        self._main = None if unlimited else TimeLeft(main)
        self._period = TimeLeft(period, stones) if stones > 0 else None
        self.restart()

    def restart(self) -> None:
        """A new game: all time is there again."""
        self._left = {}

    def correct(self, colour: str, left: TimeLeft) -> None:
        """GTP's `time_left`: what the controller's clock says."""
        self._left[colour] = left

    def budget(self, colour: str, empty_cells: int) -> float | None:
        """Seconds for a move now; None where nothing limits it."""
        left = self._now(colour)
        if left is None:
            return None
        if left.stones > 0:
            share = left.seconds / left.stones
        else:
            share = left.seconds / max(FEWEST_MOVES, empty_cells / 4)
            if self._period is not None:
                share += self._period.seconds / self._period.stones
        return max(LEAST, share * USED)

    def spend(self, colour: str, seconds: float) -> None:
        """A move took so long. The controller corrects us where it measures otherwise."""
        left = self._now(colour)
        if left is None:
            return
        rest = max(0.0, left.seconds - seconds)
        if left.stones > 1:
            self._left[colour] = TimeLeft(rest, left.stones - 1)
        elif self._period is not None and (left.stones == 1 or rest == 0):
            self._left[colour] = self._period  # the next one, or the first
        else:
            self._left[colour] = TimeLeft(rest)

    def _now(self, colour: str) -> TimeLeft | None:
        left = self._left.get(colour, self._main)
        if left is not None and left.seconds == 0 and left.stones == 0 and self._period is not None:
            return self._period
        return left
