"""Features for learning a value of Onitama, from one player's view."""

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
