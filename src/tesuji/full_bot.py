"""Bots in which every optional member exists, with its default.

Authors write plain classes: `choose(state)`, and perhaps `analyse`, `cancel`, `reset`, `close`, `time_left`.
`full_bot` adapts a bot once, where it enters the package. It gives the bot the author's own states. Our own
bots are subclasses and need no adapting.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypedDict, Unpack

from tesuji.adapter import own_of, parameters
from tesuji.full_game import Move

if TYPE_CHECKING:
    from tesuji.any_game import State
    from tesuji.search.analysis import Analysis


class Limits(TypedDict, total=False):
    """Limits of one search; each kind of search has some of them."""

    iterations: int | None
    visits: int | None
    depth: int | None
    nodes: int | None
    seconds: float | None


class FullBot(ABC):
    """A bot with all optional members; those that the author leaves out have the values given here.

    >>> import tesuji
    >>> bot = tesuji.bot("random", "hex")
    >>> bot.analyses, bot.can_cancel, bot.time_left
    (False, False, None)
    """

    game: Any = None
    """The game that it plays; None where it does not say."""
    options: Any = None
    """Its options; None where it keeps none."""

    @abstractmethod
    def choose(self, state: State) -> Move:
        """The move to play, or RESIGN."""

    @property
    def own(self) -> Any:
        """The author's bot."""
        return self

    @property
    def analyses(self) -> bool:
        """Whether it can analyse a position."""
        return self.offers("analyse")

    @property
    def can_cancel(self) -> bool:
        """Whether a running search can be stopped."""
        return self.offers("cancel")

    @property
    def can_reset(self) -> bool:
        """Whether it can begin a new game."""
        return self.offers("reset")

    @property
    def time_left(self) -> Callable[[float, float], object] | None:
        """Tells it the seconds left and the increment; None for a bot that does not keep its own clock."""
        return None

    @property
    def ignored_lines(self) -> int:
        """Lines of an external engine that were no answers."""
        return 0

    def analyse(
        self, state: State, *, progress: Callable[[Analysis], object] | None = None, **limits: Unpack[Limits]
    ) -> Analysis:
        """Search the position, with its own limits or with these; a ValueError where it does not search.

        `progress` is called meanwhile where the bot reports it.
        """
        raise ValueError(f"{self!r} has no analysis: it only chooses moves")

    def cancel(self) -> None:  # noqa: B027
        """Stop a running search soon, if that is possible."""

    def reset(self) -> None:  # noqa: B027
        """Begin a new game, if that is possible."""

    def close(self) -> None:  # noqa: B027
        """Release its resources, such as a running program."""

    def offers(self, name: str) -> bool:
        """Whether the author defines this optional member."""
        return bots_offer(type(self), name)


class AdaptedBot(FullBot):
    """An author's bot, which keeps its other members, too: see `full_bot`."""

    def __init__(self, own: Any) -> None:
        if not callable(getattr(own, "choose", None)):
            raise ValueError(f"{own!r} is not a bot: it has no choose()")
        self._own = own

    @property
    def own(self) -> Any:
        """The author's bot."""
        return self._own

    @property
    def game(self) -> Any:
        """The game that it plays."""
        return getattr(self._own, "game", None)

    @property
    def options(self) -> Any:
        """Its options."""
        return getattr(self._own, "options", None)

    @options.setter
    def options(self, options: Any) -> None:
        self._own.options = options

    @property
    def time_left(self) -> Callable[[float, float], object] | None:
        """The author's `time_left`."""
        return getattr(self._own, "time_left", None)

    @property
    def ignored_lines(self) -> int:
        """The author's count."""
        return int(getattr(self._own, "ignored_lines", 0))

    def choose(self, state: State) -> Move:
        """The move to play."""
        return self._own.choose(own_of(state))

    def analyse(
        self, state: State, *, progress: Callable[[Analysis], object] | None = None, **limits: Unpack[Limits]
    ) -> Analysis:
        """Search the position."""
        if not self.offers("analyse"):
            return super().analyse(state)
        reports = progress is not None and "progress" in parameters(self._own.analyse)
        given = {"progress": progress} if reports else {}
        found: Analysis = self._own.analyse(own_of(state), **given, **limits)
        return found

    def cancel(self) -> None:
        """Stop a running search soon."""
        if self.offers("cancel"):
            self._own.cancel()

    def reset(self) -> None:
        """Begin a new game."""
        if self.offers("reset"):
            self._own.reset()

    def close(self) -> None:
        """Release its resources."""
        if self.offers("close"):
            self._own.close()

    def offers(self, name: str) -> bool:
        """Whether the author defines this optional member."""
        return hasattr(self._own, name)

    def __repr__(self) -> str:
        return repr(self._own)

    def __getattr__(self, name: str) -> Any:
        if name == "_own":  # while it is unpickled
            raise AttributeError(name)
        return getattr(self._own, name)


def bots_offer(cls: type, name: str) -> bool:
    """Whether the bots of a class, ours or an author's, have this optional member.

    >>> import tesuji
    >>> bots_offer(tesuji.MCTS, "analyse"), bots_offer(tesuji.RandomBot, "analyse")
    (True, False)
    """
    return getattr(cls, name, None) not in (None, getattr(FullBot, name))


def full_bot(bot: Any) -> FullBot:
    """A bot with all optional members; ValueError for what is no bot."""
    return bot if isinstance(bot, FullBot) else AdaptedBot(bot)
