"""Features for learning: the eight objectives in their stepped form for a value, local shapes for a prior."""

from __future__ import annotations

from functools import cache

from tesuji import _core
from tesuji.features import NativeFeatures
from tesuji.move_features import NativeMoveFeatures


@cache
def hex_features() -> NativeFeatures:
    """The features of Hex: `hex_features().names`."""
    return NativeFeatures(_core.HexFeatures())


@cache
def hex_move_features() -> NativeMoveFeatures:
    """The codes of Hex moves, the same on boards of all sizes."""
    return NativeMoveFeatures(_core.HexMoveCodes(), general=True)
