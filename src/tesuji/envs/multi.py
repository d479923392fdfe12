"""A game as a PettingZoo AEC environment, with a mask of the legal actions in every observation."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
from gymnasium import spaces
from pettingzoo import AECEnv

from tesuji.any_game import Game, after_chance, shown
from tesuji.any_game import game as as_game
from tesuji.envs.encoding import Encoding, reward


class MultiAgentEnv(AECEnv):  # type: ignore[misc, unused-ignore]
    """All seats of a game, in turn: `MultiAgentEnv("hex:size=5")`.

    An observation is `{"observation": …, "action_mask": …}`. When the game is over, each agent's reward is 1
    for a win, -1 for a loss and 0 for a draw. An illegal action is a ValueError.
    """

    def __init__(self, game: Game | str, render_mode: str | None = None) -> None:
        super().__init__()
        self.game = as_game(game)
        self.metadata = {
            "name": f"tesuji_{shown(self.game)}",
            "render_modes": ["ansi"],
            "is_parallelizable": False,
        }
        self.render_mode = render_mode
        self._encoding = Encoding(self.game)
        self.possible_agents = [f"player_{player}" for player in range(self.game.players)]
        observation = spaces.Dict(
            {
                "observation": spaces.Box(-np.inf, np.inf, self._encoding.shape, np.float32),
                "action_mask": spaces.Box(0, 1, (self._encoding.actions,), np.int8),
            }
        )
        self.observation_spaces = dict.fromkeys(self.possible_agents, observation)
        self.action_spaces = {
            agent: spaces.Discrete(self._encoding.actions) for agent in self.possible_agents
        }
        self._rng = random.Random()

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        """The same for all agents."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        """The same for all agents."""
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begin a game; the seed is for the deal and for chance moves."""
        if seed is not None:
            self._rng = random.Random(seed)
        dealt = self._rng.getrandbits(63)
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self._state = after_chance(self.game.start(dealt), self._rng)
        self.agent_selection = self.possible_agents[max(self._state.player, 0)]

    def observe(self, agent: str) -> dict[str, Any]:
        """The position, and the legal actions if it is the agent's turn."""
        player = self.possible_agents.index(agent)
        mine = self._state.scores() is None and self._state.player == player
        empty = np.zeros(self._encoding.actions, dtype=np.int8)
        return {
            "observation": self._encoding.observe(self._state, player),
            "action_mask": self._encoding.mask(self._state) if mine else empty,
        }

    def step(self, action: Any) -> None:
        """Play an action of the selected agent; None for an agent whose game is over."""
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        move = self._encoding.move(self._state, int(action))
        if move is None:
            raise ValueError(f"action {action!r} is not legal here; see action_mask")
        self._cumulative_rewards[agent] = 0.0
        self._clear_rewards()
        self._state = after_chance(self._state.play(move), self._rng)
        if (scores := self._state.scores()) is not None:
            for player, one in enumerate(self.possible_agents):
                self.rewards[one] = reward(scores[player])
                self.terminations[one] = True
        else:
            self.agent_selection = self.possible_agents[self._state.player]
        self._accumulate_rewards()
        if scores is not None:
            self.agent_selection = self._deads_step_first()

    def render(self) -> str | None:
        """The position as text, with `render_mode="ansi"`."""
        return str(self._state) if self.render_mode == "ansi" else None

    def close(self) -> None:
        """Nothing is held."""
