"""Time for a move of a Gomocup engine: always less than what is allowed."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tesuji.engines.gomocup.clock import LATE, LEAST_KEPT, LEAST_USED, MOST_KEPT, Clock, share
from tesuji.engines.gomocup.info import Info
from tesuji.engines.gomocup.protocol import UNLIMITED
from tesuji.engines.timed import LEAST, SHORTEST


def budget(moves: int = 100, late: float = 0.0, **told: int) -> float | None:
    clock = Clock()
    clock._late = late
    return clock.budget(Info(**told), moves)


def seconds(moves: int = 100, late: float = 0.0, **told: int) -> float:
    given = budget(moves, late, **told)
    assert given is not None
    return given


def test_without_limits_the_bot_has_its_own_budget() -> None:
    assert budget() is None
    assert budget(timeout_match=0, time_left=UNLIMITED) is None


def test_as_fast_as_possible_is_as_little_as_a_move_needs() -> None:
    assert budget(timeout_turn=0) == LEAST
    assert budget(timeout_turn=0, time_left=UNLIMITED) == LEAST


@given(st.integers(min_value=100, max_value=10**9))
def test_a_part_of_every_limit_is_kept_back(turn: int) -> None:
    limit = turn / 1000
    used = seconds(timeout_turn=turn)
    assert LEAST_USED * limit <= used <= limit - min(LEAST_KEPT, (1 - LEAST_USED) * limit) + 1e-9
    assert used >= limit - MOST_KEPT - 1e-9


def test_who_was_late_keeps_more_until_it_is_forgotten() -> None:
    clock, info = Clock(), Info(timeout_turn=1000)
    clock.note(0.1)
    late = clock.budget(info, 100)
    assert late == pytest.approx(1 - LEAST_KEPT - LATE * 0.1)
    clock.note(-0.5)
    assert late < clock.budget(info, 100) < 1 - LEAST_KEPT  # type: ignore[operator]
    for _ in range(1000):
        clock.note(0.0)
    assert clock.budget(info, 100) == pytest.approx(1 - LEAST_KEPT)


def test_who_is_always_late_still_has_some_time() -> None:
    assert seconds(timeout_turn=1000, late=100.0) == pytest.approx(LEAST_USED)


def test_the_stricter_of_turn_and_match_counts() -> None:
    match = seconds(113, timeout_turn=30_000, timeout_match=180_000, time_left=180_000)
    assert match < share(180, 113) < 30
    assert seconds(timeout_turn=1000, time_left=180_000) == seconds(timeout_turn=1000)


def test_a_move_is_made_even_when_the_time_is_over() -> None:
    assert budget(1, timeout_turn=1000, time_left=0) == SHORTEST
    assert budget(1, timeout_turn=1000, time_left=-500) == SHORTEST


@given(st.integers(min_value=5_000, max_value=10**7), st.integers(min_value=5, max_value=20))
def test_a_match_does_not_run_out_of_time_when_the_board_fills_up(match: int, size: int) -> None:
    left, moves = match / 1000, (size**2 + 1) // 2
    for to_come in range(moves, 0, -1):
        way = 0.005  # there and back
        left -= seconds(to_come, timeout_turn=600_000, time_left=round(left * 1000)) + way
        assert left > 0


def test_a_game_of_usual_length_uses_most_of_its_time() -> None:
    left = 180.0
    for to_come in range(113, 83, -1):
        left -= seconds(to_come, timeout_turn=30_000, time_left=round(left * 1000))
    assert left < 60
