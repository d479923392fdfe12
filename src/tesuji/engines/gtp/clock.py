"""GTP's clock: main time, then Canadian byo-yomi, periods of a number of stones in a number of seconds.

`bots/timing.py` allots the time of a move. In main time a move also gets one stone's share of the byo-yomi.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass

from tesuji.bots.timing import TimeManager


@dataclass(frozen=True)
class TimeLeft:
    """A player's remaining time: for `stones` stones in byo-yomi, or for all moves where `stones` is 0."""

    seconds: float
    stones: int = 0


class GtpClock:
    """Both players' time: `GtpClock().set_time(1800, 0, 0)`. Unlimited until set."""

    def __init__(self) -> None:
        self._main: TimeLeft | None = None
        self._period: TimeLeft | None = None
        self._left: dict[str, TimeLeft] = {}
        self._managers: defaultdict[str, TimeManager] = defaultdict(TimeManager)

    def set_time(self, main: float, period: float, stones: int) -> None:
        """GTP's `time_settings`. A period without stones, or no time at all, means no limit."""
        unlimited = stones == 0 and (period > 0 or main == 0)
        self._main = None if unlimited else TimeLeft(main)
        self._period = TimeLeft(period, stones) if stones > 0 else None
        self.restart()

    def restart(self) -> None:
        """Reset the clocks for a new game."""
        self._left = {}
        for manager in self._managers.values():
            manager.restart()

    def set_time_left(self, colour: str, left: TimeLeft) -> None:
        """GTP's `time_left`: the controller's clock."""
        self._left[colour] = left

    def budget(self, colour: str, moves: float) -> float | None:
        """Seconds for a move, with `moves` still expected; None without a limit."""
        left = self._now(colour)
        if left is None:
            return None
        manager = self._managers[colour]
        if left.stones > 0:
            return manager.for_move(left.seconds / left.stones)
        period = self._period
        if period is None:
            return manager.for_game(left.seconds, moves)
        # Overrunning main time loses nothing: the first period follows.
        return manager.for_game(left.seconds, moves) + manager.for_move(period.seconds / period.stones)

    def note(self, colour: str, late: float) -> None:
        """Learn by how many seconds a move overran its budget."""
        self._managers[colour].note(late)

    def spend(self, colour: str, seconds: float) -> None:
        """Subtract the time of a move; `time_left` may correct it."""
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
