"""The rules of Gomoku against a slow Gomoku written from the definitions, on random games and boards."""

from __future__ import annotations

import math
import random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import tesuji
from tests.games.gomoku_boards import random_board
from tests.games.slow_gomoku import (
    BLACK,
    DIRECTIONS,
    WHITE,
    Slow,
    Stones,
    along,
    lengths,
    stones_of,
    why_forbidden,
    wins,
)
from tesuji import _core
from tesuji.games.gomoku import pattern_map

RULES = ("freestyle", "standard", "renju")
SIZES = range(5, 21)
SEEDS = st.integers(0, 2**32)


def likely_move(rng: random.Random, slow: Slow) -> int:
    """A legal move, mostly near other stones, so that rows arise; often a choice where there is one."""
    moves = slow.moves
    if slow.choices and rng.random() < 0.7:
        return rng.choice(slow.choices)
    near = [
        move
        for move in moves
        if any(
            along(slow.cell(move), direction, step) in slow.stones
            for direction in DIRECTIONS
            for step in (-2, -1, 1, 2)
        )
    ]
    return rng.choice(near if near and rng.random() < 0.9 else moves)


def compare_game(rng: random.Random, slow: Slow, plies: int = 500) -> Slow:
    """Play a random game by both rules, and compare every position."""
    swap2 = "on" if slow.swap2 else "off"
    state: Any = tesuji.game(f"gomoku:size={slow.size},rule={slow.rule},swap2={swap2}").start()
    if rng.random() < 0.5:
        pattern_map(state, 0)  # from here on patterns are kept move by move, and say what is forbidden
    for _ in range(plies):
        assert state.moves() == slow.moves, state
        assert state.scores() == slow.scores(), state
        assert state.cells() == slow.cells()
        if slow.scores() is not None:
            break
        assert (state.player, state.colour, state.black) == (slow.seat, slow.colour, slow.black)
        move = likely_move(rng, slow)
        slow, state = slow.play(move), state.play(move)
        assert state.last_move == move
    assert state.ply == len(state.history)
    return slow


@pytest.mark.parametrize("rule", ["freestyle", "standard"])
@pytest.mark.parametrize("size", SIZES)
def test_random_games_agree_at_every_ply(size: int, rule: str) -> None:
    rng = random.Random(size)
    for _ in range(10 if size < 10 else 3):
        compare_game(rng, Slow.start(size, rule))


@pytest.mark.parametrize("size", SIZES)
def test_random_games_of_renju_agree_at_every_ply(size: int) -> None:
    rng = random.Random(size)
    for _ in range(3 if size < 10 else 1):
        compare_game(rng, Slow.start(size, "renju"), plies=400 // size)


@settings(max_examples=60, deadline=None)
@given(SEEDS, st.sampled_from(RULES), st.integers(5, 7))
def test_games_with_swap2_agree_at_every_ply(seed: int, rule: str, size: int) -> None:
    compare_game(random.Random(seed), Slow.start(size, rule, swap2=True), plies=14)


def test_full_boards_are_draws() -> None:
    rng = random.Random(5)
    ends = {compare_game(rng, Slow.start(5, rule)).scores() for rule in ("freestyle", "standard") * 20}
    assert ends == {(1.0, 0.0), (0.0, 1.0), (0.5, 0.5)}


@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize("size", SIZES)
def test_wins_on_random_boards_agree_with_slow_rules(size: int, rule: str) -> None:
    rng = random.Random(size)
    for _ in range(10 if size < 12 else 4):
        cells = random_board(rng, size, rule)
        stones = stones_of(size, cells)
        for colour in (BLACK, WHITE):
            state = _core.GomokuState.set_up(size, rule, cells, colour)
            for move in state.moves():
                cell = divmod(move, size)
                won = wins({**stones, cell: colour}, cell, rule)
                scores = state.play(move).scores()
                assert (scores is not None and scores[colour] == 1) == won, (size, cells, move)


@pytest.mark.parametrize("size", SIZES)
def test_forbidden_cells_on_random_boards_agree_with_slow_rules(size: int) -> None:
    rng = random.Random(size)
    for _ in range(30 if size < 10 else 12 if size < 15 else 6):
        compare_forbidden(size, random_board(rng, size, "renju"))


def test_random_boards_cover_every_kind_of_forbidden_move() -> None:
    rng = random.Random(0)
    reasons = set()
    for _ in range(40):
        stones = stones_of(9, random_board(rng, 9, "renju"))
        reasons |= {
            why_forbidden(9, stones, divmod(cell, 9)) for cell in range(81) if divmod(cell, 9) not in stones
        }
    assert reasons == {None, "overline", "double four", "double three"}


@settings(max_examples=40, deadline=None)
@given(SEEDS, st.integers(5, 12))
def test_forbidden_cells_on_any_board_agree_with_slow_rules(seed: int, size: int) -> None:
    compare_forbidden(size, random_board(random.Random(seed), size, "renju"))


def compare_forbidden(size: int, cells: bytes) -> None:
    stones = stones_of(size, cells)
    empty = [cell for cell in range(size * size) if not cells[cell]]
    reasons = {cell: why_forbidden(size, stones, divmod(cell, size)) for cell in empty}
    wanted = {cell: reason for cell, reason in reasons.items() if reason}
    state = _core.GomokuState.set_up(size, "renju", cells, BLACK)
    assert state.forbidden_cells() == list(wanted), (size, cells)
    for _ in range(2):
        assert state.moves() == [cell for cell in empty if cell not in wanted], (size, cells)
        _core.gomoku_pattern_map(state, BLACK)  # the second time by the patterns
    assert _core.GomokuState.set_up(size, "renju", cells, WHITE).moves() == empty


def chance_of_black(slow: Slow) -> float:
    """How likely player 0 wins if every move is drawn from the legal ones, by looking at all of them."""
    scores = slow.scores()
    if scores is not None:
        return float(scores[0] == 1)
    return sum(chance_of_black(slow.play(move)) for move in slow.moves) / len(slow.moves)


@pytest.mark.parametrize("rule", RULES)
def test_random_playouts_are_random_legal_games(rule: str) -> None:
    rng = random.Random(7)
    forbidden = 0
    for _ in range(30):
        slow = Slow(7, rule, stones=nearly_full_board(rng))
        chance, count = chance_of_black(slow), 20_000
        won = _core.GomokuState.set_up(7, rule, slow.cells(), slow.colour).playouts(count, 1)
        assert abs(won - chance * count) <= 5 * math.sqrt(count * chance * (1 - chance)), slow.cells()
        forbidden += len(slow.empty()) > len(slow.moves)
    assert (forbidden > 0) == (rule == "renju")


def nearly_full_board(rng: random.Random) -> Stones:
    """Five empty cells near the centre, and as many black stones as white ones around, without a five."""
    while True:
        cells = [divmod(cell, 7) for cell in range(49)]
        for empty in rng.sample([cell for cell in cells if cell[0] in (2, 3, 4)], 5):
            cells.remove(empty)
        colours = [BLACK, WHITE] * 22
        rng.shuffle(colours)
        stones = dict(zip(cells, colours, strict=True))
        if not any(max(lengths(stones, cell)) >= 5 for cell in cells):
            return stones


def test_equal_positions_have_equal_hashes_and_others_do_not() -> None:
    rng = random.Random(3)
    keys: dict[object, int] = {}
    met = 0
    for _ in range(300):
        state: Any = tesuji.game("gomoku:size=5,swap2=on").start()
        while state.scores() is None and state.ply < 8:
            few = [move for move in state.moves() if move in (6, 7, 8, 11, 12, 13, 16, 17, 25, 26)]
            state = state.play(rng.choice(few))
            met += 1
            assert keys.setdefault(state.key(), state.core.hash()) == state.core.hash()
    assert len(set(keys.values())) == len(keys) < met


@pytest.mark.parametrize(
    "spec", ["size=5", "rule=standard", "rule=renju,size=9", "size=6,swap2=on,rule=renju"]
)
def test_check_game_finds_no_problems_in_gomoku(spec: str) -> None:
    assert tesuji.check_game(f"gomoku:{spec}", games=5) == []
