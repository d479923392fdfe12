"""The clock of GTP: main time first, and Canadian byo-yomi after it.

That is so many stones in so many seconds, again and again. `tesuji.timing` has the rule by which a move gets
its part of either. A move in main time also gets one stone's part of the byo-yomi that follows.
"""

from __future__ import annotations

from dataclasses import dataclass

from tesuji.timing import TimeManager


@dataclass(frozen=True)
class TimeLeft:
    """What one player has: seconds for so many stones in byo-yomi, for all moves where stones is 0."""

    seconds: float
    stones: int = 0


class Clock:
    """Both players' time: `Clock().set_time(1800, 0, 0)`. No move is limited until a time is set."""

    def __init__(self) -> None:
        self._main: TimeLeft | None = None
        self._period: TimeLeft | None = None
        self._left: dict[str, TimeLeft] = {}
        self._managers: dict[str, TimeManager] = {}

    def set_time(self, main: float, period: float, stones: int) -> None:
        """GTP's `time_settings`. A period without stones means no limit, and so does no time at all."""
        unlimited = stones == 0 and (period > 0 or main == 0)
        self._main = None if unlimited else TimeLeft(main)
        self._period = TimeLeft(period, stones) if stones > 0 else None
        self.restart()

    def restart(self) -> None:
        """A new game: all time is there again."""
        self._left = {}
        for manager in self._managers.values():
            manager.restart()

    def set_time_left(self, colour: str, left: TimeLeft) -> None:
        """GTP's `time_left`: what the controller's clock says."""
        self._left[colour] = left

    def budget(self, colour: str, moves: float) -> float | None:
        """Seconds for a move, where so many are still expected; None where nothing limits it."""
        left = self._now(colour)
        if left is None:
            return None
        manager = self._managers.setdefault(colour, TimeManager())
        if left.stones > 0:
            return manager.for_move(left.seconds / left.stones)
        period = self._period
        if period is None:
            return manager.for_game(left.seconds, moves)
        # Nobody loses on time here: what the main time does not hold, the first period does.
        return manager.for_game(left.seconds, moves) + manager.for_move(period.seconds / period.stones)

    def note(self, colour: str, late: float) -> None:
        """A move took so many seconds more than its budget."""
        self._managers.setdefault(colour, TimeManager()).note(late)

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
