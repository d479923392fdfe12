"""Hex: join your two sides. Native rules, native knowledge; this package is its Python face."""

from tesuji.games.hex.game import Hex, HexState
from tesuji.games.hex.knowledge import HexObjectives
from tesuji.games.hex.solver import HexSolver, MoveResults, Proof, Solution, solve, solve_moves

__all__ = [
    "Hex",
    "HexObjectives",
    "HexSolver",
    "HexState",
    "MoveResults",
    "Proof",
    "Solution",
    "solve",
    "solve_moves",
]
