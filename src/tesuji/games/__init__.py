"""The games that come with Tesuji, one package each."""

from tesuji.games.hex import Hex, HexState
from tesuji.games.onitama import Onitama, OnitamaState

__all__ = ["Hex", "HexState", "Onitama", "OnitamaState"]
