"""Sampling a deal uniformly among all that are consistent with what one seat has observed.

A *deal* says which card lay in each slot (`observed.py`) and the order of the deck. All orders of a shuffled
deck are equally likely, so all consistent deals are, too. For each of the other players in turn, an
assignment of its removed cards to slots is drawn (`slot_assignments.py`), in proportion to the number of
deals that it leads to, and the cards that it still holds are drawn from the pool of unseen cards. The rest of
the pool is the deck.

The weight of an assignment is a product of numbers A, the cards that a slot may be filled with. For a single
opponent these are exact. With several, A is an upper bound, and rejection sampling corrects it: with a cards
actually left, the deal is accepted with probability a/A. A consistent deal is thus drawn in proportion to
Π A · Π 1/a · Π a/A = 1. Deals are also rejected where they violate a rule that the weights ignore: a fished
card that was not shown is not of the rank asked for, and nobody holds a complete book.

Between two players 2 of 3 deals are accepted, among six 1 of 5, in rare positions 1 of 1000. If none is
accepted in MOST_TRIES, the test a/A is dropped: deals are still consistent, but not exactly uniform.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import TYPE_CHECKING

from tesuji.games.gofish.cards import SUITS, counts, packed
from tesuji.games.gofish.observed import ObservedHand, observe_hands
from tesuji.games.gofish.slot_assignments import THIRD, enumerate_assignments

if TYPE_CHECKING:
    from tesuji.games.gofish.state import GoFishState

MOST_TRIES = 20_000


class DealSampler:
    """Samples deals consistent with what a seat has observed: `DealSampler(state, seat).draw(rng)`."""

    def __init__(self, state: GoFishState, seat: int) -> None:
        game, hands = state.game, observe_hands(state)
        self.full = game.book - 1  # most cards of a rank in a hand
        known = [hand.known for hand in hands]
        known[seat] = counts(state._hands[seat])
        unseen = [SUITS - sum(numbers[rank] for numbers in known) for rank in range(game.ranks)]
        for player in range(game.players):
            for rank in state.books(player):
                unseen[rank] -= game.book
        self.known = [packed(numbers) for numbers in known]
        self.pool = [rank for rank, number in enumerate(unseen) for _ in range(number)]
        """The rank of each unseen card, in slots and in the deck."""
        self.cards = sum((1 << number) - 1 << 4 * rank for rank, number in enumerate(unseen))
        """The pool with a bit per card, four per rank."""
        self.ways = []
        before = 0
        others = [player for player in range(game.players) if player != seat and hands[player].slots]
        for player in sorted(others, key=lambda player: self._choice(hands[player])):
            self.ways.append((player, enumerate_assignments(hands[player], self.pool, before, self.full)))
            before += hands[player].hidden
        self.strict = True
        trial = random.Random(0).random
        self.strict = len(others) < 2 or any(self._fill(trial) for _ in range(MOST_TRIES))

    def draw(self, rng: random.Random) -> tuple[list[int], tuple[int, ...]]:
        """The hands of all players, and the deck."""
        # random.Random is compiled; the generator that a search passes is Python, and slower.
        fast = rng if type(rng) is random.Random else random.Random(rng.getrandbits(62))
        while (drawn := self._fill(fast.random)) is None:
            pass
        hands, deck = drawn
        fast.shuffle(deck)
        return hands, tuple(deck)

    def _choice(self, hand: ObservedHand) -> int:
        """How many cards may be the newest ones of a hand. Least choice first: fewer deals are rejected."""
        newest = max(0, len(hand.slots) - max(1, hand.hidden))
        return sum(max(hand.since[rank], hand.asked[rank]) <= newest for rank in self.pool)

    def _fill(self, uniform: Callable[[], float]) -> tuple[list[int], list[int]] | None:
        """The hands of all players, and the cards left; None where the deal is rejected."""
        pool, cards, hands, full = self.pool.copy(), self.cards, self.known.copy(), self.full
        for owner, (_, some, choices) in self.ways:
            hand, picks = hands[owner], list(some)
            while choices:
                lot = uniform()
                for choice in choices:
                    lot -= choice[0]
                    if lot < 0:
                        break
                _, some, (_, more, choices) = choice
                picks += some
                picks += more
            for ranks, mask, most, not_rank, paired in reversed(picks):
                if most:
                    there = (cards & mask).bit_count()
                    if not there or (self.strict and uniform() * most >= there):
                        return None
                number = len(pool)
                place = int(uniform() * number)
                while not ranks >> pool[place] & 1:
                    place = int(uniform() * number)
                rank = pool[place]
                if rank == not_rank or hand >> 2 * rank & 3 == full:
                    return None
                if paired >> rank & 1 and uniform() >= THIRD:
                    return None
                pool[place] = pool[-1]
                pool.pop()
                cards -= 1 << 4 * rank + (cards >> 4 * rank & 15).bit_length() - 1
                hand += 1 << 2 * rank
            hands[owner] = hand
        return hands, pool
