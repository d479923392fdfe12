"""A bot as an engine keeps it: made from a spec, given its time move by move, and not trusted.

A bot that takes `seconds` is told them. One that does not, but can be cancelled, is cancelled when they are
over. What its own spec says stays its limit.
"""

from __future__ import annotations

import contextlib
import dataclasses
import threading
import time
from collections.abc import Callable, Iterator
from typing import Any

from tesuji.bots import RESIGN, close
from tesuji.game import Game, Move, State
from tesuji.registry import bots
from tesuji.spec import Spec
from tesuji.timing import SHORTEST

WARM_UP = 0.02  # seconds
AGAIN = 0.02  # seconds until a search that had not begun is cancelled again


class TimedBot:
    """A bot with a clock beside it: `TimedBot("mcts", Hex()).choose(state, 0.5)`.

    Without a spec, the game's own bot. The seed is for bots that take one. `bot` is the one that plays.
    """

    def __init__(self, spec: str | Spec | None, game: Game, *, seed: int | None = None) -> None:
        given = getattr(game, "default_bot", "mcts") if spec is None else spec
        self.spec = bots.seeded(Spec.parse(given) if isinstance(given, str) else given, seed)
        self.game = game
        self.bot: Any = bots.make(self.spec, game)
        self._takes_seconds = bots.has_option(self.spec.name, "seconds")
        self._own_seconds: float | None = getattr(getattr(self.bot, "options", None), "seconds", None)

    def choose(self, state: State, seconds: float | None = None) -> Move:
        """A legal move or RESIGN, in these seconds or in its own; RuntimeError where the bot fails."""
        try:
            with self.within(seconds):
                move: Move = self.bot.choose(state)
        except ValueError as error:  # not the controller's
            raise RuntimeError(f"{self.spec.name}: {error}") from error
        if move is not RESIGN and move not in state.moves():
            raise RuntimeError(f"{self.spec.name} chose {move!r}, which is not legal")
        return move

    @contextlib.contextmanager
    def within(self, seconds: float | None) -> Iterator[None]:
        """A block in which `bot` has these seconds: `with timed.within(0.5): timed.bot.analyse(state)`."""
        self.limit(seconds)
        with self._cancelled_after(seconds):
            yield

    def limit(self, seconds: float | None) -> None:
        """Give the bot this time for a move, its own where that is less; None for its own alone."""
        if not self._takes_seconds:
            return
        limit = self._own_seconds  # as it was given: what 0 means to a bot of somebody's, nobody knows here
        if seconds is not None:
            limit = max(SHORTEST, round(seconds if limit is None else min(seconds, limit), 3))
        options = getattr(self.bot, "options", None)
        if (
            dataclasses.is_dataclass(options)
            and not isinstance(options, type)
            and hasattr(options, "seconds")
        ):
            if options.seconds != limit:
                self.bot.options = dataclasses.replace(options, seconds=limit)
        elif seconds is not None:  # it keeps its options elsewhere: a new one will know
            self.close()
            self.bot = bots.make(self.spec.with_options({"seconds": str(limit)}), self.game)

    def warm_up(self, state: State, looks: int = 1) -> float:
        """Let a bot whose search can be ended think for a moment, so that no move pays for what is done once.

        Then so many moments more; returned is by how many seconds it has overrun one of these at most.
        """
        ends = self._takes_seconds or hasattr(self.bot, "cancel")
        if not (ends and hasattr(self.bot, "analyse") and hasattr(self.bot, "reset")):
            return 0.0
        late = []
        for _ in range(1 + looks):
            began = time.monotonic()
            with self.within(WARM_UP):
                self.bot.analyse(state)
            late.append(time.monotonic() - began - WARM_UP)
        self.reset()
        return max(late[1:])

    def cancel(self) -> None:
        """End a running search soon, with what it has, where the bot can; from any thread."""
        cancel = getattr(self.bot, "cancel", None)
        if cancel is not None:
            cancel()

    def reset(self) -> None:
        """A new game: the bot forgets."""
        reset = getattr(self.bot, "reset", None)
        if reset is not None:
            reset()

    def close(self) -> None:
        """Let the bot go."""
        close(self.bot)

    @contextlib.contextmanager
    def _cancelled_after(self, seconds: float | None) -> Iterator[None]:
        if seconds is None or self._takes_seconds or not hasattr(self.bot, "cancel"):
            yield
            return
        done = threading.Event()
        threading.Thread(target=_cancel, args=(self.cancel, done, seconds), daemon=True).start()
        try:
            yield
        finally:
            done.set()


def _cancel(cancel: Callable[[], None], done: threading.Event, seconds: float) -> None:
    wait = seconds
    while not done.wait(wait):
        cancel()
        wait = AGAIN
