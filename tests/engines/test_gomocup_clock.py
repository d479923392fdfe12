"""Time for a move of a Gomocup engine: always less than what is allowed."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tesuji.engines.gomocup.clock import LEAST_KEPT, LEAST_USED, MOST_KEPT, budget, share, usable
from tesuji.engines.gomocup.info import Info
from tesuji.engines.gomocup.protocol import UNLIMITED
from tesuji.engines.timed import LEAST


def test_without_limits_the_bot_has_its_own_budget() -> None:
    assert budget(Info(), 100) is None
    assert budget(Info(timeout_match=0, time_left=UNLIMITED), 100) is None


def test_as_fast_as_possible_is_as_little_as_a_move_needs() -> None:
    assert budget(Info(timeout_turn=0), 100) == LEAST
    assert budget(Info(timeout_turn=0, time_left=UNLIMITED), 100) == LEAST


@given(st.floats(min_value=0, max_value=1e6))
def test_a_part_of_every_limit_is_kept_back(limit: float) -> None:
    used = usable(limit)
    assert LEAST_USED * limit <= used <= limit
    assert limit - used <= MOST_KEPT + 1e-9 * limit
    assert limit - used >= min(LEAST_KEPT, (1 - LEAST_USED) * limit) - 1e-9 * limit


def test_the_stricter_of_turn_and_match_counts() -> None:
    match = Info(timeout_turn=30_000, timeout_match=180_000, time_left=180_000)
    assert budget(match, 113) == pytest.approx(usable(share(180, 113)))
    assert budget(Info(timeout_turn=1000, time_left=180_000), 113) == pytest.approx(usable(1))


def test_a_move_is_made_even_when_the_time_is_over() -> None:
    assert budget(Info(timeout_turn=1000, time_left=0), 1) == LEAST
    assert budget(Info(timeout_turn=1000, time_left=-500), 1) == LEAST


@given(st.integers(min_value=5_000, max_value=10**7), st.integers(min_value=5, max_value=20))
def test_a_match_does_not_run_out_of_time_when_the_board_fills_up(match: int, size: int) -> None:
    left, moves = match / 1000, (size**2 + 1) // 2
    for to_come in range(moves, 0, -1):
        seconds = budget(Info(timeout_turn=600_000, time_left=round(left * 1000)), to_come)
        assert seconds is not None
        left -= max(seconds + 0.005, share(left, to_come) / 2)  # the way there and back
        assert left > 0


def test_a_game_of_usual_length_uses_most_of_its_time() -> None:
    left = 180.0
    for to_come in range(113, 83, -1):
        seconds = budget(Info(timeout_turn=30_000, time_left=round(left * 1000)), to_come)
        assert seconds is not None
        left -= seconds
    assert left < 60
