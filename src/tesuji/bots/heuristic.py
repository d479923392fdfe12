"""The heuristic bot: plays by the game's objectives alone."""

from __future__ import annotations

import random
from dataclasses import dataclass
from statistics import fmean
from typing import TYPE_CHECKING, Unpack

from tesuji.game import Game, Move, State, determinizations, shown
from tesuji.game import game as as_game
from tesuji.knowledge import ReadsObjectives
from tesuji.options import Options, option

if TYPE_CHECKING:
    from tesuji.bots.keywords import HeuristicKeywords

SAMPLED_POSITIONS = 32  # where cards are hidden: enough to tell moves apart


@dataclass(frozen=True, kw_only=True)
class HeuristicOptions(Options):
    """Options of `HeuristicBot`."""

    seed: int | None = option(None, "seed for ties between equal moves; off: a new one each time", minimum=0)


class HeuristicBot:
    """Plays the move after which its own objectives are best: `HeuristicBot("hex").choose(state)`.

    It does not know whether a move ends the game, nor whose turn it is then; `greedy` does.

    >>> import tesuji
    >>> state = tesuji.replay("hex:size=3", "b1 a1 b2 a3")
    >>> state.text(HeuristicBot(state.game, seed=1).choose(state))
    'b3'
    """

    Options = HeuristicOptions

    def __init__(self, game: Game | str, **options: Unpack[HeuristicKeywords]) -> None:
        self.game = as_game(game)
        self.options = HeuristicOptions.of(options, thing="heuristic")
        objectives = getattr(getattr(self.game, "knowledge", None), "objectives", None)
        if objectives is None:
            raise ValueError(f"the bot heuristic needs objectives, and {shown(self.game)} has none")
        self._objectives: ReadsObjectives = objectives
        self.reset()

    def choose(self, state: State) -> Move:
        """The move with the best objectives after it."""
        moves = list(state.moves())
        if not moves:
            raise ValueError("the game is over: there is no move to choose")
        positions = determinizations(state, self._random, SAMPLED_POSITIONS)
        values = [
            fmean(self._objectives.value(one.play(move), state.player) for one in positions) for move in moves
        ]
        best = max(values)
        return self._random.choice([move for move, value in zip(moves, values, strict=True) if value == best])

    def reset(self) -> None:
        """Restart the random numbers from the seed, as for a new game."""
        self._random = random.Random(self.options.seed)
