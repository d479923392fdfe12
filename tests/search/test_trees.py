"""Root parallelisation: a search of several threads chooses how many trees share them."""

from __future__ import annotations

import gc
import os
import signal
import subprocess
import sys
import threading
from typing import Any

import pytest

import tesuji
from examples.connect_four import ConnectFour
from tests.search.helpers import hex_state
from tesuji.games import Gomoku, Hex

pytestmark = pytest.mark.threads


def test_trees_share_the_iterations_and_add_their_visits() -> None:
    bot = tesuji.MCTS(Hex(size=7), iterations=2001, threads=3, seed=1, knowledge="off", rave="off")
    analysis = bot.analyse(Hex(size=7).start())
    assert analysis.iterations == 2001
    assert analysis.visits == sum(candidate.visits for candidate in analysis.candidates) == 2001
    assert analysis.move == analysis.candidates[0].move
    assert len(analysis.candidates) == 49


def test_with_one_thread_per_tree_the_seed_makes_a_search_repeatable() -> None:
    found = []
    for _ in range(2):
        bot = tesuji.MCTS(Hex(size=7), iterations=900, threads=3, seed=7, knowledge="off")
        found.append([bot.analyse(hex_state(7, moves)).candidates for moves in ("", "d4", "d4 e3")])
    assert found[0] == found[1]
    bot.reset()
    assert bot.analyse(hex_state(7, "")).candidates == found[0][0]


def test_every_tree_is_kept_for_the_next_move() -> None:
    bot = tesuji.MCTS(Hex(size=7), iterations=3000, threads=2, seed=1)
    first = bot.analyse(hex_state(7, ""))
    state = first.state.play(first.move)
    second = bot.analyse(state)
    assert second.visits > 3000, "of the last search, in both trees"
    alone = tesuji.MCTS(Hex(size=7), iterations=1500, seed=1)
    alone.analyse(hex_state(7, ""))
    assert second.visits - 3000 > alone.analyse(state).visits - 1500


def test_a_proof_of_any_tree_counts() -> None:
    state = hex_state(4, "b2 c3 c2")
    analysis = tesuji.MCTS(state.game, iterations=40_000, threads=2, seed=1).analyse(state)
    alone = tesuji.MCTS(state.game, iterations=40_000, seed=1).analyse(state)
    assert analysis.proven == alone.proven is not None


def test_limits_of_a_call_and_a_time_limit_hold() -> None:
    bot = tesuji.MCTS(Hex(size=9), threads=4)
    assert bot.analyse(Hex(size=9).start(), iterations=100).iterations == 100
    assert bot.analyse(Hex(size=9).start(), iterations=1).iterations == 1
    found = bot.analyse(Hex(size=9).start(), seconds=0.05)
    assert found.stopped == "seconds"


def test_cancel_stops_all_trees() -> None:
    bot = tesuji.MCTS(Hex(size=9), seconds=60, threads=3)
    timer = threading.Timer(0.1, bot.cancel)
    timer.start()
    assert bot.analyse(Hex(size=9).start()).stopped == "cancelled"
    timer.join()
    assert bot.analyse(Hex(size=9).start(), iterations=300).iterations == 300


@pytest.mark.skipif(os.name == "nt", reason="signals are sent differently there")
def test_ctrl_c_stops_all_trees() -> None:
    bot = tesuji.MCTS(Hex(size=9), seconds=60, threads=3)
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


@pytest.mark.parametrize("option", ["trees=2", "processes=2"])
def test_specs_of_earlier_versions_still_play_with_a_warning(option: str) -> None:
    with pytest.warns(FutureWarning, match=f"mcts no longer has the option {option[:-2]}"):
        bot = tesuji.bot(f"mcts:iterations=10,{option}", "hex:size=4")
    assert tesuji.spec_of(bot) == "mcts:iterations=10"
    assert bot.choose(Hex(size=4).start()) is not None


def test_a_table_on_the_page_may_name_them_too() -> None:
    pytest.importorskip("fastapi")
    from tesuji.web.limits import ServerLimits
    from tesuji.web.specs import AllowedBots

    with pytest.warns(FutureWarning, match="trees"):
        checked = AllowedBots(ServerLimits()).check("mcts:iterations=10,trees=2", "hex:size=4")
    assert checked == "mcts:iterations=10"


def test_a_cancelled_search_counts_what_all_trees_found() -> None:
    bot = tesuji.MCTS(Hex(size=9), seconds=60, threads=2, knowledge="off", rave="off", solver=False)
    timer = threading.Timer(0.2, bot.cancel)
    timer.start()
    seen: list[Any] = []
    analysis = bot.analyse(Hex(size=9).start(), progress=seen.append)
    timer.join()
    assert analysis.stopped == "cancelled" and bot.trees == 2
    assert analysis.visits == sum(candidate.visits for candidate in analysis.candidates)
    assert analysis.iterations > seen[-1].iterations, "which is of the first tree alone"


@pytest.mark.skipif(sys.platform != "linux", reason="limits the address space")
@pytest.mark.parametrize("spec", ["mcts:threads=99", "mcts:threads=99,knowledge=off", "alphabeta:threads=99"])
def test_a_thread_that_cannot_start_is_an_error_and_not_the_end(spec: str) -> None:
    code = f"""
import resource, tesuji
game = tesuji.game("gomoku")
bot = tesuji.bot("{spec},seconds=0.2", game)
used = int(open("/proc/self/statm").read().split()[0]) * resource.getpagesize()
resource.setrlimit(resource.RLIMIT_AS, (used + (3 << 30),) * 2)
try:
    bot.analyse(game.start())
except RuntimeError as error:
    print(error)
print("still here")
"""
    command = ["prlimit", f"--stack={256 << 20}", sys.executable, "-c", code]  # of every thread
    done = subprocess.run(command, capture_output=True, text=True, timeout=120)
    assert "of 98: " in done.stdout and "use fewer threads" in done.stdout, done.stderr
    assert "still here" in done.stdout, done.stderr
