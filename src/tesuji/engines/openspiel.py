"""A bot of ours as a bot of OpenSpiel: `OpenSpielBot(game, player=0, spec="mcts:iterations=1000")`.

Needs the package `open_spiel`: `pip install "tesuji-ai[openspiel]"`.
"""

from __future__ import annotations

from typing import Any

from tesuji._helpers.extras import require
from tesuji.adapter import full_state
from tesuji.bots import bot as make_bot
from tesuji.games.openspiel import OpenSpiel

require("openspiel", "a bot for OpenSpiel")

import pyspiel  # noqa: E402


class OpenSpielBot(pyspiel.Bot):  # type: ignore[misc]
    """Plays one seat of an OpenSpiel game with the bot of a spec.

    In a game with hidden information the bot sees what its seat has seen: it resamples the rest.
    """

    def __init__(self, game: object, player: int, spec: str = "mcts") -> None:
        """`game` is a game of OpenSpiel."""
        pyspiel.Bot.__init__(self)
        self._game = OpenSpiel(game=str(game))
        self._player = player
        self._bot = make_bot(spec, self._game)

    def step(self, state: Any) -> int:
        """The action to play. OpenSpiel changes its state in place; ours are immutable, hence the copy."""
        return int(self._bot.choose(full_state(self._game.position(state.clone()))))

    def player_id(self) -> int:
        """The seat."""
        return self._player

    def restart(self) -> None:
        """Begin a new game."""
        self._bot.reset()

    def restart_at(self, state: object) -> None:
        """Begin in another position."""
        self.restart()

    def inform_action(self, state: object, player: int, action: int) -> None:
        """Another player has moved; a search needs only the position."""
