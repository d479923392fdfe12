"""The game of Gomoku and its positions."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

from tesuji import _core
from tesuji.features import NativeFeatures
from tesuji.game import replay
from tesuji.games.board_views import stone_board_view
from tesuji.games.gomoku.drawing import draw_svg, draw_text
from tesuji.games.gomoku.features import gomoku_features, gomoku_move_features
from tesuji.games.gomoku.formats import FORMATS
from tesuji.games.gomoku.knowledge import PRIORS, VALUES, gomoku_knowledge
from tesuji.games.gomoku.notation import SWAP, TWO, move_text, parse_move_text
from tesuji.games.gomoku.openings import even_openings
from tesuji.games.gomoku.winning import winning_row
from tesuji.games.native import NativeGame, NativeState
from tesuji.games.network_levels import NetworkLevels
from tesuji.games.stone_diagrams import StonePosition, to_move_line
from tesuji.games.stone_set_up import POSITION, StoneSetUp
from tesuji.knowledge import Knowledge
from tesuji.move_features import NativeMoveFeatures
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
        """The colour of the next stone: 0 black, 1 white."""
        return self.core.colour

    @property
    def black(self) -> int:
        """The player who has Black; during swap2, who would have it without further swaps."""
        return self.core.colour_of(0)  # 0 (Black) if player 0 has Black

    def cells(self) -> bytes:
        """One byte per cell from a1, row by row upwards: 0 empty, 1 black, 2 white."""
        return self.core.cells()

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

    def text(self, move: int) -> str:
        """A move as text: `h8`; in swap2 also `swap` and `two`."""
        return move_text(self.size, move)

    def parse(self, text: str) -> int:
        """Parse a move; ValueError if it is not a cell of this board."""
        return parse_move_text(self.size, text)

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

    def _repr_svg_(self) -> str:
        return self.svg()

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

    def board_view(self, viewer: int | None) -> dict[str, Any]:
        """The board for the web page."""
        view = stone_board_view("gomoku", self) | {"colour": "bw"[self.colour]}
        if self.game.swap2:
            settled, black = self.core.stage == "settled", self.black
            view["seat_colours"] = [int(seat != black) if settled else None for seat in (0, 1)]
        if forbidden := self.crosses():
            view["forbidden"] = [self.text(cell) for cell in forbidden]
        return view


@dataclass(frozen=True, kw_only=True)
class Gomoku(NetworkLevels, StoneSetUp, NativeGame, Options):
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
    def openings(self) -> tuple[str, ...]:
        """Even openings for matches; none with swap2, which balances the opening itself, or a set-up."""
        return () if self.swap2 or self.position else even_openings(self.size, self.rule)

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
