"""In which slots the cards lay that have left a hand: all ways, and how many deals each leads to.

The slots of one player are gone through in the order of coming. In each lay

- a card that has left since (`Left`): its rank is known;
- a card of a rank that the player asked for, and came before that: *held*. There is one such at least, which
  everybody knows of. Others are of the pool, the unseen cards;
- any other card of the pool that the slot allows: it is of a rank that the player was not seen without since.

All orders of a shuffled deck are equally likely, so each way counts by the number of ways to take its cards
from the pool. What a slot allows, each later slot allows as well. So where slot j allows A cards of the pool
and t of its cards were taken for earlier slots, all of these are among the A, and A − t are left, whatever
was taken. For a further held card there are u − (k − 1), with u cards of the rank in the pool and k held so
far.

Where other hands are dealt from the same pool before this one, they have taken some of the A cards. At least
n − (pool − A) of their n cards are, so that A − t less these are an upper bound; `deals.py` sees to the rest.

The ways are added up backwards, from the last slot, over states: how many cards of each rank, in two bits,
have been placed that are still to leave or to be asked for. What cannot be completed in time is left out.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, TypeAlias

from tesuji.games.gofish.cards import RANKS, held, size
from tesuji.games.gofish.seen import Hand

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
with its weight, its picks, and what follows."""


def ways(hand: Hand, pool: Sequence[int], before: int, full: int) -> Node:
    """All ways of one hand, where `before` cards of the pool go to other hands first.

    `pool` has the rank of each unseen card; a hand has at most `full` cards of a rank.
    """
    root = _Ways(hand, pool, before, full).node(0, 0)
    if root is None:
        raise ValueError("there is no deal that fits what was seen")
    return root


class _Ways:
    def __init__(self, hand: Hand, pool: Sequence[int], before: int, full: int) -> None:
        self.hand, self.before = hand, before
        self.unseen = [pool.count(rank) for rank in range(RANKS)]
        self.nodes: dict[tuple[int, int], Node | None] = {}
        self.number = len(hand.slots)
        slots, stops = range(self.number), range(self.number + 1)
        asked = [(rank, end) for rank, end in enumerate(hand.asked) if end]
        # For each slot what may lie in it, with the weight of that, and the most of it that may be placed.
        self.leaving = [
            [
                (2 * one.rank, one.number, self._weight(one.rank, slot))
                for one in hand.left
                if one.first <= slot < one.last and one.rank != hand.slots[slot]
            ]
            for slot in slots
        ]
        self.held = [
            [
                (2 * rank, full - hand.known[rank] + 1, self._weight(rank, slot), self._pick([rank], -1, 0))
                for rank, end in asked
                if hand.since[rank] <= slot < end and rank != hand.slots[slot]
            ]
            for slot in slots
        ]
        begin = [max(hand.since[rank], hand.asked[rank]) for rank in range(RANKS)]
        allowed = [[rank for rank in range(RANKS) if begin[rank] <= slot] for slot in slots]
        self.any = [
            self._pick(allowed[slot], hand.slots[slot], hand.paired if slot < hand.dealt else 0)
            for slot in slots
        ]
        cards = [sum(self.unseen[rank] for rank in ranks) for ranks in allowed]
        self.cards = [number - max(0, before - len(pool) + number) for number in cards]
        # What must be placed when a slot is reached: so many of a rank; 0: one or more that are held.
        self.ends: list[list[tuple[int, int]]] = [[] for _ in stops]
        for one in hand.left:
            self.ends[one.last].append((one.rank, one.number))
        for rank, end in asked:
            self.ends[end].append((rank, 0))
        self.begun = [
            sum(1 << 2 * one.rank for one in hand.left if one.asked == slot < one.last) for slot in stops
        ]
        ended = [sum(max(1, number) for _, number in those) for those in self.ends]
        self.ended = [sum(ended[: slot + 1]) for slot in stops]
        self.urgent = [self._urgent(slot) for slot in stops]

    def node(self, slot: int, placed: int) -> Node | None:
        """All ways from a slot on; None where there is none."""
        for rank, number in self.ends[slot]:
            there = placed >> 2 * rank & 3
            if there != number if number else not there:
                return None
            placed &= ~(3 << 2 * rank)
        if (slot, placed) not in self.nodes:
            self.nodes[slot, placed] = self._node(slot, placed)
        return self.nodes[slot, placed]

    def _node(self, slot: int, placed: int) -> Node | None:
        if self.begun[slot] & ~held(placed):
            return None
        for need, leaving, held_ones in self.urgent[slot]:
            if size(placed & leaving) + held(placed & held_ones).bit_count() < need:
                return None
        if slot == self.number:
            return 1.0, (), ()
        choices: list[tuple[float, tuple[Pick, ...], Node]] = []
        for shift, most, weight in self.leaving[slot]:
            if placed >> shift & 3 < most and (after := self.node(slot + 1, placed + (1 << shift))):
                choices.append((weight * after[0], (), after))
        for shift, most, weight, pick in self.held[slot]:
            there = placed >> shift & 3
            cards = self.unseen[shift // 2] - there + 1 if there else 1
            if there < most and cards > 0 and (after := self.node(slot + 1, placed + (1 << shift))):
                more = (self._bounded(pick, cards),) if there else ()
                choices.append((weight * cards * after[0], more, after))
        cards = self.cards[slot] - (slot - self.ended[slot] - size(placed))
        if cards > 0 and (after := self.node(slot + 1, placed)):
            choices.append((cards * after[0], (self._bounded(self.any[slot], cards),), after))
        if len(choices) > 1:
            return sum([choice[0] for choice in choices]), (), tuple(choices)
        for weight, picks, after in choices:
            return weight, picks + after[1], after[2]
        return None

    def _urgent(self, slot: int) -> list[tuple[int, int, int]]:
        """How many cards must be placed before a slot so that all can be in time, and which ones count.

        Up to a later slot there is room for as many cards as there are slots between.
        """
        found = []
        leaving = held_ones = 0
        active = {(one.rank, one.last) for one in self.hand.left if one.first <= slot}
        for end in range(slot + 1, self.number + 1):
            for rank, number in self.ends[end]:
                if not number:
                    held_ones |= 3 << 2 * rank
                elif (rank, end) in active:
                    leaving |= 3 << 2 * rank
            need = self.ended[end] - self.ended[slot] - (end - slot)
            if need > 0:
                found.append((need, leaving, held_ones))
        return found

    def _weight(self, rank: int, slot: int) -> float:
        return THIRD if slot < self.hand.dealt and self.hand.paired >> rank & 1 else 1.0

    def _pick(self, ranks: Sequence[int], not_rank: int, paired: int) -> Pick:
        bits, cards = sum(1 << rank for rank in ranks), sum(15 << 4 * rank for rank in ranks)
        return Pick(bits, cards, 0, not_rank, paired)

    def _bounded(self, pick: Pick, most: int) -> Pick:
        return pick._replace(most=most) if self.before else pick
