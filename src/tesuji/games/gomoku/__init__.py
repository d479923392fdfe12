"""Gomoku: five in a row. Native rules and patterns; this package is its Python face."""

from tesuji.games.gomoku.game import Gomoku, GomokuState

__all__ = ["Gomoku", "GomokuState"]
