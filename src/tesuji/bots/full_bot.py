"""Bots in which every optional member exists, with its default.

Authors write plain classes: `choose(state)`, and perhaps `analyse`, `cancel`, `reset`, `close`, `time_left`.
`full_bot` adapts a bot once, where it enters the package. It gives the bot the author's own states.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from tesuji.adapter import parameters
from tesuji.full_game import FullState, Move

if TYPE_CHECKING:
    from tesuji.search.analysis import Analysis
    from tesuji.search.bot import Progress


class FullBot:
    """A bot with all optional members: `full_bot(RandomBot(game)).analyses` is False.

    `own` is the author's bot.
    """

    def __init__(self, own: Any) -> None:
        if not callable(getattr(own, "choose", None)):
            raise ValueError(f"{own!r} is not a bot: it has no choose()")
        self.own = own

    @property
    def analyses(self) -> bool:
        """Whether it can analyse a position."""
        return hasattr(self.own, "analyse")

    @property
    def can_cancel(self) -> bool:
        """Whether a running search can be stopped."""
        return hasattr(self.own, "cancel")

    @property
    def can_reset(self) -> bool:
        """Whether it can begin a new game."""
        return hasattr(self.own, "reset")

    @property
    def game(self) -> Any:
        """The game that it plays; None where it does not say."""
        return getattr(self.own, "game", None)

    @property
    def options(self) -> Any:
        """Its options; None where it keeps none."""
        return getattr(self.own, "options", None)

    @options.setter
    def options(self, options: Any) -> None:
        self.own.options = options

    @property
    def time_left(self) -> Callable[[float, float], object] | None:
        """Tells it the seconds left and the increment; None for a bot that does not keep its own clock."""
        return getattr(self.own, "time_left", None)

    @property
    def ignored_lines(self) -> int:
        """Lines of an external engine that were no answers."""
        return int(getattr(self.own, "ignored_lines", 0))

    def choose(self, state: FullState) -> Move:
        """The move to play, or RESIGN."""
        return self.own.choose(state.own)

    def analyse(self, state: FullState, progress: Progress | None = None) -> Analysis:
        """Search the position; `progress` is called meanwhile where the bot reports it."""
        reports = progress is not None and "progress" in parameters(self.own.analyse)
        found: Analysis = self.own.analyse(state.own, **({"progress": progress} if reports else {}))
        return found

    def cancel(self) -> None:
        """Stop a running search soon, if that is possible."""
        if self.can_cancel:
            self.own.cancel()

    def reset(self) -> None:
        """Begin a new game, if that is possible."""
        if self.can_reset:
            self.own.reset()

    def close(self) -> None:
        """Release its resources, such as a running program."""
        if hasattr(self.own, "close"):
            self.own.close()


def full_bot(bot: Any) -> FullBot:
    """A bot with all optional members; ValueError for what is no bot.

    >>> import tesuji
    >>> bot = full_bot(tesuji.bot("random", "hex"))
    >>> bot.analyses, bot.can_cancel, bot.time_left
    (False, False, None)
    """
    return bot if isinstance(bot, FullBot) else FullBot(bot)
