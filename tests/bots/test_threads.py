"""Threads of a bot that a person plays against: several where they make it stronger, one everywhere else."""

from __future__ import annotations

from typing import Any

import pytest

import tesuji
from examples.connect_four import ConnectFour
from tesuji.adapter import full_game
from tesuji.bots.threads import with_threads
from tesuji.games import GoFish, Gomoku, Hex, Onitama
from tesuji.registry import bots
from tesuji.spec import Spec


@pytest.mark.parametrize(
    ("spec", "game"),
    [
        ("mcts:seconds=1", Hex()),
        ("mcts:seconds=1,iterations=off", Gomoku()),
        ("alphabeta:seconds=1", Onitama()),
        ("zero:seconds=1", Hex()),
    ],
)
def test_a_search_limited_by_time_uses_the_cores(spec: str, game: Any) -> None:
    assert with_threads(Spec.parse(spec), game, 8).options["threads"] == "8"


def test_at_most_16_cores_are_used() -> None:
    used = {cores: with_threads(Spec.parse("mcts:seconds=1"), Hex(), cores) for cores in (3, 8, 15, 16, 64)}
    assert [spec.options["threads"] for spec in used.values()] == ["3", "8", "15", "16", "16"]


@pytest.mark.parametrize(
    ("spec", "game"),
    [
        ("mcts", Hex()),
        ("mcts:iterations=1000", Hex()),
        ("mcts:iterations=1000,seconds=9", Hex()),
        ("alphabeta:depth=9,seconds=9", Onitama()),
        ("zero:visits=100", Hex()),
        ("mcts:seconds=1,seed=3", Hex()),
        ("mcts:seconds=1,threads=2", Hex()),
        ("alphabeta:seconds=1,memory=off", Onitama()),
        ("mcts:seconds=1", ConnectFour()),
        ("alphabeta:seconds=1", ConnectFour()),
        ("mcts:seconds=1", GoFish()),
        ("expert", Hex()),
        ("random", Hex()),
    ],
)
def test_everything_else_is_left_as_it_is(spec: str, game: Any) -> None:
    assert str(with_threads(Spec.parse(spec), game, 8)) == spec


def test_one_core_means_one_thread() -> None:
    assert str(with_threads(Spec.parse("mcts:seconds=1"), Hex(), 1)) == "mcts:seconds=1"


@pytest.mark.parametrize("spec", ["mcts:seconds=0.01", "alphabeta:seconds=0.01"])
def test_every_native_game_takes_the_threads_that_it_is_given(spec: str) -> None:
    for game in (Hex(size=5), Gomoku(size=7), Onitama()):
        chosen = with_threads(Spec.parse(spec), game, 3)
        state = full_game(game).start(1)
        assert bots.make(chosen, game).choose(state) in state.moves()


@pytest.mark.parametrize("name", ["mcts", "alphabeta", "zero"])
def test_from_python_a_bot_has_one_thread(name: str) -> None:
    bot: Any = tesuji.bot(f"{name}:seconds=1", "hex")
    assert bot.options.threads == 1
