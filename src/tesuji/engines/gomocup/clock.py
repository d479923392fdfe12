"""How long a move may take, by what a manager tells of turns and games; `tesuji.timing` has the rule.

A manager measures from its question to our answer: the pipes, our threads and the end of the search are in
it, and the time manager learns how late answers come.
"""

from __future__ import annotations

from tesuji.engines.gomocup.info import Info
from tesuji.timing import SHORTEST, TimeManager

AT_ONCE = 0.01  # seconds, where the manager wants a move as fast as possible


class Clock:
    """Gives moves their time: `Clock().budget(Info(timeout_turn=1000), moves=12)` is a bit less than 1."""

    def __init__(self) -> None:
        self._manager = TimeManager()

    def restart(self) -> None:
        """Begin a new game."""
        self._manager.restart()

    def budget(self, info: Info, moves: float) -> float | None:
        """Seconds for a move, where so many are still expected; None where nothing limits it."""
        limits = []
        if info.timeout_turn == 0:
            limits.append(AT_ONCE)
        elif info.timeout_turn is not None:
            limits.append(self._manager.for_move(info.timeout_turn / 1000))
        if info.match_time is not None:
            limits.append(self._manager.for_game(info.match_time / 1000, moves))
        return max(SHORTEST, min(limits)) if limits else None

    def note(self, late: float) -> None:
        """An answer came so many seconds after its budget."""
        self._manager.note(late)
