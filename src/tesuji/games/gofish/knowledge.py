"""What is known of Go Fish. Everything here looks at what the seat itself has seen, and at nothing else.

That is its own hand, the sizes of the hands, the books, and what asks and answers showed: the cards that
everybody knows a player to hold (`sure`), and the ranks that a player was last seen without.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from functools import cache
from typing import TYPE_CHECKING, Any

from tesuji.games.gofish.cards import EACH, RANKS, SUITS, held
from tesuji.knowledge import Knowledge, Objective

if TYPE_CHECKING:
    from tesuji.games.gofish.state import GoFishState

SETTINGS: dict[str, object] = {}
"""Of mcts; docs/games/gofish.md has the matches."""

UNSEEN_WITHOUT = 0.15
"""How likely a player has a rank that it was last seen without, beside one that nothing is known of."""


def features(state: GoFishState, player: int) -> dict[str, float]:
    """Named numbers of what a seat has seen, differences from the best of the others.

    >>> import tesuji
    >>> features(tesuji.replay("gofish", "K", seed=7), 1)["cards"]
    -1.0
    """
    own = state._hands[player]
    sizes, books, sure = state.hand_sizes, state._books, state._sure
    others = [other for other in range(state.game.players) if other != player]
    asking = state.player == player
    theirs = 0  # known cards in other hands
    takes = {False: 0, True: 0}
    completes = 0
    for other in others:
        for rank in range(RANKS):
            number = sure[other] >> 2 * rank & 3
            theirs += number
            if number and own >> 2 * rank & 3:
                takes[asking] += number
                completes += (own >> 2 * rank & 3) + number == state.game.book
    shown = sum(
        own >> 2 * rank & 3 for rank in range(RANKS) if sure[player] >> 2 * rank & 3
    )
    seen_through = sum(  # what the player to move can take from this one for certain
        own >> 2 * rank & 3
        for rank in range(RANKS)
        if sure[player] >> 2 * rank & 3 and any(sure[other] >> 2 * rank & 3 for other in others)
    )
    return {
        "books": float(books[player] - max(books[other] for other in others)),
        "cards": float(sizes[player] - max(sizes[other] for other in others)),
        "pairs": float(sum(own >> 2 * rank & 3 == 2 for rank in range(RANKS))),
        "threes": float(sum(own >> 2 * rank & 3 == 3 for rank in range(RANKS))),
        "their_known_cards": float(theirs),
        "can_take": float(takes[True]),
        "could_take": float(takes[False]),
        "completes": float(completes if asking else 0),
        "own_shown_cards": float(shown),
        "seen_through": float(seen_through),
    }
