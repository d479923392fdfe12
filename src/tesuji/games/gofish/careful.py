"""A careful player of Go Fish: no search, a good memory, and sense.

It asks for what it knows another to hold, first where that completes a book. Otherwise it asks where the card
is most likely: by how many cards of the rank are unseen, and how many of the other's cards could be of it
(those that came since the other was last seen without it).
"""

from __future__ import annotations

import random
from dataclasses import dataclass
from typing import Any

from tesuji.game import Game
from tesuji.game import game as as_game
from tesuji.games.gofish.cards import RANKS, SUITS
from tesuji.games.gofish.deals import read_hands
from tesuji.games.gofish.game import GoFish
from tesuji.games.gofish.state import GoFishState
from tesuji.options import Options, option, to_text


@dataclass(frozen=True, kw_only=True)
class CarefulOptions(Options):
    """What `CarefulBot` can be told."""

    seed: int | None = option(None, "decides among equally good asks; off: a new one each time", minimum=0)


class CarefulBot:
    """Plays Go Fish with care: `CarefulBot("gofish", seed=1).choose(state)`.

    >>> import tesuji
    >>> state = tesuji.replay("gofish", "J", seed=7)
    >>> state.text(CarefulBot("gofish", seed=1).choose(state)) in "A 3 4 8 9 J"
    True
    """

    Options = CarefulOptions

    def __init__(self, game: Game | str, **options: Any) -> None:
        self.game = as_game(game)
        if not isinstance(self.game, GoFish):
            raise ValueError(f"careful plays gofish, not {self.game!r}")
        self.options = CarefulOptions.of(options, thing="careful")
        self._random = random.Random(self.options.seed)

    def choose(self, state: GoFishState) -> int:
        """The ask that most likely brings cards, the more the better."""
        moves = state.moves()
        if not moves:
            raise ValueError("the game is over: there is no move to choose")
        worth = self._worth(state)
        values = [worth(*divmod(move, RANKS)) for move in moves]
        best = max(values)
        return self._random.choice([move for move, value in zip(moves, values, strict=True) if value == best])

    def reset(self) -> None:
        """Nothing to forget."""

    def __repr__(self) -> str:
        given = ", ".join(f"{key}={value}" for key, value in to_text(self.options).items())
        return f"CarefulBot({self.game!r}{', ' if given else ''}{given})"

    def _worth(self, state: GoFishState) -> Any:
        """A function of whom and what is asked."""
        own, hands = state.hand(state.player), read_hands(state)
        others = [hand for player, hand in enumerate(hands) if player != state.player]
        unseen = [SUITS - own[rank] - sum(hand.known[rank] for hand in others) for rank in range(RANKS)]
        hidden = state.deck_size + sum(len(hand.slots) for hand in others)

        def worth(target: int, rank: int) -> tuple[float, ...]:
            known = hands[target].known[rank]
            if known:  # certain: a book, then many cards
                return 2.0, float(own[rank] + known >= state.game.book), known, own[rank]
            slots = sum(hands[target].allowed(slot) >> rank & 1 for slot in hands[target].slots)
            chance = 1.0 - (1.0 - slots / max(1, hidden)) ** unseen[rank]
            return chance, float(own[rank]), 0.0, 0.0

        return worth
