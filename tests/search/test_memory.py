"""The memory budget of a search includes the objects of a Python game."""

from __future__ import annotations

import gc
import tracemalloc
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest

import tesuji
from tests.search.small_games import DRAW, Rules, Scores
from tesuji.search.memory import bytes_beyond

MIB = 1 << 20


@dataclass(frozen=True)
class Squares:
    """Take one of a hundred cells in turn; each move is a tuple of its own."""

    cells: tuple[int, ...] = (0,) * 100
    player: int = 0

    def moves(self) -> list[tuple[int, int]]:
        return [divmod(place, 10) for place, cell in enumerate(self.cells) if not cell]

    def play(self, move: tuple[int, int]) -> Any:
        place = move[0] * 10 + move[1]
        cells = (*self.cells[:place], self.player + 1, *self.cells[place + 1 :])
        return type(self)(cells, 1 - self.player)

    def scores(self) -> Scores | None:
        return DRAW if self.cells.count(0) < 60 else None


class KeyedSquares(Squares):
    """The same with keys, so that alpha-beta has a table."""

    def key(self) -> Any:
        return self.cells, self.player


class Arrays:
    """The same on an array, with a cache that is filled on first use."""

    def __init__(self, board: Any = None, player: int = 0) -> None:
        self.board = np.zeros((9, 9), np.int64) if board is None else board
        self.player = player
        self.cache: list[tuple[int, int]] | None = None

    def moves(self) -> list[tuple[int, int]]:
        if self.cache is None:
            self.cache = [(int(row), int(column)) for row, column in np.argwhere(self.board == 0)]
        return self.cache

    def play(self, move: tuple[int, int]) -> Arrays:
        board = self.board.copy()
        board[move] = self.player + 1
        return Arrays(board, 1 - self.player)

    def scores(self) -> Scores | None:
        return DRAW if np.count_nonzero(self.board) > 30 else None


def searched(bot: Any, state: Any) -> tuple[tesuji.Analysis, int]:
    """The analysis, and the bytes of Python objects that are there after it and were not before."""
    gc.collect()
    tracemalloc.start()
    try:
        analysis = bot.analyse(state)
        gc.collect()
        return analysis, tracemalloc.get_traced_memory()[0]
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize("state", [Squares(), KeyedSquares(), Arrays()], ids=["tuples", "keys", "arrays"])
@pytest.mark.parametrize("memory", [2, 6])
def test_mcts_keeps_python_objects_within_its_memory_limit(state: Any, memory: int) -> None:
    bot = tesuji.MCTS(
        Rules(state), iterations=600 * memory, memory=memory, seed=1, playout_depth=1, solver=False
    )
    analysis, objects = searched(bot, state)
    assert analysis.memory_full
    assert analysis.iterations == 600 * memory
    tree = analysis.nodes * 32  # at least
    assert objects + tree < memory * MIB * 1.1
    assert objects > memory * MIB * 0.3
    assert analysis.bytes == pytest.approx(memory * MIB, rel=0.1)


def test_alpha_beta_keeps_python_objects_within_its_memory_limit() -> None:
    state = KeyedSquares()
    bot = tesuji.AlphaBeta(Rules(state), nodes=3000, memory=4, seed=1)
    analysis, objects = searched(bot, state)
    assert analysis.memory_full
    assert objects < 2 * MIB * 1.1
    assert analysis.bytes < 4 * MIB * 1.1
    roomy = tesuji.AlphaBeta(Rules(state), nodes=3000, memory=64, seed=1).analyse(state)
    assert not roomy.memory_full


def test_a_full_memory_does_not_change_the_move() -> None:
    state = KeyedSquares()
    found = [
        tesuji.AlphaBeta(Rules(state), depth=2, memory=memory, seed=1).analyse(state) for memory in (1, 64)
    ]
    assert [one.memory_full for one in found] == [True, False]
    assert found[0].candidates[0].move == found[1].candidates[0].move


def test_objects_shared_by_positions_are_not_counted() -> None:
    shared = [str(number) for number in range(1000)]
    before, after = (shared, [1000]), (shared, [1001, 1002])
    assert 50 < bytes_beyond(after, before) < 300
    assert bytes_beyond(before, before) == 0
    assert bytes_beyond(before, ()) > 50_000
