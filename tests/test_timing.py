"""How a clock is shared out: most of it is used, more of it early than late, and it never runs out."""

from __future__ import annotations

import random
from dataclasses import dataclass
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import tesuji
from tesuji.adapter import full_game
from tesuji.any_game import State
from tesuji.bots.timing import LEAST_USED, LENGTH, SHORTEST, TimeManager, moves_to_come

GAMES = ["hex:size=7", "hex:size=11", "hex:size=19", "gomoku", "onitama", "gofish:players=4"]
CLOCKS = [(10.0, 0.0), (60.0, 0.0), (10.0, 0.1)]


@dataclass(frozen=True)
class Untold:
    """A game that says nothing of its length."""

    players: int = 2
    typical_plies: Any = None

    def start(self) -> State:
        raise NotImplementedError


def spent(
    spec: str, moves: int, seconds: float, increment: float, lag: float = 0.0
) -> tuple[list[float], float]:
    """The time of each move, which overruns by the lag, and the time left at the end."""
    game = tesuji.game(spec)
    manager, left, taken = TimeManager(), seconds, []
    for move in range(moves):
        ply = move * full_game(game).players
        budget = manager.for_game(left, moves_to_come(game, ply, max(1, 225 - ply)), increment)
        assert SHORTEST <= budget <= max(SHORTEST, left / 2)
        taken.append(budget + lag)
        manager.note(lag)
        left -= taken[-1]
        if left < 0:
            break
        left += increment
    return taken, left


@pytest.mark.parametrize(("seconds", "increment"), CLOCKS)
@pytest.mark.parametrize("part", [0.6, 0.8, 1.0, 1.2])
@pytest.mark.parametrize("spec", GAMES)
def test_most_of_a_clock_is_used_and_more_of_it_early(
    spec: str, part: float, seconds: float, increment: float
) -> None:
    game: Any = tesuji.game(spec)
    moves = max(2, round(part * game.typical_plies / full_game(game).players))
    taken, left = spent(spec, moves, seconds, increment, lag=0.003)
    used = sum(taken) / (seconds + increment * moves)
    assert left > 0
    assert 0.65 < used < 0.97
    assert sum(taken[: moves // 2]) > sum(taken[-(moves // 2) :])


@pytest.mark.parametrize(("seconds", "increment"), CLOCKS)
@pytest.mark.parametrize("lag", [0.0, 0.005, 0.02])
@pytest.mark.parametrize("spec", GAMES)
def test_no_clock_runs_out_in_a_long_game(spec: str, lag: float, seconds: float, increment: float) -> None:
    most = {"hex:size=7": 25, "hex:size=11": 61}.get(spec, 60 if lag > 0.01 else 120)
    taken, left = spent(spec, most, seconds, increment, lag)
    assert len(taken) == most
    assert left > 0


@given(
    st.floats(min_value=-10, max_value=1e6),
    st.floats(min_value=0, max_value=1e4),
    st.floats(min_value=3, max_value=500),
    st.lists(st.floats(min_value=-10, max_value=10), max_size=5),
)
def test_a_share_is_a_bounded_part_of_what_is_left(
    left: float, increment: float, moves: float, overruns: list[float]
) -> None:
    manager = TimeManager()
    for overrun in overruns:
        manager.note(overrun)
    assert SHORTEST <= manager.for_game(left, moves, increment) <= max(SHORTEST, left / 2)
    limit = max(left, 0.01)
    assert LEAST_USED * limit <= manager.for_move(limit) < limit


def test_overruns_that_come_now_and_then_lose_no_game() -> None:
    chance = random.Random(1)
    for seconds, increment in CLOCKS:
        manager, left = TimeManager(), seconds
        for move in range(40):
            budget = manager.for_game(left, max(10.0 - move, 5.0, move / 3), increment)
            overrun = 0.15 if chance.random() < 0.05 else 0.005
            manager.note(overrun)
            left -= budget + overrun
            assert left > 0
            left += increment


def test_the_reserve_grows_after_an_overrun_and_shrinks_again() -> None:
    manager = TimeManager()
    calm = manager.for_game(10.0, 20), manager.for_move(1.0)
    manager.note(0.1)
    careful = manager.for_game(10.0, 20), manager.for_move(1.0)
    assert careful < calm and careful[1] < calm[1]
    for _ in range(1000):
        manager.note(0.0)
    assert (manager.for_game(10.0, 20), manager.for_move(1.0)) > calm


def test_a_new_game_has_the_reserve_of_its_own_clock() -> None:
    manager = TimeManager()
    manager.for_game(1000.0, 20)
    low = manager.for_game(0.1, 20)
    manager.restart()
    assert low == SHORTEST < manager.for_game(0.1, 20) / 5


def test_moves_to_come_follow_the_board_and_the_moves_played() -> None:
    seven, eleven = tesuji.game("hex:size=7"), tesuji.game("hex:size=11")
    assert moves_to_come(seven, 0, 49) < moves_to_come(eleven, 0, 121)
    expected = [moves_to_come(eleven, ply, 121 - ply) for ply in range(120)]
    assert expected[:60] == sorted(expected[:60], reverse=True)
    assert expected[60] == expected[0] / 2


def test_a_game_that_does_not_say_its_length_gets_an_estimate() -> None:
    game = full_game(Untold())
    assert moves_to_come(game, 0, 9) == LENGTH
    assert moves_to_come(game, 10, 9) == LENGTH - 5
    assert moves_to_come(game, 40, 9) == LENGTH / 2
    assert moves_to_come(game, 600, 9) == 100  # what has lasted long may last longer
    assert moves_to_come(game, 0, 361) > LENGTH


@pytest.mark.parametrize("plies", [0, -3, float("nan"), float("inf"), "many"])
def test_an_invalid_typical_length_is_refused(plies: object) -> None:
    with pytest.raises(ValueError, match=f"typical_plies must be .* not {plies!r}"):
        moves_to_come(full_game(Untold(typical_plies=plies)), 0, 9)
