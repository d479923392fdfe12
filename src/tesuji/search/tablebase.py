"""The option `tablebase`: a file of exact results that a search looks up."""

from __future__ import annotations

from typing import Protocol, TypeAlias, runtime_checkable

from tesuji import _core
from tesuji.any_game import shown
from tesuji.full_game import FullGame


@runtime_checkable
class Tablebase(Protocol):
    """A table of exact results; a game opens one with `open_tablebase(path)`."""

    @property
    def native(self) -> _core.Tablebase:
        """The table as the native search probes it."""


TablebaseOption: TypeAlias = str | Tablebase | None
"""A file, or an open tablebase."""


def find_tablebase(given: TablebaseOption, game: FullGame) -> _core.Tablebase | None:
    """The table that an option names; ValueError where the game has none or the table does not fit."""
    if given is None:
        return None
    if not game.has_tablebases:
        raise ValueError(f"tablebase: {shown(game)} has no tablebases")
    table: Tablebase = game.open_tablebase(given)
    return table.native
