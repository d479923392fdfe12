"""Features of moves: what a game may return, and the check of it."""

from __future__ import annotations

from typing import Any

import pytest

import tesuji
from examples.breakthrough import Breakthrough
from examples.tic_tac_toe import TicTacToeState
from tesuji.check import check_game
from tesuji.features import FeaturesError, checked_move_features, move_features_of


@pytest.mark.parametrize(
    ("returned", "found"),
    [
        ({"corner": 1, "edge": 0.5}, {"corner": 1.0, "edge": 0.5}),
        (["corner", "corner", ("row", 3)], {"corner": 2.0, "('row', 3)": 1.0}),
        ([], {}),
    ],
)
def test_mappings_and_lists_of_codes_become_numbers_by_name(returned: Any, found: dict[str, float]) -> None:
    assert checked_move_features(returned) == found


@pytest.mark.parametrize(
    ("returned", "says"),
    [
        (None, "None"),
        ("corner", "'corner'"),
        ([["unhashable"]], "['unhashable']"),
        ({"corner": "x"}, "'x'"),
        ({"corner": float("nan")}, "nan"),
    ],
)
def test_anything_else_is_refused_with_the_value(returned: Any, says: str) -> None:
    with pytest.raises(FeaturesError) as error:
        checked_move_features(returned)
    assert says in str(error.value)


def test_a_game_without_them_says_what_to_define() -> None:
    with pytest.raises(ValueError, match=r"move_features\(move\)"):
        move_features_of(tesuji.game("gofish"))


def test_a_move_looks_the_same_to_both_sides() -> None:
    state = Breakthrough(columns=5, rows=5).start()
    for first, second in zip(state.moves(), state.play(state.moves()[0]).moves()[::-1], strict=False):
        assert len(state.move_features(first)) == 2
        assert state.move_features(first)[0] == state.play(first).move_features(second)[0]


class Silly(TicTacToeState):
    """Returns a number where features should be."""

    __slots__ = ()

    def play(self, move: int) -> Silly:
        after = super().play(move)
        return Silly(after._last, after._next, after.player)

    def move_features(self, move: int) -> object:
        return 7


class SillyGame:
    """The game of it."""

    def start(self) -> Silly:
        return Silly()


def test_check_game_calls_the_hook() -> None:
    assert check_game(Breakthrough(columns=4, rows=5), games=3) == []
    found = check_game(SillyGame(), games=2)
    assert any("move_features()" in line and "7" in line for line in found)
