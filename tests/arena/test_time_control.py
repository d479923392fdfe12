"""Games with a clock: time management, and losses on time."""

from __future__ import annotations

import re
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.registered import registered
from tesuji.any_game import Game, Move, State, game
from tesuji.arena.match import Goal, Match, Pairing
from tesuji.arena.playing import GameBots, Task, play
from tesuji.arena.report import match_data, match_lines
from tesuji.arena.time_control import GameClock, TimeControl
from tesuji.bots.timing import SHORTEST
from tesuji.records.record import LOST_ON_TIME
from tesuji.records.store import Store
from tesuji.registry import bots

TOLD: list[Any] = []
PLENTY = TimeControl(1000, 10)  # seconds; nobody who plays at once oversteps it, on any machine


class First:
    """The first move, at once."""

    def __init__(self, game: Game) -> None:
        pass

    def choose(self, state: State) -> Move:
        return state.moves()[0]


class Sleeper(First):
    """Exceeds its time."""

    def choose(self, state: State) -> Move:
        time.sleep(0.1)
        return super().choose(state)


class Manager(First):
    """Manages its time itself."""

    def time_left(self, seconds: float, increment: float) -> None:
        TOLD.append((seconds, increment))


class Hurried(First):
    """Takes `seconds` per move."""

    def __init__(self, game: Game, seconds: float = 99.0) -> None:
        TOLD.append(seconds)


@pytest.fixture(autouse=True)
def own_bots(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(GameBots, "_cache", [])
    TOLD.clear()
    with registered(bots, first=First, sleeper=Sleeper, manager=Manager, hurried=Hurried):
        yield
    TOLD.clear()


@pytest.mark.parametrize(
    ("text", "seconds", "increment"),
    [("10+0.1", 10, 0.1), ("60", 60, 0), ("0.5+0", 0.5, 0), ("1e3+2", 1000, 2), (" 5 + 1 ", 5, 1)],
)
def test_a_clock_is_read_and_written(text: str, seconds: float, increment: float) -> None:
    clock = TimeControl.parse(text)
    assert clock == TimeControl(seconds, increment)
    assert TimeControl.parse(str(clock)) == clock


@pytest.mark.parametrize("text", ["", "+", "ten", "1+x", "nan", "inf", "1+nan", "1+1+1", "1:30", "+1", "5+"])
def test_an_invalid_clock_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=rf"not {re.escape(repr(text))}$"):
        TimeControl.parse(text)


@pytest.mark.parametrize("text", ["0", "-1", "1+-1", "1e9", "0+1"])
def test_a_clock_without_time_or_with_too_much_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="seconds > 0"):
        TimeControl.parse(text)


@pytest.mark.parametrize("spec", ["hex:size=7", "gomoku", "onitama", "gofish:players=4"])
@pytest.mark.parametrize("control", [TimeControl(10), TimeControl(10, 0.1), TimeControl(1, 9)])
def test_a_bot_that_keeps_its_budget_never_runs_out_of_time(control: TimeControl, spec: str) -> None:
    clock = GameClock(control, game(spec))
    for move in range(300):
        budget = clock.budget(1, ply=2 * move, legal=max(1, 225 - move))
        assert SHORTEST <= budget <= clock.left[1] / 2
        assert clock.spend(1, budget)
    assert clock.left[0] == control.seconds


def test_a_bot_that_runs_out_of_time_loses_and_the_record_says_so() -> None:
    task = Task(game="hex:size=3", players=("sleeper", "first"), seed=1, clock=TimeControl(0.05))
    record = play(task)
    assert (record.scores, record.ending, record.moves) == ((0.0, 1.0), "hung", ())
    assert record.fault == f"sleeper: {LOST_ON_TIME}"


def test_without_a_clock_nobody_loses_on_time() -> None:
    record = play(Task(game="hex:size=2", players=("sleeper", "first"), seed=1))
    assert record.ending == "played"


def test_a_bot_with_a_clock_gets_its_time_and_increment() -> None:
    record = play(Task(game="hex:size=3", players=("manager", "first"), seed=1, clock=PLENTY))
    assert record.ending == "played"
    taken = [note.seconds for note in record.notes if note is not None and note.player == 0]
    lefts = [left for left, _ in TOLD]
    assert {increment for _, increment in TOLD} == {PLENTY.increment}
    expected = [PLENTY.seconds - sum(taken[:move]) + move * PLENTY.increment for move in range(len(taken))]
    assert lefts == pytest.approx(expected, abs=1e-3)  # notes are rounded


def test_a_bot_with_seconds_gets_a_share_capped_by_its_own_budget() -> None:
    play(Task(game="hex:size=3", players=("hurried", "first"), seed=1, clock=PLENTY))
    made, *shares = TOLD
    assert made == 99.0
    assert shares
    assert all(8 < seconds < 600 for seconds in shares)  # 0.8·10 and a part of what is left
    TOLD.clear()
    record = play(
        Task(game="hex:size=3", players=("mcts:iterations=20,prover=off", "first"), seed=1, clock=PLENTY)
    )
    visits = [note.visits for note in record.notes if note and note.visits]
    assert visits[0] == 20  # its own limit stays


def test_a_match_by_the_clock_is_another_match_and_its_report_names_the_clock(tmp_path: Path) -> None:
    players = ("random:seed=1", "random:seed=2")
    plain, timed = Pairing("hex:size=3", players), Pairing("hex:size=3", players, clock="1000+10")
    assert "clock" not in plain.plan
    assert plain.key != timed.key
    with Store(tmp_path / "games.db") as store:
        match = Match(timed, Goal(games=2), store)
        assert [record.ending for record in match.play()] == ["played", "played"]
    assert match_lines(match)[1].endswith(", clock 1000+10):")
    assert match_data(match)["clock"] == "1000+10"
