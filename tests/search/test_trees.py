"""Root parallelisation of native games: `mcts:threads=4,trees=4`."""

from __future__ import annotations

import gc
import os
import signal
import threading
from typing import Any

import pytest

import tesuji
from examples.connect_four import ConnectFour
from tests.search.helpers import hex_state
from tesuji.games import Gomoku, Hex

pytestmark = pytest.mark.threads


def test_trees_share_the_iterations_and_add_their_visits() -> None:
    bot = tesuji.MCTS(Hex(size=7), iterations=2001, threads=3, trees=3, seed=1)
    analysis = bot.analyse(Hex(size=7).start())
    assert analysis.iterations == 2001
    assert analysis.visits == sum(candidate.visits for candidate in analysis.candidates) == 2001
    assert analysis.move == analysis.candidates[0].move
    assert len(analysis.candidates) == 49


def test_with_one_thread_per_tree_the_seed_makes_a_search_repeatable() -> None:
    found = []
    for _ in range(2):
        bot = tesuji.MCTS(Hex(size=7), iterations=900, threads=3, trees=3, seed=7)
        found.append([bot.analyse(hex_state(7, moves)).candidates for moves in ("", "d4", "d4 e3")])
    assert found[0] == found[1]
    bot.reset()
    assert bot.analyse(hex_state(7, "")).candidates == found[0][0]


def test_every_tree_is_kept_for_the_next_move() -> None:
    bot = tesuji.MCTS(Hex(size=7), iterations=3000, threads=2, trees=2, seed=1)
    first = bot.analyse(hex_state(7, ""))
    state = first.state.play(first.move)
    second = bot.analyse(state)
    assert second.visits > 3000, "of the last search, in both trees"
    alone = tesuji.MCTS(Hex(size=7), iterations=1500, seed=1)
    alone.analyse(hex_state(7, ""))
    assert second.visits - 3000 > alone.analyse(state).visits - 1500


def test_a_proof_of_any_tree_counts() -> None:
    state = hex_state(4, "b2 c3 c2")
    analysis = tesuji.MCTS(state.game, iterations=40_000, threads=2, trees=2, seed=1).analyse(state)
    alone = tesuji.MCTS(state.game, iterations=40_000, seed=1).analyse(state)
    assert analysis.proven == alone.proven is not None


def test_limits_of_a_call_and_a_time_limit_hold() -> None:
    bot = tesuji.MCTS(Hex(size=9), threads=4, trees=2)
    assert bot.analyse(Hex(size=9).start(), iterations=100).iterations == 100
    assert bot.analyse(Hex(size=9).start(), iterations=1).iterations == 1
    found = bot.analyse(Hex(size=9).start(), seconds=0.05)
    assert found.stopped == "seconds"


def test_cancel_stops_all_trees() -> None:
    bot = tesuji.MCTS(Hex(size=9), seconds=60, threads=3, trees=3)
    timer = threading.Timer(0.1, bot.cancel)
    timer.start()
    assert bot.analyse(Hex(size=9).start()).stopped == "cancelled"
    timer.join()
    assert bot.analyse(Hex(size=9).start(), iterations=300).iterations == 300


@pytest.mark.skipif(os.name == "nt", reason="signals are sent differently there")
def test_ctrl_c_stops_all_trees() -> None:
    bot = tesuji.MCTS(Hex(size=9), seconds=60, threads=3, trees=3)
    timer = threading.Timer(0.1, os.kill, (os.getpid(), signal.SIGINT))
    timer.start()
    gc.disable()  # hypothesis listens to collections, and an interrupt inside its callback would be lost
    try:
        with pytest.raises(KeyboardInterrupt):
            bot.analyse(Hex(size=9).start())
    finally:
        gc.enable()
    timer.join()
    assert bot.analyse(Hex(size=9).start(), iterations=300).iterations == 300


@pytest.mark.parametrize(
    ("game", "options", "trees"),
    [
        (Hex(), {}, 1),
        (Hex(), {"threads": 2}, 2),
        (Hex(), {"threads": 15}, 3),
        (Hex(), {"threads": 16}, 4),
        (Hex(), {"threads": 19}, 4),
        (Hex(), {"threads": 16, "trees": 1}, 1),
        (Hex(), {"threads": 8, "trees": 8}, 8),
        (Hex(), {"threads": 16, "rave": "off"}, 1),
        (Hex(), {"threads": 16, "knowledge": "off"}, 16),
        (Hex(), {"threads": 16, "knowledge": "off", "rave": "node"}, 4),
        (Hex(), {"threads": 16, "move_ordering": lambda state, player, moves: moves}, 1),
        (Gomoku(), {"threads": 16}, 1),
        (Gomoku(), {"threads": 16, "rave": "node"}, 4),
        (ConnectFour(), {"threads": 16, "rave": "node"}, 1),
    ],
)
def test_threads_choose_the_number_of_trees(game: Any, options: dict[str, Any], trees: int) -> None:
    bot = tesuji.MCTS(game, **options)
    assert bot.trees == trees
    assert bot.analyse(game.start(), iterations=100).iterations == 100


@pytest.mark.parametrize(
    ("game", "options", "says"),
    [
        (Hex(size=5), {"trees": 2}, "trees=2 need as many threads or more, not 1"),
        (ConnectFour(), {"trees": 2, "threads": 2}, "trees are for native games"),
    ],
)
def test_what_cannot_be_is_refused(game: Any, options: dict[str, Any], says: str) -> None:
    with pytest.raises(ValueError, match=says):
        tesuji.MCTS(game, **options)
