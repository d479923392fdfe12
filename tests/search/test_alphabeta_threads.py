"""Alpha-beta with several threads: the same results as with one, the same limits, and what is refused."""

from __future__ import annotations

import gc
import os
import signal
import threading
from typing import Any

import pytest

import tesuji
from examples.tic_tac_toe import TicTacToe
from tests.games.test_hex_solved import WINNING_OPENINGS
from tests.search.helpers import hex_state
from tesuji.games import Hex, Onitama
from tesuji.games.onitama import Tablebase

pytestmark = pytest.mark.threads

FREE = Onitama(ply_limit=None)


def test_wins_and_losses_are_those_of_the_tablebase_with_their_plies(four_men: Tablebase) -> None:
    bot = tesuji.AlphaBeta(FREE, depth=8, reductions=False, threads=4, memory=1, seed=1)
    known = [*four_men.sample("win", 40, seed=1), *four_men.sample("loss", 40, seed=1)]
    near = [index for index in known if four_men.entry(index) <= 7]
    assert len(near) > 20
    for index in near:
        plies = four_men.entry(index)
        found = bot.analyse(four_men.position(index, FREE))
        assert (found.proven, found.plies, found.stopped) == (plies % 2, plies, "proven")
        assert len(found.line) == plies


def test_the_tablebase_is_probed_by_all_threads(four_men: Tablebase) -> None:
    for index in four_men.sample("win", 10, seed=2):
        state, plies = four_men.position(index, FREE), four_men.entry(index)
        found = tesuji.AlphaBeta(FREE, depth=3, threads=3, tablebase=four_men, seed=1).analyse(state)
        assert (found.proven, found.plies) == (1.0, plies)


@pytest.mark.parametrize("size", [3, 4])
def test_openings_are_solved_with_the_same_plies_as_by_one_thread(size: int) -> None:
    winning = WINNING_OPENINGS[size].split()
    for opening in (winning[0], "a1"):
        state = hex_state(size, opening)
        options: dict[str, Any] = {"value": "off", "depth": size * size, "reductions": False, "seed": 1}
        one = tesuji.AlphaBeta(state.game, **options).analyse(state)
        four = tesuji.AlphaBeta(state.game, threads=4, **options).analyse(state)
        assert (four.proven, four.plies, four.stopped) == (one.proven, one.plies, "proven")
        assert four.proven == float(opening not in winning)


@pytest.mark.parametrize("moves", ["", "c3", "b4 d2 c3"])
def test_at_equal_depth_the_value_is_that_of_one_thread(moves: str) -> None:
    # A Hex position is always reached after the same number of plies: the table has no deeper score.
    state = hex_state(5, moves)
    options: dict[str, Any] = {"depth": 4, "reductions": False, "seed": 1}
    one = tesuji.AlphaBeta(state.game, **options).analyse(state)
    for threads in (2, 5):
        found = tesuji.AlphaBeta(state.game, threads=threads, **options).analyse(state)
        assert (found.value, found.proven, found.depth) == (one.value, one.proven, one.depth)


def test_the_nodes_of_all_threads_count() -> None:
    bot = tesuji.AlphaBeta(Hex(size=11), nodes=100_000, threads=4, seed=1)
    found = bot.analyse(Hex(size=11).start())
    assert found.stopped == "nodes"
    assert found.nodes >= 100_000
    assert sum(candidate.visits for candidate in found.candidates) <= 100_000, "the main thread's"


def test_a_search_ends_with_its_time() -> None:
    found = tesuji.AlphaBeta(Onitama(), seconds=0.05, threads=3, seed=1).analyse(Onitama().start(1))
    assert found.stopped == "seconds"
    assert found.depth > 0


def test_a_cancelled_search_ends_soon_and_the_bot_goes_on() -> None:
    bot = tesuji.AlphaBeta(Hex(size=11), seconds=30, threads=3)
    timer = threading.Timer(0.1, bot.cancel)
    timer.start()
    found = bot.analyse(Hex(size=11).start())
    timer.join()
    assert found.stopped == "cancelled"
    assert bot.analyse(Hex(size=11).start(), depth=1).depth == 1


@pytest.mark.skipif(os.name == "nt", reason="signals are sent differently there")
def test_ctrl_c_is_raised() -> None:
    bot = tesuji.AlphaBeta(Hex(size=11), seconds=30, threads=3)
    timer = threading.Timer(0.1, os.kill, (os.getpid(), signal.SIGINT))
    timer.start()
    gc.disable()  # hypothesis listens to collections, and an interrupt inside its callback would be lost
    try:
        with pytest.raises(KeyboardInterrupt):
            bot.analyse(Hex(size=11).start())
    finally:
        gc.enable()
    timer.join()
    assert bot.analyse(Hex(size=11).start(), depth=1).depth == 1


def test_a_forced_win_in_gomoku_is_found_by_any_number_of_threads() -> None:
    state = tesuji.replay("gomoku", "h8 a1 h9 a3 h10 a5")
    for threads in (1, 2, 4):
        bot = tesuji.bot(f"alphabeta:depth=6,prover=off,threads={threads},seed=1", state.game)
        assert isinstance(bot, tesuji.AlphaBeta)
        assert bot.analyse(state).proven == 1.0


@pytest.mark.parametrize(
    ("game", "options", "says"),
    [
        (TicTacToe(), {}, "Python needs threads=1"),
        (Hex(size=4), {"value": lambda state, player: 0.5}, "Python needs threads=1"),
        (Hex(size=4), {"memory": None}, "memory must not be off"),
        (Hex(size=4), {"threads": 0}, "threads must be from 1 to 256, not 0"),
    ],
    ids=["python game", "python value", "no table", "none"],
)
def test_threads_that_cannot_help_are_refused(game: Any, options: dict[str, Any], says: str) -> None:
    with pytest.raises(ValueError, match=says):
        tesuji.AlphaBeta(game, **{"threads": 4, **options})
