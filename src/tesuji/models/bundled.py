"""The networks that come with the package, without importing numpy or opening one."""

from __future__ import annotations

from importlib import resources
from pathlib import Path

from tesuji.full_game import FullGame
from tesuji.registry import spec_of
from tesuji.spec import Spec

BUNDLED = {
    "gomoku": "6e0c9adf5759d3b4d2ad7949de145bf73441109b527f3976f5d5b08ed896b08e",
    "hex": "cd3813dd0911589fedd75388c3d6aa2b44615b0fab0ba082bfad92cb0736b828",
}
"""The networks that come with the package, with the SHA-256 digests of their files.

Each is named after its game, and plays all its boards and rules.
"""


def bundled_for(game_spec: str) -> str | None:
    """The bundled network that plays a game.

    >>> bundled_for("hex:size=9,swap=on"), bundled_for("onitama")
    ('hex', None)
    """
    name = Spec.parse(game_spec).name
    return name if name in BUNDLED else None


def bundled_file(name: str) -> Path:
    """The file of a bundled network."""
    return Path(str(resources.files("tesuji") / "models" / f"{name}.safetensors"))


def find_weights(source: Path) -> Path:
    """A weights file, given by its path or by the name of a bundled network."""
    return bundled_file(str(source)) if str(source) in BUNDLED and not source.exists() else source


def has_network(game: FullGame) -> bool:
    """Whether a network comes with this game: `zero` can be its `default_bot`, and one of its `levels`."""
    return bundled_for(spec_of(game)) is not None
