"""What a value of Onitama is learned from: numbers of a position, from one player's side."""

from __future__ import annotations

from functools import cache

from tesuji import _core
from tesuji.features import NativeFeatures


@cache
def onitama_features() -> NativeFeatures:
    """The features of Onitama.

    >>> onitama_features().names[:2]
    ('material_diff_students', 'my_master_alive')
    """
    return NativeFeatures(_core.OnitamaFeatures())
