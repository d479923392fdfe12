"""Gomoku's maps: the documented values, on any board."""

import random
from typing import Any

import numpy as np
import pytest

import tesuji
from tesuji.games import Gomoku
from tesuji.games.gomoku import (
    compute_proximity_mask,
    detect_patterns,
    get_pattern_features,
    pattern_map,
    proximity_map,
)
from tesuji.games.gomoku.maps import DEFENCE, NO_PATTERN, PATTERN_SCALE


def played(spec: str, moves: str) -> Any:
    return tesuji.replay(spec, moves)


def board_of(state: Any) -> np.ndarray[Any, np.dtype[np.int64]]:
    owners = np.frombuffer(state.cells(), dtype=np.uint8).reshape(state.size, state.size)
    return np.array([0, 1, -1])[owners]


def random_state(rng: random.Random, **options: Any) -> Any:
    state = Gomoku(**options).start()
    for _ in range(rng.randrange(60)):
        if state.scores() is not None:
            break
        state = state.play(rng.choice(state.moves()))
    return state


def test_the_empty_board_is_judged_by_its_centre() -> None:
    mask = compute_proximity_mask(np.zeros((15, 15)))
    assert mask.dtype == np.float32
    assert mask[7, 7] == mask[5, 9] == 1
    assert mask[7, 4] == mask[11, 7] == np.float32(0.7)
    assert mask[0, 0] == mask[7, 2] == mask[12, 12] == np.float32(0.1)


def test_proximity_falls_in_rings_around_one_stone() -> None:
    board = np.zeros((15, 15))
    board[7, 7] = 1
    mask = compute_proximity_mask(board)
    assert mask[7, 7] == 0
    assert mask[7, 8] == mask[6, 6] == 1
    assert mask[7, 9] == mask[5, 6] == np.float32(0.5)
    assert mask[7, 10] == mask[4, 9] == np.float32(0.2)
    assert mask[7, 11] == mask[0, 0] == np.float32(0.05)


def test_map_values_are_high_beside_a_four_and_low_far_away() -> None:
    board = np.zeros((15, 15), dtype=np.int8)
    board[7, 5:9] = 1
    features = get_pattern_features(board, 1)
    assert features[7, 9] == features[7, 4] == 1
    assert features[0, 0] == 0


@pytest.mark.parametrize("shape", [(1, 1), (3, 7), (5, 5), (19, 19), (32, 32)])
def test_proximity_is_the_distance_to_the_nearest_stone_on_boards_of_any_shape(
    shape: tuple[int, int],
) -> None:
    rng = random.Random(shape[1])
    values = np.array([0, 1, 0.5, 0.2, 0.05], dtype=np.float32)
    for _ in range(20):
        board = np.zeros(shape, dtype=np.int64)
        stones = {(rng.randrange(shape[0]), rng.randrange(shape[1])) for _ in range(rng.randint(1, 12))}
        for stone in stones:
            board[stone] = rng.choice((1, -1))
        for cell in np.ndindex(shape):
            steps = min(max(abs(cell[0] - row), abs(cell[1] - column)) for row, column in stones)
            assert compute_proximity_mask(board)[cell] == values[min(steps, 4)]


def test_proximity_is_one_for_every_empty_cell_during_the_opening() -> None:
    state = played("gomoku", "h8 a1 o15 a3")
    assert (proximity_map(state, opening_stones=5)[board_of(state) == 0] == 1).all()
    assert (proximity_map(state, opening_stones=5)[board_of(state) != 0] == 0).all()
    assert (proximity_map(state, opening_stones=4) == proximity_map(state)).all()
    assert (compute_proximity_mask(board_of(state), opening_stones=5)[board_of(state) == 0] == 1).all()


def test_positions_and_arrays_have_the_same_maps() -> None:
    rng = random.Random(2)
    for rule in ("freestyle", "standard", "renju"):
        for _ in range(40):
            state = random_state(rng, size=rng.randint(5, 20), rule=rule)
            board = board_of(state)
            near = proximity_map(state)
            assert (near == compute_proximity_mask(board)).all()
            own, other = pattern_map(state, state.player), pattern_map(state, 1 - state.player)
            combined = np.maximum(own, np.float32(DEFENCE) * other)
            expected = combined * near if combined.any() else np.float32(NO_PATTERN) * near
            mover = 1 if state.player == 0 else -1
            assert (get_pattern_features(board, mover, rule=rule) == expected).all()


def test_maps_after_moves_equal_maps_of_the_same_stones_set_up() -> None:
    rng = random.Random(3)
    state = Gomoku(rule="renju").start()
    while state.scores() is None:
        again = Gomoku(rule="renju").start()
        for move in state.history:
            again = again.play(move)  # never asked before: its patterns are made at the end
        for player in (0, 1):
            assert (pattern_map(state, player) == pattern_map(again, player)).all()
        state = state.play(rng.choice(state.moves()))
        if state.ply > 80:
            break


def test_a_broken_three_is_a_pattern() -> None:
    state = played("gomoku", "g8 a1 h8 a3 j8 a5")
    made = pattern_map(state, 0)
    assert made[7, 8] == np.float32(PATTERN_SCALE["open_four"])
    assert made[7, 5] == made[7, 10] == np.float32(PATTERN_SCALE["four"])
    assert made[7, 6] == made[7, 7] == 0  # stones


def test_map_values_rank_own_five_block_five_own_open_four_block_open_four() -> None:
    scale = [PATTERN_SCALE["five"], PATTERN_SCALE["open_four"]]
    order = [scale[0], DEFENCE * scale[0], scale[1], DEFENCE * scale[1], PATTERN_SCALE["four_three"]]
    assert order == sorted(order, reverse=True)
    assert len(set(order)) == len(order)


def test_map_values_without_patterns_are_a_fraction_of_the_proximity() -> None:
    empty = np.zeros((15, 15))
    assert (get_pattern_features(empty, 1) == np.float32(NO_PATTERN) * compute_proximity_mask(empty)).all()


def test_a_forbidden_cell_has_no_pattern_for_black() -> None:
    state = played("gomoku:rule=renju", "g8 a1 f8 a3 h9 a5 h10 a7")  # a double three at h8
    cell = state.parse("h8")
    assert cell in state.core.forbidden_cells()
    assert pattern_map(state, 0).flat[cell] == 0
    assert pattern_map(played("gomoku", "g8 a1 f8 a3 h9 a5 h10 a7"), 0).flat[cell] > 0.5


def test_changing_a_returned_map_changes_nothing_else() -> None:
    state = played("gomoku", "h8")
    pattern_map(state, 0)[:] = 7
    assert pattern_map(state, 0).max() <= 1


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: compute_proximity_mask(np.zeros(5)), r"not of shape \(5,\)"),
        (lambda: compute_proximity_mask(np.zeros((33, 5))), "1 to 32 rows and columns, not 33 and 5"),
        (lambda: get_pattern_features(np.zeros((5, 6)), 1), "must be square"),
        (lambda: get_pattern_features(np.full((5, 5), 2), 1), "of 1 .Black., -1 .White. and 0"),
        (lambda: get_pattern_features(np.zeros((4, 4)), 1), "size must be from 5 to 20, not 4"),
        (lambda: get_pattern_features(np.zeros((5, 5)), 0), "current_player must be 1 or -1, not 0"),
        (lambda: get_pattern_features(np.zeros((5, 5)), 1, rule="caro"), "rule must be freestyle, standard"),
        (lambda: pattern_map(Gomoku().start(), 2), "player must be from 0 to 1, not 2"),
    ],
)
def test_arrays_that_are_not_boards_are_refused(call: Any, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        call()


def test_proximity_mask_beyond_the_maximum_distance_is_far() -> None:
    board = np.zeros((15, 15))
    board[7, 7] = 1
    for max_distance, expected in {1: [1, 0.05, 0.05], 2: [1, 0.5, 0.05], 3: [1, 0.5, 0.2]}.items():
        mask = compute_proximity_mask(board, max_distance)
        assert [float(mask[7, 7 + steps]) for steps in (1, 2, 3)] == pytest.approx(expected)
        assert mask[7, 11] == np.float32(0.05) and mask[7, 7] == 0
    assert (compute_proximity_mask(board, 1, opening_stones=5)[board == 0] == 1).all()
    with pytest.raises(ValueError, match="max_distance .* not 0"):
        compute_proximity_mask(board, 0)


def test_detected_patterns_equal_the_pattern_map_of_the_position() -> None:
    rng = random.Random(4)
    for _ in range(20):
        state = random_state(rng, size=9)
        for player, value in ((0, 1), (1, -1)):
            assert np.array_equal(detect_patterns(board_of(state), value), pattern_map(state, player))


def test_summed_features_follow_their_formula() -> None:
    rng = random.Random(5)
    for _ in range(20):
        board = board_of(random_state(rng, size=9))
        own, other = detect_patterns(board, 1), detect_patterns(board, -1)
        expected = (own + 1.2 * other) * compute_proximity_mask(board)
        if expected.max() == 0:
            expected = compute_proximity_mask(board)
        found = get_pattern_features(board, 1, combine="sum")
        assert found == pytest.approx(expected / max(expected.max(), 1e-9), abs=1e-6)
