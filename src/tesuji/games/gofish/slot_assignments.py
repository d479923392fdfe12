"""All assignments of removed cards to the slots of one hand, weighted by the number of deals they lead to.

Each slot of a player held

- a card that has left since (`RemovedCards`), of known rank;
- a *held* card: of a rank that the player asked for later. At least one such card is publicly known; further
  ones come from the pool, the unseen cards;
- any other card of the pool that the slot allows: of a rank that the player was not known to lack since.

All orders of a shuffled deck are equally likely, so the weight of an assignment is the number of ways to draw
its cards from the pool. What a slot allows, each later slot allows as well. So where slot j allows A cards of
the pool and t cards were drawn for earlier slots, all t are among the A, and A − t are left. For a further
held card there are u − (k − 1), with u cards of the rank in the pool and k held so far.

Where n cards of the pool go to other hands first, at least n − (pool − A) of them are among the A; A − t less
these is an upper bound, which `determinization.py` corrects by rejection.

Dynamic programming over the slots, from the last to the first. A state counts the cards that are still to be
placed in earlier slots. Removed or held cards with the same first possible slot are interchangeable and
counted together; ranks with restrictions of their own are counted separately, in two bits each as in a hand.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import NamedTuple, TypeAlias

from tesuji.games.gofish.cards import RANKS, held, size
from tesuji.games.gofish.observed import ObservedHand, RemovedCards

THIRD = 1 / 3
"""If three cards of a rank are dealt, two are laid down as a pair. Any two may be, so a deal in which the
third is still in the hand would be counted three times."""


class Pick(NamedTuple):
    """A card to draw from the pool."""

    ranks: int
    """Its possible ranks, a bit each."""
    cards: int
    """The same with a bit per card, four per rank."""
    most: int
    """Upper bound on the cards of the pool that it may be; 0 where the count is exact."""
    not_rank: int
    """A rank that is excluded, or -1."""
    paired: int
    """Ranks of which a pair was dealt, too."""


Node: TypeAlias = "tuple[float, tuple[Pick, ...], tuple[tuple[float, tuple[Pick, ...], Node], ...]]"
"""The weight of all assignments below; the picks common to all of them; and the branches, each with its
probability, its picks and its node. Picks are drawn last to first."""


def enumerate_assignments(hand: ObservedHand, pool: Sequence[int], before: int, full: int) -> Node:
    """All assignments of one hand, where `before` cards of the pool go to other hands first.

    `pool` has the rank of each unseen card; a hand has at most `full` cards of a rank.
    """
    root = _Enumerator(hand, pool, before, full).node(len(hand.slots), 0)
    if root is None:
        raise ValueError("no deal is consistent with what was observed")
    return root


COUNT, WIDTH = 2 * RANKS, 6
"""The bits of a state: two for each rank that is counted separately, then six for each group of cards with
the same first possible slot."""


class _Enumerator:
    def __init__(self, hand: ObservedHand, pool: Sequence[int], before: int, full: int) -> None:
        self.hand, self.before = hand, before
        self.nodes: dict[tuple[int, int], Node | None] = {}
        slots, stops = range(len(hand.slots)), range(len(hand.slots) + 1)
        unseen = [pool.count(rank) for rank in range(RANKS)]
        begin = [max(hand.since[rank], hand.asked[rank]) for rank in range(RANKS)]
        allowed = [[rank for rank in range(RANKS) if begin[rank] <= slot] for slot in slots]
        self.picks = [
            self._pick(allowed[slot], hand.slots[slot], hand.paired if slot < hand.dealt else 0)
            for slot in slots
        ]
        cards = [sum(unseen[rank] for rank in ranks) for ranks in allowed]
        self.cards = [number - max(0, before - len(pool) + number) for number in cards]
        """A of each slot, less the cards that other hands have taken at least."""
        self.known = [0 for _ in stops]
        """How many cards were known to lie in earlier slots when a slot was filled."""
        self.comes = [0 for _ in stops]
        """The cards to place in slots before this one, as a state."""
        self.done = [0 for _ in stops]
        """The bits of the cards that cannot lie before this slot."""
        self.asked = [0 for _ in stops]
        """Ranks of which at least one card lies before this slot."""
        self.shifts: dict[int, int] = {}
        """The position in a state of each group of cards, by their first possible slot."""
        for one in hand.left:
            self._leaves(one)
        self.held: list[list[tuple[int, float, tuple[Pick, ...]]]] = [[(0, 1.0, ())] for _ in stops]
        """The possible numbers of held cards at each slot: addition to the state, weight, picks."""
        for rank, asked in enumerate(hand.asked):
            if asked:
                most = min(full - hand.known[rank] + 1, unseen[rank] + 1)
                self._hold(rank, asked, most, unseen[rank])

    def _leaves(self, one: RemovedCards) -> None:
        """Add removed cards."""
        apart = one.asked < one.last or one.rank in self.hand.slots[one.first : one.last]
        shift = self._count(one.rank, one.first, apart)
        self.comes[one.last] += one.number << shift
        if one.asked < one.last:
            self.asked[one.asked] |= 1 << shift
        for slot in range(one.last, len(self.known)):
            self.known[slot] += one.number

    def _hold(self, rank: int, asked: int, most: int, unseen: int) -> None:
        """Add cards of a rank that the player asked for: one is known, further ones come from the pool."""
        shift = self._count(rank, self.hand.since[rank], False)
        alike = shift >= COUNT  # then their orders are counted, too
        pick, weight, ways = self._pick([rank], -1, 0), 1.0, []
        picks: tuple[Pick, ...] = ()
        for number in range(1, most + 1):
            ways.append((number << shift, weight / (math.factorial(number) if alike else 1), picks))
            left = unseen - number + 1
            weight, picks = weight * left, (self._bounded(pick, left), *picks)
        self.held[asked] = [
            (state + add, one * other, some + more)
            for state, one, some in self.held[asked]
            for add, other, more in ways
        ]
        for slot in range(asked, len(self.known)):
            self.known[slot] += 1

    def _count(self, rank: int, first: int, apart: bool) -> int:
        """The position in a state of cards that lie in slot `first` or later: in a group, or of their own."""
        if apart or self.hand.paired >> rank & 1:
            shift, bits = 2 * rank, 3
        else:
            shift, bits = self.shifts.setdefault(first, COUNT + WIDTH * len(self.shifts)), (1 << WIDTH) - 1
        self.done[first] |= bits << shift
        return shift

    def node(self, slot: int, state: int) -> Node | None:
        """All ways to fill the slots before this one; None if there is none."""
        key = slot, state
        if key not in self.nodes:
            self.nodes[key] = self._node(slot, state)
        return self.nodes[key]

    def _node(self, slot: int, state: int) -> Node | None:
        if state & self.done[slot] or self.asked[slot] & ~held(state):
            return None
        if not slot:
            return 1.0, (), ()
        choices: list[tuple[float, tuple[Pick, ...], Node]] = []
        for more, weight, picks in self.held[slot]:
            for other, some, after in self._fill(slot - 1, state + self.comes[slot] + more):
                choices.append((weight * other * after[0], picks + some, after))
        if len(choices) == 1:
            total, picks, after = choices[0]
            return total, picks + after[1], after[2]
        total = sum([choice[0] for choice in choices])
        return (
            (total, (), tuple((one / total, some, after) for one, some, after in choices))
            if choices
            else None
        )

    def _fill(self, slot: int, state: int) -> Iterator[tuple[float, tuple[Pick, ...], Node]]:
        """What a slot may have held: weight, picks and next node."""
        ranks = state & (1 << COUNT) - 1
        alike = [(state >> shift & (1 << WIDTH) - 1, shift) for shift in self.shifts.values()]
        taken = slot - self.known[slot] - size(ranks) - sum([number for number, _ in alike])
        if taken < -1:  # more cards than slots
            return
        for number, shift in alike:
            if number and (after := self.node(slot, state - (1 << shift))):
                yield number, (), after
        hand = self.hand
        while ranks:
            rank = (ranks.bit_length() - 1) // 2
            ranks &= ~(3 << 2 * rank)
            if rank != hand.slots[slot] and (after := self.node(slot, state - (1 << 2 * rank))):
                yield THIRD if slot < hand.dealt and hand.paired >> rank & 1 else 1.0, (), after
        if 0 <= taken < self.cards[slot] and (after := self.node(slot, state)):
            cards = self.cards[slot] - taken
            yield cards, (self._bounded(self.picks[slot], cards),), after

    def _pick(self, ranks: Sequence[int], not_rank: int, paired: int) -> Pick:
        bits, cards = sum(1 << rank for rank in ranks), sum(15 << 4 * rank for rank in ranks)
        return Pick(bits, cards, 0, not_rank, paired)

    def _bounded(self, pick: Pick, most: int) -> Pick:
        return pick._replace(most=most) if self.before else pick
