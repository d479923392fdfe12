"""Games as self-play leaves them, made at random."""

from __future__ import annotations

import random
from typing import Any

from tesuji import _core
from tesuji.planes import NativePlanes


def played(
    game: Any, planes: NativePlanes, seed: int, *, full: float = 1.0, opening: int = 0
) -> _core.PlayedGame:
    """A random game; the target of every position is the move that was played, half, and two others."""
    rng, state = random.Random(seed), game.start()
    moves: list[int] = []
    searched = []
    while state.scores() is None:
        legal = list(state.moves())
        move = rng.choice(legal)
        if len(moves) >= opening:
            target = {planes.index(state, each): 0.25 for each in rng.sample(legal, min(2, len(legal)))}
            target[planes.index(state, move)] = 0.5
            searched.append((rng.random(), rng.random(), rng.random() < full, target))
        moves.append(planes.number(move))
        state = state.play(move)
    return _core.PlayedGame(moves, state.scores(), min(opening, len(moves)), searched)
