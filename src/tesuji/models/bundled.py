"""The networks that come with the package, without importing numpy or opening one."""

from __future__ import annotations

from importlib import resources
from pathlib import Path

from tesuji import _core
from tesuji.extras import is_installed, require
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


def has_fast_kernels() -> bool:
    """Whether the native core evaluates networks fast on this processor."""
    return _core.network_kernels()[:1] not in ([], ["portable"])


def runs_natively() -> bool:
    """Whether weights files are evaluated by the native core here."""
    return has_fast_kernels() and is_installed("safetensors")


def bundled_file(name: str) -> Path:
    """The file of a bundled network: its weights where the native core evaluates them, or else ONNX."""
    folder = resources.files("tesuji") / "models"
    weights = folder / f"{name}.safetensors"
    return Path(str(weights if runs_natively() and weights.is_file() else folder / f"{name}.onnx"))


def find_weights(source: Path) -> Path:
    """A weights file, given by its path or by the name of a bundled network."""
    if str(source) in BUNDLED and not source.exists():
        return Path(str(resources.files("tesuji") / "models" / f"{source}.safetensors"))
    return source


def require_runtime() -> None:
    """MissingExtra unless bundled networks can be played here."""
    if not _can_play():
        require("zero", "playing with a network")


def has_network(game: Game) -> bool:
    """Whether `zero` can play this game here: a network comes with it, and what evaluates it is installed.

    Games use it for their `default_bot` and `levels`, so that they fall back to a bot without a network.
    """
    return _can_play() and bool(bundled_for(spec_of(game)))


def _can_play() -> bool:
    return runs_natively() or is_installed("onnxruntime")
