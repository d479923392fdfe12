"""Kuhn poker (H. W. Kuhn, 1950), a minimal game with hidden cards: three cards, two players, one bet.

Each player antes one chip and gets a card. A player who has passed may still call a bet. When both have
passed, or a bet is called, the higher card wins the pot; a player who does not call a bet gives it up.
"""

from __future__ import annotations

import random
from dataclasses import dataclass, replace

import tesuji

CARDS = "JQK"
DEALS = tuple(first + second for first in CARDS for second in CARDS if first != second)
LARGEST_GAIN = 2  # chips: the ante and the bet


@dataclass(frozen=True)
class KuhnState:
    """A position: both cards, the first player's first, and a letter for each pass or bet so far."""

    cards: str = ""
    said: str = ""

    @property
    def player(self) -> int:
        return len(self.said) % 2 if self.cards else tesuji.CHANCE

    def moves(self) -> tuple[str, ...]:
        if not self.cards:
            return DEALS
        return ("pass", "bet") if self.said in ("", "p", "b", "pb") else ()

    def chances(self) -> list[tuple[str, float]]:
        return [(deal, 1 / len(DEALS)) for deal in DEALS]

    def play(self, move: str) -> KuhnState:
        return replace(self, said=self.said + move[0]) if self.cards else replace(self, cards=move)

    def scores(self) -> tuple[float, float] | None:
        if not self.cards or self.moves():
            return None
        if self.said.endswith("bp"):
            winner = len(self.said) % 2  # the opponent did not call
        else:
            winner = int(CARDS.index(self.cards[0]) < CARDS.index(self.cards[1]))
        gain = 2 if self.said.endswith("bb") else 1
        won, lost = (LARGEST_GAIN + gain) / 4, (LARGEST_GAIN - gain) / 4
        return (won, lost) if winner == 0 else (lost, won)

    def determinize(self, player: int, rng: random.Random) -> KuhnState:
        other = rng.choice([card for card in CARDS if card != self.cards[player]])
        return replace(self, cards=self.cards[0] + other if player == 0 else other + self.cards[1])

    def view(self, player: int) -> tuple[str, str]:
        return self.cards[player : player + 1], self.said

    def __str__(self) -> str:
        if not self.cards or not self.moves():
            return f"{self.cards or 'no cards yet'}  {self.said}"
        return f"your card: {self.cards[self.player]}  {self.said}"


@tesuji.register_game("kuhn")
class KuhnPoker:
    """Three cards, one each, one bet; scores range from 0 (two chips lost) to 1 (two chips won)."""

    def start(self) -> KuhnState:
        return KuhnState()
