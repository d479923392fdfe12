"""Exact results that a search looks up: which tablebase an option means."""

from __future__ import annotations

from typing import Any, Protocol, TypeAlias, runtime_checkable

from tesuji import _core
from tesuji.game import Game, shown


@runtime_checkable
class Tablebase(Protocol):
    """A table of exact results; a game opens its own by `open_tablebase(path)`."""

    @property
    def native(self) -> _core.Tablebase:
        """What the search asks."""


TablebaseOption: TypeAlias = str | Tablebase | None
"""What the option `tablebase` takes: a file, or one that is open already."""


def find_tablebase(given: TablebaseOption, game: Game) -> _core.Tablebase | None:
    """The table that an option names; ValueError where the game has none, or this one is not for it."""
    if given is None:
        return None
    opener: Any = getattr(game, "open_tablebase", None)
    if opener is None:
        raise ValueError(f"tablebase: there are none for {shown(game)}")
    table: Tablebase = opener(given)
    return table.native
