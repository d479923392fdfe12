"""Interrupted searches: the tree stays valid, and they end soon at any point."""

from __future__ import annotations

import random
import subprocess
import sys
import textwrap
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import pytest

import tesuji
from examples.connect_four import ConnectFour
from tests.search.helpers import RAVE
from tests.search.networks import Seen, SeenRules, searcher
from tests.search.small_games import DRAW, LOSS, WIN, Rules, RulesBroke, Scores

GENEROUS = 60  # seconds for what takes less than one: only a hang takes longer


@dataclass
class Plays:
    """Counts calls of `play`, and calls back at one of them."""

    count: int = 0
    at: int = 0
    then: Callable[[], object] = field(default=lambda: None)

    def note(self) -> None:
        self.count += 1
        if self.count == self.at:
            self.then()


@dataclass(frozen=True)
class Corridor:
    """One choice, and a long way to its result: playouts are long enough to be interrupted."""

    results: tuple[Scores, ...]
    plays: Plays = field(compare=False)
    chosen: int = -1
    ply: int = 0
    length: int = 130

    @property
    def player(self) -> int:
        return self.ply % 2

    def moves(self) -> Sequence[int]:
        if self.ply == self.length:
            return ()
        return range(len(self.results)) if self.ply == 0 else range(10 * self.ply, 10 * self.ply + 2)

    def play(self, move: int) -> Corridor:
        self.plays.note()
        chosen = move if self.ply == 0 else self.chosen
        return Corridor(self.results, self.plays, chosen, self.ply + 1, self.length)

    def scores(self) -> Scores | None:
        return self.results[self.chosen] if self.ply == self.length else None


# A broken-off simulation has not happened


@RAVE
@pytest.mark.parametrize("simulations", [0, 1, 3])
@pytest.mark.parametrize(
    "options",
    [
        {"first_play": "off"},
        {"first_play": 0.6, "exploration": 0.0},
        {
            "first_play": 0.6,
            "exploration": 0.0,
            "prior_weight": 0.5,
            "move_ordering": lambda state, player, moves: list(moves),
        },
    ],
    ids=["each once first", "first play", "priors"],
)
def test_a_move_whose_simulation_was_cancelled_is_visited_by_the_next_search(
    options: dict[str, Any], simulations: int, rave: Any
) -> None:
    plays = Plays()
    # Whichever move's simulation is broken off, in some round it is the one that wins.
    for winner in range(4):
        state = Corridor(tuple(WIN if i == winner else DRAW for i in range(4)), plays)
        bot = tesuji.MCTS(Rules(state), iterations=40, rave=rave, solver=False, seed=1, **options)
        # The scan of the root, whole playouts, and a part of one.
        plays.count, plays.at, plays.then = 0, 4 + 128 * simulations + 20, bot.cancel
        cancelled = bot.analyse(state)
        assert (cancelled.stopped, cancelled.iterations) == ("cancelled", simulations)
        assert sum(candidate.visits for candidate in cancelled.candidates) == simulations
        found = bot.analyse(state)
        assert found.visits == simulations + found.iterations
        if options["first_play"] == "off":
            assert all(candidate.visits > 0 for candidate in found.candidates)
        assert found.move == winner


@pytest.mark.parametrize("move_ordering", ["off", lambda state, player, moves: dict.fromkeys(moves, 1.0)])
def test_a_cancelled_search_resumes_as_if_uninterrupted(move_ordering: Any) -> None:
    """The moves are tried in the same order and get the same visits, whenever it was."""
    results = (DRAW, LOSS, DRAW, LOSS, DRAW)

    def visits(cancel_at: int) -> list[int]:
        plays = Plays()
        state = Corridor(results, plays)
        bot = tesuji.MCTS(Rules(state), rave="off", solver=False, seed=3, move_ordering=move_ordering)
        done = 0
        if cancel_at:
            plays.at, plays.then = cancel_at, bot.cancel
            done = bot.analyse(state, iterations=60).iterations
        found = bot.analyse(state, iterations=60 - done)
        assert found.visits == 60
        return sorted(candidate.visits for candidate in found.candidates)

    undisturbed = visits(0)
    for at in range(10, 129 * 12, 97):
        assert visits(at) == undisturbed


def test_an_interrupted_playout_is_not_evaluated() -> None:
    plays = Plays()
    state = Corridor((WIN, LOSS), plays, length=400)
    bot = tesuji.MCTS(Rules(state), iterations=100, playout_depth=300, rave="off", seed=1)
    plays.at, plays.then = 50, bot.cancel
    cancelled = bot.analyse(state)
    assert (cancelled.stopped, cancelled.iterations, cancelled.visits) == ("cancelled", 0, 0)


def random_policy(state: Any, player: int, moves: list[Any], rng: random.Random) -> Any:
    return rng.choice(moves)


class Veiled(Corridor):
    """The same by the search for hidden information, with nothing to imagine."""

    def play(self, move: int) -> Veiled:
        after = super().play(move)
        return Veiled(after.results, after.plays, after.chosen, after.ply, after.length)

    def determinize(self, player: int, rng: random.Random) -> Veiled:
        return self


@pytest.mark.parametrize("how", ["cancel", "seconds"])
@pytest.mark.parametrize("kind", [Corridor, Veiled])
@pytest.mark.parametrize("policy", ["off", random_policy])
def test_a_playout_of_slow_rules_stops_at_the_next_ply(policy: Any, kind: type[Corridor], how: str) -> None:
    plays = Plays()
    state = kind((WIN, LOSS), plays, length=1000)
    seconds = GENEROUS if how == "cancel" else 0.05
    bot = tesuji.MCTS(Rules(state), seconds=seconds, playout_policy=policy, seed=1)
    plays.at, plays.then = 30, bot.cancel if how == "cancel" else lambda: time.sleep(0.1)
    found = bot.analyse(state)
    assert found.stopped == ("cancelled" if how == "cancel" else "seconds")
    assert plays.count <= 30


@dataclass(frozen=True)
class Endless:
    """The same moves again and again."""

    plays: Plays
    player: int = 0

    def moves(self) -> Sequence[int]:
        return range(5)

    def play(self, move: int) -> Endless:
        self.plays.note()
        return Endless(self.plays, 1 - self.player)

    def scores(self) -> None:
        return None


def test_a_search_with_a_network_collects_no_more_leaves_when_time_is_up() -> None:
    plays = Plays()
    state = Seen(Endless(plays))
    search = searcher(SeenRules(state), leaves=64)
    plays.count, plays.at, plays.then = 0, 400, lambda: time.sleep(0.5)
    assert search.search(state, 0, 0.5, False)["stopped"] == "seconds"
    assert plays.count <= 400


# Before the first simulation


@dataclass(frozen=True)
class Wide:
    """Many moves, of which the last wins at once."""

    width: int
    plays: Plays = field(compare=False)
    over: bool = False
    player: int = 0

    def moves(self) -> Sequence[int]:
        return () if self.over else range(self.width)

    def play(self, move: int) -> Wide:
        self.plays.note()
        return Wide(self.width, self.plays, move == self.width - 1, 1 - self.player)

    def scores(self) -> Scores | None:
        return (LOSS if self.player == 0 else WIN) if self.over else None


@pytest.mark.parametrize("how", ["cancel", "seconds"])
def test_the_expansion_of_a_large_root_stops_when_the_search_does(how: str) -> None:
    plays = Plays()
    state = Wide(200, plays)
    bot = tesuji.MCTS(Rules(state), seconds=GENEROUS if how == "cancel" else 0.02, seed=1)
    plays.at, plays.then = 20, bot.cancel if how == "cancel" else lambda: time.sleep(0.05)
    found = bot.analyse(state)
    assert (found.stopped, found.iterations) == ("cancelled" if how == "cancel" else "seconds", 0)
    assert plays.count <= 21
    assert {candidate.move for candidate in found.candidates} == set(state.moves())
    # What was not looked at is looked at now.
    plays.at = 0
    assert bot.analyse(state, iterations=1).move == 199


class SlowWide(Wide):
    """The same, a few milliseconds for each move."""

    def play(self, move: int) -> Wide:
        time.sleep(0.005)
        return super().play(move)


@pytest.mark.parametrize("search", [tesuji.MCTS, tesuji.AlphaBeta])
def test_a_time_limit_holds_with_slow_rules(search: Any) -> None:
    plays = Plays()
    slow = SlowWide(10_000, plays)
    found = search(Rules(slow), seconds=0.1, seed=1).analyse(slow)
    assert found.stopped == "seconds"
    assert plays.count <= 40  # of ten thousand


def test_the_root_expansion_with_a_network_stops_when_the_search_does() -> None:
    plays = Plays()
    state = Seen(Wide(20, plays))
    search = searcher(SeenRules(state))
    plays.count, plays.at, plays.then = 0, 5, lambda: time.sleep(0.05)
    found = search.search(state, 0, 0.02, False)
    assert (found["stopped"], found["iterations"]) == ("seconds", 0)
    assert plays.count <= 5


@pytest.mark.parametrize("raises", [False, True])
def test_progress_is_reported_during_the_root_expansion(raises: bool) -> None:
    plays = Plays()
    slow = SlowWide(10_000, plays)
    bot = tesuji.MCTS(Rules(slow), seconds=GENEROUS, seed=1)

    def progress(so_far: tesuji.Analysis) -> None:
        assert (so_far.stopped, so_far.iterations, len(so_far.candidates)) == ("running", 0, 10_000)
        bot.cancel()
        if raises:
            raise RulesBroke

    if raises:
        with pytest.raises(RulesBroke):
            bot.analyse(slow, progress=progress)
    else:
        assert bot.analyse(slow, progress=progress).stopped == "cancelled"
    assert plays.count < 1000
    assert bot.analyse(slow, seconds=0.01).stopped == "seconds"


def test_the_check_for_wins_beside_a_threat_stops_when_time_is_up() -> None:
    plays = Plays()
    state = Wide(200, plays)

    def block(state: Any, player: int) -> tesuji.Threat | None:
        return tesuji.Threat(moves=[0], urgent=True)

    bot = tesuji.MCTS(Rules(state), seconds=GENEROUS, threat_response=block, seed=1)
    plays.at, plays.then = 20, bot.cancel
    found = bot.analyse(state)
    assert (found.stopped, plays.count) == ("cancelled", 20)
    # The restriction would have left the win out, had it been made without having looked for one.
    assert bot.analyse(state, iterations=1).move == 199


# Nothing waits for ever


def ends(program: str) -> str:
    """What a program prints; it is ended where it does not end by itself."""
    run = [sys.executable, "-c", textwrap.dedent(program)]
    return subprocess.run(run, capture_output=True, text=True, check=True, timeout=GENEROUS).stdout


@pytest.mark.parametrize("first_play", ["off", 0.5])
@pytest.mark.parametrize("how", ["soft", "hard"])
def test_priors_that_underflow_do_not_hang_the_search(how: str, first_play: Any) -> None:
    shown = ends(f"""
        import tesuji
        from tests.search.small_games import Walk
        from tests.search.test_proximity import Known

        knowledge = tesuji.Knowledge(
            move_ordering=lambda state, player, moves: {{-1: 1e30, 1: 1}},
            proximity=lambda state, player, moves, hard: [0 if move == -1 else 1e-20 for move in moves],
        )
        game = Known(Walk(20), knowledge=knowledge)
        bot = tesuji.MCTS(game, iterations=100, proximity="{how}", first_play="{first_play}", seed=1)
        found = bot.analyse(game.start())
        print(found.stopped, round(sum(candidate.prior for candidate in found.candidates), 3))
        print(tesuji.AlphaBeta(game, depth=3, proximity="{how}", seed=1).analyse(game.start()).stopped)
    """)
    assert shown.split() == ["iterations", "1.0", "depth"]


@pytest.mark.threads
def test_threads_waiting_for_the_same_node_stop_with_the_search() -> None:
    # One move at the root: all threads but one find it taken, again and again.
    game = tesuji.game("hex:size=2")
    state = tesuji.replay(game, "a1 b1 b2")
    for _ in range(50):
        found = tesuji.MCTS(game, iterations=64, threads=4, solver=False).analyse(state)
        assert (found.iterations, found.visits) == (64, 64)


# Sums


def test_sums_of_a_move_that_always_wins_do_not_overflow() -> None:
    game = tesuji.game("hex:size=2")
    state = tesuji.replay(game, "a1 b1 b2")
    bot = tesuji.MCTS(game, iterations=2**23 + 100, solver=False, rave="node", knowledge="off", seed=1)
    (only,) = bot.analyse(state).candidates
    assert (only.visits, only.value, only.amaf) == (2**23 + 100, 1.0, 1.0)


def test_a_search_that_was_interrupted_can_be_used_again() -> None:
    game = ConnectFour()
    bot = tesuji.MCTS(game, seconds=0.02, seed=1)
    for _ in range(3):
        bot.analyse(game.start())
    assert bot.analyse(game.start(), iterations=100).iterations == 100
