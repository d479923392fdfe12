"""The heuristic bot: plays by the game's objectives alone."""

from __future__ import annotations

from dataclasses import dataclass

from tesuji.any_game import Game
from tesuji.any_game import game as as_game
from tesuji.bots.one_ply import OnePlyBot
from tesuji.full_game import FullState
from tesuji.knowledge import ReadsObjectives
from tesuji.options import Options, option, takes


@dataclass(frozen=True, kw_only=True)
class HeuristicOptions(Options):
    """Options of `HeuristicBot`."""

    seed: int | None = option(
        None, "seed for ties between equal moves; auto: a new one each time", minimum=0, none="auto"
    )


class HeuristicBot(OnePlyBot):
    """Plays the move after which its own objectives are best: `HeuristicBot("hex").choose(state)`.

    It does not know whether a move ends the game, nor whose turn it is then; `greedy` does.

    >>> import tesuji
    >>> state = tesuji.replay("hex:size=3", "b1 a1 b2 a3")
    >>> state.text(HeuristicBot(state.game, seed=1).choose(state))
    'b3'
    """

    Options = HeuristicOptions

    @takes(HeuristicOptions, "heuristic")
    def __init__(self, game: Game | str, options: HeuristicOptions) -> None:
        self.game = as_game(game)
        self.options = options
        objectives = self.game.knowledge.objectives
        if objectives is None:
            raise ValueError(f"the bot heuristic needs objectives, and {self.game.display_name} has none")
        self._objectives: ReadsObjectives = objectives
        self.reset()

    def _evaluate(self, state: FullState, player: int) -> float:
        """The objectives of the player who moved."""
        return self._objectives.value(state.own, player)
