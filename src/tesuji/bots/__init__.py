"""Bots: what chooses a move. A searching bot also gives an `Analysis`."""

from __future__ import annotations

from typing import Final, Protocol, cast

from tesuji.bots.random import RandomBot
from tesuji.game import Game, Move, State
from tesuji.game import game as as_game
from tesuji.registry import bots
from tesuji.spec import Spec

__all__ = ["RESIGN", "Bot", "RandomBot", "bot"]


class _Resign:
    """The one that `RESIGN` is."""

    def __repr__(self) -> str:
        return "RESIGN"


RESIGN: Final = _Resign()
"""What `choose` may return instead of a move: the bot gives the game up."""


class Bot(Protocol):
    """Chooses moves for one game."""

    def choose(self, state: State) -> Move:
        """The move to play, or RESIGN."""


def close(bot: object) -> None:
    """Let a bot go that holds something, such as a running program; most have nothing to close."""
    end = getattr(bot, "close", None)
    if end is not None:
        end()


def bot(spec: str | Spec | None, game: Game | str) -> Bot:
    """The bot that a spec describes, for this game: `tesuji.bot("mcts:iterations=5000", game)`.

    Without a spec, the game's own default.
    """
    game = as_game(game)
    return cast(Bot, bots.make(getattr(game, "default_bot", "mcts") if spec is None else spec, game))
