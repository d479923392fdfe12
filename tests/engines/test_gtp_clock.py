"""Time per move from the clock of GTP."""

import pytest

from tesuji.bots.timing import SHORTEST, TimeManager
from tesuji.engines.gtp.clock import GtpClock, TimeLeft

MOVES = 30.0


def of_game(left: float, total: float = 0.0, moves: float = MOVES) -> float:
    manager = TimeManager()
    manager.for_game(max(left, total), moves)
    return manager.for_game(left, moves)


def of_move(limit: float) -> float:
    return TimeManager().for_move(limit)


def test_without_settings_no_move_is_limited() -> None:
    clock = GtpClock()
    clock.spend("black", 5)
    assert clock.budget("black", 100) is None


@pytest.mark.parametrize("settings", [(0, 1, 0), (1800, 60, 0), (0, 0, 0)])
def test_a_period_without_stones_and_no_time_at_all_mean_no_limit(settings: tuple[float, float, int]) -> None:
    clock = GtpClock()
    clock.set_time(600, 0, 0)
    clock.set_time(*settings)
    assert clock.budget("black", 100) is None


def test_main_time_is_shared_by_the_moves_to_come() -> None:
    clock = GtpClock()
    clock.set_time(300, 0, 0)
    assert clock.budget("black", MOVES) == pytest.approx(of_game(300))
    assert clock.budget("black", 5) == pytest.approx(of_game(300, moves=5))
    clock.spend("black", 150)
    assert clock.budget("black", MOVES) == pytest.approx(of_game(150, 300))
    assert clock.budget("white", MOVES) == pytest.approx(of_game(300))


def test_a_move_is_made_even_without_time_left() -> None:
    clock = GtpClock()
    clock.set_time(10, 0, 0)
    clock.spend("black", 11)
    assert clock.budget("black", MOVES) == SHORTEST


def test_a_byo_yomi_period_is_shared_by_its_stones_and_renewed() -> None:
    clock = GtpClock()
    clock.set_time(0, 30, 3)
    assert clock.budget("white", MOVES) == pytest.approx(of_move(10))
    clock.spend("white", 4)
    assert clock.budget("white", MOVES) == pytest.approx(of_move(13))
    clock.spend("white", 13)
    clock.spend("white", 13)
    assert clock.budget("white", MOVES) == pytest.approx(of_move(10))


def test_main_time_before_byo_yomi_may_include_one_period_stone() -> None:
    clock = GtpClock()
    clock.set_time(100, 20, 10)
    assert clock.budget("black", MOVES) == pytest.approx(of_game(100) + of_move(2))
    clock.spend("black", 101)
    assert clock.budget("black", MOVES) == pytest.approx(of_move(2))


def test_time_left_of_the_controller_replaces_our_own_clock() -> None:
    clock = GtpClock()
    clock.set_time(300, 0, 0)
    clock.set_time_left("black", TimeLeft(30))
    assert clock.budget("black", MOVES) == pytest.approx(of_game(30))
    clock.set_time_left("black", TimeLeft(8, 2))
    assert clock.budget("black", MOVES) == pytest.approx(of_move(4))
    clock.restart()
    assert clock.budget("black", MOVES) == pytest.approx(of_game(300))


def test_an_overrun_shortens_the_following_moves() -> None:
    clock = GtpClock()
    clock.set_time(0, 30, 3)
    before = clock.budget("white", MOVES)
    clock.note("white", 1.0)
    after = clock.budget("white", MOVES)
    assert before is not None
    assert after is not None
    assert after < before
