"""What is known of Go Fish. All of it looks at what the seat itself has seen, and at nothing else.

That is its own hand, how many cards the others have, the books, and what asks and answers showed: the cards that
everybody knows a player to hold, and the ranks that a player was last seen without.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from functools import cache
from typing import TYPE_CHECKING

from tesuji.games.gofish.cards import RANKS, counts, held
from tesuji.knowledge import Knowledge, Objective

if TYPE_CHECKING:
    from tesuji.games.gofish.state import GoFishState

SETTINGS: dict[str, object] = {}
"""Of mcts; docs/games/gofish.md has the matches."""

KNOWN, UNKNOWN, WITHOUT = 1.0, 0.2, 0.04
"""What an ask is worth where the other is known to have the rank, where nothing is known, and where it was last
seen without it."""


def features(state: GoFishState, player: int) -> dict[str, float]:
    """Named numbers of what a seat has seen; where there are several others, the one that has most counts.

    >>> import tesuji
    >>> features(tesuji.replay("gofish", "K", seed=7), 1)["cards"]
    -1.0
    """
    own, mine = counts(state._hands[player]), counts(state._sure[player])
    sizes, books = state.hand_sizes, state._books
    others = [other for other in range(state.game.players) if other != player]
    known = [max(column) for column in zip(*(counts(state._sure[other]) for other in others), strict=True)]
    asks = state.player == player
    takes = sum(theirs for ours, theirs in zip(own, known, strict=True) if ours)
    loses = sum(ours for ours, shown, theirs in zip(own, mine, known, strict=True) if shown and theirs)
    return {
        "books": float(books[player] - max(books[other] for other in others)),
        "cards": float(sizes[player] - max(sizes[other] for other in others)),
        "ranks": float(sum(map(bool, own))),
        "twos": float(own.count(2)),
        "threes": float(own.count(3)),
        "known_cards": float(sum(known)),
        "shown_cards": float(sum(mine)),
        "can_take": float(takes if asks else 0),
        "can_lose": float(0 if asks else loses),
        "to_ask": float(asks),
    }


def book_lead(state: GoFishState, player: int) -> float:
    """Books more than the best of the others, as a share of all: ½ where none are."""
    books = state._books
    best = max(number for other, number in enumerate(books) if other != player)
    return 0.5 + 0.5 * (books[player] - best) / state.game.books_in_all


def near_books(state: GoFishState, player: int) -> float:
    """How near the hand's ranks are to books: the sum of (cards/book)² over them, as a share of the ranks."""
    return min(1.0, sum(number**2 for number in counts(state._hands[player])) / 40)


def within_reach(state: GoFishState, player: int) -> float:
    """Cards that another is known to hold and this player may ask for, up to six."""
    own = held(state._hands[player])
    ranks = [rank for rank in range(RANKS) if own >> 2 * rank & 1]
    sure = [hand for other, hand in enumerate(state._sure) if other != player]
    return min(1.0, sum(hand >> 2 * rank & 3 for hand in sure for rank in ranks) / 6)


def move_ordering(state: GoFishState, player: int, moves: Sequence[int]) -> dict[int, float]:
    """Ask whom you know to hold it; leave alone who was last seen without it.

    >>> import tesuji
    >>> state = tesuji.replay("gofish", "J", seed=7)
    >>> state.turns[-1].given, state.text(max(state.moves(), key=move_ordering(state, 0, state.moves()).get))
    (1, '3')
    """
    own, sure, none = state._hands[player], state._sure, state._none
    weights = {}
    for move in moves:
        other, rank = divmod(move, RANKS)
        shift = 2 * rank
        if number := sure[other] >> shift & 3:
            weights[move] = KNOWN * (number + (own >> shift & 3))
        else:
            weights[move] = (WITHOUT if none[other] >> shift & 1 else UNKNOWN) * (own >> shift & 3)
    return weights


def playout_policy(state: GoFishState, player: int, moves: Sequence[int], rng: random.Random) -> int:
    """Take what is known to be there; otherwise anything that is not known to be missing."""
    sure, none = state._sure, state._none
    open_asks = []
    for move in moves:
        other, rank = divmod(move, RANKS)
        if sure[other] >> 2 * rank & 3:
            return move
        if not none[other] >> 2 * rank & 1:
            open_asks.append(move)
    asks = open_asks or moves
    return asks[int(rng.random() * len(asks))]


@cache
def gofish_knowledge() -> Knowledge:
    """Objectives by hand, an ordering and a playout policy."""
    return Knowledge(
        objectives={
            "book-lead": Objective(book_lead, weight=10),
            "near-books": Objective(near_books, weight=2),
            "within-reach": Objective(within_reach, weight=2),
        },
        move_ordering=move_ordering,
        playout_policy=playout_policy,
        settings=SETTINGS,
    )
