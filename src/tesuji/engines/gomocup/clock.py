"""How long a move may take: what the manager allows, less what the way there and back may cost.

A manager measures from its question to our answer. Between the two lie its pipe, our threads and a search
that is not stopped in an instant, and all of them wait for a processor on a busy machine. So a part of every
limit is kept back:

    kept = min(MOST_KEPT, max(LEAST_KEPT, KEPT · limit)), and never more than (1 - LEAST_USED) · limit

Of the time for a game, RESERVE is set aside for each move that may still come, up to the full board. A move
gets its reserve, and 1/MOVES of the rest. As each takes its own reserve and a part of the rest, time never
runs out.
"""

from __future__ import annotations

from tesuji.engines.gomocup.info import Info
from tesuji.engines.timed import LEAST

LEAST_KEPT = 0.05  # seconds
MOST_KEPT = 0.5  # seconds
KEPT = 0.05
LEAST_USED = 0.4
RESERVE = 0.1  # seconds
MOVES = 20


def budget(info: Info, moves: int) -> float | None:
    """Seconds for a move now, where so many may come, this one too; None where nothing limits it.

    >>> [budget(Info(timeout_turn=limit), 113) for limit in (1000, 100, 0)]
    [0.95, 0.05, 0.01]
    """
    limits = []
    if info.timeout_turn is not None:
        limits.append(usable(info.timeout_turn / 1000))
    if info.match_time is not None:
        limits.append(usable(share(info.match_time / 1000, moves)))
    return max(LEAST, min(limits)) if limits else None


def share(left: float, moves: int) -> float:
    """What a move may take of the time for the game, in seconds."""
    reserve = min(RESERVE, max(left, 0.0) / moves)
    return reserve + max(left - RESERVE * moves, 0.0) / MOVES


def usable(limit: float) -> float:
    """What of a limit may be used, in seconds."""
    kept = min(MOST_KEPT, max(LEAST_KEPT, KEPT * limit))
    return max(limit - kept, LEAST_USED * limit, 0.0)
