"""The games that come with Tesuji, one package each."""

from tesuji.games.gofish import GoFish, GoFishState
from tesuji.games.gomoku import Gomoku, GomokuState
from tesuji.games.hex import Hex, HexState
from tesuji.games.onitama import Onitama, OnitamaState

__all__ = ["GoFish", "GoFishState", "Gomoku", "GomokuState", "Hex", "HexState", "Onitama", "OnitamaState"]
