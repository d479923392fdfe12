"""Misbehaving bots and games; the server is started with `--load` of this file."""

from __future__ import annotations

import random
import time
from dataclasses import dataclass
from typing import Any

import tesuji


@tesuji.register_bot("raising")
class Raising:
    """Raises an exception at its second move."""

    def __init__(self, game: Any) -> None:
        self.moves = 0

    def choose(self, state: Any) -> Any:
        if len(state.history) > 1:
            raise KeyError("my notes are\ngone")
        return state.moves()[0]


@tesuji.register_bot("endless")
class Endless:
    """Never responses."""

    def __init__(self, game: Any) -> None:
        pass

    def choose(self, state: Any) -> Any:
        while True:
            time.sleep(0.01)


@tesuji.register_bot("cheating")
class Cheating:
    """Plays on an occupied cell."""

    def __init__(self, game: Any) -> None:
        pass

    def choose(self, state: Any) -> Any:
        return state.history[0]


@tesuji.register_bot("resigning")
class Resigning:
    """Resigns at once."""

    def __init__(self, game: Any) -> None:
        pass

    def choose(self, state: Any) -> Any:
        from tesuji.bots import RESIGN

        return RESIGN


@dataclass(frozen=True)
class HighCard:
    """Two of six cards are dealt, each player says `high` or `low`, and the higher card wins."""

    players = 2

    def start(self, seed: int = 0) -> HighCardState:
        return HighCardState(tuple(random.Random(seed).sample(range(6), 2)), ())


@dataclass(frozen=True)
class HighCardState:
    """A position of HighCard."""

    cards: tuple[int, ...]
    said: tuple[str, ...]

    @property
    def player(self) -> int:
        return len(self.said)

    def moves(self) -> list[str]:
        return (
            [] if len(self.said) == 2 else [f"{word}-{self.cards[self.player]}" for word in ("high", "low")]
        )

    def play(self, move: str) -> HighCardState:
        return HighCardState(self.cards, (*self.said, move))

    def scores(self) -> tuple[float, float] | None:
        if len(self.said) < 2:
            return None
        first = 1.0 if self.cards[0] > self.cards[1] else 0.0
        return first, 1 - first

    def text(self, move: str) -> str:
        return move.partition("-")[0]

    def parse(self, text: str) -> str:
        return f"{text}-{self.cards[self.player]}"

    def view(self, player: int) -> tuple[Any, ...]:
        return player, self.cards[player], tuple(word.partition("-")[0] for word in self.said)

    def determinize(self, player: int, rng: random.Random) -> HighCardState:
        other = rng.choice([card for card in range(6) if card != self.cards[player]])
        cards = (self.cards[0], other) if player == 0 else (other, self.cards[1])
        return HighCardState(cards, self.said)


tesuji.register_game("highcard")(HighCard)


class Dealt:
    """HighCard with the cards dealt by chance events."""

    players = 2

    def start(self) -> DealtState:
        return DealtState((), ())


@dataclass(frozen=True)
class DealtState(HighCardState):
    """A position of Dealt."""

    @property
    def player(self) -> int:
        return tesuji.CHANCE if len(self.cards) < 2 else len(self.said)

    def chances(self) -> list[tuple[str, float]]:
        left = [card for card in range(6) if card not in self.cards]
        return [(f"card-{card}", 1 / len(left)) for card in left]

    def moves(self) -> list[str]:
        return [move for move, _ in self.chances()] if self.player == tesuji.CHANCE else super().moves()

    def play(self, move: str) -> DealtState:
        if self.player == tesuji.CHANCE:
            return DealtState((*self.cards, int(move.removeprefix("card-"))), ())
        return DealtState(self.cards, (*self.said, move))

    def text(self, move: str) -> str:
        return move if self.player == tesuji.CHANCE else super().text(move)

    def parse(self, text: str) -> str:
        return text if self.player == tesuji.CHANCE else super().parse(text)


tesuji.register_game("dealt")(Dealt)


class Broken:
    """A game whose rules raise an exception at the third move."""

    players = 2

    def start(self) -> BrokenState:
        return BrokenState(0)


@dataclass(frozen=True)
class BrokenState:
    """A position of Broken."""

    ply: int

    @property
    def player(self) -> int:
        return self.ply % 2

    def moves(self) -> list[int]:
        return [1, 2]

    def play(self, move: int) -> BrokenState:
        if self.ply == 2:
            raise RuntimeError("no third move")
        return BrokenState(self.ply + 1)

    def scores(self) -> None:
        return None


tesuji.register_game("broken")(Broken)
