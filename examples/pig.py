"""Pig, a dice game: chance without hidden information.

Every roll adds to the turn total, but a 1 ends the turn and loses it. A player who holds banks the total;
the first to reach the target wins. Optimal play: Neller and Presser, "Optimal Play of the Dice Game Pig",
UMAP Journal 25, 2004.
"""

from __future__ import annotations

from dataclasses import dataclass

import tesuji
from tesuji.options import option


@dataclass(frozen=True)
class PigState:
    """A position: both banked totals, the turn total, whose turn it is, and whether the die is rolling."""

    game: Pig
    kept: tuple[int, int] = (0, 0)
    total: int = 0
    turn: int = 0
    rolling: bool = False

    @property
    def player(self) -> int:
        return tesuji.CHANCE if self.rolling else self.turn

    def moves(self) -> tuple[int, ...] | tuple[str, ...]:
        if self.rolling:
            return tuple(range(1, self.game.faces + 1))
        if max(self.kept) >= self.game.target:
            return ()
        return ("roll", "hold") if self.total else ("roll",)

    def chances(self) -> list[tuple[int, float]]:
        faces = self.game.faces
        return [(face, 1 / faces) for face in range(1, faces + 1)]

    def play(self, move: int | str) -> PigState:
        if move == "roll":
            return PigState(self.game, self.kept, self.total, self.turn, rolling=True)
        if move == "hold":
            first, second = self.kept
            kept = (first + self.total, second) if self.turn == 0 else (first, second + self.total)
            return PigState(self.game, kept, 0, 1 - self.turn)
        if move == 1:
            return PigState(self.game, self.kept, 0, 1 - self.turn)
        return PigState(self.game, self.kept, self.total + int(move), self.turn)

    def scores(self) -> tuple[float, float] | None:
        first, second = self.kept
        target = self.game.target
        return (1.0, 0.0) if first >= target else (0.0, 1.0) if second >= target else None

    def __str__(self) -> str:
        return f"kept {self.kept[0]} and {self.kept[1]}, this turn {self.total}"


@tesuji.register_game("pig")
@dataclass(frozen=True)
class Pig:
    """Roll or hold; a 1 loses the turn total."""

    target: int = option(100, "points needed to win", minimum=2, maximum=1000)
    faces: int = option(6, "faces of the die", minimum=2, maximum=100)

    def start(self) -> PigState:
        return PigState(self)
