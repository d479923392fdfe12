"""Gomoku: five in a row. Rules and patterns are native; this package is their Python interface."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tesuji.games.gomoku.game import Gomoku, GomokuState
from tesuji.games.gomoku.solver import Defence, Proof, Solution, defend, solve

if TYPE_CHECKING:
    from tesuji.games.gomoku.maps import (
        compute_proximity_mask,
        detect_patterns,
        get_pattern_features,
        pattern_map,
        proximity_map,
    )

__all__ = [
    "Defence",
    "Gomoku",
    "GomokuState",
    "Proof",
    "Solution",
    "compute_proximity_mask",
    "defend",
    "detect_patterns",
    "get_pattern_features",
    "pattern_map",
    "proximity_map",
    "solve",
]


def __getattr__(name: str) -> Any:
    """Import the maps on demand: numpy would double the start time of an engine."""
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from tesuji.games.gomoku import maps

    return getattr(maps, name)
