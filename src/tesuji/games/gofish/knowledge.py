"""Knowledge of Go Fish: features, values and hooks. All of it uses what the seat has observed, nothing else.

That is its own hand, the sizes of the other hands, the books, and what asks and answers revealed: cards that
a player is publicly known to hold, and ranks that a player was last known to lack.
"""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from tesuji.games.gofish.cards import EACH, RANKS, SUITS, counts, held, size
from tesuji.games.gofish.observed import observe_hands
from tesuji.knowledge import Deferred, Knowledge, Objective, Objectives

if TYPE_CHECKING:
    from tesuji.games.gofish.state import GoFishState
    from tesuji.models.linear import TrainedLinearValue

SETTINGS = {"expand_after": 20, "prior_weight": 30.0, "exploration": 0.3}
"""For mcts. Results vary so much that 1000 playouts resolve differences of about 0.04 between asks, and few
asks differ by more: a large prior weight lets the ordering decide until they clearly do. The ordering costs
about as much as a playout, so it is called only for positions with several visits."""

UNLIKELY, CERTAIN = 0.05, 8.0
"""The base weight of every ask, and the factor for an ask that is certain to get cards."""

LAST_CARDS = range(7)
"""Deck sizes at which the player to ask may get all remaining books."""


def features(state: GoFishState, player: int) -> dict[str, float]:
    """Named features of what a seat has observed; of several opponents, the one with most books counts.

    >>> import tesuji
    >>> features(tesuji.replay("gofish", "A", seed=7), 1)["cards"]
    -1.0
    """
    game, hands, books, sure = state.game, state._hands, state._books, state._sure
    own, mine = hands[player], sure[player]
    most = max([number for other, number in enumerate(books) if other != player])
    left, deck = game.books_in_all - sum(books), len(state._deck) - state._top
    lead = books[player] - most
    # Between two players with an empty deck, every ask succeeds, so the player to ask gets all remaining
    # books. With few cards in the deck this is likely, too.
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
    """The lead in books over the best opponent, as a share of all books: ½ where equal."""
    books = state._books
    best = max(number for other, number in enumerate(books) if other != player)
    return 0.5 + 0.5 * (books[player] - best) / state.game.books_in_all


def near_books(state: GoFishState, player: int) -> float:
    """Progress towards books: the sum over the ranks of cards², scaled to at most 1."""
    return min(1.0, sum(number**2 for number in counts(state._hands[player])) / 40)


def within_reach(state: GoFishState, player: int) -> float:
    """Cards that this player may ask for and another is known to hold, up to six, scaled to at most 1."""
    own = held(state._hands[player])
    ranks = [rank for rank in range(RANKS) if own >> 2 * rank & 1]
    sure = [hand for other, hand in enumerate(state._sure) if other != player]
    return min(1.0, sum(hand >> 2 * rank & 3 for hand in sure for rank in ranks) / 6)


def likely_asks(state: GoFishState) -> Callable[[int, int], float]:
    """A function `(target, rank)` that gives the probability of getting cards, from the asker's view.

    With u unseen cards of the rank among h hidden cards, of which s are in the target's hand and could be of
    the rank (received since the target was last known to lack it), it is 1 − C(h−s, u) / C(h, u); 1 where the
    unseen cards do not fit elsewhere. An approximation: `determinization.py` also considers which of the
    target's cards may have left, which would be too slow here.
    """
    seat, game = state.player, state.game
    own, hands = counts(state._hands[seat]), observe_hands(state)
    others = [hand for player, hand in enumerate(hands) if player != seat]
    laid = [0] * RANKS
    if game.book < SUITS:  # pairs: a rank in a hand may have a book, too
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
    """Weights √p·n³: p is the probability of getting cards, n the cards of the rank in hand and known.

    A certain ask counts CERTAIN times: it costs nothing, since a player who gets cards asks again.

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
    """Make certain asks first; otherwise ask for a rank with most cards in hand, if possible not refused yet.

    An ask is certain where the target is known to hold the rank, and between two players also where the deck
    is too small to hold all missing cards of it. Ties are broken at random.
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
"""Weights chosen by hand."""


@cache
def learned_value() -> TrainedLinearValue:
    """A value learned from two-player games; see docs/games/gofish.md.

    >>> import tesuji
    >>> state = tesuji.game("gofish").start(seed=7)
    >>> 0.3 < learned_value().value(state, 0) < 0.7
    True
    """
    from tesuji.models.linear import TrainedLinearValue  # here: numpy is slow to import

    return TrainedLinearValue.load(Path(__file__).with_name("value.json.gz"))


@cache
def hand_value() -> Objectives:
    """The weights chosen by hand, as a value: `tesuji.bot("greedy:value=hand", "gofish")`."""
    return Objectives(OBJECTIVES)


@cache
def gofish_knowledge(two: bool) -> Knowledge:
    """An ordering, a playout policy, and a value: for two players the learned one, else weights by hand."""
    return Knowledge(
        objectives=Deferred(learned_value) if two else hand_value(),
        move_ordering=move_ordering,
        playout_policy=playout_policy,
        settings=SETTINGS,
    )


VALUES: Mapping[str, Callable[[], object]] = {"hand": hand_value}
"""Further values by name, for the bots' option `value`."""
