"""The game of Gomoku and its positions."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Literal, TypeAlias

from tesuji import _core
from tesuji.any_game import replay
from tesuji.features import NativeFeatures, NativeMoveFeatures
from tesuji.games.gomoku.drawing import draw_svg, draw_text
from tesuji.games.gomoku.formats import FORMATS, SWAP, TWO
from tesuji.games.gomoku.knowledge import (
    PRIORS,
    VALUES,
    gomoku_features,
    gomoku_knowledge,
    gomoku_move_features,
)
from tesuji.games.stone_diagrams import StonePosition, to_move_line
from tesuji.games.stone_game import POSITION, StoneGame, StoneState
from tesuji.knowledge import Knowledge
from tesuji.options import OptionError, Options, option
from tesuji.planes import NativePlanes

if TYPE_CHECKING:
    from tesuji.games.gomoku.problems import Problems

Rule: TypeAlias = Literal["freestyle", "standard", "renju"]

LEVELS = {
    "easy": "greedy:value=hand",
    "medium": "mcts:iterations=100,prover=off",
    "hard": "mcts:iterations=2000",
    "expert": "zero:visits=800",
}
"""The matches between them are in docs/levels.md."""
EXPERT_WITHOUT_NETWORK = "mcts:iterations=50000"
SMALLEST_FOR_NETWORK = 9  # cells along each side: the smallest board it was trained on


class GomokuState(StoneState["Gomoku", _core.GomokuState]):
    """A Gomoku position: `Gomoku(size=15).start()`. Moves are row · size + column, rows from the bottom.

    >>> import tesuji
    >>> state = tesuji.replay("gomoku", "h8 i9")
    >>> state.player, state.text(112), state.parse("h9"), state.scores()
    (0, 'h8', 127, None)
    """

    __slots__ = ()

    words = {SWAP: 0, TWO: 1}

    @property
    def colour(self) -> int:
        """The colour of the next stone: 0 black, 1 white."""
        return self.core.colour

    @property
    def black(self) -> int:
        """The player who has Black; during swap2, who would have it without further swaps."""
        return self.core.colour_of(0)  # 0 (Black) if player 0 has Black

    def forbidden(self) -> list[int]:
        """The empty cells that are forbidden to Black in renju, whoever is to move; empty in other rules.

        >>> import tesuji
        >>> state = tesuji.replay("gomoku:rule=renju", "g8 a1 i8 a3 h7 a5 h9 a7")
        >>> [state.text(cell) for cell in state.forbidden()]
        ['h8']
        """
        return self.core.forbidden_cells() if self.game.rule == "renju" else []

    def key(self) -> Hashable:
        """Equal for equal positions, regardless of the order of moves."""
        return self.cells(), self.player, self.black, self.core.stage

    def notes(self) -> list[str]:
        """Hints for a person who is to move."""
        colours = ("black", "white")
        if self.core.stage in ("three_stones", "two_stones"):
            return [f"You open for both: put a {colours[self.colour]} stone."]
        if self.core.stage == "settled":
            return [f"You have {colours[self.colour].title()}."] if self.game.swap2 else []
        choice = f"Put a white stone and keep White, or type {SWAP} to take Black"
        more = self.core.stage == "second_chooses"
        return [f"{choice}{f', or {TWO} to put two more stones and let the other choose' if more else ''}."]

    def __str__(self) -> str:
        board = draw_text(self.size, self.cells(), last_move=self.last_cell(), forbidden=self.crosses())
        return board + to_move_line(self.cells(), self.colour)

    def svg(self, *, heat: Mapping[int, float] | None = None, labels: Mapping[int, str] | None = None) -> str:
        """The board as SVG; `heat` and `labels` mark candidates by cell."""
        return draw_svg(
            self.size,
            self.cells(),
            last_move=self.last_cell(),
            forbidden=self.crosses(),
            heat=heat,
            labels=labels,
        )

    def last_cell(self) -> int | None:
        """The cell of the last stone, None at the start and after a choice."""
        choice = self.last_move is not None and self.last_move >= self.size**2
        return None if choice else self.last_move

    def crosses(self) -> list[int]:
        """The forbidden cells if Black is to move, else none."""
        return self.forbidden() if self.colour == 0 and self.moves() else []

    def winning_line(self) -> list[int]:
        """The cells of the winning row, empty where nobody has won."""
        scores, last = self.scores(), self.last_cell()
        won = scores is not None and max(scores) == 1 and last is not None
        return winning_row(self.size, self.cells(), last) if won and last is not None else []

    def board_view(self, viewer: int | None) -> dict[str, object]:
        """The board for the web page."""
        view = super().board_view(viewer) | {"colour": "bw"[self.colour]}
        if self.game.swap2:
            settled, black = self.core.stage == "settled", self.black
            view["seat_colours"] = [int(seat != black) if settled else None for seat in (0, 1)]
        if forbidden := self.crosses():
            view["forbidden"] = [self.text(cell) for cell in forbidden]
        return view


@dataclass(frozen=True, kw_only=True)
class Gomoku(StoneGame, Options):
    """Gomoku: five in a row; Black moves first. `Gomoku(size=15, rule="renju").start()`."""

    size: int = option(15, "cells along each side", minimum=5, maximum=20)
    rule: Rule = option(
        "freestyle",
        "freestyle: five or more win; standard: exactly five; renju: with forbidden moves for Black",
    )
    swap2: bool = option(False, "Swap2 opening: three stones, then the players choose colours")
    position: str | None = option(None, POSITION, visibility="expert")

    title = "Gomoku"
    goal = "Get five stones in a row."
    players = 2
    upwards = True
    typical_plies = 20  # few games last longer until one side has a proven win, on boards of any size
    values = VALUES
    priors = PRIORS
    record_formats = FORMATS
    network_levels = LEVELS
    expert_without_network = EXPERT_WITHOUT_NETWORK
    smallest_for_network = SMALLEST_FOR_NETWORK
    book = Path(__file__).with_name("openings.txt")  # by benchmarks/gomoku_openings.py

    def __post_init__(self) -> None:
        super().__post_init__()
        self._check_position()
        if self.position is not None and self.swap2:
            raise OptionError("position: swap2 begins on the empty board; set swap2=off")

    def set_up(self, diagram: str, player: int | None = None) -> Gomoku:
        """This game from a diagram, with this player to move; without swap2, which is an opening."""
        return super(Gomoku, replace(self, swap2=False)).set_up(diagram, player)

    @property
    def player_names(self) -> tuple[str, str]:
        """By colour; with swap2 the colours are chosen during the game."""
        return ("First", "Second") if self.swap2 else ("Black", "White")

    @property
    def knowledge(self) -> Knowledge:
        """Hooks and settings for the searches."""
        return gomoku_knowledge()

    @property
    def features(self) -> NativeFeatures:
        """The features for learning a value: pattern codes."""
        return gomoku_features()

    @property
    def move_features(self) -> NativeMoveFeatures:
        """The features for learning a prior: pattern codes."""
        return gomoku_move_features()

    def planes(
        self,
        *,
        rules: bool = True,
        swap2: bool = True,
        patterns: bool = True,
        threats: bool = True,
        proximity: bool = True,
        combined: bool = False,
        vcf: bool = False,
    ) -> NativePlanes:
        """The network's input planes: for every rule and all boards up to this size, unless `rules` is off.

        The stages of swap2, the pattern maps, the threats and the proximity map can be left out. `combined`
        adds patterns times proximity in one plane, as `get_pattern_features(…, combine="sum")` has them;
        `vcf` adds the moves and replies of a win by fours that the opponent threatens.
        """
        native = _core.GomokuPlanes(
            self.start().core,
            rules=rules,
            swap2=swap2,
            patterns=patterns,
            threats=threats,
            proximity=proximity,
            combined=combined,
            vcf=vcf,
        )
        return NativePlanes(native)

    @property
    def preview(self) -> GomokuState:
        """A position for the home page."""
        return replay("gomoku:size=9", "d5 e5 d4 e6 e4 c4 f5 d3 c6 g6")  # type: ignore[return-value]

    @property
    def book_key(self) -> str | None:
        """The board in the opening book; None with a swap, which balances the opening."""
        return None if self.swap2 else f"{self.size} {self.rule}"

    @property
    def problems(self) -> Problems:
        """Positions with provably right moves, for exams."""
        from tesuji.games.gomoku.problems import Problems

        return Problems(self.rules)

    def start(self, seed: int | None = None) -> GomokuState:
        """The empty board, or the option's position."""
        stones = self.set_up_stones
        core = (
            _core.GomokuState(self.size, self.rule, self.swap2)
            if stones is None
            else self._set_up_core(stones)
        )
        return GomokuState(self, core)

    def _set_up_core(self, stones: StonePosition) -> _core.GomokuState:
        player = stones.player or 0
        core = _core.GomokuState.set_up(self.size, self.rule, stones.cells, player, stones.last)
        scores = core.scores()
        if scores is not None and scores[player] == 1:
            mover, other = self.player_names[player], self.player_names[1 - player]
            raise ValueError(f"{mover} is to move but has five in a row; then {other} is to move")
        return core

    def from_core(self, core: _core.GomokuState) -> GomokuState:
        """The public state for a native one, without its history."""
        return GomokuState(self, core, None)


def winning_row(size: int, cells: bytes, last: int) -> list[int]:
    """The row of five or more stones through the last one; empty if there is none.

    >>> winning_row(5, bytes([1, 1, 1, 1, 1] + [0] * 20), 2)
    [0, 1, 2, 3, 4]
    """
    colour = cells[last]
    for right, up in ((1, 0), (0, 1), (1, 1), (1, -1)):
        row = [last]
        for sign in (-1, 1):
            column, line = last % size, last // size
            while True:
                column, line = column + sign * right, line + sign * up
                if not (0 <= column < size and 0 <= line < size) or cells[line * size + column] != colour:
                    break
                row.append(line * size + column)
        if len(row) >= 5:
            return sorted(row)
    return []
