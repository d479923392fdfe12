"""Time for a whole game: what each seat has, what a move adds, and how much of it a move may take.

A bot that has a method `time_left(seconds, increment)` is told what its clock says and shares it out itself,
as programs behind GTP and Gomocup do. Any other gets, for a move,

    share = left / max(MOVES, PART · legal moves) + USED · increment

but never more than half of what is left, nor the last KEPT seconds: a search does not end in an instant, and
later on a busy machine. A part of what is left is never all of it, so it does no harm if more moves come than
were expected; but time that is not used at the end is lost, so few are.
"""

from __future__ import annotations

import math
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Any, Self

from tesuji.engines.timed import SHORTEST, TimedBot

MOVES = 20  # expected to come, however few are legal now
PART = 1 / 8  # of the legal moves that one player will make: on large boards games end before they are full
USED = 0.8  # of the increment: the rest is for the way there and back
KEPT = 0.05  # seconds
LONGEST = 1e6  # seconds: eleven days


@dataclass(frozen=True)
class TimeControl:
    """Seconds for all moves of a game, and what each move adds.

    >>> TimeControl.parse("10+0.1"), str(TimeControl(60))
    (TimeControl(seconds=10.0, increment=0.1), '60+0')
    """

    seconds: float
    increment: float = 0.0

    def __post_init__(self) -> None:
        if not 0 < self.seconds <= LONGEST or not 0 <= self.increment <= LONGEST:
            raise ValueError(
                f"a clock has more than 0 seconds and an increment of at least 0, each up to {LONGEST:,.0f}, "
                f"not {self}"
            )

    @classmethod
    def parse(cls, text: str) -> Self:
        """As `10+0.1` or `10`; ValueError where it is something else."""
        seconds, _, increment = text.partition("+")
        try:
            return cls(_number(seconds), _number(increment or "0"))
        except ValueError as error:
            said = error if str(error) else f"a clock is written as 10+0.1 or 10, in seconds, not {text!r}"
            raise ValueError(str(said)) from None

    def __str__(self) -> str:
        return f"{self.seconds:.12g}+{self.increment:.12g}"


class Clocks:
    """The seats' time in one game.

    >>> clocks = Clocks(TimeControl(10, 1), players=2)
    >>> clocks.budget(0, moves=9), clocks.spend(0, 4.0), clocks.left
    (1.3, True, [7.0, 10])
    """

    def __init__(self, control: TimeControl, players: int) -> None:
        self.control = control
        self.left = [control.seconds] * players

    def thinking(self, player: int, bot: TimedBot, moves: int) -> AbstractContextManager[None]:
        """A block in which the bot chooses its move, told of its time and held to it where it can be."""
        told: Any = getattr(bot.bot, "time_left", None)
        if told is None:
            return bot.within(self.budget(player, moves))
        told(self.left[player], self.control.increment)
        return bot.within(None)

    def budget(self, player: int, moves: int) -> float:
        """Seconds for a move of a player who has so many to choose from."""
        left = self.left[player]
        share = left / max(MOVES, PART * moves) + USED * self.control.increment
        return max(SHORTEST, min(share, left / 2, left - KEPT))

    def spend(self, player: int, seconds: float) -> bool:
        """A move took so long, and its increment is added; False where there was not so much left."""
        rest = self.left[player] - seconds
        self.left[player] = max(rest, 0.0) + self.control.increment
        return rest >= 0


def _number(text: str) -> float:
    """A plain number; a bare ValueError where it is none."""
    try:
        number = float(text)
    except ValueError:
        raise ValueError from None
    if not math.isfinite(number):
        raise ValueError
    return number
