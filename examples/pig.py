"""Pig: roll the die as often as you dare. A game of chance without anything hidden.

Every roll adds to the turn's total, but a 1 ends the turn and loses all of it. Who holds keeps the total; the
first to reach the target wins. How to play it best: Neller and Presser, "Optimal Play of the Dice Game Pig",
UMAP Journal 25, 2004.
"""

from __future__ import annotations

from dataclasses import dataclass

import tesuji
from tesuji.options import option

FACES = (1, 2, 3, 4, 5, 6)
CHANCES = tuple((face, 1 / 6) for face in FACES)


@dataclass(frozen=True)
class PigState:
    """A position: what both have kept, the turn's total, whose turn it is, and whether the die is rolling."""

    target: int
    kept: tuple[int, int] = (0, 0)
    total: int = 0
    turn: int = 0
    rolling: bool = False

    @property
    def player(self) -> int:
        return tesuji.CHANCE if self.rolling else self.turn

    def moves(self) -> tuple[object, ...]:
        if self.rolling:
            return FACES
        if max(self.kept) >= self.target:
            return ()
        return ("roll", "hold") if self.total else ("roll",)

    def chances(self) -> tuple[tuple[int, float], ...]:
        return CHANCES

    def play(self, move: object) -> PigState:
        if move == "roll":
            return PigState(self.target, self.kept, self.total, self.turn, True)
        if move == 1:
            return PigState(self.target, self.kept, 0, 1 - self.turn)
        if move == "hold":
            first, second = self.kept
            kept = (first + self.total, second) if self.turn == 0 else (first, second + self.total)
            return PigState(self.target, kept, 0, 1 - self.turn)
        assert isinstance(move, int)
        return PigState(self.target, self.kept, self.total + move, self.turn)

    def scores(self) -> tuple[float, float] | None:
        first, second = self.kept
        return (1.0, 0.0) if first >= self.target else (0.0, 1.0) if second >= self.target else None

    def __str__(self) -> str:
        return f"kept {self.kept[0]} and {self.kept[1]}, this turn {self.total}"


@tesuji.register_game("pig")
@dataclass(frozen=True)
class Pig:
    """Roll or hold; a 1 loses the turn's total."""

    target: int = option(100, "points that win", minimum=2, maximum=1000)

    def start(self) -> PigState:
        return PigState(self.target)
