"""Random playouts of an OpenSpiel game as a value: one call into C++ for each.

OpenSpiel offers no playout to Python, but a search of one simulation is one: it plays at random from the root
and adds the return to the root's sum. With more than two players, which that sum does not tell apart, the
playout runs here.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import TYPE_CHECKING

from tesuji.games.openspiel.state import OpenSpielState, PySpielState
from tesuji.knowledge import Reading

if TYPE_CHECKING:
    from tesuji.games.openspiel.game import OpenSpiel

MEMORY_MB = 10
SEED = 1


class Rollouts:
    """The result of one random playout, as objectives: `Rollouts(game).value(state, 0)`.

    Reproducible for the first search of a new game object; later ones go on with its random numbers.
    """

    def __init__(self, game: OpenSpiel) -> None:
        self._game = game
        self._rng = random.Random(SEED)
        self._last: tuple[OpenSpielState, dict[int, float]] | None = None
        self.value: Callable[[OpenSpielState, int], float] = self._value
        if game.players == 2:
            self.value = self._of_two()

    def __call__(self, state: OpenSpielState, player: int, /) -> dict[str, Reading]:
        """As an objective, for people."""
        return {"random playout": Reading(self.value(state, player), 1.0)}

    def _of_two(self) -> Callable[[OpenSpielState, int], float]:
        """The score of a player of two; a function without lookups, because every simulation calls it."""
        import pyspiel

        evaluator = pyspiel.RandomRolloutEvaluator(1, SEED)
        search = pyspiel.MCTSBot(self._game.source, evaluator, 1.0, 1, MEMORY_MB, False, SEED, False)
        one_simulation = search.mcts_search
        low, high = self._game.range
        width = high - low

        def value(state: OpenSpielState, player: int) -> float:
            mover = state.player
            if mover < 0:  # chance moves first
                return self._value(state, player)
            score = (one_simulation(state.state).total_reward - low) / width
            return score if player == mover else 1.0 - score  # type: ignore[no-any-return]

        return value

    def _value(self, state: OpenSpielState, player: int) -> float:
        """The player's score after random moves; one playout gives everyone's, kept until all have asked."""
        if self._last is None or self._last[0] is not state or player not in self._last[1]:
            self._last = state, dict(enumerate(map(self._game.score, self._returns(state.state))))
        return self._last[1].pop(player)

    def _returns(self, state: PySpielState) -> list[float]:
        """Every player's return."""
        state = state.clone()
        while not state.is_terminal():
            if state.is_chance_node():
                outcomes, chances = zip(*state.chance_outcomes(), strict=True)
                state.apply_action(self._rng.choices(outcomes, chances)[0])
            else:
                state.apply_action(self._rng.choice(state.legal_actions()))
        returns: list[float] = state.returns()
        return returns
