"""What is known of Go Fish. All of it looks at what the seat itself has seen, and at nothing else.

That is its own hand, how many cards the others have, the books, and what asks and answers showed: the cards
that everybody knows a player to hold, and the ranks that a player was last seen without.
"""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tesuji.games.gofish.cards import EACH, RANKS, SUITS, counts, held, size
from tesuji.knowledge import Knowledge, Objective, Objectives

if TYPE_CHECKING:
    from tesuji.games.gofish.state import GoFishState
    from tesuji.learn.linear import LinearValue

SETTINGS: dict[str, object] = {}
"""Of mcts; docs/games/gofish.md has the matches."""

KNOWN, UNKNOWN, WITHOUT = 1.0, 0.2, 0.04
"""What an ask is worth where the other is known to have the rank, where nothing is known, and where it was
last seen without it."""


LAST_CARDS = range(7)
"""Sizes of the deck at which who is to ask may get all that is left."""


def features(state: GoFishState, player: int) -> dict[str, float]:
    """Named numbers of what a seat has seen; where there are several others, the one that has most counts.

    >>> import tesuji
    >>> features(tesuji.replay("gofish", "A", seed=7), 1)["cards"]
    -1.0
    """
    game, hands, books, sure = state.game, state._hands, state._books, state._sure
    own, mine = hands[player], sure[player]
    most = max([number for other, number in enumerate(books) if other != player])
    left, deck = game.books_in_all - sum(books), len(state._deck) - state._top
    lead = books[player] - most
    # Of two with an empty deck, whoever asks gets all that is left: every ask is answered with cards. With
    # few cards in the deck it often goes that way, too.
    swept = lead + left if state.player == player else lead - left
    sweep = math.copysign(1.0, swept) if swept else 0.0
    can_take = known = 0
    for other in range(game.players):
        if other != player:
            theirs = sure[other]
            known += size(theirs)
            both = held(own) & held(theirs)
            can_take += size(theirs & (both | both << 1))
    return {
        "lead": float(lead),
        "lead_of_rest": lead / (left + 1),
        "cards": float(2 * size(own) - sum(map(size, hands))),
        "ranks": float(held(own).bit_count()),
        "threes": float((own & own >> 1 & EACH).bit_count()),
        "known": float(known),
        "shown": float(size(mine)),
        "can_take": float(can_take),
        **{f"sweep_{cards}": sweep if deck == cards else 0.0 for cards in LAST_CARDS},
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
    >>> state = tesuji.game("gofish").start(seed=7)
    >>> weights = move_ordering(state, 0, state.moves())
    >>> state.text(max(weights, key=weights.get))
    '3'
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
    """Take what must be there; otherwise ask for anything that is not known to be missing.

    A rank must be there where a player is known to hold it, and between two also where the deck has no room
    for all of it.
    """
    sure, none, own = state._sure, state._none, state._hands[player]
    room = len(state._deck) - state._top - (SUITS if len(sure) == 2 and state.game.book == SUITS else 0)
    open_asks = []
    for move in moves:
        other, rank = divmod(move, RANKS)
        shift = 2 * rank
        if sure[other] >> shift & 3 or (own >> shift & 3) + room < 0:
            return move
        if not none[other] >> shift & 1:
            open_asks.append(move)
    asks = open_asks or moves
    return asks[int(rng.random() * len(asks))]


OBJECTIVES = {
    "book-lead": Objective(book_lead, weight=10),
    "near-books": Objective(near_books, weight=2),
    "within-reach": Objective(within_reach, weight=2),
}
"""Weights that a person chose."""


@cache
def learned_value() -> LinearValue:
    """A value learned from games of two: docs/games/gofish.md says how.

    >>> import tesuji
    >>> state = tesuji.game("gofish").start(seed=7)
    >>> 0.3 < learned_value().value(state, 0) < 0.7
    True
    """
    from tesuji.learn.linear import LinearValue  # which needs the games

    return LinearValue.load(Path(__file__).with_name("value.json"))


@cache
def hand_value() -> Objectives:
    """The weights that a person chose, as a value: `tesuji.bot("greedy:value=hand", "gofish")`."""
    return Objectives(OBJECTIVES)


@cache
def gofish_knowledge(two: bool) -> Knowledge:
    """An ordering, a playout policy, and a value: between two the learned one, else weights by hand."""
    return Knowledge(
        objectives=learned_value() if two else hand_value(),
        move_ordering=move_ordering,
        playout_policy=playout_policy,
        settings=SETTINGS,
    )


VALUES: Mapping[str, Callable[[], Any]] = {"hand": hand_value}
"""Values by name, for the option `value` of bots, beside the one of the knowledge."""
