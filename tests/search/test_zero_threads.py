"""The search with a network in several threads: leaves are collected while others are evaluated."""

from __future__ import annotations

import threading
import time
from typing import Any

import numpy as np
import pytest

from tests.search.helpers import hex_state, tic_tac_toe
from tests.search.networks import Seen, SeenRules, analyse, even, opinionated, searcher
from tests.search.small_games import Broken, Nim, RulesBroke
from tesuji.games import Hex

pytestmark = pytest.mark.threads


class Recorder:
    """An even network that notes the threads which asked, and how many at a time."""

    def __init__(self, moves: int) -> None:
        self.moves = moves
        self.threads: set[int] = set()
        self.running = self.most = 0
        self.lock = threading.Lock()

    def __call__(self, planes: Any) -> Any:
        with self.lock:
            self.threads.add(threading.get_ident())
            self.running += 1
            self.most = max(self.most, self.running)
        time.sleep(0.002)
        with self.lock:
            self.running -= 1
        return np.zeros((len(planes), self.moves), np.float32), np.zeros(len(planes), np.float32)


def test_evaluations_run_at_the_same_time_in_as_many_threads() -> None:
    recorders: list[Recorder] = []

    def network(moves: int) -> Recorder:
        recorders.append(Recorder(moves))
        return recorders[0]

    found = analyse(hex_state(9, ""), network=network, leaves=2, threads=3, iterations=120)
    assert found.iterations == 120
    assert 1 < recorders[0].most <= 3
    assert len(recorders[0].threads) <= 3
    assert threading.get_ident() not in recorders[0].threads


@pytest.mark.parametrize("leaves", [1, 4])
@pytest.mark.parametrize("threads", [2, 5])
def test_results_depend_on_the_threads_but_not_on_their_timing(threads: int, leaves: int) -> None:
    state = hex_state(5, "c3")
    found = []
    for network in (even, Recorder, Recorder):
        analysis = analyse(state, network=network, leaves=leaves, threads=threads, iterations=200)
        found.append([(each.move, each.visits, each.value) for each in analysis.candidates])
        assert sum(each.visits for each in analysis.candidates) == 200
    assert found[0] == found[1] == found[2]


def test_tic_tac_toe_is_solved() -> None:
    found = analyse(tic_tac_toe("b2 a1"), leaves=2, threads=3, iterations=20_000)
    assert (found.proven, found.stopped) == (0.5, "proven")


def test_a_game_in_python_is_searched_too() -> None:
    search = searcher(SeenRules(Seen(Nim(7))), even, leaves=3, threads=3)
    found: Any = search.search(Seen(Nim(7)), 2000, 0.0, False)
    assert (found["move"], found["proven"]) == (3, 1.0)


@pytest.mark.parametrize("method", ["player", "moves", "play", "scores"])
def test_an_error_in_the_rules_reaches_the_caller(method: str) -> None:
    with pytest.raises(RulesBroke):
        analyse(Seen(Broken(method)), iterations=1000, leaves=2, threads=3)


def test_an_error_in_the_network_reaches_the_caller_and_the_searcher_stays_usable() -> None:
    calls = 0

    def network(moves: int) -> Any:
        def ask(planes: Any) -> Any:
            nonlocal calls
            calls += 1
            if calls == 20:
                raise ArithmeticError("the twentieth call")
            return even(moves)(planes)

        return ask

    game = Hex(size=5)
    search = searcher(game, network, leaves=2, threads=3)
    with pytest.raises(ArithmeticError, match="twentieth"):
        search.search(game.start().core, 1000, 0.0, False)
    found: Any = search.search(game.start().core, 100, 0.0, False)
    assert found["iterations"] == 100


def test_cancel_and_time_end_a_search() -> None:
    search = searcher(Hex(size=9), Recorder, leaves=2, threads=3)
    timer = threading.Timer(0.1, search.cancel)
    timer.start()
    found: Any = search.search(Hex(size=9).start().core, 0, 60.0, False)
    timer.join()
    assert found["stopped"] == "cancelled"
    found = search.search(Hex(size=9).start().core, 0, 0.05, False)
    assert found["stopped"] == "seconds"
    assert sum(candidate[1] for candidate in found["candidates"]) == found["iterations"]


@pytest.mark.parametrize("threads", [1, 2])
def test_full_batches_pass_over_collisions_and_leave_no_visits_behind(threads: int) -> None:
    def rows_and_moves(full: bool) -> tuple[list[int], list[tuple[Any, int, float]]]:
        rows: list[int] = []

        def network(moves: int) -> Any:
            asked = opinionated(moves)
            sure = -3 * np.arange(moves, dtype=np.float32)  # of the first moves: simulations meet

            def evaluate(planes: Any) -> Any:
                rows.append(len(planes))
                value = asked(planes)[1]
                return np.tile(sure, (len(planes), 1)), value

            return evaluate

        analysis = analyse(
            hex_state(7, "d4"),
            network=network,
            leaves=16,
            full_batches=full,
            threads=threads,
            iterations=1_500,
        )
        assert analysis.iterations == sum(each.visits for each in analysis.candidates) == 1_500
        return rows, [(each.move, each.visits, each.value) for each in analysis.candidates]

    few, _ = rows_and_moves(False)
    many, found = rows_and_moves(True)
    assert len(many) < 0.8 * len(few)
    assert max(many) <= 16
    assert rows_and_moves(True)[1] == found
