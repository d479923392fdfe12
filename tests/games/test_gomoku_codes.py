"""Gomoku's pattern codes: incremental sums against fresh ones, symmetry, and their words."""

import random
from typing import Any

import pytest

import tesuji
from tesuji import _core
from tesuji.games import Gomoku

RULES = ("freestyle", "standard", "renju")
FEATURES = _core.GomokuPatternFeatures()
MOVES = _core.GomokuMoveCodes()
UNIT = 1 / 65536


def random_value(seed: int) -> tuple[_core.LinearValue, list[float]]:
    """A value with random weights, which are multiples of the unit."""
    rng = random.Random(seed)
    weights = [rng.randint(-40_000, 40_000) * UNIT for _ in range(FEATURES.code_count)]
    return _core.LinearValue(FEATURES, _core.LinearWeights([], 0.25, [], [], 1e-8, weights)), weights


def games(rule: str, count: int) -> list[list[Any]]:
    """The positions of random games near the centre."""
    found = []
    for seed in range(count):
        rng = random.Random(seed)
        state: Any = Gomoku(size=rng.choice((9, 15, 20)), rule=rule).start()  # type: ignore[arg-type]
        positions = [state]
        while state.scores() is None and state.ply < 60:
            middle = state.game.size // 2
            near = [
                move
                for move in state.moves()
                if all(abs(place - middle) < 5 for place in divmod(move, state.game.size))
            ]
            state = state.play(rng.choice(near or state.moves()))
            positions.append(state)
        found.append(positions)
    return found


@pytest.mark.parametrize("rule", RULES)
def test_the_value_updated_move_by_move_equals_the_sum_of_its_codes(rule: str) -> None:
    value, weights = random_value(1)
    for positions in games(rule, 6):
        core = positions[0].core
        for before, state in zip(positions, positions[1:], strict=False):
            value.logit(core)  # from here on copies update the sum
            move = next(move for move in before.moves() if before.play(move).cells() == state.cells())
            core = core.play(move)
            if state.scores() is not None:
                break
            fresh = _core.GomokuState.set_up(state.game.size, rule, state.cells(), state.core.colour)
            total = sum(weights[code] for code in FEATURES.codes(fresh, state.player))
            assert value.logit(core) == value.logit(fresh) == total + 0.25


def test_a_position_follows_another_value_at_once() -> None:
    state: Any = tesuji.replay("gomoku", "h8 i8 h9 i9 h10 i11")
    for seed in range(20):  # values come and go, perhaps at the same address
        value, weights = random_value(seed)
        total = sum(weights[code] for code in FEATURES.codes(state.core, 0))
        assert value.logit(state.core) == total + 0.25
        del value


def test_the_number_of_weights_must_be_that_of_the_codes() -> None:
    with pytest.raises(ValueError, match=str(FEATURES.code_count)):
        _core.LinearValue(FEATURES, _core.LinearWeights([], 0.0, [], [], 1e-8, [0.0] * 7))


def turned(state: Any, size: int) -> Any:
    """The position after a quarter turn, with the same moves."""
    turn = [divmod(move, size) for move in state.history]
    moves = [column * size + size - 1 - row for row, column in turn]
    other: Any = state.game.start()
    for move in moves:
        other = other.play(move)
    return other


@pytest.mark.parametrize("rule", RULES)
def test_codes_do_not_depend_on_the_direction(rule: str) -> None:
    for positions in games(rule, 3):
        for state in positions[1:-1:5]:
            size = state.game.size
            other = turned(state, size)
            assert sorted(FEATURES.codes(state.core, state.player)) == sorted(
                FEATURES.codes(other.core, other.player)
            )
            moves = state.moves()
            same = [move % size * size + size - 1 - move // size for move in moves]
            mine = [sorted(codes) for codes in MOVES.codes(state.core, moves)]
            assert mine == [sorted(codes) for codes in MOVES.codes(other.core, same)]


@pytest.mark.parametrize("rule", RULES)
def test_a_prior_adds_up_the_weights_of_the_codes(rule: str) -> None:
    rng = random.Random(rule)
    weights = [rng.randint(-30_000, 30_000) * UNIT for _ in range(MOVES.code_count)]
    prior = _core.LinearPrior(MOVES, weights)
    for positions in games(rule, 2):
        for state in positions[:-1:4]:
            moves = state.moves()
            sums = {
                move: sum(weights[code] for code in codes)
                for move, codes in zip(moves, MOVES.codes(state.core, moves), strict=True)
            }
            ordered = list(prior(state.core, moves))
            assert sorted(ordered, key=lambda move: -sums[move]) == ordered or sorted(
                sums[move] for move in ordered
            )[::-1] == [sums[move] for move in ordered]


def test_codes_have_names() -> None:
    state: Any = tesuji.replay("gomoku", "h8 a1 h9 a2 h10")  # Black has an open three, White moves
    names = {FEATURES.code_name(code) for code in FEATURES.codes(state.core, 1)}
    groups = {FEATURES.code_group(code) for code in FEATURES.codes(state.core, 1)}
    assert {"their cell: open four", "their cell: open four (freestyle)"} <= names
    assert "threats: their open four, their four" in names
    assert {"their open four", "their four", "my two"} <= groups
    [codes] = MOVES.codes(state.core, [state.parse("h11")])
    moves = {MOVES.code_name(code) for code in codes}
    assert "stops open four (freestyle)" in moves
    assert "from the opponent's last stone: 1 and 0 away" in moves


@pytest.mark.parametrize(
    ("moves", "name"),
    [
        ("h8 a1 h9 a2 h10 a4", "my open four"),
        ("h8 a1 h9 a2 h10 a4 h11 o15", "my five"),
        ("h8 a1 h9 a2 h10 a4 h11", "their two fives"),
    ],
)
def test_a_decided_position_has_one_code(moves: str, name: str) -> None:
    state: Any = tesuji.replay("gomoku", moves)
    names = [FEATURES.code_name(code) for code in FEATURES.codes(state.core, state.player)]
    assert names == [f"decided: {name} (freestyle)", f"decided: {name}"]


def test_every_code_has_a_name_of_its_own_table() -> None:
    for source in (FEATURES, MOVES):
        for code in range(0, source.code_count, 97):
            assert source.code_name(code) and source.code_group(code)
        with pytest.raises(ValueError, match=str(source.code_count)):
            source.code_name(source.code_count)
