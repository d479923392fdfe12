"""How a bot shares out its clock: one rule for matches, engine protocols and the board.

With `left` seconds on the clock and `moves` of its own still to come, a move gets

    share   = FRONT · max(left - reserve, 0) / moves + USED · increment
    moves   = max(length - played, length / 2, played / 3, FEWEST)
    reserve = RESERVED · (QUICK + usual) + WORST · late, from LEAST_RESERVE to MOST_RESERVE of the game's time

but at most MOST of `left`, no more than keeps the reserve, and at least 1/LAST of `left`. `length` is how
many moves a player makes in a typical game: the game's `typical_plies` over its players, or an estimate for a
game that does not say. Early moves get more than late ones (FRONT > 1): they decide more, and time that is
left at the end is lost. A game that lasts longer than usual goes on with a part of what is left, which is
never all of it. Played to 0.6 to 1.2 of the typical length, a game uses 70 to 95 % of its clock.

Of a limit for a single move,

    kept = min(MOST_KEPT, max(LEAST_KEPT, KEPT · limit)) + LATE · late

is not used, but at least LEAST_USED of the limit is.

`late` is how far moves have overrun their share: a search does not stop in an instant, and later on a busy
machine. The largest overrun counts, and fades by FADING from move to move; `usual` is a running mean of them.
"""

from __future__ import annotations

import math

from tesuji.game import Game, players_of

SHORTEST = 0.001  # seconds; the least that a bot can be told

# The time of a game.
FRONT = 1.5
USED = 0.8  # of the increment
MOST = 0.5  # of what is left
RESERVED = 80  # moves, after most of the time is gone
QUICK = 0.005  # seconds of a move that is made at once
LEAST_RESERVE, MOST_RESERVE = 0.04, 0.1  # of the largest time that the clock has shown
WORST = 3  # overruns as large as the largest
LAST = 200
FEWEST = 3.0  # moves to come, whatever the game says
LENGTH = 20.0  # moves of a player in a game that does not say, unless it has very many to choose from:
PART = 1 / 8  # of the legal moves

# The time of a move.
LEAST_KEPT = 0.02  # seconds
MOST_KEPT = 0.5  # seconds
KEPT = 0.05
LATE = 1.5
LEAST_USED = 0.2

LATE_AT_FIRST = 0.01  # seconds, until it is known
FADING = 0.98
USUAL_AT_FIRST = 0.002  # seconds
NEW = 0.1  # weight of the newest overrun in the mean


def moves_to_come(game: Game, ply: int, legal: int) -> float:
    """How many moves the player to move can expect to make, this one included.

    `ply` moves have been played by all players; `legal` moves are to choose from.

    >>> import tesuji
    >>> [round(moves_to_come(tesuji.game("hex:size=7"), ply, 49 - ply), 1) for ply in (0, 10, 40)]
    [13.5, 8.5, 6.7]
    """
    players = players_of(game)
    plies = getattr(game, "typical_plies", None)
    if plies is None:
        length = max(LENGTH, PART * legal)
    elif isinstance(plies, int | float) and 0 < plies < math.inf:
        length = plies / players
    else:
        raise ValueError(f"typical_plies must be a number greater than 0, not {plies!r}")
    played = ply / players
    return max(length - played, length / 2, played / 3, FEWEST)


class TimeManager:
    """Gives the moves of one player their time, and learns how late they are.

    >>> manager = TimeManager()
    >>> round(manager.for_game(60.0, moves=20), 2), round(manager.for_move(1.0), 2)
    (4.32, 0.94)
    """

    def __init__(self) -> None:
        self._late = LATE_AT_FIRST
        self._usual = USUAL_AT_FIRST
        self._total = 0.0

    def restart(self) -> None:
        """Begin a new game; how late moves are is remembered."""
        self._total = 0.0

    def for_game(self, left: float, moves: float, increment: float = 0.0) -> float:
        """Seconds for a move, with so many left for it and those to come."""
        self._total = max(self._total, left)
        reserve = RESERVED * (QUICK + self._usual) + WORST * self._late
        reserve = min(max(reserve, LEAST_RESERVE * self._total), MOST_RESERVE * self._total)
        share = FRONT * max(left - reserve, 0.0) / moves + USED * increment
        keeping = left - reserve + increment - self._late
        return max(SHORTEST, left / LAST, min(share, MOST * left, keeping))

    def for_move(self, limit: float) -> float:
        """Seconds for a move that has a limit of its own."""
        kept = min(MOST_KEPT, max(LEAST_KEPT, KEPT * limit)) + LATE * self._late
        return max(SHORTEST, limit - kept, LEAST_USED * limit)

    def note(self, late: float) -> None:
        """Learn that a move took so many seconds more than it was given; fewer where negative."""
        self._late = max(late, FADING * self._late)
        self._usual += NEW * (max(late, 0.0) - self._usual)
