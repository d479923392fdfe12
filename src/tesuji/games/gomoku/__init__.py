"""Gomoku: five in a row. Native rules and patterns; this package is its Python face."""

from tesuji.games.gomoku.game import Gomoku, GomokuState
from tesuji.games.gomoku.maps import (
    compute_proximity_mask,
    get_pattern_features,
    pattern_map,
    proximity_map,
)
from tesuji.games.gomoku.solver import Defence, Proof, Solution, defend, solve

__all__ = [
    "Defence",
    "Gomoku",
    "GomokuState",
    "Proof",
    "Solution",
    "compute_proximity_mask",
    "defend",
    "get_pattern_features",
    "pattern_map",
    "proximity_map",
    "solve",
]
