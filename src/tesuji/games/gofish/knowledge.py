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
from tesuji.games.gofish.observed import observe_hands
from tesuji.knowledge import Knowledge, Objective, Objectives

if TYPE_CHECKING:
    from tesuji.games.gofish.state import GoFishState
    from tesuji.learn.linear import LinearValue

SETTINGS = {"expand_after": 20, "prior_weight": 30.0, "exploration": 0.3}
"""Of mcts. Luck is so large that a thousand playouts tell two asks apart by 0.04 at best, and few asks differ
by more: the ordering decides until they clearly do. It takes about as long as a playout, so it is asked where
a position has come up often."""

UNLIKELY, CERTAIN = 0.05, 8.0
"""The weights of an ask that cannot be answered with cards (it still draws one), and of one that must be."""

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


def likely_asks(state: GoFishState) -> Callable[[int, int], float]:
    """A function of whom is asked and for which rank: how likely there are cards, by all that the asker saw.

    With u unseen cards of the rank among h that are hidden, and s of the other's cards that could be of it
    (which came since the other was last seen without it), that is 1 − C(h−s, u) / C(h, u): all of them lie
    elsewhere. It is 1 where there is no room for them elsewhere. (`determinization.py` also knows which of the other's
    cards may have left; that would take too long here.)
    """
    seat, game = state.player, state.game
    own, hands = counts(state._hands[seat]), observe_hands(state)
    others = [hand for player, hand in enumerate(hands) if player != seat]
    laid = [0] * RANKS
    if game.book < SUITS:  # of a rank in hands there may be books as well
        for player in range(game.players):
            for rank in state.books(player):
                laid[rank] += game.book
    hidden = len(state._deck) - state._top + sum(hand.hidden for hand in others)

    def likely(target: int, rank: int) -> float:
        hand = hands[target]
        if hand.known[rank]:
            return 1.0
        unseen = max(0, SUITS - laid[rank] - own[rank] - sum(other.known[rank] for other in others))
        slots = hand.room(rank)
        if unseen > hidden - slots:
            return 1.0
        return 1.0 - math.comb(hidden - slots, unseen) / math.comb(hidden, unseen)

    return likely


def move_ordering(state: GoFishState, player: int, moves: Sequence[int]) -> dict[int, float]:
    """By √p·n³: how likely cards are, and how many one would have at least with those that are known.

    What must be there counts CERTAIN times: it costs nothing, for who gets cards asks again.

    >>> import tesuji
    >>> state = tesuji.game("gofish").start(seed=7)
    >>> weights = move_ordering(state, 0, state.moves())
    >>> state.text(max(weights, key=weights.get))
    '3'
    """
    own, sure, likely = state._hands[player], state._sure, likely_asks(state)
    weights = {}
    for move in moves:
        other, rank = divmod(move, RANKS)
        number = (own >> 2 * rank & 3) + (sure[other] >> 2 * rank & 3)
        chance = likely(other, rank)
        weights[move] = UNLIKELY + (CERTAIN if chance == 1.0 else math.sqrt(chance)) * number**3
    return weights


def playout_policy(state: GoFishState, player: int, moves: Sequence[int], rng: random.Random) -> int:
    """Take what must be there; otherwise ask for that of which one has most, and not for what was missing.

    A rank must be there where a player is known to hold it, and between two also where the deck has no room
    for all of it. Of equals, any.
    """
    sure, none, own = state._sure, state._none, state._hands[player]
    deck = len(state._deck) - state._top
    certain = SUITS - deck if len(sure) == 2 and state.game.book == SUITS else 0
    best, found = -1, []
    for move in moves:
        other, rank = divmod(move, RANKS)
        shift = 2 * rank
        mine = own >> shift & 3
        if sure[other] >> shift & 3 or mine < certain:
            worth = 8 + mine
        else:
            worth = 2 * mine + 1 - (none[other] >> shift & 1)
        if worth > best:
            best, found = worth, [move]
        elif worth == best:
            found.append(move)
    return found[int(rng.random() * len(found))]


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
