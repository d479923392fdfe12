"""Games of black and white stones that can begin from any position, given by their option `position`."""

from __future__ import annotations

from dataclasses import replace
from functools import cached_property
from typing import Any, ClassVar, Self

from tesuji import _core
from tesuji.games.stone_diagrams import StonePosition, compact_stones, read_stones
from tesuji.options import OptionError

POSITION = "position to begin from, as written by tesuji.position; off: the empty board"


class StoneSetUp:
    """Base of a game with the options `size` and `position`."""

    set_up_pieces: ClassVar[dict[str, str]] = {"b": "Black stone", "w": "White stone"}
    """What an editor of positions puts on the board, by symbol."""
    upwards: ClassVar[bool]
    """Whether row 1 is at the bottom of the board."""
    title: ClassVar[str]
    size: Any
    position: Any

    def set_up(self, diagram: str, player: int | None = None) -> Self:
        """This game, beginning from a diagram, with this player to move; see `tesuji.position`."""
        stones = self._read(diagram).completed(player)
        text = compact_stones(stones, self.size, upwards=self.upwards)
        return replace(self, position=text)  # type: ignore[type-var]

    @cached_property
    def rules(self) -> Self:
        """This game from the empty board."""
        return self if self.position is None else replace(self, position=None)  # type: ignore[type-var]

    @cached_property
    def set_up_stones(self) -> StonePosition | None:
        """The stones, player and last stone of `position`; None for the empty board."""
        return None if self.position is None else self._read(self.position).completed(None)

    def _read(self, text: str) -> StonePosition:
        return read_stones(text, self.size, upwards=self.upwards, game=self.title)

    def _check_position(self) -> None:
        """Check the option `position` and write it in its usual form."""
        if self.position is None:
            return
        try:
            stones = self._read(self.position).completed(None)
            text = compact_stones(stones, self.size, upwards=self.upwards)
            usual = not any(stones.cells) and stones.player == 0
            object.__setattr__(self, "position", None if usual else text)
            self._set_up_core(stones)
        except ValueError as error:
            raise OptionError(f"position: {error}") from error

    def _set_up_core(self, stones: StonePosition) -> _core.State:
        """The native state; ValueError for an impossible position."""
        raise NotImplementedError
