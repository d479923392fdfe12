"""The cards of Onitama: their names, stamps and steps, from the core's table."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from tesuji import _core
from tesuji._helpers.clipping import clip
from tesuji.options import unknown

BLUE, RED = 0, 1
DEAL = 5


class Card(NamedTuple):
    """One card. Steps are (right, forward) from the mover's view.

    >>> CARDS["boar"]
    Card(name='Boar', stamp=1, steps=((0, 1), (-1, 0), (1, 0)))
    """

    name: str
    stamp: int
    """The player who starts if this is the side card: 0 Blue, 1 Red."""
    steps: tuple[tuple[int, int], ...]

    @property
    def word(self) -> str:
        """The name in specs and moves: `CARDS["seasnake"].word == "seasnake"`."""
        return self.name.lower().replace(" ", "")


TABLE = tuple(Card(*row) for row in _core.ONITAMA_CARDS)
"""Every card by its number in the core."""

CARDS = {card.word: card for card in TABLE}
"""Every card by its word; the sixteen of the base game come first."""

NUMBERS = {card.word: number for number, card in enumerate(TABLE)}

SETS = {
    "base": (0, _core.ONITAMA_BASE_CARDS),
    "sensei": (_core.ONITAMA_BASE_CARDS, len(TABLE)),
    "all": (0, len(TABLE)),
}
"""The range of each set in the table."""


def parse_deal(text: str) -> tuple[int, ...]:
    """Parse five cards: Blue's two, Red's two, the side card.

    >>> [TABLE[number].name for number in parse_deal("ox-boar-horse-elephant-crab")]
    ['Ox', 'Boar', 'Horse', 'Elephant', 'Crab']
    >>> parse_deal("ox-boar-horse")
    Traceback (most recent call last):
        ...
    ValueError: cards must be five different ones such as ox-boar-horse-elephant-crab, not 'ox-boar-horse'
    """
    words = text.strip().lower().split("-")
    for word in words:
        if word not in NUMBERS:
            raise ValueError(unknown(f"card {clip(word)}", word, NUMBERS))
    if len(words) != DEAL or len(set(words)) != DEAL:
        example = "ox-boar-horse-elephant-crab"
        raise ValueError(f"cards must be five different ones such as {example}, not {clip(text)}")
    return tuple(NUMBERS[word] for word in words)


def deal_text(deal: Sequence[int]) -> str:
    """Five cards as an option's text: `deal_text([6, 11, 14, 9, 1]) == "ox-boar-horse-elephant-crab"`."""
    return "-".join(TABLE[number].word for number in deal)
