"""Alpha-beta in use: budgets, the table between moves, progress, misuse."""

from __future__ import annotations

import gc
import os
import signal
import subprocess
import sys
import textwrap
import threading
from dataclasses import dataclass
from typing import Any

import pytest

import tesuji
from examples.connect_four import ConnectFour
from examples.tic_tac_toe import TicTacToe
from tests.search.helpers import hex_state, tic_tac_toe
from tests.search.small_games import Bits, Broken, Choice, Nim, Rules, RulesBroke, Tree, Walk
from tesuji.games import Hex
from tesuji.spec import Spec


def facts(analysis: tesuji.Analysis) -> dict[str, Any]:
    """All that does not depend on the clock."""
    return analysis.as_dict() | {"seconds": 0}


# Budgets


def test_the_default_budget_is_a_hundred_thousand_nodes() -> None:
    found = tesuji.AlphaBeta(Hex(size=9), seed=1).analyse(Hex(size=9).start())
    assert (found.nodes, found.stopped) == (100_000, "nodes")


def test_the_limit_that_ended_the_search_is_reported() -> None:
    game = Hex(size=9)
    for options, stopped in (
        ({"depth": 2, "nodes": 10**9, "seconds": 60}, "depth"),
        ({"depth": 99, "nodes": 5000, "seconds": 60}, "nodes"),
        ({"depth": 99, "nodes": 10**12, "seconds": 0.05}, "seconds"),
    ):
        found = tesuji.AlphaBeta(game, seed=1, **options).analyse(game.start())
        assert found.stopped == stopped
        assert found.move in game.start().moves()
    assert found.depth is not None and found.depth >= 1


@pytest.mark.parametrize("nodes", [1, 2, 5, 20, 1234])
@pytest.mark.parametrize("game", [Hex(size=5), ConnectFour()], ids=["native", "python"])
def test_the_node_budget_is_exact(game: Any, nodes: int) -> None:
    found = tesuji.AlphaBeta(game, nodes=nodes, seed=1).analyse(game.start())
    assert found.nodes == found.visits == sum(candidate.visits for candidate in found.candidates) == nodes
    assert {candidate.move for candidate in found.candidates} == set(game.start().moves())


def test_a_search_stopped_at_once_has_a_move_and_no_value() -> None:
    found = tesuji.AlphaBeta(Hex(size=5), nodes=1, seed=1).analyse(Hex(size=5).start())
    assert (found.value, found.proven, found.depth) == (0.5, None, 0)
    assert not any(candidate.exact for candidate in found.candidates)


def test_a_search_stopped_within_an_iteration_avoids_moves_seen_to_lose() -> None:
    state = tic_tac_toe("a1 b2 c3")  # a corner loses, an edge draws
    for nodes in range(60, 400, 7):
        found = tesuji.AlphaBeta(TicTacToe(), nodes=nodes, seed=nodes).analyse(state)
        chosen = found.candidates[0]
        if chosen.proven == 0.0:
            assert all(candidate.proven == 0.0 for candidate in found.candidates)
        assert found.proven in (None, 0.5)


@pytest.mark.skipif(sys.platform != "linux", reason="memory is measured in KiB only there")
def test_a_short_search_touches_little_of_a_large_table() -> None:
    # To zero all of it takes longer than a short search may last.
    program = """
        import resource, tesuji
        bot = tesuji.bot("alphabeta:nodes=2000,memory=256,seed=1", "hex:size=19")
        before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        bot.analyse(bot.game.start())
        print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before)
    """
    run = [sys.executable, "-c", textwrap.dedent(program)]
    grown = int(subprocess.run(run, capture_output=True, text=True, check=True).stdout)
    assert grown < 100 << 10


def test_the_search_of_a_very_long_game_ends_with_the_budget() -> None:
    found = tesuji.AlphaBeta(Rules(Walk(10_000)), depth=6, seed=1).analyse(Walk(10_000))
    assert (found.value, found.depth, found.stopped) == (0.5, 6, "depth")
    deep = tesuji.AlphaBeta(Rules(Walk(600, one_way=True)), depth=1000).analyse(Walk(600, one_way=True))
    assert (deep.proven, deep.depth) == (0.5, 600)


# The same again


@pytest.mark.parametrize("game", [Hex(size=6), ConnectFour()], ids=["native", "python"])
@pytest.mark.parametrize("options", [{"depth": 4}, {"nodes": 7000}], ids=["depth", "nodes"])
def test_a_seed_makes_a_search_repeatable(game: Any, options: dict[str, Any]) -> None:
    one, two = (tesuji.AlphaBeta(game, seed=5, **options).analyse(game.start()) for _ in range(2))
    assert facts(one) == facts(two)


def test_the_seed_decides_among_equals() -> None:
    game = Hex(size=5)
    options: dict[str, Any] = {"depth": 1, "value": "off", "move_ordering": "off"}
    moves = {tesuji.AlphaBeta(game, seed=seed, **options).choose(game.start()) for seed in range(40)}
    assert len(moves) > 10


def test_reset_brings_the_first_search_back() -> None:
    game = ConnectFour()
    bot = tesuji.AlphaBeta(game, nodes=5000, seed=2)
    first = bot.analyse(game.start())
    again = bot.analyse(game.start())
    assert again.depth is not None and first.depth is not None
    assert again.depth >= first.depth, "the table remembers"
    bot.reset()
    assert facts(bot.analyse(game.start())) == facts(first)
    forgetful = tesuji.AlphaBeta(game, nodes=5000, seed=2, reuse=False)
    assert [forgetful.analyse(game.start()).depth for _ in range(2)] == [first.depth] * 2


def test_a_known_position_needs_no_call_of_the_rules() -> None:
    calls: list[str] = []
    tesuji.AlphaBeta(Rules(Bits(6, [], [])), depth=6, seed=1, memory=None).analyse(Bits(6, [], calls))
    assert calls.count("play") <= 2**7


@dataclass(frozen=True)
class Numbered(Nim):
    """Nim whose keys Python's own hash takes for one another: -1 and -2, multiples of 2^61 - 1, 1 and 1.0."""

    def key(self) -> Any:
        sign = -2 if self.player else -1
        return (sign, (2**61 - 1) * self.pile, "pile", None, b"", frozenset([1, 2.0]), 0.5)


def test_keys_with_equal_python_hashes_are_distinguished() -> None:
    assert hash(Numbered(3).key()) == hash(Numbered(5, 1).key())
    for pile in range(2, 30):
        found = tesuji.AlphaBeta(Rules(Numbered(pile)), depth=30, seed=1).analyse(Numbered(pile))
        assert found.proven == float(pile % 4 > 0)


def test_string_keys_give_the_same_search_in_every_process() -> None:
    class Named(Nim):
        def key(self) -> Any:
            return f"{self.pile}/{self.player}", (self.pile, 1.0)

    counts = {tesuji.AlphaBeta(Rules(Named(40)), depth=12, seed=1).analyse(Named(40)).nodes for _ in range(3)}
    assert len(counts) == 1


# Progress, cancelling, errors


def test_progress_sees_the_search_grow() -> None:
    game = Hex(size=9)
    seen: list[tesuji.Analysis] = []
    final = tesuji.AlphaBeta(game, seconds=0.5, seed=1).analyse(game.start(), progress=seen.append)
    counts = [analysis.nodes for analysis in seen] + [final.nodes]
    assert len(seen) >= 2
    assert counts == sorted(counts)
    assert {analysis.stopped for analysis in seen} == {"running"}


@pytest.mark.parametrize("game", [Hex(size=11), Rules(Walk(500))], ids=["native", "python"])
def test_a_cancelled_search_ends_soon_and_says_so(game: Any) -> None:
    bot = tesuji.AlphaBeta(game, seconds=30)
    timer = threading.Timer(0.1, bot.cancel)
    timer.start()
    found = bot.analyse(game.start())
    timer.join()
    assert found.stopped == "cancelled"
    assert found.move in game.start().moves()


@pytest.mark.skipif(os.name == "nt", reason="signals are sent differently there")
@pytest.mark.parametrize("game", [Hex(size=11), Rules(Walk(500))], ids=["native", "python"])
def test_ctrl_c_is_raised(game: Any) -> None:
    bot = tesuji.AlphaBeta(game, seconds=30, seed=1)
    timer = threading.Timer(0.1, os.kill, (os.getpid(), signal.SIGINT))
    timer.start()
    gc.disable()  # hypothesis listens to collections, and an interrupt inside its callback would be lost
    try:
        with pytest.raises(KeyboardInterrupt):
            bot.analyse(game.start())
    finally:
        gc.enable()
    timer.join()
    # and the bot still works
    assert tesuji.AlphaBeta(game, depth=1).analyse(game.start()).depth == 1


@pytest.mark.parametrize("method", ["player", "moves", "play", "scores"])
def test_an_exception_in_the_rules_reaches_the_caller(method: str) -> None:
    bot = tesuji.AlphaBeta(Rules(Broken(method)), depth=8, seed=1)
    for _ in range(2):
        with pytest.raises(RulesBroke, match=f"{method} at ply 4"):
            bot.analyse(Broken(method))


def test_errors_in_a_value_function_reach_the_caller() -> None:
    def broken(state: Any, player: int) -> float:
        raise LookupError("no value")

    for game in (Hex(size=4), Rules(Nim(9))):
        with pytest.raises(LookupError, match="no value"):
            tesuji.AlphaBeta(game, depth=2, value=broken).analyse(game.start())
        with pytest.raises(ValueError, match="must be from 0 to 1"):
            tesuji.AlphaBeta(game, depth=2, value=lambda state, player: 2.0).analyse(game.start())

    with pytest.raises(LookupError):
        tesuji.AlphaBeta(Hex(size=9), seconds=30).analyse(
            Hex(size=9).start(), progress=lambda so_far: broken(None, 0)
        )


def test_a_custom_ordering_is_used_and_does_not_change_values() -> None:
    game = ConnectFour()
    asked = []

    def middle(state: Any, player: int, moves: list[int]) -> list[int]:
        asked.append(len(moves))
        return sorted(moves, key=lambda move: abs(move - 3))

    plain = tesuji.AlphaBeta(game, depth=6, seed=1).analyse(game.start())
    ordered = tesuji.AlphaBeta(game, depth=6, seed=1, move_ordering=middle).analyse(game.start())
    assert asked and ordered.value == plain.value
    weights = tesuji.AlphaBeta(
        game, depth=2, seed=1, move_ordering=lambda state, player, moves: {3: 5.0, 2: 2.0}
    ).analyse(game.start())
    assert sum(candidate.prior for candidate in weights.candidates) == pytest.approx(1)


@pytest.mark.parametrize(
    "value",
    [
        lambda state, player: 0.5,
        {"even": tesuji.Objective(lambda state, player: 0.5, 1.0)},
        tesuji.Objectives({"even": tesuji.Objective(lambda state, player: 0.5, 1.0)}),
        Hex(size=4).knowledge.objectives,
        "off",
    ],
    ids=["function", "mapping", "objectives", "native", "off"],
)
def test_a_value_may_be_a_function_objectives_or_off(value: Any) -> None:
    found = tesuji.AlphaBeta(Hex(size=4), depth=2, value=value, seed=1).analyse(hex_state(4, "b2"))
    assert 0 < found.value < 1


# Misuse


def test_other_kinds_of_games_are_refused() -> None:
    with pytest.raises(ValueError, match="alphabeta .* has 3 players"):
        tesuji.AlphaBeta(Rules(Nim(9), players=3))
    chance = Tree(Choice(0, {"roll": Choice(tesuji.CHANCE, {"six": (1.0, 0.0)})}))
    with pytest.raises(ValueError, match="chance moves"):
        tesuji.AlphaBeta(Rules(chance), depth=3).analyse(chance)
    both_win = Tree(Choice(0, {"a": (1.0, 1.0)}))
    with pytest.raises(ValueError, match="must add up to 1"):
        tesuji.AlphaBeta(Rules(both_win), depth=3).analyse(both_win)
    hidden = type("Hidden", (Nim,), {"determinize": lambda self, player, rng: self})(9)
    with pytest.raises(ValueError, match="hidden cards"):  # when it is made: not in the middle of a match
        tesuji.AlphaBeta(Rules(hidden), depth=3)


@pytest.mark.parametrize(
    ("options", "says"),
    [
        ({"depth": 0}, "depth must be from 1 to 1000 or off, not 0"),
        ({"value": "net"}, r"there is no value 'net' \(game, off, or a model file\)"),
        ({"value": 0.5}, "value must be .*0.5"),
        ({"deepth": 3}, "did you mean 'depth'"),
    ],
)
def test_bad_options_are_refused(options: dict[str, Any], says: str) -> None:
    with pytest.raises(ValueError, match=says):
        tesuji.AlphaBeta(Hex(size=4), **options)


def test_a_finished_or_foreign_position_is_refused() -> None:
    with pytest.raises(ValueError, match="the game is over"):
        tesuji.AlphaBeta(TicTacToe()).analyse(tic_tac_toe("a1 a2 b1 b2 c1"))
    with pytest.raises(ValueError, match="another game"):
        tesuji.AlphaBeta(Hex(size=4)).analyse(hex_state(5, ""))
    stuck = Rules(type("Stuck", (Nim,), {"moves": lambda self: []})(5))
    with pytest.raises(ValueError, match=r"moves\(\) is empty"):
        tesuji.AlphaBeta(stuck, depth=3).analyse(stuck.start())


def test_concurrent_use_of_one_bot_is_refused() -> None:
    bot = tesuji.AlphaBeta(Hex(), seconds=30, seed=1)
    with pytest.raises(ValueError, match="already searching"):
        bot.analyse(Hex().start(), progress=lambda analysis: bot.analyse(Hex().start()))
    with pytest.raises(ValueError, match="cancel it first"):
        bot.analyse(Hex().start(), progress=lambda analysis: bot.reset())


@pytest.mark.parametrize("spec", ["alphabeta", "alphabeta:depth=4,value=off,memory=off,quiescence=off"])
def test_a_bot_round_trips_through_its_spec(spec: str) -> None:
    game = Hex(size=5)
    first = tesuji.bot(spec, game)
    again = tesuji.bot(tesuji.spec_of(first), game)
    assert isinstance(first, tesuji.AlphaBeta) and isinstance(again, tesuji.AlphaBeta)
    assert Spec.parse(tesuji.spec_of(first)).options == Spec.parse(spec).options
    assert first.options == again.options
    assert "AlphaBeta(" in repr(first)
