"""Bots choose moves. Searching bots also return an `Analysis`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, Protocol, Unpack, cast

from tesuji.bots.random import RandomBot
from tesuji.full_game import Move
from tesuji.game import Game, State
from tesuji.game import game as as_game
from tesuji.registry import bots
from tesuji.spec import Spec

if TYPE_CHECKING:
    from tesuji.search.analysis import Analysis
    from tesuji.search.bot import Limits, Progress

__all__ = ["RESIGN", "AnalysingBot", "Bot", "RandomBot", "bot"]


class _Resign:
    """The type of `RESIGN`."""

    def __repr__(self) -> str:
        return "RESIGN"


RESIGN: Final = _Resign()
"""Returned by `choose` instead of a move: the bot resigns."""


class Bot(Protocol):
    """Chooses moves for one game."""

    def choose(self, state: State) -> Move:
        """The move to play, or RESIGN."""


class AnalysingBot(Bot, Protocol):
    """A bot that also returns an `Analysis`, as all searching bots do."""

    def analyse(
        self, state: State, *, progress: Progress | None = None, **limits: Unpack[Limits]
    ) -> Analysis:
        """Search the position, with its own limits or with these."""


def bot(spec: str | Spec | None, game: Game | str) -> AnalysingBot:
    """The bot that a spec describes, for this game: `tesuji.bot("mcts:iterations=5000", game)`.

    Defaults to the game's own bot. A type checker cannot read a spec, so the type is that of a searching bot;
    a bot that does not search, such as `random`, has `choose` alone.
    """
    game = as_game(game)
    return cast(AnalysingBot, bots.make(game.default_bot if spec is None else spec, game))


def __dir__() -> list[str]:
    return __all__
