"""Thinking longer helps: the search finds the truth as simulations grow, with every option of selection."""

from __future__ import annotations

import itertools
import math
import random
from typing import Any

import pytest

import tesuji
from tests.search.helpers import hex_state
from tests.search.random_games import Wander, random_place
from tests.search.small_games import Rules

OPTIONS = [
    {"rave": rave, "first_play": first_play, "prior_weight": prior_weight, "exploration": exploration}
    for rave, first_play, prior_weight, exploration in itertools.product(
        ["off", "node", "global"], [None, 0.5], [0.0, 1.0], [0.0, 0.3, math.sqrt(2)]
    )
]
EVERY_OPTION = pytest.mark.parametrize(
    "options", OPTIONS, ids=lambda options: ",".join(f"{key}={value}" for key, value in options.items())
)

# Positions on 5×5 with one winning move, by the solver. RAVE alone starves the last one.
ONLY_MOVES = {
    "c5 d3": "c3",
    "d5 e3 b4 b3 c3": "d1",
    "d5 c2": "d2",
    "a4 b1 c2 c3 b3 a5 b4 b5 c4 c5": "e4",
    "a4 c3 b3 a5 b4": "c2",
    "d5 d2 c2 c3": "a4",
    "e4 d3": "c3",
    "b2 b3": "c3",
    "b1 b3": "c3",
    "e1 c2 c3 d2 a4 b4": "b3",
}


def found_in_hex(iterations: int, options: dict[str, Any]) -> int:
    """How many of the winning moves are chosen."""
    found = 0
    for moves, only in ONLY_MOVES.items():
        state = hex_state(5, moves)
        bot = tesuji.MCTS(state.game, iterations=iterations, seed=1, expand_after=1, prover="off", **options)
        found += state.text(bot.choose(state)) == only
    return found


def exact(state: Wander) -> float:
    """The score of player 0 under best play."""
    if (scores := state.scores()) is not None:
        return scores[0]
    best = max if state.player == 0 else min
    return best(exact(state.play(move)) for move in state.moves())


def loss(state: Wander, iterations: int, options: dict[str, Any]) -> float:
    """What the chosen move gives away."""
    bot = tesuji.MCTS(Rules(state), iterations=iterations, seed=1, solver=False, **options)
    return abs(exact(state) - exact(state.play(bot.choose(state))))


def small_game(seed: int) -> Wander:
    """A random game in which the first move matters."""
    for number in itertools.count():
        rng = random.Random(f"{seed} {number}")
        state = Wander(random_place(rng, layers=6, width=4, ends=0.1, alternate=True))
        if len({exact(state.play(move)) for move in state.moves()}) > 1:
            return state
    raise AssertionError


@EVERY_OPTION
def test_every_move_is_visited_again_as_simulations_grow(options: dict[str, Any]) -> None:
    state = hex_state(4, "b2")
    least = []
    for iterations in (100, 2_500, 62_500):
        bot = tesuji.MCTS(state.game, iterations=iterations, seed=1, solver=False, expand_after=1, **options)
        least.append(min(candidate.visits for candidate in bot.analyse(state).candidates))
    assert least[0] <= least[1] < least[2]


@EVERY_OPTION
def test_more_simulations_find_more_winning_moves(options: dict[str, Any]) -> None:
    few, more = (found_in_hex(iterations, options) for iterations in (1_000, 10_000))
    assert few <= more
    assert more >= 5


@pytest.mark.slow
@EVERY_OPTION
def test_a_hundred_times_the_simulations_find_most_winning_moves(options: dict[str, Any]) -> None:
    counts = [found_in_hex(iterations, options) for iterations in (10_000, 100_000, 1_000_000)]
    assert counts[-1] == max(counts)
    # Where neither RAVE nor priors nor a first try of each move guide the search, a move that starts badly
    # has few visits even then: about the root of all.
    unguided = options["rave"] == "off" and options["first_play"] is not None and not options["prior_weight"]
    if unguided:
        assert counts[0] < counts[-1] or counts[-1] == len(ONLY_MOVES)
    else:
        # Without exploration and priors, RAVE of the whole tree starves one more.
        greedy = options["rave"] == "global" and not options["prior_weight"] and not options["exploration"]
        assert counts[-1] >= (7 if greedy else 8)


def test_the_starved_winning_move_is_found() -> None:
    state = hex_state(5, "e1 c2 c3 d2 a4 b4")
    found = tesuji.MCTS(state.game, iterations=300_000, seed=1, prover="off").analyse(state)
    assert state.text(found.move) == "b3"


@EVERY_OPTION
def test_random_games_are_played_better_with_more_simulations(options: dict[str, Any]) -> None:
    games = [small_game(seed) for seed in range(6)]
    few, more = (sum(loss(game, iterations, options) for game in games) for iterations in (30, 3_000))
    assert more <= few
    assert more <= 0.25


@pytest.mark.slow
@EVERY_OPTION
def test_random_games_are_played_perfectly_in_the_end(options: dict[str, Any]) -> None:
    for seed in range(6):
        game = small_game(seed)
        losses = [loss(game, iterations, options) for iterations in (1_000, 10_000, 100_000, 1_000_000)]
        assert losses == sorted(losses, reverse=True)
        assert losses[-1] == 0
