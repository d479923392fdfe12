"""The time for a move, from the manager's limits per turn and per game; `tesuji.bots.timing` has the rule.

A manager measures from its command to our answer, including pipes and threads; the time manager learns this
overhead.
"""

from __future__ import annotations

from tesuji.bots.timing import TimeManager
from tesuji.engines.gomocup.info import Info

AT_ONCE = 0.01  # seconds, where the manager wants a move as fast as possible


class GomocupClock:
    """Allots time: `GomocupClock().budget(Info(timeout_turn=1000), moves=12)` is a bit less than 1."""

    def __init__(self) -> None:
        self._manager = TimeManager()

    def restart(self) -> None:
        """Start a new game."""
        self._manager.restart()

    def budget(self, info: Info, moves: float) -> float | None:
        """Seconds for a move, with `moves` still expected; None without a limit."""
        limits = []
        if info.timeout_turn == 0:
            limits.append(AT_ONCE)
        elif info.timeout_turn is not None:
            limits.append(self._manager.for_move(info.timeout_turn / 1000))
        if info.match_time is not None:
            limits.append(self._manager.for_game(info.match_time / 1000, moves))
        return min(limits, default=None)

    def note(self, late: float) -> None:
        """Learn by how many seconds an answer overran its budget."""
        self._manager.note(late)
