"""Hex: join your two sides. Native rules, native knowledge; this package is its Python face."""

from tesuji.games.hex.game import Hex, HexState
from tesuji.games.hex.knowledge import HexObjectives

__all__ = ["Hex", "HexObjectives", "HexState"]
