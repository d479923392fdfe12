"""Root parallelisation: `mcts:processes=2` for games written in Python."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
import time
from functools import partial
from typing import Any

import pytest

import tesuji
from examples.connect_four import ConnectFour
from examples.tic_tac_toe import TicTacToe
from tests.search.small_games import RulesBroke
from tesuji.search.root_parallel import Children, by_index, merged

pytestmark = [
    pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork"),
    pytest.mark.filterwarnings("ignore:This process .* is multi-threaded:DeprecationWarning"),
]


def test_processes_share_the_iterations_and_add_their_visits() -> None:
    game = ConnectFour()
    analysis = tesuji.MCTS(game, iterations=1001, processes=3, seed=1, solver=False).analyse(game.start())
    assert analysis.iterations == 1001
    assert analysis.visits == sum(candidate.visits for candidate in analysis.candidates) == 1001
    assert analysis.move == analysis.candidates[0].move
    assert {candidate.move for candidate in analysis.candidates} == set(game.start().moves())
    assert analysis.value == analysis.candidates[0].value


def test_the_same_seed_gives_the_same_result() -> None:
    game = ConnectFour()
    found = [
        tesuji.MCTS(game, iterations=400, processes=2, seed=7, solver=False).analyse(game.start())
        for _ in range(2)
    ]
    assert found[0].candidates == found[1].candidates


def test_the_merged_statistics_are_those_of_the_parts() -> None:
    game = ConnectFour()
    state = game.start()
    one, two = (
        tesuji.MCTS(game, iterations=300, seed=seed, solver=False, rave="node").analyse(state)
        for seed in (1, 2)
    )
    both = merged(one, [by_index(two)])
    parts = [{candidate.move: candidate for candidate in each.candidates} for each in (one, two)]
    for candidate in both.candidates:
        first, second = (part[candidate.move] for part in parts)
        assert candidate.visits == first.visits + second.visits
        total = first.value * first.visits + second.value * second.visits
        assert candidate.value * candidate.visits == pytest.approx(total)
        assert first.amaf is not None and second.amaf is not None and candidate.amaf is not None
        assert min(first.amaf, second.amaf) <= candidate.amaf <= max(first.amaf, second.amaf)
    assert both.nodes == one.nodes + two.nodes


def test_a_win_is_proven_and_taken() -> None:
    game = TicTacToe()
    state = tesuji.replay(game, "a1 b1 a2 b2")
    analysis = tesuji.MCTS(game, iterations=4000, processes=2, seed=1).analyse(state)
    assert analysis.proven == 1.0
    assert state.play(analysis.move).scores() == (1.0, 0.0)


def test_limits_of_a_call_and_a_time_limit_hold() -> None:
    game = ConnectFour()
    bot = tesuji.MCTS(game, processes=2, seed=1, solver=False)
    assert bot.analyse(game.start(), iterations=50).iterations == 50
    assert bot.analyse(game.start(), seconds=0.1).stopped == "seconds"
    assert bot.analyse(game.start(), iterations=1).iterations == 1


def test_a_game_goes_on_with_processes() -> None:
    game = TicTacToe()
    state: Any = game.start()
    bot = tesuji.bot("mcts:iterations=1000,processes=2,seed=1", game)
    while state.scores() is None:
        state = state.play(bot.choose(state))
    assert state.scores() == (0.5, 0.5)


@pytest.mark.parametrize(
    ("make", "says"),
    [
        (lambda: tesuji.MCTS("hex:size=3", processes=2), "use threads for hex:size=3"),
        (lambda: tesuji.MCTS(TicTacToe(), processes=2, threads=2), "not both"),
        (lambda: tesuji.MCTS(TicTacToe(), processes=0), "processes must be from 1"),
    ],
)
def test_what_cannot_be_is_refused(make: Any, says: str) -> None:
    with pytest.raises(ValueError, match=says):
        make()


def test_an_exception_in_a_child_reaches_the_caller() -> None:
    def broken() -> Any:
        raise RulesBroke("in the child")

    with pytest.raises(RulesBroke, match="in the child"), Children([broken]) as children:
        children.results()


def _sleep(seconds: float) -> dict[str, Any]:
    time.sleep(seconds)
    return {}


def test_a_child_that_dies_is_reported_and_none_is_left_behind() -> None:
    with pytest.raises(RuntimeError, match="died"), Children([lambda: os._exit(3)]) as children:
        children.results()
    began = time.monotonic()
    with Children([partial(_sleep, 600)] * 2) as children:
        running = list(children._running)
    assert time.monotonic() - began < 60
    for process in running:
        with pytest.raises(ChildProcessError):
            os.waitpid(process, 0)


def test_cancel_stops_all_processes() -> None:
    game = ConnectFour()
    bot = tesuji.MCTS(game, seconds=300, processes=2, seed=1, solver=False)
    timer = threading.Timer(0.5, bot.cancel)
    timer.start()
    assert bot.analyse(game.start()).stopped == "cancelled"
    timer.join()


def test_ctrl_c_leaves_no_process_behind() -> None:
    code = (
        "import tesuji, os, signal, threading\n"
        "from examples.connect_four import ConnectFour\n"
        "threading.Timer(1.0, lambda: os.kill(os.getpid(), signal.SIGINT)).start()\n"
        "try:\n"
        "    tesuji.MCTS(ConnectFour(), seconds=300, processes=3).analyse(ConnectFour().start())\n"
        "except KeyboardInterrupt:\n"
        "    try:\n"
        "        os.waitpid(-1, os.WNOHANG)\n"
        "    except ChildProcessError:\n"
        "        print('none left')\n"
    )
    root = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
    command = [sys.executable, "-W", "ignore", "-c", code]
    done = subprocess.run(command, cwd=root, capture_output=True, text=True, timeout=120)
    assert "none left" in done.stdout, done.stderr
