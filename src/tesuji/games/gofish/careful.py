"""A rule-based Go Fish bot that remembers every ask and answer.

It asks for cards that another player is known to hold, first where that completes a book. Otherwise it asks
for the rank with the largest p·n²: p is the probability that the other player holds the rank
(`knowledge.likely_asks`), n the number of its cards in the own hand.
"""

from __future__ import annotations

import random
from dataclasses import dataclass

from tesuji.adapter import own_of
from tesuji.any_game import Game
from tesuji.any_game import game as as_game
from tesuji.games.gofish.cards import RANKS
from tesuji.games.gofish.game import GoFish
from tesuji.games.gofish.knowledge import likely_asks
from tesuji.games.gofish.state import GoFishState
from tesuji.options import Options, option, takes, to_text


@dataclass(frozen=True, kw_only=True)
class CarefulOptions(Options):
    """Options of `CarefulBot`."""

    seed: int | None = option(
        None, "decides among equally good asks; auto: a new one each time", minimum=0, none="auto"
    )


class CarefulBot:
    """Plays Go Fish by rules: `CarefulBot("gofish", seed=1).choose(state)`.

    >>> import tesuji
    >>> state = tesuji.game("gofish").start(seed=7)
    >>> state.text(CarefulBot("gofish", seed=1).choose(state))
    '3'
    """

    Options = CarefulOptions

    @takes(CarefulOptions, "careful")
    def __init__(self, game: Game | str, options: CarefulOptions) -> None:
        self.game = as_game(game)
        if not isinstance(self.game.own, GoFish):
            raise ValueError(f"careful plays gofish, not {self.game!r}")
        self.options = options
        self.reset()

    def choose(self, state: GoFishState) -> int:
        """The ask with the best chance of cards, weighted by their number."""
        state = own_of(state)
        moves = state.moves()
        if not moves:
            raise ValueError("the game is over: there is no move to choose")
        own, likely = state.hand(state.player), likely_asks(state)
        values: list[tuple[float, ...]] = []
        for move in moves:
            target, rank = divmod(move, RANKS)
            if known := state.sure(target)[rank]:  # certain: books first, then most cards
                values.append((1, own[rank] + known >= state.game.book, known, own[rank]))
            else:
                values.append((0, likely(target, rank) * own[rank] ** 2))
        best = max(values)
        return self._random.choice([move for move, value in zip(moves, values, strict=True) if value == best])

    def reset(self) -> None:
        """Restart the random numbers from the seed, as for a new game."""
        self._random = random.Random(self.options.seed)

    def __repr__(self) -> str:
        given = ", ".join(f"{key}={value}" for key, value in to_text(self.options).items())
        return f"CarefulBot({self.game!r}{', ' if given else ''}{given})"
