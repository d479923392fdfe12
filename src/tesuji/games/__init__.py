"""The games that come with Tesuji, one package each."""

from tesuji.games.gomoku import Gomoku, GomokuState
from tesuji.games.hex import Hex, HexState
from tesuji.games.onitama import Onitama, OnitamaState

__all__ = ["Gomoku", "GomokuState", "Hex", "HexState", "Onitama", "OnitamaState"]
