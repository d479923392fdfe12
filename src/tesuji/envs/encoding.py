"""How a game looks to a learner: numbered actions with a mask of the legal ones, and an observation.

A game with planes for networks is observed by them, any other by its `features(player)`. Actions are the
indices of the planes' policy, or of the game's `move_space`.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from tesuji.any_game import shown
from tesuji.features import features_of
from tesuji.full_game import FullGame, FullState, Move
from tesuji.planes import planes_of


class Encoding:
    """Observations and actions of one game."""

    def __init__(self, game: FullGame) -> None:
        self._planes: Any = None
        self._features: Any = None
        space = tuple(game.move_space)
        self._numbers = {move: number for number, move in enumerate(space)}
        try:
            self._planes = planes_of(game)
        except ValueError as error:
            if not space:
                needs = "define move_space on the game, and planes() or features(player) on its states"
                raise ValueError(f"the actions of {shown(game)} cannot be numbered; {needs}") from error
            self._features = features_of(game)
        self.shape: tuple[int, ...] = self._planes.shape if self._planes else (len(self._features.names),)
        self.actions = len(space) or int(self._planes.policy_size)

    def observe(self, state: Any, player: int) -> NDArray[np.float32]:
        """The position as a player observes it; planes are from the side to move's view."""
        if self._planes is not None:
            return np.asarray(self._planes(state), dtype=np.float32)
        return np.asarray(list(self._features(state, player).values()), dtype=np.float32)

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
        return self._numbers[move] if self._numbers else int(self._planes.index(state, move))


def reward(score: float) -> float:
    """A score as a reward in [-1, 1]."""
    return 2.0 * float(score) - 1.0
