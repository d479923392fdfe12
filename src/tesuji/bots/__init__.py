"""Bots choose moves. Searching bots also return an `Analysis`."""

from __future__ import annotations

from typing import Final, Protocol

from tesuji.any_game import Game, State
from tesuji.any_game import game as as_game
from tesuji.bots.random import RandomBot
from tesuji.full_bot import FullBot, full_bot
from tesuji.full_game import Move
from tesuji.registry import bots
from tesuji.spec import Spec

__all__ = ["RESIGN", "Bot", "FullBot", "RandomBot", "bot"]


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


def bot(spec: str | Spec | None, game: Game | str) -> FullBot:
    """The bot that a spec describes, for this game: `tesuji.bot("mcts:iterations=5000", game)`.

    Defaults to the game's own bot. It has all optional members: `bot.analyses` says whether `analyse` works,
    which is a ValueError for a bot that does not search, such as `random`.
    """
    game = as_game(game)
    return full_bot(bots.make(game.default_bot if spec is None else spec, game))


def __dir__() -> list[str]:
    return __all__
