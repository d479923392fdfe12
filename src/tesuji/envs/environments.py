"""Any game as an environment: PettingZoo's AEC interface for all seats, Gymnasium's for one seat.

A game with planes for networks is observed by them, any other by its `features(player)`. Actions are the
indices of the planes' policy, or of the game's `move_space`, with a mask of the legal ones.
"""

from __future__ import annotations

import random
from typing import Any, TypedDict

import gymnasium
import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray
from pettingzoo import AECEnv

from tesuji.any_game import Game, after_chance
from tesuji.any_game import game as as_game
from tesuji.bots import bot as make_bot
from tesuji.features import Features, features_of
from tesuji.full_bot import FullBot, full_bot
from tesuji.full_game import FullGame, FullState, Move
from tesuji.planes import NativePlanes, planes_of


class Observation(TypedDict):
    """What an agent of `MultiAgentEnv` observes."""

    observation: NDArray[np.float32]
    action_mask: NDArray[np.int8]


class Encoding:
    """Observations and actions of one game."""

    def __init__(self, game: FullGame) -> None:
        self._source: NativePlanes | Features
        self.shape: tuple[int, ...]
        space = tuple(game.move_space)
        self._numbers = {move: number for number, move in enumerate(space)}
        try:
            planes = planes_of(game)
        except ValueError as error:
            if not space:
                needs = "define move_space on the game, and planes() or features(player) on its states"
                raise ValueError(f"the actions of {game.display_name} cannot be numbered; {needs}") from error
            self._source = features = features_of(game)
            self.shape, self.actions = (len(features.names),), len(space)
        else:
            self._source = planes
            self.shape, self.actions = planes.shape, len(space) or planes.policy_size

    def observe(self, state: FullState, player: int) -> NDArray[np.float32]:
        """The position as a player observes it; planes are from the side to move's view."""
        if isinstance(self._source, NativePlanes):
            return np.asarray(self._source(state), dtype=np.float32)
        return np.asarray(list(self._source(state, player).values()), dtype=np.float32)

    def mask(self, state: FullState) -> NDArray[np.int8]:
        """1 for each legal action."""
        mask = np.zeros(self.actions, dtype=np.int8)
        for move in state.moves():
            mask[self._number(state, move)] = 1
        return mask

    def move(self, state: FullState, action: int) -> Move | None:
        """The legal move of an action, or None."""
        return next((move for move in state.moves() if self._number(state, move) == int(action)), None)

    def _number(self, state: FullState, move: Move) -> int:
        if self._numbers or not isinstance(self._source, NativePlanes):
            return self._numbers[move]
        return self._source.index(state, move)


def reward(score: float) -> float:
    """A score as a reward in [-1, 1]."""
    return 2.0 * float(score) - 1.0


class MultiAgentEnv(AECEnv):  # type: ignore[misc, unused-ignore]
    """All seats of a game, in turn: `MultiAgentEnv("hex:size=5")`.

    An observation is `{"observation": …, "action_mask": …}`. When the game is over, each agent's reward is 1
    for a win, -1 for a loss and 0 for a draw. An illegal action is a ValueError.
    """

    def __init__(self, game: Game | str, render_mode: str | None = None) -> None:
        super().__init__()
        self.game = as_game(game)
        self.metadata = {
            "name": f"tesuji_{self.game.display_name}",
            "render_modes": ["ansi"],
            "is_parallelizable": False,
        }
        self.render_mode = render_mode
        self._encoding = Encoding(self.game)
        self.possible_agents = [f"player_{player}" for player in range(self.game.players)]
        actions = self._encoding.actions
        box = spaces.Box(-np.inf, np.inf, self._encoding.shape, np.float32)
        seen = spaces.Dict({"observation": box, "action_mask": spaces.Box(0, 1, (actions,), np.int8)})
        self.observation_spaces = dict.fromkeys(self.possible_agents, seen)
        self.action_spaces = {agent: spaces.Discrete(actions) for agent in self.possible_agents}
        self._rng = random.Random()

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        """The same for all agents."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        """The same for all agents."""
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, object] | None = None) -> None:
        """Begin a game; the seed is for the deal and for chance moves."""
        if seed is not None:
            self._rng = random.Random(seed)
        dealt = self._rng.getrandbits(63)
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, object]] = {agent: {} for agent in self.agents}
        self._state = after_chance(self.game.start(dealt), self._rng)
        self.agent_selection = self.possible_agents[max(self._state.player, 0)]

    def observe(self, agent: str) -> Observation:
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
            player: full_bot(make_bot(opponent, self.game)) for player in range(players) if player != seat
        }
        self.observation_space = spaces.Box(-np.inf, np.inf, self._encoding.shape, np.float32)
        self.action_space = spaces.Discrete(self._encoding.actions)
        self._rng = random.Random()
        self._illegal = False

    def reset(
        self, *, seed: int | None = None, options: dict[str, object] | None = None
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

    def _to_seat(self, state: FullState) -> FullState:
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
