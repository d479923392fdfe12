"""Any sequential game of OpenSpiel, by its Python module: rules, texts, planes and playouts."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar

from tesuji._helpers.extras import require
from tesuji.full_game import MOST_PLAYERS
from tesuji.games.openspiel.rollouts import Rollouts
from tesuji.games.openspiel.state import HiddenOpenSpielState, OpenSpielState, PySpielState
from tesuji.knowledge import Knowledge
from tesuji.options import Options, option

PROBED_PLIES = 50


@dataclass(frozen=True, kw_only=True)
class OpenSpiel(Options):
    """A game of OpenSpiel, by its name and parameters."""

    game: str = option("tic_tac_toe", "OpenSpiel's name of the game, such as hex(board_size=7)")

    removed: ClassVar[Mapping[str, str]] = {"native": "searches play OpenSpiel's games by its Python module"}

    def __post_init__(self) -> None:
        super().__post_init__()
        self.check()

    @cached_property
    def source(self) -> Any:
        """The game as OpenSpiel has it; ValueError where it has none."""
        require("openspiel", "a game of OpenSpiel")
        import pyspiel

        name = self.game.partition("(")[0]
        if name not in pyspiel.registered_names():  # loading an unknown name prints to stderr
            from tesuji.options import unknown

            raise ValueError(unknown(f"game {name!r} of OpenSpiel", name, pyspiel.registered_names()))
        try:
            return pyspiel.load_game(self.game)
        except pyspiel.SpielError as error:
            raise ValueError(f"OpenSpiel cannot make {self.game!r}: {error}") from error

    def check(self) -> None:
        """ValueError where our searches could not play the game."""
        kind, low, high = self.source.get_type(), self.source.min_utility(), self.source.max_utility()
        if kind.dynamics.name != "SEQUENTIAL":
            turns = f"turn_based_simultaneous_game(game={self.game}())"
            raise ValueError(f"{self.game} is not sequential; OpenSpiel's {turns} is")
        if not 1 <= self.players <= MOST_PLAYERS:
            raise ValueError(f"{self.game} has {self.players} players; 1 to {MOST_PLAYERS} are possible")
        if not (math.isfinite(low) and math.isfinite(high) and low < high):
            raise ValueError(f"{self.game} has returns from {low} to {high}; they must be finite and differ")
        if self.players == 2 and kind.utility.name not in ("ZERO_SUM", "CONSTANT_SUM"):
            raise ValueError(f"{self.game} is not zero-sum: the scores of two players must add up to 1")
        if self.hidden:
            self._check_resampling()

    @cached_property
    def players(self) -> int:
        """Number of players."""
        return int(self.source.num_players())

    @cached_property
    def hidden(self) -> bool:
        """Whether players cannot see everything."""
        return str(self.source.get_type().information.name) != "PERFECT_INFORMATION"

    @property
    def title(self) -> str:
        """OpenSpiel's name of the game, for people."""
        return str(self.source.get_type().long_name)

    @cached_property
    def knowledge(self) -> Knowledge:
        """A value for MCTS: a playout in OpenSpiel's C++, in one call."""
        # One random playout is too noisy for alpha-beta.
        settings = {"playout_depth": 0, "alphabeta": {"value": "off"}}
        return Knowledge(objectives=Rollouts(self), settings=settings)

    @cached_property
    def move_space(self) -> tuple[int, ...]:
        """All actions."""
        return tuple(range(self.source.num_distinct_actions()))

    @cached_property
    def plane_shape(self) -> tuple[int, int, int]:
        """The observation tensor as planes, rows and columns."""
        rules = self.source
        observed = rules.get_type().provides_observation_tensor
        shape = rules.observation_tensor_shape() if observed else rules.information_state_tensor_shape()
        if len(shape) == 3:
            return int(shape[0]), int(shape[1]), int(shape[2])
        if len(shape) == 2:
            return 1, int(shape[0]), int(shape[1])
        return int(math.prod(shape)), 1, 1

    def tensor(self, state: PySpielState, player: int) -> Any:
        """The numbers of an observation."""
        if self.source.get_type().provides_observation_tensor:
            return state.observation_tensor(player)
        return state.information_state_tensor(player)

    def view(self, state: PySpielState, player: int) -> str:
        """All that a player has seen."""
        if self.source.get_type().provides_information_state_string:
            return str(state.information_state_string(player))
        return str(state.observation_string(player))

    def score(self, value: float) -> float:
        """A return as a score: `score(min_utility) == 0`."""
        low, high = self.range
        return min(max((value - low) / (high - low), 0.0), 1.0)

    def start(self) -> OpenSpielState:
        """The first position; a deal is a chance node."""
        return self.position(self.source.new_initial_state())

    def position(self, state: PySpielState) -> OpenSpielState:
        """A position of OpenSpiel as one of ours."""
        return (HiddenOpenSpielState if self.hidden else OpenSpielState)(self, state)

    @cached_property
    def range(self) -> tuple[float, float]:
        """The returns that count as 0 and as 1."""
        low, high = self.source.min_utility(), self.source.max_utility()
        if self.players == 2:  # the two scores add up to 1
            total = self.source.utility_sum() or 0.0
            low, high = min(low, total - high), max(high, total - low)
        return float(low), float(high)

    def _check_resampling(self) -> None:
        import pyspiel

        state = self.source.new_initial_state()
        for _ in range(PROBED_PLIES):
            if state.is_terminal():
                return
            if not state.is_chance_node():
                break
            state.apply_action(state.legal_actions()[0])
        try:
            state.resample_from_infostate(state.current_player(), lambda: 0.5)
        except pyspiel.SpielError as error:
            raise ValueError(
                f"{self.game} has hidden information, and OpenSpiel cannot resample it: {error}"
            ) from error
