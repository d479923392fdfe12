"""In which slots the cards lay that have left a hand: all ways, and how many deals each leads to.

In each slot of a player lay

- a card that has left since (`RemovedCards`): its rank is known;
- a card of a rank that the player asked for, and came before that: *held*. There is one such at least, which
  everybody knows of. Others are of the pool, the unseen cards;
- any other card of the pool that the slot allows: it is of a rank that the player was not seen without since.

All orders of a shuffled deck are equally likely, so each way counts by the number of ways to take its cards
from the pool. What a slot allows, each later slot allows as well. So where slot j allows A cards of the pool
and t of its cards were taken for earlier slots, all of these are among the A, and A − t are left, whatever
was taken. For a further held card there are u − (k − 1), with u cards of the rank in the pool and k held so
far.

Where other hands are dealt from the same pool before this one, they have taken some of the A cards. At least
n − (pool − A) of their n cards are, so that A − t less these are an upper bound; `determinization.py` sees to the rest.

The slots are gone through from the last to the first, and the ways are added up over states: how many cards
are still to be placed that are known to lie in earlier slots. Cards that have left are alike here if their
first possible slots are the same, and so are those that are held: it is enough to count them. Ranks with
limits of their own are counted apart, in two bits each as in a hand.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import NamedTuple, TypeAlias

from tesuji.games.gofish.cards import RANKS, held, size
from tesuji.games.gofish.observed import ObservedHand, RemovedCards

THIRD = 1 / 3
"""Of three cards of a rank in a deal two are laid down as a pair. Any two may be: a deal in which the third
is still there would be counted three times."""


class Pick(NamedTuple):
    """A card to take from the pool."""

    ranks: int
    """The ranks that it may be of, a bit each."""
    cards: int
    """The same with a bit for each card, four a rank."""
    most: int
    """So many cards of the pool may be it at most; 0: exactly as many as there are."""
    not_rank: int
    """What it cannot be though the ranks say so, or -1."""
    paired: int
    """Ranks of which a pair was dealt as well."""


Node: TypeAlias = "tuple[float, tuple[Pick, ...], tuple[tuple[float, tuple[Pick, ...], Node], ...]]"
"""The weight of all ways from here on; the picks that all of them begin with; then the ways to go on, each
with its probability, its picks, and what follows. The last pick is to be taken first."""


def enumerate_assignments(hand: ObservedHand, pool: Sequence[int], before: int, full: int) -> Node:
    """All ways of one hand, where `before` cards of the pool go to other hands first.

    `pool` has the rank of each unseen card; a hand has at most `full` cards of a rank.
    """
    root = _Enumerator(hand, pool, before, full).node(len(hand.slots), 0)
    if root is None:
        raise ValueError("there is no deal that fits what was seen")
    return root


COUNT, WIDTH = 2 * RANKS, 6
"""The bits of a state: two for each rank that is counted by itself, then six for the number of those cards
that have their first possible slot in common."""


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
        """A of each slot, less those that other hands have taken in any case."""
        self.known = [0 for _ in stops]
        """So many cards were known before a slot came that lay in earlier ones."""
        self.comes = [0 for _ in stops]
        """What is to be placed in slots before this one, as a state;"""
        self.done = [0 for _ in stops]
        """and the bits of what cannot lie before it."""
        self.asked = [0 for _ in stops]
        """Ranks of which one card at least lies before it."""
        self.shifts: dict[int, int] = {}
        """Where cards are counted that have this first possible slot."""
        for one in hand.left:
            self._leaves(one)
        self.held: list[list[tuple[int, float, tuple[Pick, ...]]]] = [[(0, 1.0, ())] for _ in stops]
        """How many cards were held when a slot came: what to add to the state, the weight, and the picks."""
        for rank, asked in enumerate(hand.asked):
            if asked:
                most = min(full - hand.known[rank] + 1, unseen[rank] + 1)
                self._hold(rank, asked, most, unseen[rank])

    def _leaves(self, one: RemovedCards) -> None:
        """Cards that have left."""
        apart = one.asked < one.last or one.rank in self.hand.slots[one.first : one.last]
        shift = self._count(one.rank, one.first, apart)
        self.comes[one.last] += one.number << shift
        if one.asked < one.last:
            self.asked[one.asked] |= 1 << shift
        for slot in range(one.last, len(self.known)):
            self.known[slot] += one.number

    def _hold(self, rank: int, asked: int, most: int, unseen: int) -> None:
        """Cards of a rank that the player asked for: one is known, each further one is of the pool."""
        shift = self._count(rank, self.hand.since[rank], False)
        alike = shift >= COUNT  # then each order of them is counted
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
        """Where a state counts cards that do not lie before a slot: with others like them, or apart."""
        if apart or self.hand.paired >> rank & 1:
            shift, bits = 2 * rank, 3
        else:
            shift, bits = self.shifts.setdefault(first, COUNT + WIDTH * len(self.shifts)), (1 << WIDTH) - 1
        self.done[first] |= bits << shift
        return shift

    def node(self, slot: int, state: int) -> Node | None:
        """All ways to fill the slots before this one; None where there is none."""
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
        """What may have lain in a slot: its weight, what is taken for it, and what follows."""
        ranks = state & (1 << COUNT) - 1
        alike = [(state >> shift & (1 << WIDTH) - 1, shift) for shift in self.shifts.values()]
        taken = slot - self.known[slot] - size(ranks) - sum([number for number, _ in alike])
        if taken < -1:  # there are more cards than slots
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
