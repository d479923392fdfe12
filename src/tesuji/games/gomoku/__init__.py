"""Gomoku: five in a row. Native rules and patterns; this package is its Python face."""

from tesuji.games.gomoku.game import Gomoku, GomokuState
from tesuji.games.gomoku.maps import (
    compute_proximity_mask,
    get_pattern_features,
    pattern_map,
    proximity_map,
)

__all__ = [
    "Gomoku",
    "GomokuState",
    "compute_proximity_mask",
    "get_pattern_features",
    "pattern_map",
    "proximity_map",
]
