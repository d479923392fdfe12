"""One seat of a game as a Gymnasium environment; bots play the other seats."""

from __future__ import annotations

import random
from typing import Any

import gymnasium
import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from tesuji.any_game import Game, after_chance
from tesuji.any_game import game as as_game
from tesuji.bots import FullBot
from tesuji.bots import bot as make_bot
from tesuji.envs.encoding import Encoding, reward


class SingleAgentEnv(gymnasium.Env[NDArray[np.float32], np.int64]):  # type: ignore[misc, unused-ignore]
    """A seat against bots: `SingleAgentEnv("hex:size=5", opponent="easy")`.

    `info["action_mask"]` and `action_masks()` say which actions are legal. The reward comes at the end: 1 for
    a win, -1 for a loss, 0 for a draw. An illegal action loses at once.
    """

    metadata = {"render_modes": ["ansi"]}

    def __init__(
        self, game: Game | str, opponent: str = "random", seat: int = 0, render_mode: str | None = None
    ) -> None:
        self.game = as_game(game)
        players = self.game.players
        if not 0 <= seat < players:
            raise ValueError(f"seat must be from 0 to {players - 1}, not {seat}")
        self.seat, self.render_mode = seat, render_mode
        self._encoding = Encoding(self.game)
        self._bots: dict[int, FullBot] = {
            player: make_bot(opponent, self.game) for player in range(players) if player != seat
        }
        self.observation_space = spaces.Box(-np.inf, np.inf, self._encoding.shape, np.float32)
        self.action_space = spaces.Discrete(self._encoding.actions)
        self._rng = random.Random()
        self._illegal = False

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[NDArray[np.float32], dict[str, Any]]:
        """Begin a game; the seed is for the deal, chance moves and the bots."""
        super().reset(seed=seed)
        if seed is not None:
            self._rng = random.Random(seed)
        for bot in self._bots.values():
            bot.reset()
        self._illegal = False
        self._state = self._to_seat(self.game.start(self._rng.getrandbits(63)))
        return self._observation(), self._info()

    def step(self, action: np.int64) -> tuple[NDArray[np.float32], float, bool, bool, dict[str, Any]]:
        """Play an action, and the bots' answers."""
        move = self._encoding.move(self._state, int(action))
        if move is None:
            self._illegal = True
            return self._observation(), -1.0, True, False, self._info()
        self._state = self._to_seat(self._state.play(move))
        scores = self._state.scores()
        won = 0.0 if scores is None else reward(scores[self.seat])
        return self._observation(), won, scores is not None, False, self._info()

    def action_masks(self) -> NDArray[np.bool_]:
        """The legal actions, as libraries for masked learning ask for them."""
        return self._mask().astype(bool)

    def render(self) -> str | None:
        """The position as text, with `render_mode="ansi"`."""
        return str(self._state) if self.render_mode == "ansi" else None

    def _to_seat(self, state: Any) -> Any:
        """Play chance and the bots until it is our turn."""
        state = after_chance(state, self._rng)
        while state.scores() is None and state.player != self.seat:
            state = after_chance(state.play(self._bots[state.player].choose(state)), self._rng)
        return state

    def _observation(self) -> NDArray[np.float32]:
        return self._encoding.observe(self._state, self.seat)

    def _mask(self) -> NDArray[np.int8]:
        if self._illegal or self._state.scores() is not None:
            return np.zeros(self._encoding.actions, dtype=np.int8)
        return self._encoding.mask(self._state)

    def _info(self) -> dict[str, Any]:
        return {"action_mask": self._mask(), "illegal": self._illegal}
