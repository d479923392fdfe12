"""How long a move may take: what the manager allows, less what the way there and back may cost.

A manager measures from its question to our answer. Between the two lie its pipe, our threads and a search
that is not stopped in an instant, and all of them wait for a processor on a busy machine. So a part of every
limit is kept back, and more of it where answers have come late:

    kept = min(MOST_KEPT, max(LEAST_KEPT, KEPT · limit)) + LATE · (the latest of the answers before)

but never more than (1 - LEAST_USED) · limit.

Of the time for a game, RESERVE is set aside for each move that may still come, up to the full board. A move
gets its reserve, and 1/MOVES of the rest. As each takes its own reserve and a part of the rest, time never
runs out.
"""

from __future__ import annotations

from tesuji.engines.gomocup.info import Info
from tesuji.engines.timed import LEAST, SHORTEST

LEAST_KEPT = 0.06  # seconds
MOST_KEPT = 0.5  # seconds
KEPT = 0.05
LATE = 2.0
LATE_AT_FIRST = 0.015  # seconds, until it is known
FADING = 0.98  # of the latest, from one answer to the next
LEAST_USED = 0.01
RESERVE = 0.1  # seconds
MOVES = 20


class Clock:
    """Gives moves their time, and learns how late their answers are.

    >>> [round(Clock().budget(Info(timeout_turn=limit), 113), 3) for limit in (1000, 100, 0)]
    [0.91, 0.01, 0.01]
    """

    def __init__(self) -> None:
        self._late = LATE_AT_FIRST

    def budget(self, info: Info, moves: int) -> float | None:
        """Seconds for a move now, where so many may come, this one too; None where nothing limits it."""
        limits = []
        if info.timeout_turn == 0:
            limits.append(LEAST)
        elif info.timeout_turn is not None:
            limits.append(self._usable(info.timeout_turn / 1000))
        if info.match_time is not None:
            limits.append(self._usable(share(info.match_time / 1000, moves)))
        return max(SHORTEST, min(limits)) if limits else None

    def note(self, late: float) -> None:
        """An answer came so many seconds after its budget."""
        self._late = max(late, FADING * self._late)

    def _usable(self, limit: float) -> float:
        kept = min(MOST_KEPT, max(LEAST_KEPT, KEPT * limit)) + LATE * self._late
        return max(limit - kept, LEAST_USED * limit)


def share(left: float, moves: int) -> float:
    """What a move may take of the time that is left for the game, in seconds.

    >>> share(180.0, 100), share(5.0, 100)
    (8.6, 0.05)
    """
    reserve = min(RESERVE, max(left, 0.0) / moves)
    return reserve + max(left - RESERVE * moves, 0.0) / MOVES
