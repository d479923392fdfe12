"""The Hex game and its positions."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from tesuji import _core
from tesuji.any_game import replay
from tesuji.features import NativeFeatures, NativeMoveFeatures
from tesuji.games.hex.drawing import draw_svg, draw_text
from tesuji.games.hex.formats import FORMATS, SWAP
from tesuji.games.hex.knowledge import (
    HexMoveOrdering,
    hex_features,
    hex_knowledge,
    hex_move_features,
    learned_prior,
)
from tesuji.games.stone_diagrams import StonePosition, to_move_line
from tesuji.games.stone_game import POSITION, StoneGame, StoneState
from tesuji.knowledge import Knowledge
from tesuji.options import Options, option
from tesuji.planes import NativePlanes

if TYPE_CHECKING:
    from tesuji.games.hex.problems import Problems
    from tesuji.games.hex.solver import MoveResults

LEVELS = {
    # Plays mostly next to the last stone, as beginners do, but never misses a win in one.
    "easy": "mcts:iterations=30,move_ordering=neighbours,prior_weight=6,threat_response=game,prover=off",
    "medium": "mcts:iterations=300,move_ordering=neighbours,prover=off",
    "hard": "mcts:iterations=10000,move_ordering=neighbours",
    "expert": "zero:visits=800",
}
"""Chosen by matches on 11×11, expert by time per move; the commands are in docs/levels.md."""
EXPERT_WITHOUT_NETWORK = "mcts:iterations=300000"
SMALLEST_FOR_NETWORK = 3  # cells along each side: the smallest board it was trained on
LARGEST_SOLVED = 7  # cells along each side: all openings take about a minute


class HexState(StoneState["Hex", _core.HexState]):
    """A Hex position: `Hex(size=5).start()`. Moves are row · size + column; the swap is size².

    >>> import tesuji
    >>> state = tesuji.replay("hex:size=3", "b2 c1")
    >>> state.player, state.text(4), state.parse("c3"), state.scores()
    (0, 'b2', 8, None)
    """

    __slots__ = ()

    words = {SWAP: 0, "swap": 0}

    def key(self) -> Hashable:
        """Equal for equal positions, regardless of the order of moves."""
        return self.cells(), self.player, self.core.may_swap

    def notes(self) -> list[str]:
        """Hints for a person who is to move."""
        return [f"You may swap: type {SWAP} to take over the first stone."] if self.core.may_swap else []

    def __str__(self) -> str:
        board = draw_text(self.size, self.cells(), last_move=self.last_cell())
        return board + to_move_line(self.cells(), self.player)

    def svg(self, *, heat: Mapping[int, float] | None = None, labels: Mapping[int, str] | None = None) -> str:
        """The board as SVG; `heat` and `labels` mark candidates by cell."""
        return draw_svg(self.size, self.cells(), last_move=self.last_cell(), heat=heat, labels=labels)

    def last_cell(self) -> int | None:
        """The cell of the last stone, None at the start."""
        swapped = self.last_move == self.size**2
        return self.cells().index(2) if swapped else self.last_move  # after a swap the only stone is white

    def winning_line(self) -> list[int]:
        """The cells of a shortest winning chain, empty until the game is over."""
        scores = self.scores()
        return [] if scores is None else winning_path(self.size, self.cells(), 1 if scores[0] == 1 else 2)


@dataclass(frozen=True, kw_only=True)
class Hex(StoneGame, Options):
    """Hex: Black (player 0) joins top and bottom, White (player 1) left and right. `Hex(size=11).start()`."""

    size: int = option(11, "cells along each side", minimum=2, maximum=19)
    swap: bool = option(False, "swap rule: the second player may take over the first stone")
    position: str | None = option(None, POSITION, visibility="expert")

    title = "Hex"
    goal = "Connect your two sides of the board: Black the dark ones, White the light ones."
    players = 2
    player_names = ("Black", "White")
    upwards = False
    record_formats = FORMATS
    network_levels = LEVELS
    expert_without_network = EXPERT_WITHOUT_NETWORK
    smallest_for_network = SMALLEST_FOR_NETWORK
    book = Path(__file__).with_name("openings.txt")  # by benchmarks/hex_openings.py

    def __post_init__(self) -> None:
        super().__post_init__()
        self._check_position()

    @property
    def typical_plies(self) -> float:
        """Moves of a typical game: the board is about half full, whatever its size."""
        return 0.55 * self.size**2

    def planes(self, *, swap: bool = True) -> NativePlanes:
        """The network's input planes.

        A network trained without the swap can play games with it (`swap=False`): after a swap the value v
        becomes 1 − v.
        """
        return NativePlanes(_core.HexPlanes(self.start().core, swap and self.swap))

    def start(self, seed: int | None = None) -> HexState:
        """The empty board, or the option's position."""
        stones = self.set_up_stones
        core = _core.HexState(self.size, self.swap) if stones is None else self._set_up_core(stones)
        return HexState(self, core)

    def _set_up_core(self, stones: StonePosition) -> _core.HexState:
        player = stones.player or 0
        return _core.HexState.set_up(self.size, self.swap, stones.cells, player, stones.last)

    def from_core(self, core: _core.HexState) -> HexState:
        """The public state for a native one, without its history."""
        return HexState(self, core, None)

    @property
    def preview(self) -> HexState:
        """A position for the home page."""
        return replay("hex:size=7", "c4 d4 c5 d5 c6 c3 e2 b5 d3")  # type: ignore[return-value]

    @property
    def book_key(self) -> str | None:
        """The board in the opening book; None with a swap, which balances the opening."""
        return None if self.swap else str(self.size)

    @property
    def problems(self) -> Problems:
        """Positions in which few moves win, proven by the solver; for `tesuji exam`."""
        from tesuji.games.hex.problems import Problems

        return Problems(self.rules)

    @property
    def solve_moves(self) -> Callable[..., MoveResults] | None:
        """Finds out who wins after each move; None on boards where that takes too long from the start."""
        from tesuji.games.hex.solver import solve_moves

        return solve_moves if self.size <= LARGEST_SOLVED else None

    @property
    def knowledge(self) -> Knowledge:
        """Hooks and settings for the searches."""
        return hex_knowledge()

    @property
    def features(self) -> NativeFeatures:
        """The features for learning a value: the eight objectives."""
        return hex_features()

    @property
    def priors(self) -> dict[str, Callable[[], object]]:
        """Move orderings by name: `mcts:move_ordering=learned,prior_weight=1`."""
        return {"learned": learned_prior, "neighbours": HexMoveOrdering}

    @property
    def move_features(self) -> NativeMoveFeatures:
        """The features for learning a prior: shapes around a cell, its place, replies to the last move."""
        return hex_move_features()


def winning_path(size: int, cells: bytes, winner: int) -> list[int]:
    """A shortest chain of the winner's stones from edge to edge, by breadth-first search; 1 is Black.

    >>> winning_path(3, bytes([0, 1, 0, 0, 1, 2, 1, 2, 2]), 1)
    [1, 4, 6]
    """

    def distance(cell: int) -> int:
        return cell // size if winner == 1 else cell % size

    edge = [cell for cell in range(size * size) if cells[cell] == winner and distance(cell) == 0]
    parents: dict[int, int | None] = dict.fromkeys(edge)
    for cell in (queue := list(edge)):
        if distance(cell) == size - 1:
            path: list[int] = []
            step: int | None = cell
            while step is not None:
                path.append(step)
                step = parents[step]
            return path[::-1]
        row, column = divmod(cell, size)
        for down, right in ((-1, 0), (-1, 1), (0, -1), (0, 1), (1, -1), (1, 0)):
            other = (row + down) * size + column + right
            inside = 0 <= row + down < size and 0 <= column + right < size
            if inside and other not in parents and cells[other] == winner:
                parents[other] = cell
                queue.append(other)
    return []
