"""The networks that come with the package, without importing numpy or opening one."""

from __future__ import annotations

from importlib import resources
from pathlib import Path

from tesuji import _core
from tesuji.extras import is_installed
from tesuji.game import Game
from tesuji.registry import spec_of
from tesuji.spec import Spec

BUNDLED = {"gomoku": "gomoku", "hex": "hex"}
"""The networks that come with the package, and the games they were trained for."""
FOR_ALL_BOARDS = {"gomoku", "hex"}
"""Those that play every size and variant of their game."""


def bundled_networks() -> list[str]:
    """The names of the networks that come with the package."""
    folder = resources.files("tesuji") / "models"
    names = (entry.name for entry in folder.iterdir()) if folder.is_dir() else ()
    return sorted(name.removesuffix(".onnx") for name in names if name.endswith(".onnx"))


def bundled_for(game_spec: str) -> list[str]:
    """The bundled networks that play a game.

    >>> bundled_for("hex:size=9,swap=on"), bundled_for("onitama")
    (['hex'], [])
    """
    name = Spec.parse(game_spec).name
    return [
        network
        for network in bundled_networks()
        if BUNDLED.get(network) == game_spec
        or (network in FOR_ALL_BOARDS and Spec.parse(BUNDLED[network]).name == name)
    ]


def runs_natively() -> bool:
    """Whether files of weights are played by the native core here."""
    return _core.network_kernels()[:1] not in ([], ["portable"]) and is_installed("safetensors")


def bundled_file(name: str) -> Path:
    """The file of a bundled network: its weights where the native core plays them, or one for onnxruntime."""
    folder = resources.files("tesuji") / "models"
    weights = folder / f"{name}.safetensors"
    return Path(str(weights if runs_natively() and weights.is_file() else folder / f"{name}.onnx"))


def has_network(game: Game) -> bool:
    """Whether `zero` can play this game here: a network comes with it, and the extra `zero` is installed.

    Games use it for their `default_bot` and `levels`, so that they fall back to a bot without a network.
    """
    playable = is_installed("onnxruntime") or runs_natively()
    return playable and bool(bundled_for(spec_of(game)))
