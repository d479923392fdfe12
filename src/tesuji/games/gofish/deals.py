"""Which cards may be where, for all that one seat has seen, and drawing such a deal by chance.

A card that came to a player unseen lies in a *slot*: those of the deal, and those that were drawn later, in
the order of coming. What is asked and answered says what may lie in a slot:

- A player who is asked for a rank gives all of it, or has none: no slot of that time holds the rank any more.
  Slots that are filled later may. A book that is laid down says the same.
- A player who asks for a rank has it. A player who shows a fished card, or gets cards, has those. All of
  these are cards that everybody knows of, and lie in no slot.
- A fished card that is not shown is not of the rank that was asked for.
- Nobody holds a complete book.

Where a hidden card becomes known, one of the slots that could hold it is empty from then on. Nobody knows
which. We take the oldest: what it could hold, a later one could hold as well, and so no deal is ruled out.

A deal puts each unseen card into a slot or into the deck, and all deals that fit are equally likely. They are
drawn by filling the slots, those with the least choice first. Say that slot i has a_i cards to choose from
when its turn comes, so that a deal is drawn with the probability Π 1/a_i. If all that may lie in an earlier
slot may lie in the later one, too, then a_i is the same whatever was chosen, and the draw is uniform.
Otherwise a_i is A_i, the largest that it can be, less the number of choices that were taken from it; the deal
is kept with the probability Π a_i/A_i and drawn anew if not, and that is uniform again.

A player who asks for a rank may have asked about any of n cards of it. The one that is known now was taken as
given, so that each deal has been counted n times: it is kept with the probability 1/n.

Where too few deals are kept, which happens among three or more when the deck is nearly empty, the ways to
fill the rest of the slots are counted, and each card is drawn in proportion to them. Where these are too many
to count, which happens among five or six, deals are kept without that test: they fit, and are not quite
equally likely.
"""

from __future__ import annotations

import math
import random
from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple

from tesuji.games.gofish.cards import RANKS, SUITS, counts, packed

if TYPE_CHECKING:
    from tesuji.games.gofish.state import GoFishState

SHOWN = 2  # a fished card

TRIES = 40
"""Deals that are drawn to see how many are kept; of two players' nearly half are."""

FEW = 4
"""So few kept deals of these are too few."""

COUNTABLE = 8_000
"""The most ways to take some of the unseen cards by rank for which the ways to fill the slots are counted."""


class Slot(NamedTuple):
    """A card that came unseen."""

    came: int
    """It is the player's card of this number, counted from 0."""
    not_rank: int
    """What it cannot be because it was not shown, or -1."""


class Hand:
    """What everybody knows of one hand."""

    def __init__(self, dealt: int) -> None:
        self.slots = [Slot(number, -1) for number in range(dealt)]
        self.came = dealt
        self.since = [0] * RANKS
        """Cards that came before this one are not of the rank."""
        self.known = [0] * RANKS
        """Cards of each rank that all know of."""
        self.asked = [0] * RANKS
        """One of the cards that came before this one is known because the player asked for the rank."""

    def draws(self, not_rank: int = -1) -> None:
        """A card comes unseen."""
        self.slots.append(Slot(self.came, not_rank))
        self.came += 1

    def reveals(self, rank: int) -> None:
        """A hidden card turns out to be of this rank: the oldest that can be."""
        can = [slot for slot in self.slots if self.since[rank] <= slot.came and slot.not_rank != rank]
        if not can:  # in a deal that was drawn without the test of all limits
            can = self.slots[-1:]
        oldest = can[0]
        self.slots.remove(oldest)
        self.known[rank] += 1
        # Perhaps it was a later one, and the oldest is still there, which may be what the later one is not.
        for slot in can[1:]:
            if slot.not_rank >= 0 and self.since[slot.not_rank] <= oldest.came:
                self.slots[self.slots.index(slot)] = Slot(slot.came, -1)

    def asks(self, rank: int) -> None:
        """Who asks for a rank has it."""
        if not self.known[rank]:
            self.reveals(rank)
            self.asked[rank] = self.came

    def loses(self, rank: int, number: int) -> None:
        """All cards of a rank leave the hand: so many."""
        while self.known[rank] < number:
            self.reveals(rank)
        self.known[rank] = self.asked[rank] = 0
        self.since[rank] = self.came

    def allowed(self, slot: Slot) -> int:
        """What a slot may hold, a bit for each rank."""
        return sum(
            1 << rank for rank in range(RANKS) if self.since[rank] <= slot.came and rank != slot.not_rank
        )

    def twins(self, slot: Slot) -> int:
        """The ranks of which the player asked for a card that may as well have been this one."""
        return sum(1 << rank for rank in range(RANKS) if slot.came < self.asked[rank])


def read_hands(state: GoFishState) -> list[Hand]:
    """What everybody knows of every hand, by the turns so far."""
    game = state.game
    dealt, drew = state.deal
    hands = [Hand(game.cards_each - game.book * len(books)) for books in dealt]
    for player in drew:
        hands[player].draws()
    for turn in state.turns:
        asker, rank = hands[turn.asker], turn.rank
        asker.asks(rank)
        hands[turn.target].loses(rank, turn.given)
        asker.known[rank] += turn.given
        if turn.fished and turn.book >= 0:
            asker.known[turn.book] += 1
        elif turn.fished == SHOWN:
            asker.known[rank] += 1
        elif turn.fished:
            asker.draws(rank if game.again else -1)
        if turn.book >= 0:
            asker.loses(turn.book, game.book)
        for player in turn.drew:
            hands[player].draws()
    return hands


class Place(NamedTuple):
    """A slot of one of the others, as a draw fills it."""

    owner: int
    allowed: int
    most: int
    """A_i: the largest number of cards that it can have to choose from."""
    twins: int
    """Ranks of which another card here is one more that an ask may have been about."""
    rivals: tuple[int, ...]
    """Earlier places that may or may not take one of those."""


class Deals:
    """The deals that fit what a seat has seen: `Deals(state, seat).draw(rng)`."""

    def __init__(self, state: GoFishState, seat: int) -> None:
        self.full = state.game.book - 1  # of a rank, in a hand
        hands = read_hands(state)
        laid = [0] * RANKS
        for player in range(state.game.players):
            for rank in state.books(player):
                laid[rank] += state.game.book
        known = [hand.known for hand in hands]
        known[seat] = counts(state._hands[seat])
        self.known = [packed(numbers) for numbers in known]
        self.unseen = [
            rank
            for rank in range(state.game.ranks)
            for _ in range(SUITS - laid[rank] - sum(numbers[rank] for numbers in known))
        ]
        """The ranks of the cards in slots and in the deck."""
        slots = [
            (hand.allowed(slot), player, hand.twins(slot))
            for player, hand in enumerate(hands)
            for slot in hand.slots
            if player != seat
        ]
        self.places = self._order(slots)
        self.ways: list[dict[int, int]] = []
        """For each place, by the unseen cards that are left (three bits a rank): ways to fill the rest."""
        self.strict = True
        trial = random.Random(0).random
        if self.places and sum(self._fill(trial) is not None for _ in range(TRIES)) < FEW:
            kinds = math.prod(self.unseen.count(rank) + 1 for rank in set(self.unseen))
            if kinds <= COUNTABLE:
                self.ways = [{} for _ in self.places]
            else:
                self.strict = False

    def draw(self, rng: random.Random) -> tuple[list[int], tuple[int, ...]]:
        """The hands of all players, and the deck."""
        # Ours is compiled: a search gives one that is written in Python, and is slower.
        fast = rng if type(rng) is random.Random else random.Random(rng.getrandbits(62))
        fill = self._fill_by_ways if self.ways else self._fill
        while (drawn := fill(fast.random)) is None:
            pass
        hands, deck = drawn
        fast.shuffle(deck)
        return hands, tuple(deck)

    def _order(self, slots: list[tuple[int, int, int]]) -> list[Place]:
        """Those with the least choice first."""
        choice = sorted(slots, key=lambda slot: (self._cards(slot[0]), slot))
        places = []
        for number, (allowed, owner, twins) in enumerate(choice):
            inside = [other for other in range(number) if not choice[other][0] & ~allowed]
            rivals = [other for other in range(number) if other not in inside and choice[other][0] & allowed]
            most = self._cards(allowed) - len(inside)
            places.append(Place(owner, allowed, most, twins, tuple(rivals)))
        return places

    def _cards(self, allowed: int) -> int:
        return sum(allowed >> rank & 1 for rank in self.unseen)

    def _fill(self, uniform: Callable[[], float]) -> tuple[list[int], list[int]] | None:
        """Fill the slots; what is left is the deck. None where the deal is not kept."""
        pool, hands, full = self.unseen.copy(), self.known.copy(), self.full
        chosen: list[int] = []
        for owner, allowed, most, twins, rivals in self.places:
            if rivals:
                choice = most
                for other in rivals:
                    choice -= allowed >> chosen[other] & 1
                if choice <= 0 or (self.strict and uniform() * most >= choice):
                    return None
            number = len(pool)
            place = int(uniform() * number)
            while not allowed >> pool[place] & 1:
                place = int(uniform() * number)
            rank = pool[place]
            if hands[owner] >> 2 * rank & 3 == full or (
                twins >> rank & 1 and not self._keeps_twin(owner, rank, chosen, uniform)
            ):
                return None
            pool[place] = pool[-1]
            pool.pop()
            hands[owner] += 1 << 2 * rank
            chosen.append(rank)
        return hands, pool

    def _fill_by_ways(self, uniform: Callable[[], float]) -> tuple[list[int], list[int]] | None:
        """The same, each card in proportion to the ways to go on from it."""
        left, hands = sum(1 << 3 * rank for rank in self.unseen), self.known.copy()
        chosen: list[int] = []
        for number, (owner, allowed, _, twins, _) in enumerate(self.places):
            lot = uniform() * self._count(number, left)
            for rank in range(RANKS):
                cards = left >> 3 * rank & 7
                if cards and allowed >> rank & 1:
                    lot -= cards * self._count(number + 1, left - (1 << 3 * rank))
                    if lot < 0:
                        break
            if hands[owner] >> 2 * rank & 3 == self.full or (
                twins >> rank & 1 and not self._keeps_twin(owner, rank, chosen, uniform)
            ):
                return None
            left -= 1 << 3 * rank
            hands[owner] += 1 << 2 * rank
            chosen.append(rank)
        return hands, [rank for rank in range(RANKS) for _ in range(left >> 3 * rank & 7)]

    def _keeps_twin(self, owner: int, rank: int, chosen: list[int], uniform: Callable[[], float]) -> bool:
        """One more card of a rank that was asked for, where there were n: n/(n+1) makes 1/n of them all."""
        number = 1
        for place, other in zip(self.places, chosen, strict=False):
            number += other == rank and place.owner == owner and place.twins >> rank & 1
        return uniform() * (number + 1) < number

    def _count(self, number: int, left: int) -> int:
        """In how many ways the cards that are left fill the places from this one on."""
        if number == len(self.places):
            return 1
        known = self.ways[number]
        if left not in known:
            allowed = self.places[number].allowed
            known[left] = sum(
                (left >> 3 * rank & 7) * self._count(number + 1, left - (1 << 3 * rank))
                for rank in range(RANKS)
                if allowed >> rank & 1 and left >> 3 * rank & 7
            )
        return known[left]
