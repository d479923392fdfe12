"""The greedy bot: a search of one ply, which plays the move with the best value."""

from __future__ import annotations

from dataclasses import dataclass

from tesuji.any_game import Game, evaluated_seat
from tesuji.any_game import game as as_game
from tesuji.bots.one_ply import OnePlyBot
from tesuji.full_game import FullState
from tesuji.options import Options, option, takes, to_text
from tesuji.search.bot import Unpicklable
from tesuji.search.values import ValueOption, evaluate, find_value

CERTAIN = 1e-9  # an estimate stays this far from 0 and 1, so that it never ties with a result


@dataclass(frozen=True, kw_only=True)
class GreedyOptions(Options):
    """Options of `GreedyBot`."""

    value: ValueOption = option(
        "game", "evaluation: the game's objectives or a model file; off: every position is 0.5"
    )
    seed: int | None = option(
        None, "seed for ties between equal moves; auto: a new one each time", minimum=0, none="auto"
    )


class GreedyBot(OnePlyBot, Unpicklable):
    """Looks one move ahead: `GreedyBot(game, value=lambda state, player: 0.5).choose(state)`.

    A finished game counts as its score. Where cards are hidden, values are means over sampled positions.

    >>> import tesuji
    >>> state = tesuji.replay("hex:size=3", "b1 a1 b2 a3")
    >>> state.text(GreedyBot(state.game, seed=1).choose(state))
    'b3'
    """

    Options = GreedyOptions
    given: tuple[str, ...]
    """The options that were given; all others have their defaults."""

    @takes(GreedyOptions, "greedy")
    def __init__(self, game: Game | str, options: GreedyOptions) -> None:
        self.game = as_game(game)
        self.options = options
        self._players = self.game.players
        self._value = find_value(self.options.value, self.game)
        self.reset()

    def __repr__(self) -> str:
        given = to_text(self.options, keep=True, only=self.given)
        options = (f"{key}={value}" for key, value in given.items())
        return f"GreedyBot({', '.join([repr(self.game), *options])})"

    def _evaluate(self, state: FullState, player: int) -> float:
        """The value for the player who moved; with two players, evaluated for one seat: the side to move."""
        if (scores := state.scores()) is not None:
            return scores[player]
        seat = evaluated_seat(state) if self._players == 2 else player
        value = evaluate(self._value, state, seat)
        value = value if seat == player else 1.0 - value
        return min(max(value, CERTAIN), 1.0 - CERTAIN)
