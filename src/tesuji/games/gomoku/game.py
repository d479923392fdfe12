"""The game of Gomoku and its positions."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, TypeAlias

from tesuji import _core
from tesuji.features import NativeFeatures
from tesuji.games.gomoku.drawing import draw_svg, draw_text
from tesuji.games.gomoku.features import gomoku_features
from tesuji.games.gomoku.formats import FORMATS
from tesuji.games.gomoku.knowledge import VALUES, gomoku_knowledge
from tesuji.games.gomoku.notation import SWAP, TWO, move_text, parse_move_text
from tesuji.games.gomoku.openings import even_openings
from tesuji.games.native import NativeState
from tesuji.knowledge import Knowledge
from tesuji.options import Options, option
from tesuji.planes import NativePlanes

if TYPE_CHECKING:
    from tesuji.games.gomoku.problems import Problems

Rule: TypeAlias = Literal["freestyle", "standard", "renju"]

LEVELS = {
    "easy": "greedy:value=hand",  # the learned value prefers the edge of an empty board
    "medium": "mcts:iterations=100,prover=off",
    "hard": "mcts:iterations=2000",
    "expert": "mcts:iterations=50000",
}
"""docs/levels.md has the matches between them."""


class GomokuState(NativeState["Gomoku", _core.GomokuState]):
    """A Gomoku position: `Gomoku(size=15).start()`. Moves are row · size + column, rows from the bottom.

    >>> import tesuji
    >>> state = tesuji.replay("gomoku", "h8 i9")
    >>> state.player, state.text(112), state.parse("h9"), state.scores()
    (0, 'h8', 127, None)
    """

    __slots__ = ()

    @property
    def size(self) -> int:
        """Cells along each side."""
        return self.core.size

    @property
    def colour(self) -> int:
        """Of the next stone: 0 black, 1 white."""
        return self.core.colour

    @property
    def black(self) -> int:
        """The player who has Black; while swap2 goes on, who would have it if nobody swapped."""
        return self.core.colour_of(0)  # 0, which is Black, where player 0 has it

    def cells(self) -> bytes:
        """One byte a cell from a1, row by row upwards: 0 empty, 1 black, 2 white."""
        return self.core.cells()

    def forbidden(self) -> list[int]:
        """The empty cells that renju forbids to Black, whoever is to move; none by the other rules.

        >>> import tesuji
        >>> state = tesuji.replay("gomoku:rule=renju", "g8 a1 i8 a3 h7 a5 h9 a7")
        >>> [state.text(cell) for cell in state.forbidden()]
        ['h8']
        """
        return self.core.forbidden_cells() if self.game.rule == "renju" else []

    def key(self) -> Hashable:
        """Equal for equal positions, whatever way led there."""
        return self.cells(), self.player, self.black, self.core.stage

    def text(self, move: int) -> str:
        """A move as people write it: `h8`; in swap2 also `swap` and `two`."""
        return move_text(self.size, move)

    def parse(self, text: str) -> int:
        """The move that a text means; ValueError where it is no cell of this board."""
        return parse_move_text(self.size, text)

    def remarks(self) -> list[str]:
        """What a person should know who is to move here."""
        colours = ("black", "white")
        if self.core.stage in ("three_stones", "two_stones"):
            return [f"You open for both: put a {colours[self.colour]} stone."]
        if self.core.stage == "settled":
            return [f"You have {colours[self.colour].title()}."] if self.game.swap2 else []
        choice = f"Put a white stone and keep White, or type {SWAP} to take Black"
        more = self.core.stage == "second_chooses"
        return [f"{choice}{f', or {TWO} to put two more stones and let the other choose' if more else ''}."]

    def __str__(self) -> str:
        return draw_text(self.size, self.cells(), last_move=self.last_cell(), forbidden=self.crosses())

    def svg(self, *, heat: Mapping[int, float] | None = None, labels: Mapping[int, str] | None = None) -> str:
        """A picture of the board; `heat` and `labels` mark candidates by cell."""
        return draw_svg(
            self.size,
            self.cells(),
            last_move=self.last_cell(),
            forbidden=self.crosses(),
            heat=heat,
            labels=labels,
        )

    def _repr_svg_(self) -> str:
        return self.svg()

    def last_cell(self) -> int | None:
        """Where the newest stone lies, None at the start and after a choice."""
        choice = self.last_move is not None and self.last_move >= self.size**2
        return None if choice else self.last_move

    def crosses(self) -> list[int]:
        """The forbidden cells, where it is Black who looks for a move."""
        return self.forbidden() if self.colour == 0 and self.moves() else []


@dataclass(frozen=True, kw_only=True)
class Gomoku(Options):
    """Gomoku: five in a row; Black moves first. `Gomoku(size=15, rule="renju").start()`."""

    size: int = option(15, "cells along each side", minimum=5, maximum=20)
    rule: Rule = option(
        "freestyle",
        "freestyle: five or more win; standard: exactly five; renju: with forbidden moves for Black",
    )
    swap2: bool = option(False, "Swap2 opening: three stones, then the players choose colours")

    players = 2
    default_bot = "mcts"
    typical_plies = 20  # few games last longer until one side has a proven win, on boards of any size
    levels = LEVELS
    values = VALUES
    record_formats = FORMATS

    @property
    def player_names(self) -> tuple[str, str]:
        """By colour; with swap2 the colours are chosen during the game."""
        return ("First", "Second") if self.swap2 else ("Black", "White")

    @property
    def knowledge(self) -> Knowledge:
        """What a person knows of Gomoku."""
        return gomoku_knowledge()

    @property
    def features(self) -> NativeFeatures:
        """What a value of Gomoku is learned from."""
        return gomoku_features()

    def planes(self, *, patterns: bool = True, proximity: bool = True) -> NativePlanes:
        """How a position looks to a network; the pattern maps and the proximity map can be left out."""
        return NativePlanes(_core.GomokuPlanes(self.start().core, patterns, proximity))

    @property
    def openings(self) -> tuple[str, ...]:
        """Even openings for matches. With swap2 the players even the first stones out."""
        return () if self.swap2 else even_openings(self.size, self.rule)

    @property
    def problems(self) -> Problems:
        """Positions whose right moves can be proven, for exams."""
        from tesuji.games.gomoku.problems import Problems

        return Problems(self)

    def start(self) -> GomokuState:
        """The empty board."""
        return GomokuState(self, _core.GomokuState(self.size, self.rule, self.swap2))

    def wrap(self, core: _core.GomokuState) -> GomokuState:
        """The public state for a core state, without its history."""
        return GomokuState(self, core, None)
