"""The random bot: every legal move is equally likely. The baseline of every rating list."""

from __future__ import annotations

import random
from dataclasses import dataclass

from tesuji.any_game import Game, State
from tesuji.any_game import game as as_game
from tesuji.full_bot import FullBot
from tesuji.full_game import Move
from tesuji.options import Options, option, takes, to_text


@dataclass(frozen=True, kw_only=True)
class RandomOptions(Options):
    """Options of `RandomBot`."""

    seed: int | None = option(None, "random seed; auto: a new one each time", minimum=0, none="auto")


class RandomBot(FullBot):
    """Chooses uniformly among the legal moves: `RandomBot(game, seed=1).choose(state)`."""

    Options = RandomOptions

    @takes(RandomOptions, "random")
    def __init__(self, game: Game | str, options: RandomOptions) -> None:
        self.game = as_game(game)
        self.options = options
        self.reset()

    def choose(self, state: State) -> Move:
        """Any legal move."""
        moves = state.moves()
        if not moves:
            raise ValueError("the game is over: there is no move to choose")
        return moves[self._random.randrange(len(moves))]

    def reset(self) -> None:
        """Restart the random numbers from the seed, as for a new game."""
        self._random = random.Random(self.options.seed)

    def __repr__(self) -> str:
        given = ", ".join(f"{key}={value}" for key, value in to_text(self.options).items())
        return f"RandomBot({self.game!r}{', ' if given else ''}{given})"
