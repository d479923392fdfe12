"""The bot that plays by the objectives alone."""

from typing import Any

import pytest

import tesuji
from examples.connect_four import ConnectFour


def test_heuristic_plays_the_move_with_the_best_own_objectives() -> None:
    state: Any = tesuji.replay("hex:size=5", "c3 b4 c2 d3")
    objectives = state.game.knowledge.objectives
    values = {move: objectives.value(state.play(move), state.player) for move in state.moves()}
    best = {move for move, value in values.items() if value == max(values.values())}
    assert {tesuji.bot(f"heuristic:seed={seed}", state.game).choose(state) for seed in range(20)} <= best


def test_heuristic_beats_random_play() -> None:
    state: Any = tesuji.game("hex:size=7").start()
    bots = [tesuji.bot("heuristic:seed=1", state.game), tesuji.bot("random:seed=1", state.game)]
    while state.scores() is None:
        state = state.play(bots[state.player].choose(state))
    assert state.scores() == (1.0, 0.0)


def test_heuristic_without_objectives_is_refused_in_one_line() -> None:
    with pytest.raises(ValueError, match="heuristic needs objectives"):
        tesuji.bot("heuristic", ConnectFour())
