"""Ranks and their names, and hands packed into one integer.

A hand has two bits per rank: the number of its cards, from 0 to 3. (A fourth completes a book, which is laid
down at once.) Suits are left out: the rules ignore them.
"""

from __future__ import annotations

from functools import cache

from tesuji._helpers.clipping import clip

RANK_NAMES = ("A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K")
RANKS = len(RANK_NAMES)
SUITS = 4
CARDS = RANKS * SUITS

EACH = sum(1 << 2 * rank for rank in range(RANKS))
"""One card of each rank: a mask of the lower bits."""

_BY_NAME = {name: rank for rank, name in enumerate(RANK_NAMES)} | {"T": 9}


def counts(hand: int) -> list[int]:
    """How many cards of each rank: `counts(0b1001)[:3] == [1, 2, 0]`."""
    return [hand >> 2 * rank & 3 for rank in range(RANKS)]


def held(hand: int) -> int:
    """The ranks in a hand, as a mask of lower bits: `held(0b1110) == 0b0101`."""
    return (hand | hand >> 1) & EACH


def size(hand: int) -> int:
    """How many cards a hand has: `size(0b1101) == 4`."""
    return (hand & EACH).bit_count() + 2 * (hand >> 1 & EACH).bit_count()


def packed(numbers: list[int]) -> int:
    """A hand from its counts: `packed([1, 2, 0, *[0] * 10]) == 0b1001`."""
    return sum(number << 2 * rank for rank, number in enumerate(numbers))


def cards_text(hand: int) -> str:
    """A hand as people write it: `cards_text(0b1101) == "A 2 2 2"`."""
    return " ".join(
        name for name, number in zip(RANK_NAMES, counts(hand), strict=True) for _ in range(number)
    )


def parse_rank(text: str) -> int:
    """Parse a rank: `parse_rank("k") == 12`; ValueError for anything else."""
    rank = _BY_NAME.get(text.strip().upper())
    if rank is None:
        raise ValueError(f"{clip(text)} is not a rank; ranks are {' '.join(RANK_NAMES)}")
    return rank


@cache
def asks(ranks: int, others: int) -> tuple[int, ...]:
    """The moves of a player who holds these ranks (lower bits) and may ask these players (a bit each).

    >>> asks(0b0101, 0b10)
    (13, 14)
    """
    targets = [other for other in range(others.bit_length()) if others >> other & 1]
    return tuple(other * RANKS + rank for other in targets for rank in range(RANKS) if ranks >> 2 * rank & 1)
