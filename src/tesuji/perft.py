"""Perft: the number of move sequences of a given length, to compare implementations of the same rules.

A finished game is one leaf, whenever it ended. Each outcome of a chance move counts as one move.
"""

from __future__ import annotations

from tesuji.full_game import FullState


def perft(state: FullState, depth: int) -> int:
    """Count the leaves, in the core for native games.

    >>> import tesuji
    >>> [perft(tesuji.game("hex:size=3").start(), depth) for depth in range(4)]
    [1, 9, 72, 504]
    """
    if depth < 0:
        raise ValueError(f"depth must be at least 0, not {depth}")
    return _count(state, depth) if state.core is None else state.core.perft(depth)


def _count(state: FullState, depth: int) -> int:
    if depth == 0 or state.scores() is not None:
        return 1
    moves = state.moves()
    # Each move of the last ply is one leaf: there is no need to play it.
    return len(moves) if depth == 1 else sum(_count(state.play(move), depth - 1) for move in moves)
