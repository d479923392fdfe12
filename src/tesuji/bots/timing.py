"""Time management: one rule for matches, engine protocols and the board.

With `left` seconds on the clock and `moves` own moves to come, a move gets

    share   = FRONT · max(left - reserve, 0) / moves + USED · increment
    moves   = max(length - played, length / 2, played / 3, FEWEST)
    reserve = RESERVED · (QUICK + usual) + WORST · late, from LEAST_RESERVE to MOST_RESERVE of the game's time

but at most MOST of `left`, no more than leaves the reserve, and at least 1/LAST of `left`. `length` is the
number of moves a player makes in a typical game: the game's `typical_plies` divided by its players, or an
estimate. Early moves get more than late ones (FRONT > 1), because they decide more and time left at the end
is wasted. In a longer game each move gets a fraction of what is left, never all of it. A game of
0.6 to 1.2 times the typical length uses 70 to 95 % of its clock.

Of a time limit for a single move,

    kept = min(MOST_KEPT, max(LEAST_KEPT, KEPT · limit)) + LATE · late

is kept in reserve, but at least LEAST_USED of the limit is used.

`late` is by how much moves overrun their share: a search does not stop instantly, and later on a busy
machine. The largest overrun counts, decaying by FADING per move; `usual` is a running mean of the overruns.
"""

from __future__ import annotations

from tesuji.full_game import FullGame

SHORTEST = 0.001  # seconds; the minimum that bots accept

# Time per game.
FRONT = 1.5
USED = 0.8  # of the increment
MOST = 0.5  # of the time left
RESERVED = 80  # moves that the reserve is for
QUICK = 0.005  # seconds for an instant move
LEAST_RESERVE, MOST_RESERVE = 0.04, 0.1  # of the largest time seen on the clock
WORST = 3  # largest overruns in the reserve
LAST = 200
FEWEST = 3.0  # moves to come, at least
LENGTH = 20.0  # moves per player in a game without typical_plies, at least
PART = 1 / 8  # of the legal moves, if that is more

# Time per move.
LEAST_KEPT = 0.02  # seconds
MOST_KEPT = 0.5  # seconds
KEPT = 0.05
LATE = 1.5
LEAST_USED = 0.2

LATE_AT_FIRST = 0.01  # seconds, before the first move
FADING = 0.98
USUAL_AT_FIRST = 0.002  # seconds
NEW = 0.1  # weight of the newest overrun in the mean


def moves_to_come(game: FullGame, ply: int, legal: int) -> float:
    """The expected number of moves of the player to move, including this one.

    `ply` moves have been played by all players; `legal` is the number of legal moves.

    >>> import tesuji
    >>> [round(moves_to_come(tesuji.game("hex:size=7"), ply, 49 - ply), 1) for ply in (0, 10, 40)]
    [13.5, 8.5, 6.7]
    """
    players, plies = game.players, game.typical_plies
    length = max(LENGTH, PART * legal) if plies is None else plies / players
    played = ply / players
    return max(length - played, length / 2, played / 3, FEWEST)


class TimeManager:
    """Allocates time to the moves of one player, and learns by how much they overrun.

    >>> manager = TimeManager()
    >>> round(manager.for_game(60.0, moves=20), 2), round(manager.for_move(1.0), 2)
    (4.32, 0.94)
    """

    def __init__(self) -> None:
        self._late = LATE_AT_FIRST
        self._usual = USUAL_AT_FIRST
        self._total = 0.0

    def restart(self) -> None:
        """Begin a new game; the overruns are remembered."""
        self._total = 0.0

    def for_game(self, left: float, moves: float, increment: float = 0.0) -> float:
        """Seconds for a move, with `left` seconds for it and the moves to come."""
        self._total = max(self._total, left)
        reserve = RESERVED * (QUICK + self._usual) + WORST * self._late
        reserve = min(max(reserve, LEAST_RESERVE * self._total), MOST_RESERVE * self._total)
        share = FRONT * max(left - reserve, 0.0) / moves + USED * increment
        keeping = left - reserve + increment - self._late
        return max(SHORTEST, left / LAST, min(share, MOST * left, keeping))

    def for_move(self, limit: float) -> float:
        """Seconds for a move with a time limit of its own."""
        kept = min(MOST_KEPT, max(LEAST_KEPT, KEPT * limit)) + LATE * self._late
        return max(SHORTEST, limit - kept, LEAST_USED * limit)

    def note(self, late: float) -> None:
        """Record by how many seconds a move overran its time; negative if it was early."""
        self._late = max(late, FADING * self._late)
        self._usual += NEW * (max(late, 0.0) - self._usual)
