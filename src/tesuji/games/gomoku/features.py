"""Features for learning a value of Gomoku: the number of cells that make each threat, for either side."""

from __future__ import annotations

from functools import cache

from tesuji import _core
from tesuji.features import NativeFeatures


@cache
def gomoku_features() -> NativeFeatures:
    """The features of Gomoku.

    >>> gomoku_features().names[:3]
    ('my_two', 'my_open_two', 'my_three')
    """
    return NativeFeatures(_core.GomokuFeatures(), general=True)
