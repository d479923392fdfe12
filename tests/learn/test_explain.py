"""Explanations of moves: contributions add up, from the point of view of the player who moves."""

from __future__ import annotations

import math
import random
from functools import cache
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import tesuji
from tests.learn.games import HEX, LineState, hex_games, line_games
from tests.search.small_games import Choice, Tree
from tesuji.bots.greedy import GreedyBot
from tesuji.features import features_of
from tesuji.games.onitama.knowledge import hand_value
from tesuji.knowledge import Objective, Objectives
from tesuji.learn.explain import Explanation, differences, explain
from tesuji.learn.linear import LinearValue

ONITAMA = "onitama:cards=ox-boar-horse-elephant-crab"


@cache
def learned(game: str) -> LinearValue:
    return LinearValue(l1=0.0, l2=1.0).fit(hex_games(40, game))


def hex_objectives() -> Any:
    return tesuji.game(HEX).knowledge.objectives


VALUES: dict[str, tuple[str, Any]] = {
    "learned for Hex": (HEX, lambda: learned(HEX)),
    "learned for Onitama": (ONITAMA, lambda: learned(ONITAMA)),
    "by hand": (ONITAMA, hand_value),
    "objectives": (HEX, hex_objectives),
    "objectives as yes or no": (HEX, lambda: hex_objectives().boolean()),
}
each_value = pytest.mark.parametrize(("game", "make"), VALUES.values(), ids=VALUES)


def position(game: str, seed: int) -> Any:
    """A position of a random game, before its end."""
    rng = random.Random(seed)
    states: list[Any] = [tesuji.game(game).start()]
    while states[-1].scores() is None:
        states.append(states[-1].play(rng.choice(states[-1].moves())))
    return rng.choice(states[:-1])


@each_value
@settings(max_examples=25, deadline=None)
@given(seed=st.integers(0, 2**32))
def test_base_and_contributions_sum_to_the_value_of_the_move(game: str, make: Any, seed: int) -> None:
    state, value = position(game, seed), make()
    found = explain(state, value)
    assert sorted(one.move for one in found) == sorted(state.moves())
    for one in found:
        assert (one.text, one.mover) == (state.text(one.move), state.player)
        assert one.after is not None, "nothing is hidden"
        if (scores := one.after.scores()) is not None:
            assert (one.score, one.probability, one.total, one.terms) == (
                scores[state.player],
                scores[state.player],
                None,
                (),
            )
            continue
        assert one.reader == 1 - state.player == one.after.player
        assert one.probability == 1.0 - value.value(one.after, one.reader)
        assert one.total is not None
        added = one.base + sum(term.contribution for term in one.terms)
        assert added == pytest.approx(one.total, abs=1e-9)
        if one.unit == "log-odds":
            assert one.total == -value.native.logit(one.after.core)
            assert one.probability == pytest.approx(1 / (1 + math.exp(-one.total)), abs=1e-12)
        else:
            assert one.total == pytest.approx(one.probability, abs=1e-12)


@each_value
@settings(max_examples=15, deadline=None)
@given(seed=st.integers(0, 2**32))
def test_the_best_comes_first_and_is_what_the_greedy_bot_plays(game: str, make: Any, seed: int) -> None:
    state, value = position(game, seed), make()
    found = explain(state, value)
    worths = [one.probability for one in found]
    assert worths == sorted(worths, reverse=True)
    best = {one.move for one in found if one.probability == worths[0]}
    assert GreedyBot(game, value=value, seed=seed).choose(state) in best


@settings(max_examples=15, deadline=None)
@given(seed=st.integers(0, 2**32))
def test_readings_are_the_features_of_the_player_who_moves_next(seed: int) -> None:
    value = learned(ONITAMA)
    for one in explain(position(ONITAMA, seed), value):
        if one.reader is None:
            continue
        features = features_of(tesuji.game(ONITAMA))(one.after, one.reader)
        named = one.terms[: len(features)]  # kinds of codes follow
        assert {term.name: term.reading for term in named} == features
        assert [term.usual for term in named] == value.mean_.tolist()
        slopes = -value.theta_ / (value.scale_ + value.epsilon)
        assert np.array([term.weight for term in named]) == pytest.approx(slopes)


def test_a_win_comes_first_and_a_loss_last_even_where_the_value_is_all_but_certain() -> None:
    state = Tree(
        Choice(
            0,
            {
                "lose": (0.0, 1.0),
                "good": Choice(1, {"x": (1.0, 0.0)}),
                "win": (1.0, 0.0),
                "bad": Choice(1, {"y": (1.0, 0.0)}),
                "draw": (0.5, 0.5),
            },
        )
    )
    value = Objectives({"bad": Objective(lambda state, player: float("y" in state.moves()), weight=1.0)})
    found = explain(state, value)
    assert [one.text for one in found] == ["win", "good", "draw", "bad", "lose"]
    assert [one.score for one in found] == [1.0, None, 0.5, None, 0.0]


def test_the_sign_is_kept_if_the_same_player_moves_again() -> None:
    again = Choice(0, {"x": (1.0, 0.0)})
    state = Tree(Choice(0, {"again": again, "over": Choice(1, {"x": (1.0, 0.0)})}))
    value = Objectives({"mine": Objective(lambda state, player: 0.9, weight=2.0)})
    first, second = explain(state, value)
    assert (first.text, first.reader, second.text, second.reader) == ("again", 0, "over", 1)
    assert first.probability == pytest.approx(0.82)
    assert second.probability == pytest.approx(0.18)
    assert first.terms[0].contribution == -second.terms[0].contribution == pytest.approx(0.32)


def test_with_more_than_two_players_features_are_those_of_the_mover() -> None:
    state = Tree(Choice(2, {"a": Choice(0, {"x": (1.0, 0.0, 0.0)})}))

    def mine(state: Any, player: int) -> float:
        return 0.75 if player == 2 else 0.0

    (one,) = explain(state, Objectives({"mine": Objective(mine, weight=1.0)}), players=3)
    assert (one.mover, one.reader) == (2, 2)
    assert one.probability == one.total == pytest.approx(0.7)


def test_differences_add_up_and_the_largest_comes_first() -> None:
    one, *_, other = (e for e in explain(position(ONITAMA, 5), learned(ONITAMA)) if e.score is None)
    apart = differences(one, other)
    sizes = [abs(each.difference) for each in apart]
    assert sizes == sorted(sizes, reverse=True)
    assert sizes[0] > 0
    assert one.total is not None and other.total is not None
    assert sum(each.difference for each in apart) == pytest.approx(one.total - other.total, abs=1e-9)
    assert all(each.one.name == each.other.name == each.name for each in apart)
    assert differences(other, one)[0].difference == -apart[0].difference


def test_the_strongest_reasons_are_in_order_and_on_their_side() -> None:
    one = explain(position(ONITAMA, 3), learned(ONITAMA))[0]
    assert isinstance(one, Explanation)
    for sign in (1, -1):
        amounts = [sign * term.contribution for term in one.strongest(sign)]
        assert amounts == sorted(amounts, reverse=True)
        assert amounts[-1] > 0
        assert one.strongest(sign, 3) == one.strongest(sign)[:3]
    told = len(one.strongest(1)) + len(one.strongest(-1))
    assert told == sum(term.contribution != 0 for term in one.terms)


def test_a_python_game_is_explained_by_its_own_features(lines: str) -> None:
    value = LinearValue(l1=0.0, l2=0.5).fit(line_games())
    state = LineState().play(0)
    found = explain(state, value)
    assert found[0].text == "b2", "the middle leaves the opponent the fewest open lines"
    for one in found:
        assert one.after is not None
        assert one.total == -value.logit(one.after)
        assert [term.reading for term in one.terms] == list(one.after.features(0).values())
        assert one.base + sum(term.contribution for term in one.terms) == pytest.approx(one.total, abs=1e-12)


class Featured(Tree):
    """A tree with the features of the game of lines."""

    def play(self, move: str) -> Featured:
        return Featured(super().play(move).node)

    def features(self, player: int) -> dict[str, float]:
        return {"my-open-lines": 5.0 if player == 0 else 3.0, "their-open-lines": 4.0, "one": 1.0}


def test_a_linear_value_keeps_the_sign_if_the_same_player_moves_again(lines: str) -> None:
    value = LinearValue(l1=0.0, l2=0.5).fit(line_games())
    end = {"x": (1.0, 0.0)}
    again, over = explain(Featured(Choice(0, {"over": Choice(1, end), "again": Choice(0, end)})), value)
    assert (again.text, again.reader, over.reader) == ("again", 0, 1)
    assert again.after is not None and over.after is not None
    assert again.total == value.logit(again.after)
    assert over.total == -value.logit(over.after)
    for one in (again, over):
        assert one.base + sum(term.contribution for term in one.terms) == pytest.approx(one.total, abs=1e-12)


def test_a_linear_value_cannot_explain_a_move_before_chance(lines: str) -> None:
    value = LinearValue(l1=0.0, l2=0.5).fit(line_games())
    state = Featured(Choice(0, {"roll": Choice(tesuji.CHANCE, {"x": (1.0, 0.0)})}))
    with pytest.raises(ValueError, match="^after roll a chance move"):
        explain(state, value)


def test_positions_that_cannot_be_explained_are_refused() -> None:
    with pytest.raises(ValueError, match="^the game is over: there is no move to explain$"):
        explain(tesuji.replay("hex:size=2", "a1 b1 a2"), hex_objectives())
    with pytest.raises(ValueError, match="^a chance move is next"):
        explain(Tree(Choice(tesuji.CHANCE, {"a": (1.0, 0.0)})), hex_objectives())
    state = tesuji.replay(HEX, "")
    with pytest.raises(ValueError, match="cannot be explained"):
        explain(state, lambda state, player: 0.5)

    class Odd(Objectives):
        def value(self, state: Any, player: int) -> float:
            return 0.123

    with pytest.raises(ValueError, match="do not sum to its value$"):
        explain(state, Odd({"a": Objective(lambda state, player: 0.5, weight=1.0)}))
    with pytest.raises(ValueError, match="trained for hex:size=4, not for .*hex:size=5"):
        explain(tesuji.replay("hex:size=5", ""), learned(HEX))
