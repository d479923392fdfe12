"""The time per move of a Gomocup engine, from the manager's limits."""

from __future__ import annotations

import pytest

from tesuji.bots.timing import LEAST_USED, SHORTEST
from tesuji.engines.gomocup.limits import AT_ONCE, GomocupClock, Info
from tesuji.engines.gomocup.protocol import UNLIMITED


def budget(moves: float = 10, **told: int) -> float | None:
    return GomocupClock().budget(Info(**told), moves)


def seconds(moves: float = 10, **told: int) -> float:
    given = budget(moves, **told)
    assert given is not None
    return given


def test_without_limits_the_bot_has_its_own_budget() -> None:
    assert budget() is None
    assert budget(timeout_match=0, time_left=UNLIMITED) is None


def test_a_turn_limit_of_0_gives_the_shortest_budget() -> None:
    assert budget(timeout_turn=0) == AT_ONCE
    assert budget(timeout_turn=0, time_left=UNLIMITED) == AT_ONCE


@pytest.mark.parametrize("turn", [100, 1000, 30_000])
def test_more_than_half_of_a_turn_is_used_and_never_all_of_it(turn: int) -> None:
    clock = GomocupClock()
    for late in (0.0, 0.015, 0.0):
        clock.note(late)
        used = clock.budget(Info(timeout_turn=turn), 10)
        assert used is not None
        assert turn / 2000 < used < turn / 1000


def test_repeated_overruns_leave_some_time() -> None:
    clock = GomocupClock()
    clock.note(100.0)
    assert clock.budget(Info(timeout_turn=1000), 10) == pytest.approx(LEAST_USED)


def test_the_stricter_of_turn_and_match_limit_applies() -> None:
    assert seconds(timeout_turn=30_000, time_left=20_000) == seconds(time_left=20_000) < 10
    assert seconds(timeout_turn=1000, time_left=180_000) == seconds(timeout_turn=1000)


def test_a_move_is_made_even_without_time_left() -> None:
    assert budget(timeout_turn=1000, time_left=0) == SHORTEST
    assert budget(timeout_turn=1000, time_left=-500) == SHORTEST
