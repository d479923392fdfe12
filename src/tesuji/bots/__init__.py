"""Bots choose moves. Searching bots also return an `Analysis`."""

from __future__ import annotations

from typing import Final, Protocol, cast

from tesuji.bots.random import RandomBot
from tesuji.game import Game, Move, State
from tesuji.game import game as as_game
from tesuji.registry import bots
from tesuji.spec import Spec

__all__ = ["RESIGN", "Bot", "RandomBot", "bot"]


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


def close(bot: object) -> None:
    """Release a bot's resources, such as a running program; a no-op for most bots."""
    end = getattr(bot, "close", None)
    if end is not None:
        end()


def bot(spec: str | Spec | None, game: Game | str) -> Bot:
    """The bot that a spec describes, for this game: `tesuji.bot("mcts:iterations=5000", game)`.

    Defaults to the game's own bot.
    """
    game = as_game(game)
    return cast(Bot, bots.make(getattr(game, "default_bot", "mcts") if spec is None else spec, game))
