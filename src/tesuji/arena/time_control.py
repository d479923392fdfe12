"""Time controls and clocks: a time budget per game, plus an increment per move.

A bot with a method `time_left(seconds, increment)` is told its remaining time and manages it itself, as GTP
and Gomocup engines do. For any other bot, `tesuji.bots.timing` chooses the time per move.
"""

from __future__ import annotations

import math
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Self

from tesuji.bots.timing import TimeManager, moves_to_come
from tesuji.engines.timed import TimedBot
from tesuji.full_game import FullGame, FullState

MAX_SECONDS = 1e6  # eleven days


@dataclass(frozen=True)
class TimeControl:
    """Seconds per game, and the increment per move.

    >>> TimeControl.parse("10+0.1"), str(TimeControl(60))
    (TimeControl(seconds=10.0, increment=0.1), '60+0')
    """

    seconds: float
    increment: float = 0.0

    def __post_init__(self) -> None:
        if not 0 < self.seconds <= MAX_SECONDS or not 0 <= self.increment <= MAX_SECONDS:
            raise ValueError(
                f"a clock needs seconds > 0 and increment >= 0, both at most {MAX_SECONDS:,.0f}, not {self}"
            )

    @classmethod
    def parse(cls, text: str) -> Self:
        """Parse `10+0.1` or `10`; ValueError for anything else."""
        seconds, plus, increment = text.partition("+")
        try:
            return cls(_number(seconds), _number(increment) if plus else 0.0)
        except ValueError as error:
            raise ValueError(str(error) or f"a clock is SECONDS or SECONDS+INCREMENT, not {text!r}") from None

    def __str__(self) -> str:
        return f"{self.seconds:.12g}+{self.increment:.12g}"


class GameClock:
    """The remaining time of each seat in one game.

    >>> import tesuji
    >>> clock = GameClock(TimeControl(10, 1), tesuji.game("hex:size=7"))
    >>> clock.spend(0, 4.0), clock.left
    (True, [7.0, 10])
    """

    def __init__(self, control: TimeControl, game: FullGame) -> None:
        self.control, self.game = control, game
        self.left = [control.seconds] * game.players
        self._managers = [TimeManager() for _ in self.left]

    def warm_up(self, player: int, bot: TimedBot, state: FullState) -> None:
        """Warm the bot up before its clock starts."""
        if bot.bot.time_left is None:
            self._managers[player].note(bot.warm_up(state))

    @contextmanager
    def thinking(self, player: int, bot: TimedBot, ply: int, legal: int) -> Iterator[None]:
        """Context in which the bot chooses its move, within its time if it supports a limit.

        `ply` moves have been played; `legal` is the number of legal moves.
        """
        if (time_left := bot.bot.time_left) is not None:
            time_left(self.left[player], self.control.increment)
            with bot.within(None):
                yield
            return
        budget = self.budget(player, ply, legal)
        began = time.perf_counter()
        with bot.within(budget):
            yield
        self._managers[player].note(time.perf_counter() - began - budget)

    def budget(self, player: int, ply: int, legal: int) -> float:
        """Seconds for the player's next move."""
        moves = moves_to_come(self.game, ply, legal)
        return self._managers[player].for_game(self.left[player], moves, self.control.increment)

    def spend(self, player: int, seconds: float) -> bool:
        """Deduct the time of a move and add the increment; False if the clock ran out."""
        rest = self.left[player] - seconds
        self.left[player] = max(rest, 0.0) + self.control.increment
        return rest >= 0


def _number(text: str) -> float:
    """A finite number; otherwise a ValueError without a message."""
    try:
        number = float(text)
    except ValueError:
        raise ValueError from None
    if not math.isfinite(number):
        raise ValueError
    return number
