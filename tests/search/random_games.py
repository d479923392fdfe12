"""Random games, and plain minimax over them as a reference for alpha-beta."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import tesuji

Worth = tuple[int, float]
"""How good a position is for its mover: (1, -n) won after n plies, (-1, n) lost, (0, value - ½) else."""


@dataclass(frozen=True)
class Place:
    """A node of a random game: who moves, what it looks like, and where the moves lead; or how it ended."""

    name: int
    player: int
    value: float
    """For the player who moves."""
    result: float | None
    """For player 0."""
    then: list[Place] = field(default_factory=list, repr=False)
    noisy: list[int] = field(default_factory=list)


def random_place(rng: random.Random, *, layers: int, width: int, ends: float, alternate: bool) -> Place:
    """A game of layers: positions of one layer lead to the next, so that many are reached in several ways.

    With `alternate` off anybody may move anywhere, also twice in a row.
    """
    below: list[Place] = []
    for layer in range(layers, -1, -1):
        here = []
        for i in range(1 if layer == 0 else width):
            last = layer == layers or (layer > 0 and rng.random() < ends)
            player = layer % 2 if alternate else rng.randrange(2)
            result = rng.choice([0.0, 0.25, 0.5, 0.5, 1.0]) if last else None
            then = [] if last else [rng.choice(below) for _ in range(rng.randint(1, 4))]
            noisy = [move for move in range(len(then)) if rng.random() < 0.4]
            here.append(Place(layer * width + i, player, rng.randrange(1, 64) / 64, result, then, noisy))
        below = here
    return below[0]


@dataclass(frozen=True)
class Wander:
    """A position of a random game; no key, so that nothing is known to be reached twice."""

    place: Place

    @property
    def player(self) -> int:
        return self.place.player

    def moves(self) -> Sequence[int]:
        return range(len(self.place.then))

    def play(self, move: int) -> Wander:
        return type(self)(self.place.then[move])

    def scores(self) -> tuple[float, float] | None:
        result = self.place.result
        return None if result is None else (result, 1.0 - result)


class KeyedWander(Wander):
    """The same with keys: the transposition table is used."""

    def key(self) -> object:
        return ("place", self.place.name)


class NoisyWander(KeyedWander):
    """The same with noisy moves."""

    def noisy_moves(self) -> Sequence[int]:
        return self.place.noisy


def value_of(state: Wander, player: int) -> float:
    assert player == state.player  # alpha-beta asks about the mover
    return state.place.value


def worth(state: Any, depth: int, judge: Callable[[Any], float]) -> Worth:
    """Plain minimax to a depth; `judge` gives the mover's value where it ends."""
    if depth == 0:
        return 0, judge(state) - 0.5
    return max(worth_after(state, move, depth, judge) for move in state.moves())


def worth_after(state: Any, move: Any, depth: int, judge: Callable[[Any], float]) -> Worth:
    """A move, for the player who makes it."""
    after = state.play(move)
    scores = after.scores()
    if scores is not None:
        score = scores[state.player]
        return (1, -1) if score == 1 else (-1, 1) if score == 0 else (0, score - 0.5)
    sign = 1 if after.player == state.player else -1
    kind, amount = worth(after, depth - 1, judge)
    if kind:  # one ply further away
        amount += -1 if kind == 1 else 1
    return sign * kind, sign * amount


def worth_found(analysis: tesuji.Analysis) -> Worth:
    """What an analysis says, in the same form."""
    if analysis.value in (0.0, 1.0):
        assert analysis.plies is not None
        return (1, -analysis.plies) if analysis.value else (-1, analysis.plies)
    assert analysis.plies is None
    return 0, analysis.value - 0.5
