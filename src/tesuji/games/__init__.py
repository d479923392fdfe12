"""The games that come with Tesuji, one package each."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tesuji.games.gofish import GoFish, GoFishState
    from tesuji.games.gomoku import Gomoku, GomokuState
    from tesuji.games.hex import Hex, HexState
    from tesuji.games.onitama import Onitama, OnitamaState

__all__ = ["GoFish", "GoFishState", "Gomoku", "GomokuState", "Hex", "HexState", "Onitama", "OnitamaState"]

_PACKAGES = ("gofish", "gomoku", "hex", "onitama")


def __getattr__(name: str) -> object:
    """Import a game on first use: `tesuji.games.Hex`."""
    from importlib import import_module

    package = name.removesuffix("State").lower()
    if package not in _PACKAGES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    module = import_module(f"{__name__}.{package}")
    return module if name == package else getattr(module, name)


def __dir__() -> list[str]:
    return [*__all__, *_PACKAGES]
