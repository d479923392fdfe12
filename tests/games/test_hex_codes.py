"""Codes of Hex moves, compared with the board itself."""

from __future__ import annotations

import random
from typing import Any

import pytest

import tesuji

HASHES = 2**17  # codes of the cells within two steps, and as many of those within three: the last ones


def random_position(game: Any, rng: random.Random) -> Any:
    state = game.start()
    for _ in range(rng.randrange(2, 40)):
        following = state.play(rng.choice(state.moves()))
        if following.scores() is not None:
            break
        state = following
    return state


def surroundings(state: Any, move: int, reach: int) -> tuple[int, ...]:
    """What the mover sees within so many steps, the smaller of both ways round: 0 open, 1 own, 2 other."""
    size, cells, white = state.size, state.cells(), state.player == 1
    row, column = divmod(move, size)

    def content(down: int, right: int) -> int:
        if white:
            down, right = right, down
        r, c = row + down, column + right
        outside = [0 <= r < size, 0 <= c < size]
        if not all(outside):
            black_edge = not outside[0]
            if not any(outside):  # a corner belongs to the mover
                return 1
            return 1 if black_edge != white else 2
        stone = cells[r * size + c]
        return 0 if stone == 0 else 1 if stone == state.player + 1 else 2

    steps = range(-reach, reach + 1)
    near = [(down, right) for down in steps for right in steps if abs(down + right) <= reach]
    seen = tuple(content(down, right) for down, right in near)
    return min(seen, seen[::-1])


@pytest.mark.parametrize("size", [3, 5, 11])
def test_a_half_turn_of_the_board_changes_no_code(size: int) -> None:
    game = tesuji.game(f"hex:size={size}")
    features: Any = game.move_features
    rng = random.Random(size)
    for _ in range(20):
        state = random_position(game, rng)
        turned: Any = game.start()
        for move in state.history:
            turned = turned.play(size * size - 1 - move)
        moves = list(state.moves())
        codes = features.codes(state, moves)
        assert codes == features.codes(turned, [size * size - 1 - move for move in moves])


@pytest.mark.parametrize(("kind", "reach"), [(2, 2), (1, 3)])
def test_equal_surroundings_have_equal_codes_and_others_rarely(kind: int, reach: int) -> None:
    game = tesuji.game("hex:size=9")
    features: Any = game.move_features
    first = features.code_count - kind * HASHES
    rng = random.Random(reach)
    code_of: dict[tuple[int, ...], int] = {}
    for _ in range(60):
        state = random_position(game, rng)
        for move, codes in zip(state.moves(), features.codes(state, state.moves()), strict=True):
            (code,) = (each for each in codes if first <= each < first + HASHES)
            assert code_of.setdefault(surroundings(state, move, reach), code) == code
    assert len(code_of) > 500
    assert len(set(code_of.values())) > 0.9 * len(code_of)
