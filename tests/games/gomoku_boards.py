"""Gomoku boards to test with: pictures, and boards at random."""

from __future__ import annotations

import random
from typing import NamedTuple

import tesuji
from tests.games.slow_gomoku import BLACK, Cell, Stones, lengths, stones_of, wins
from tesuji import _core
from tesuji.games import Gomoku
from tesuji.games.gomoku import GomokuState

RULES = ("freestyle", "standard", "renju")


class Picture(NamedTuple):
    """A drawn board: its size, its cells from a1, and the cells that a star or a plus stands on."""

    size: int
    cells: bytes
    stars: list[int]
    pluses: list[int]


def picture(text: str) -> Picture:
    """A board from its rows, the topmost first: X black, O white; * and + are empty cells to ask about."""
    rows = [line.split() for line in text.strip().splitlines()][::-1]
    assert all(len(row) == len(rows) for row in rows), "a board is square"
    symbols = [symbol for row in rows for symbol in row]
    cells = bytes({"X": 1, "O": 2}.get(symbol, 0) for symbol in symbols)
    stars, pluses = ([cell for cell, symbol in enumerate(symbols) if symbol == mark] for mark in "*+")
    return Picture(len(rows), cells, stars, pluses)


def bytes_of(size: int, stones: Stones) -> bytes:
    board = bytearray(size * size)
    for (row, column), colour in stones.items():
        board[row * size + column] = colour + 1
    return bytes(board)


def random_board(rng: random.Random, size: int, rule: str) -> bytes:
    """Any stones that nobody has won with: scattered ones, or rows with gaps that cross each other."""
    stones: Stones
    if rng.random() < 0.4:
        black, white = rng.uniform(0.03, 0.35), rng.uniform(0, 0.3)
        weights = [1 - black - white, black, white]
        stones = stones_of(size, bytes(rng.choices([0, 1, 2], weights, k=size * size)))
    else:
        stones = crossing_rows(rng, size)
    for cell in list(stones):
        if wins(stones, cell, rule) or stones[cell] == BLACK and max(lengths(stones, cell)) >= 5:
            del stones[cell]
    return bytes_of(size, stones)


def crossing_rows(rng: random.Random, size: int) -> Stones:
    """Pairs and threes of black stones on lines near the centre, and a few white stones among them."""
    stones: Stones = {}
    for _ in range(rng.randint(2, 8)):
        row, column = (size // 2 + rng.randint(-2, 2) for _ in range(2))
        down, right = rng.choice([(0, 1), (1, 0), (1, 1), (1, -1)])
        for step in rng.sample(range(-4, 5), rng.choice([2, 2, 3])):
            cell: Cell = (row + step * down, column + step * right)
            if 0 <= cell[0] < size and 0 <= cell[1] < size:
                stones[cell] = BLACK
    for _ in range(rng.randint(0, 6)):
        stones[rng.randrange(size), rng.randrange(size)] = 1 - BLACK
    return stones


def some_state(seed: int, most: int = 12) -> GomokuState:
    """Any board that nobody has won, either colour to move, by any rule."""
    rng = random.Random(seed)
    size, rule = rng.randint(5, most), rng.choice(RULES)
    core = _core.GomokuState.set_up(size, rule, random_board(rng, size, rule), rng.randrange(2))
    return Gomoku(size=size, rule=rule).from_core(core)  # type: ignore[arg-type]


def replay(spec: str, moves: str) -> GomokuState:
    """The position after these moves."""
    state = tesuji.replay(spec, moves)
    assert isinstance(state, GomokuState)
    return state
