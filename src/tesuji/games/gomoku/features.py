"""Features for learning: pattern codes of positions and moves; counts of threats, for hand-chosen weights."""

from __future__ import annotations

from functools import cache

from tesuji import _core
from tesuji.features import NativeFeatures
from tesuji.move_features import NativeMoveFeatures


@cache
def gomoku_features() -> NativeFeatures:
    """The codes of a position: the shape of every empty cell for both sides, and the threats of both.

    >>> features = gomoku_features()
    >>> features.names, features.code_count
    ((), 34145)
    """
    return NativeFeatures(_core.GomokuPatternFeatures(), general=True)


@cache
def gomoku_move_features() -> NativeMoveFeatures:
    """The codes of moves: the cell's shape for both sides, what it threatens, and where it lies."""
    return NativeMoveFeatures(_core.GomokuMoveCodes(), general=True)


@cache
def threat_counts() -> NativeFeatures:
    """The number of cells that make each threat, for either side.

    >>> threat_counts().names[:3]
    ('my_two', 'my_open_two', 'my_three')
    """
    return NativeFeatures(_core.GomokuFeatures(), general=True)
