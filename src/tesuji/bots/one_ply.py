"""What the bots share that play the move with the best position after it."""

from __future__ import annotations

import random
from abc import abstractmethod
from statistics import fmean

from tesuji.adapter import full_state
from tesuji.any_game import CHANCE, State, determinizations
from tesuji.full_bot import FullBot
from tesuji.full_game import FullGame, FullState, Move

SAMPLED_POSITIONS = 32  # where cards are hidden: enough to tell moves apart


class OnePlyBot(FullBot):
    """Evaluates the position after each move; ties are broken at random, by `options.seed`."""

    game: FullGame

    @abstractmethod
    def _evaluate(self, state: FullState, player: int) -> float:
        """How good a position is for the player who has just moved."""

    def choose(self, state: State) -> Move:
        """The move with the best value after it; where cards are hidden, the mean over sampled positions."""
        moves = list(state.moves())
        if not moves:
            raise ValueError("the game is over: there is no move to choose")
        if state.player == CHANCE:
            raise ValueError("a chance move is next: there is no move to choose")
        positions = determinizations(full_state(state, self.game), self._random, SAMPLED_POSITIONS)
        values = [fmean(self._evaluate(one.play(move), state.player) for one in positions) for move in moves]
        best = max(values)
        return self._random.choice([move for move, value in zip(moves, values, strict=True) if value == best])

    def reset(self) -> None:
        """Restart the random numbers from the seed, as for a new game."""
        self._random = random.Random(self.options.seed)
