"""Time per move from the clock of GTP."""

import pytest

from tesuji.engines.gtp.clock import USED, Clock, TimeLeft
from tesuji.engines.timed import LEAST


def test_without_settings_no_move_is_limited() -> None:
    clock = Clock()
    clock.spend("black", 5)
    assert clock.budget("black", 100) is None


@pytest.mark.parametrize("settings", [(0, 1, 0), (1800, 60, 0), (0, 0, 0)])
def test_a_period_without_stones_and_no_time_at_all_mean_no_limit(settings: tuple[float, float, int]) -> None:
    clock = Clock()
    clock.settle(600, 0, 0)
    clock.settle(*settings)
    assert clock.budget("black", 100) is None


def test_main_time_is_shared_by_the_moves_to_come() -> None:
    clock = Clock()
    clock.settle(300, 0, 0)
    assert clock.budget("black", 120) == pytest.approx(10 * USED)
    assert clock.budget("black", 4) == pytest.approx(60 * USED)  # five moves at least
    clock.spend("black", 150)
    assert clock.budget("black", 120) == pytest.approx(5 * USED)
    assert clock.budget("white", 120) == pytest.approx(10 * USED)


def test_a_move_is_made_even_when_the_time_is_over() -> None:
    clock = Clock()
    clock.settle(10, 0, 0)
    clock.spend("black", 11)
    assert clock.budget("black", 120) == LEAST


def test_a_period_is_shared_by_its_stones_and_then_begins_again() -> None:
    clock = Clock()
    clock.settle(0, 30, 3)
    assert clock.budget("white", 50) == pytest.approx(10 * USED)
    clock.spend("white", 4)
    assert clock.budget("white", 50) == pytest.approx(13 * USED)
    clock.spend("white", 13)
    clock.spend("white", 13)
    assert clock.budget("white", 50) == pytest.approx(10 * USED)


def test_main_time_with_a_period_after_it_may_use_one_stone_of_that() -> None:
    clock = Clock()
    clock.settle(100, 20, 10)
    assert clock.budget("black", 40) == pytest.approx((10 + 2) * USED)
    clock.spend("black", 101)
    assert clock.budget("black", 40) == pytest.approx(2 * USED)


def test_the_controllers_clock_is_believed() -> None:
    clock = Clock()
    clock.settle(300, 0, 0)
    clock.correct("black", TimeLeft(30))
    assert clock.budget("black", 120) == pytest.approx(USED)
    clock.correct("black", TimeLeft(8, 2))
    assert clock.budget("black", 120) == pytest.approx(4 * USED)
    clock.restart()
    assert clock.budget("black", 120) == pytest.approx(10 * USED)
