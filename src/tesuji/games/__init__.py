"""The games that come with Tesuji, one package each."""

from tesuji.games.hex import Hex, HexState

__all__ = ["Hex", "HexState"]
