"""Gomoku's planes: one set for every rule and size, with threats and forbidden cells."""

from __future__ import annotations

import random
import threading
from typing import Any

import numpy as np
import pytest

from tests.games.gomoku_boards import RULES, replay, some_state
from tests.games.test_gomoku_solver import random_position
from tesuji import _core
from tesuji.games.gomoku import Gomoku, defend
from tesuji.planes import planes_of

NAMES = (
    *("own", "other", "board", "black", "last_move", "standard", "renju", "black_forbidden"),
    *("own_patterns", "other_patterns"),
    *(f"{side}_{kind}" for side in ("own", "other") for kind in ("threes", "fours", "open_fours")),
    "proximity",
)
MAKES = {
    "threes": ("open_three", "double_three", "four_three"),
    "fours": ("four", "four_three"),
    "open_fours": ("open_four",),
}


@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize("size", [5, 9, 15, 20])
def test_every_rule_and_size_has_the_same_planes(rule: Any, size: int) -> None:
    planes = planes_of(Gomoku(size=size, rule=rule))
    assert planes.names == NAMES and planes.native.any_size
    named = dict(zip(planes.names, planes(Gomoku(size=size, rule=rule).start()), strict=True))
    for name in ("standard", "renju"):
        assert (named[name] == (name == rule)).all()


@pytest.mark.parametrize("seed", range(60))
def test_planes_of_a_larger_board_hold_a_smaller_one_in_their_corner(seed: int) -> None:
    state = some_state(seed)
    size = state.size
    exact, larger = planes_of(state.game), planes_of(Gomoku(size=15))
    image = larger(state)
    assert np.array_equal(image[:, :size, :size], exact(state))
    assert not image[:, size:].any() and not image[:, :, size:].any()
    for move in state.moves():
        row, column = divmod(move, size)
        assert larger.index(state, move) == row * 15 + column


@pytest.mark.parametrize("seed", range(60))
def test_planes_name_the_threats_and_the_forbidden_cells(seed: int) -> None:
    state = some_state(seed)
    named = dict(zip(NAMES, planes_of(state.game)(state), strict=True))
    forbidden, patterns = state.forbidden(), _core.GomokuPatterns(state.core)
    assert np.flatnonzero(named["black_forbidden"]).tolist() == forbidden
    for side, colour in (("own", state.colour), ("other", 1 - state.colour)):
        for kind, threats in MAKES.items():
            expected = {
                cell
                for threat in threats
                for cell in range(state.size**2)
                if not state.cells()[cell] and patterns.threat(cell, colour) == threat
            }
            if colour == 0:
                expected -= set(forbidden)
            assert set(np.flatnonzero(named[f"{side}_{kind}"]).tolist()) == expected


@pytest.mark.parametrize("seed", range(10))
def test_symmetries_of_a_padded_board_are_those_of_the_planes(seed: int) -> None:
    state = some_state(seed)
    planes: Any = planes_of(Gomoku(size=13)).native
    image = planes(state.core)
    cells = np.arange(state.size**2)
    for symmetry in range(planes.symmetries):
        turned = planes.transform_planes(symmetry, image)
        for name in ("board", "own", "proximity"):
            plane, other = image[NAMES.index(name)].ravel(), turned[NAMES.index(name)].ravel()
            at = [int(cell // state.size * 13 + cell % state.size) for cell in cells]
            to = [planes.transform_index(symmetry, each) for each in at]
            assert np.array_equal(other[to], plane[at])


def test_white_sees_what_is_forbidden_to_black() -> None:
    state = replay("gomoku:rule=renju", "g8 a1 i8 a3 h7 a5 h9")
    assert state.player == 1
    plane = planes_of(state.game)(state)[NAMES.index("black_forbidden")]
    assert [state.text(int(cell)) for cell in np.flatnonzero(plane)] == ["h8"]


def test_planes_of_one_rule_take_no_other() -> None:
    planes = planes_of(Gomoku(), rules=False, threats=False)
    assert not planes.native.any_size and "renju" not in planes.names
    assert "black_forbidden" in planes_of(Gomoku(rule="renju"), rules=False).names
    for other, words in ((Gomoku(rule="renju"), "another rule"), (Gomoku(size=9), "size 15.*size 9")):
        with pytest.raises(ValueError, match=words):
            planes(other.start())


def test_planes_without_swap2_encode_the_opening_by_the_colour_to_move() -> None:
    game = Gomoku(size=9, swap2=True)
    planes = planes_of(game, swap2=False)
    assert planes.names == NAMES and planes.policy_size == 81
    state: Any = game.start()
    plain = planes_of(Gomoku(size=9))
    twin: Any = Gomoku(size=9).start()
    for cell in (40, 41, 31):
        assert np.array_equal(planes(state), plain(twin))
        state, twin = state.play(cell), twin.play(cell)
    assert state.core.stage == "second_chooses"
    assert np.array_equal(planes(state), plain(twin))


def vcf_planes(state: Any) -> tuple[list[int], list[int]]:
    """The cells of a win by fours that the opponent threatens: its moves, and the replies."""
    planes = planes_of(state.game, vcf=True)
    named = dict(zip(planes.names, planes(state), strict=True))
    moves, replies = np.flatnonzero(named["other_vcf"]), np.flatnonzero(named["other_vcf_replies"])
    return moves.tolist(), replies.tolist()


@pytest.mark.parametrize("rule", RULES)
def test_planes_show_the_win_by_fours_that_the_opponent_threatens(rule: str) -> None:
    rng, threats = random.Random(3), 0
    for _ in range(60):
        state = random_position(rng, 15, rule, rng.randint(8, 20))
        moves, replies = vcf_planes(state)
        defence = defend(state, nodes=48)
        assert (len(moves) > 0) == (defence.threat == "won"), state
        threats += len(moves) > 0
        # Attacks and replies take turns, up to the five.
        assert set(defence.line[:-1:2]) <= {*moves} and set(defence.line[1:-2:2]) <= {*replies}, state
        assert all(state.cells()[cell] == 0 for cell in moves + replies)
    assert 10 < threats < 50


def test_planes_of_threats_do_not_depend_on_what_was_encoded_before() -> None:
    rng = random.Random(4)
    states = [random_position(rng, 15, "freestyle", rng.randint(8, 20)) for _ in range(40)]
    first = [vcf_planes(state) for state in states]
    assert [vcf_planes(state) for state in reversed(states)] == first[::-1]


def test_planes_of_threats_do_not_depend_on_what_their_thread_encoded_before() -> None:
    """Two positions differ by the stone at a1 alone: Black's makes d4 a double four, White's stops it."""
    core: Any = planes_of(Gomoku(), vcf=True).native
    start: Any = Gomoku().start()
    threatened: list[bool] = []

    def encode() -> None:
        for corner in (2, 1):  # the first searches of a new thread's solver
            cells = bytearray(225)
            for text, owner in {"a1": corner, "b2": 1, "c3": 1, "e4": 1, "f4": 1, "g4": 1, "h4": 2}.items():
                cells[start.parse(text)] = owner
            image = core(_core.GomokuState.set_up(15, "freestyle", bytes(cells), 1))
            threatened.append(bool(image[-2].any()))

    thread = threading.Thread(target=encode)
    thread.start()
    thread.join()
    assert threatened == [False, True]
