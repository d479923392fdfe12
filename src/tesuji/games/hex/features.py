"""Features for learning a value of Hex: the eight objectives, in their stepped form."""

from __future__ import annotations

from functools import cache

from tesuji import _core
from tesuji.features import NativeFeatures


@cache
def hex_features() -> NativeFeatures:
    """The features of Hex: `hex_features().names`."""
    return NativeFeatures(_core.HexFeatures())
