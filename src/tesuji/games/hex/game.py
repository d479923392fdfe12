"""The Hex game and its positions."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from tesuji import _core
from tesuji.features import NativeFeatures
from tesuji.games.hex.drawing import draw_svg, draw_text
from tesuji.games.hex.features import hex_features
from tesuji.games.hex.formats import FORMATS
from tesuji.games.hex.knowledge import hex_knowledge
from tesuji.games.hex.notation import cell_text, parse_cell
from tesuji.games.hex.openings import even_openings
from tesuji.games.native import NativeState
from tesuji.knowledge import Knowledge
from tesuji.options import Options, option
from tesuji.planes import NativePlanes

if TYPE_CHECKING:
    from tesuji.games.hex.problems import Problems

SWAP = "swap-pieces"

LEVELS = {
    # Looks mostly beside the newest stone, as beginners do, and misses no win in one.
    "easy": "mcts:iterations=30,prior_weight=6,threat_response=game",
    "medium": "mcts:iterations=300",
    "hard": "mcts:iterations=10000",
    "expert": "mcts:iterations=300000",
}
"""By matches on 11×11, and expert by how long a move may take; docs/levels.md has the commands."""


class HexState(NativeState["Hex", _core.HexState]):
    """A Hex position: `Hex(size=5).start()`. Moves are row · size + column; the swap is size².

    >>> import tesuji
    >>> state = tesuji.replay("hex:size=3", "b2 c1")
    >>> state.player, state.text(4), state.parse("c3"), state.scores()
    (0, 'b2', 8, None)
    """

    __slots__ = ()

    @property
    def size(self) -> int:
        """Cells along each side."""
        return self.core.size

    def cells(self) -> bytes:
        """One byte a cell, row by row: 0 empty, 1 Black (player 0), 2 White (player 1)."""
        return self.core.cells()

    def key(self) -> Hashable:
        """Equal for equal positions, whatever way led there."""
        return self.cells(), self.player, self.core.may_swap

    def text(self, move: int) -> str:
        """A move as people write it: `a1`, `swap-pieces`."""
        return SWAP if move == self.size**2 else cell_text(self.size, move)

    def parse(self, text: str) -> int:
        """The move that a text means; ValueError where it is no cell of this board."""
        return self.size**2 if text.strip().lower() in (SWAP, "swap") else parse_cell(self.size, text)

    def remarks(self) -> list[str]:
        """What a person should know who is to move here."""
        return [f"You may take the first stone over: type {SWAP}."] if self.core.may_swap else []

    def __str__(self) -> str:
        return draw_text(self.size, self.cells(), last_move=self.last_cell())

    def svg(self, *, heat: Mapping[int, float] | None = None, labels: Mapping[int, str] | None = None) -> str:
        """A picture of the board; `heat` and `labels` mark candidates by cell."""
        return draw_svg(self.size, self.cells(), last_move=self.last_cell(), heat=heat, labels=labels)

    def _repr_svg_(self) -> str:
        return self.svg()

    def last_cell(self) -> int | None:
        """Where the newest stone lies, None at the start."""
        swapped = self.last_move == self.size**2
        return self.cells().index(2) if swapped else self.last_move  # after a swap one white stone is all


@dataclass(frozen=True, kw_only=True)
class Hex(Options):
    """Hex: Black (player 0) joins top and bottom, White (player 1) left and right. `Hex(size=11).start()`."""

    size: int = option(11, "cells along each side", minimum=2, maximum=19)
    swap: bool = option(False, "the second player may take over the first stone (swap-pieces)")

    players = 2
    player_names = ("Black", "White")
    default_bot = "mcts"
    levels = LEVELS
    record_formats = FORMATS

    @property
    def typical_plies(self) -> float:
        """Moves of a typical game: the board is about half full then, whatever its size."""
        return 0.55 * self.size**2

    def planes(self, *, swap: bool = True) -> NativePlanes:
        """How a position looks to a network.

        A network that was trained without the swap can play with it (`swap=False`): whoever exchanges sides
        gets 1 − v, where v is its value of the position.
        """
        return NativePlanes(_core.HexPlanes(self.start().core, swap and self.swap))

    def start(self) -> HexState:
        """The empty board."""
        return HexState(self, _core.HexState(self.size, self.swap))

    def wrap(self, core: _core.HexState) -> HexState:
        """The public state for a core state, without its history."""
        return HexState(self, core, None)

    @property
    def openings(self) -> tuple[str, ...]:
        """Even openings for matches. With the swap the second player evens the first stone out."""
        return () if self.swap else even_openings(self.size)

    @property
    def problems(self) -> Problems:
        """Positions in which few moves win, proven by the solver; for `tesuji exam`."""
        from tesuji.games.hex.problems import Problems

        return Problems(self)

    @property
    def knowledge(self) -> Knowledge:
        """What a person knows of Hex."""
        return hex_knowledge()

    @property
    def features(self) -> NativeFeatures:
        """What a value of Hex is learned from: the eight objectives."""
        return hex_features()
