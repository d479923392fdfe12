"""The heuristic bot: plays by the game's objectives alone."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Unpack

from tesuji.bots.one_ply import OnePlyBot
from tesuji.game import Game, State, shown
from tesuji.game import game as as_game
from tesuji.knowledge import ReadsObjectives
from tesuji.options import Options, option

if TYPE_CHECKING:
    from tesuji.bots.keywords import HeuristicKeywords


@dataclass(frozen=True, kw_only=True)
class HeuristicOptions(Options):
    """Options of `HeuristicBot`."""

    seed: int | None = option(None, "seed for ties between equal moves; off: a new one each time", minimum=0)


class HeuristicBot(OnePlyBot):
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

    def _evaluate(self, state: State, player: int) -> float:
        """The objectives of the player who moved."""
        return self._objectives.value(state, player)
