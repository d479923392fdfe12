"""Time for a whole game: what each seat has, and what a move adds.

A bot that has a method `time_left(seconds, increment)` is told what its clock says and shares it out itself,
as programs behind GTP and Gomocup do. Any other gets its share of it by `tesuji.timing`.
"""

from __future__ import annotations

import math
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Self

from tesuji.engines.timed import TimedBot
from tesuji.game import Game, State, players_of
from tesuji.timing import TimeManager, moves_to_come

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
        seconds, plus, increment = text.partition("+")
        try:
            return cls(_number(seconds), _number(increment) if plus else 0.0)
        except ValueError as error:
            said = error if str(error) else f"a clock is written as 10+0.1 or 10, in seconds, not {text!r}"
            raise ValueError(str(said)) from None

    def __str__(self) -> str:
        return f"{self.seconds:.12g}+{self.increment:.12g}"


class Clocks:
    """The seats' time in one game.

    >>> import tesuji
    >>> clocks = Clocks(TimeControl(10, 1), tesuji.game("hex:size=7"))
    >>> clocks.spend(0, 4.0), clocks.left
    (True, [7.0, 10])
    """

    def __init__(self, control: TimeControl, game: Game) -> None:
        self.control, self.game = control, game
        self.left = [control.seconds] * players_of(game)
        self._managers = [TimeManager() for _ in self.left]

    def warm_up(self, player: int, bot: TimedBot, state: State) -> None:
        """Let the bot get ready before its clock starts."""
        if not hasattr(bot.bot, "time_left"):
            self._managers[player].note(bot.warm_up(state))

    @contextmanager
    def thinking(self, player: int, bot: TimedBot, ply: int, legal: int) -> Iterator[None]:
        """A block in which the bot chooses its move, told of its time and held to it where it can be.

        `ply` moves have been played, and `legal` ones are to choose from.
        """
        told: Any = getattr(bot.bot, "time_left", None)
        if told is not None:
            told(self.left[player], self.control.increment)
            with bot.within(None):
                yield
            return
        budget = self.budget(player, ply, legal)
        began = time.perf_counter()
        with bot.within(budget):
            yield
        self._managers[player].note(time.perf_counter() - began - budget)

    def budget(self, player: int, ply: int, legal: int) -> float:
        """Seconds for a move of this player."""
        moves = moves_to_come(self.game, ply, legal)
        return self._managers[player].for_game(self.left[player], moves, self.control.increment)

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
