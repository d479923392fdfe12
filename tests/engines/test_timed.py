"""Bots with a clock: those without an option `seconds` are cancelled, and illegal moves are faults."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from typing import Any

import pytest

import tesuji
from tests.registered import registered
from tesuji.any_game import Game, Move, State
from tesuji.bots.timing import SHORTEST
from tesuji.engines.timed import TimedBot
from tesuji.registry import bots

PATIENCE = 60.0  # seconds until a test gives up; nothing is measured by it


class Thinker:
    """Thinks until it is cancelled, then plays the first move."""

    def __init__(self, game: Game) -> None:
        self.cancelled = threading.Event()

    def choose(self, state: State) -> Move:
        self.cancelled.clear()  # as a search does that begins: what came before does not count
        assert self.cancelled.wait(PATIENCE)
        return state.moves()[0]

    def cancel(self) -> None:
        self.cancelled.set()


class Cheat:
    """Moves where it likes."""

    def __init__(self, game: Game) -> None:
        pass

    def choose(self, state: State) -> Move:
        return 99


class Confused(Cheat):
    """Finds fault with every position."""

    def choose(self, state: State) -> Move:
        raise ValueError("this is no position")


@pytest.fixture(autouse=True)
def own_bots() -> Iterator[None]:
    with registered(bots, thinker=Thinker, cheat=Cheat, confused=Confused):
        yield


@pytest.mark.parametrize("seconds", [0.0, 0.1])
def test_a_bot_that_takes_no_seconds_is_cancelled_when_they_are_over(seconds: float) -> None:
    game = tesuji.game("hex:size=3")
    assert TimedBot("thinker", game).choose(game.start(), seconds) == 0


def test_a_level_is_a_bot_that_can_be_cancelled(monkeypatch: pytest.MonkeyPatch) -> None:
    game = tesuji.game("hex:size=11")
    player = TimedBot("expert:seed=1", game)
    inner, found = player.bot.own.inner, []
    search = inner.analyse

    def analyse(state: State) -> Any:
        found.append(search(state))
        return found[-1]

    monkeypatch.setattr(inner, "analyse", analyse)
    player.choose(game.start(), 0.01)
    assert [analysis.stopped for analysis in found] == ["cancelled"]


def test_a_bots_seconds_are_at_least_the_allowed_minimum() -> None:
    game = tesuji.game("hex:size=3")
    timed = TimedBot("mcts:seed=1", game)
    assert timed.choose(game.start(), 1e-9) in range(9)
    assert timed.bot.options.seconds == SHORTEST


@pytest.mark.parametrize(
    ("spec", "says"), [("cheat", "cheat chose 99, which is not legal"), ("confused", "confused: this is no")]
)
def test_errors_of_a_bot_are_faults_that_name_it(spec: str, says: str) -> None:
    game = tesuji.game("hex:size=3")
    with pytest.raises(RuntimeError, match=says):
        TimedBot(spec, game).choose(game.start())


def test_without_a_spec_the_game_chooses_the_bot_and_the_seed_goes_where_one_is_taken() -> None:
    game = tesuji.game("hex:size=3")
    assert str(TimedBot(None, game, seed=4).spec) == "zero:seed=4"
    assert str(TimedBot("cheat", game, seed=4).spec) == "cheat"


def test_the_seconds_of_a_spec_are_restored_after_a_clock() -> None:
    game = tesuji.game("hex:size=3")
    timed = TimedBot("mcts:seconds=0.0123456", game)
    with timed.within(0.002):
        assert timed.bot.options.seconds == 0.002
    with timed.within(5.0):
        assert timed.bot.options.seconds == 0.012
    with timed.within(None):
        assert timed.bot.options.seconds == 0.0123456


def test_a_warm_up_changes_nothing_and_skips_bots_that_cannot_be_stopped() -> None:
    game = tesuji.game("hex:size=5")
    fresh, warm = (TimedBot("mcts:iterations=200,seed=1", game) for _ in range(2))
    warm.warm_up(game.start())
    first, second = (timed.bot.analyse(game.start()) for timed in (fresh, warm))
    assert [one.visits for one in first.candidates] == [one.visits for one in second.candidates]
    assert TimedBot("cheat", game).warm_up(game.start()) == 0.0
