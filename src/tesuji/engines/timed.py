"""A bot with a time limit per move, as engines and matches use it; its moves are checked.

A bot with an option `seconds` gets the limit there. Any other bot that can be cancelled is cancelled when the
time is up. A limit in the bot's own spec still applies.
"""

from __future__ import annotations

import contextlib
import dataclasses
import threading
import time
from collections.abc import Iterator

from tesuji.bots import RESIGN
from tesuji.bots import bot as make_bot
from tesuji.bots.timing import SHORTEST
from tesuji.full_bot import FullBot
from tesuji.full_game import FullGame, FullState, Move
from tesuji.registry import bots
from tesuji.spec import Spec

WARM_UP = 0.02  # seconds
CANCEL_AGAIN = 0.02  # seconds; a search that had not begun ignores the first cancel


class TimedBot:
    """A bot with a time limit: `TimedBot("mcts", Hex()).choose(state, 0.5)`.

    The spec defaults to the game's own bot. The seed is used by bots that have the option. `bot` is the bot
    itself.
    """

    def __init__(self, spec: str | Spec | None, game: FullGame, *, seed: int | None = None) -> None:
        given = game.default_bot if spec is None else spec
        self.spec = bots.seeded(Spec.parse(given) if isinstance(given, str) else given, seed)
        self.game = game
        self.bot = make_bot(self.spec, game)
        self._takes_seconds = bots.has_option(self.spec.name, "seconds")
        self._own_seconds: float | None = getattr(self.bot.options, "seconds", None)

    def choose(self, state: FullState, seconds: float | None = None) -> Move:
        """A legal move or RESIGN within these seconds, or its own limit; RuntimeError where the bot fails."""
        try:
            with self.within(seconds):
                move: Move = self.bot.choose(state)
        except ValueError as error:  # the bot's fault, not the controller's
            raise RuntimeError(f"{self.spec.name}: {error}") from error
        if move is not RESIGN and move not in state.moves():
            raise RuntimeError(f"{self.spec.name} chose {move!r}, which is not legal")
        return move

    @contextlib.contextmanager
    def within(self, seconds: float | None) -> Iterator[None]:
        """A block in which `bot` is limited: `with timed.within(0.5): timed.bot.analyse(state)`."""
        self.limit(seconds)
        with self._cancelled_after(seconds):
            yield

    def limit(self, seconds: float | None) -> None:
        """Set the time per move; the bot's own limit applies where it is less, or with None."""
        if not self._takes_seconds:
            return
        limit = self._own_seconds  # as given: a user's bot may give 0 a meaning of its own
        if seconds is not None:
            limit = max(SHORTEST, round(seconds if limit is None else min(seconds, limit), 3))
        options = self.bot.options
        if (
            dataclasses.is_dataclass(options)
            and not isinstance(options, type)
            and hasattr(options, "seconds")
        ):
            if options.seconds != limit:
                self.bot.options = dataclasses.replace(options, seconds=limit)
        elif seconds is not None:  # no such attribute: make a new bot with the option
            self.bot.close()
            self.bot = make_bot(self.spec.with_options({"seconds": str(limit)}), self.game)

    def warm_up(self, state: FullState, looks: int = 1) -> float:
        """Run a short search before the clock starts, so that no move pays for one-time costs.

        Then run `looks` more, and return the largest overrun in seconds. Skipped (0) for bots whose search
        cannot be stopped.
        """
        ends = self._takes_seconds or self.bot.can_cancel
        if not (ends and self.bot.analyses and self.bot.can_reset):
            return 0.0
        late = []
        for _ in range(1 + looks):
            began = time.monotonic()
            with self.within(WARM_UP):
                self.bot.analyse(state)
            late.append(time.monotonic() - began - WARM_UP)
        self.bot.reset()
        return max(late[1:])

    @contextlib.contextmanager
    def _cancelled_after(self, seconds: float | None) -> Iterator[None]:
        if seconds is None or self._takes_seconds or not self.bot.can_cancel:
            yield
            return
        done = threading.Event()
        threading.Thread(target=_cancel, args=(self.bot, done, seconds), daemon=True).start()
        try:
            yield
        finally:
            done.set()


def _cancel(bot: FullBot, done: threading.Event, seconds: float) -> None:
    wait = seconds
    while not done.wait(wait):
        bot.cancel()
        wait = CANCEL_AGAIN
