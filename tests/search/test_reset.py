"""After reset() a bot is as a new one with the same options, bit for bit."""

from __future__ import annotations

import copy
import pickle
import random
from typing import Any

import pytest

import tesuji
from examples import connect_four, tic_tac_toe  # noqa: F401
from tests.search.small_games import Rules
from tests.search.test_keys import Keyed

GAMES = ["hex:size=5,swap=on", "gomoku:size=9", "gomoku:size=7,rule=renju,swap2=on", "connect_four"]
BOTS = [
    "mcts:iterations=150,seed=3",
    "mcts:iterations=150,rave=global,seed=3",
    "alphabeta:nodes=300,seed=3",
    "greedy:seed=3",
    "random:seed=3",
    "medium:seed=3",
]


def positions(game: Any, count: int) -> list[Any]:
    """From random games, each at least two plies from its end."""
    rng = random.Random(5)
    found: list[Any] = []
    while len(found) < count:
        way = [game.start()]
        while way[-1].scores() is None:
            way.append(way[-1].play(rng.choice(list(way[-1].moves()))))
        found += rng.sample(way[:-2], min(4, len(way) - 2))
    return found


def answer(bot: Any, state: Any) -> object:
    """All that a bot says of a position, but the time it took."""
    if not bot.analyses:
        return [bot.choose(state) for _ in range(3)]
    analysis = bot.analyse(state)
    # What is kept of a Python game is measured, and the allocator may differ.
    return analysis.as_dict() | {"seconds": 0}


@pytest.mark.parametrize("spec", BOTS)
@pytest.mark.parametrize("name", GAMES)
def test_a_reset_bot_equals_a_new_one(name: str, spec: str) -> None:
    game = tesuji.game(name)
    used: Any = tesuji.bot(spec, game)
    for state in positions(game, 16):
        answer(used, state)
        used.reset()
        assert answer(used, state) == answer(tesuji.bot(spec, game), state)


# What a prover has learned of a position may find more within its limits, or something else.
@pytest.mark.parametrize("spec", ["mcts:iterations=1,seed=3", "alphabeta:nodes=1,seed=3"])
def test_reset_clears_the_prover(spec: str) -> None:
    game = tesuji.game("gomoku:size=15")
    used: Any = tesuji.bot(spec, game)
    differ = 0
    for state in positions(game, 150):
        used.reset()
        differ += answer(used, state) != answer(tesuji.bot(spec, game), state)
    assert differ == 0


@pytest.mark.parametrize("search", [tesuji.MCTS, tesuji.AlphaBeta])
def test_reset_renumbers_moves_and_keys_of_a_python_game(search: Any) -> None:
    game = Rules(Keyed(30))
    limits = {"nodes": 500} if search is tesuji.AlphaBeta else {"iterations": 300}
    used = search(game, seed=2, **limits)
    for pile in (29, 30, 7, 23):
        used.reset()
        assert answer(used, Keyed(pile)) == answer(search(game, seed=2, **limits), Keyed(pile))


@pytest.mark.parametrize("spec", ["mcts", "alphabeta", "easy", "greedy"])
@pytest.mark.parametrize("act", [pickle.dumps, copy.deepcopy])
def test_a_bot_that_cannot_be_pickled_says_what_to_do(spec: str, act: Any) -> None:
    bot = tesuji.bot(spec, tesuji.game("hex:size=5"))
    with pytest.raises(TypeError, match=r"cannot be pickled .*spec") as caught:
        act(bot)
    assert "\n" not in str(caught.value)
