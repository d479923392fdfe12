"""`tesuji.match` and `tesuji.tournament`: contests in one call, as a script or a notebook makes them."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import tesuji
from examples.tic_tac_toe import TicTacToe
from tests.registered import unchanged
from tesuji.arena.match import Goal, Match, Pairing
from tesuji.arena.progress import Status, TerminalBar, with_progress
from tesuji.records import Store
from tesuji.registry import bots, games


@pytest.fixture(autouse=True)
def own_names() -> Iterator[None]:
    """What is registered here is forgotten afterwards."""
    with unchanged(games), unchanged(bots):
        yield


class First:
    """Plays the first legal move; counts its games."""

    def __init__(self) -> None:
        self.games = self.closed = 0

    def choose(self, state: tesuji.State) -> tesuji.Move:
        return state.moves()[0]

    def reset(self) -> None:
        self.games += 1

    def close(self) -> None:
        self.closed += 1


def test_a_match_is_that_of_the_arena(tmp_path: Path) -> None:
    result = tesuji.match("hex:size=4", "mcts:iterations=60", "mcts:iterations=20", games=8)
    with Store(tmp_path / "games.db") as store:
        pairing = Pairing("hex:size=4", ("mcts:iterations=60", "mcts:iterations=20"))
        match = Match(pairing, Goal(games=8), store)
        list(match.play())
        assert [row["score"] for row in result.to_dicts()] == [game.score for game in match.games]
        assert result.elo == match.counts.elo()
    assert result.games == len(result.to_dicts()) == 8
    assert result.wins + result.draws + result.losses == 8
    assert {row["first_mover"] for row in result.to_dicts()} == set(result.bots)
    assert repr(result).startswith("Results of mcts:iterations=60 vs mcts:iterations=20\n")
    assert result._repr_html_().startswith("<table>") and not result.note


def test_bots_are_objects_with_or_without_a_spec() -> None:
    game = tesuji.game("hex:size=3")
    mine = First()

    def policy(state: Any, player: int, moves: list[int], rng: Any) -> int:
        return moves[0]

    for bot in (tesuji.MCTS(game, iterations=50), tesuji.MCTS(game, iterations=50, playout_policy=policy)):
        result = tesuji.match(game, bot, mine, games=4)
        assert result.bots[1] == "first" and result.games == 4
        assert not [row for row in result.to_dicts() if row["fault"]]
    assert mine.games >= 8 and not mine.closed
    assert "first" not in bots.names() and "mcts" in bots.names()


def test_two_objects_of_a_class_are_two_bots() -> None:
    result = tesuji.tournament("hex:size=3", [First(), First(), "random"], rounds=1)
    assert sorted(row["bot"] for row in result.to_dicts()) == ["first", "first-2", "random"]


def test_an_object_of_another_game_is_refused() -> None:
    bot = tesuji.MCTS("hex:size=4", iterations=50)
    with pytest.raises(ValueError, match="hex:size=4, not hex:size=3"):
        tesuji.match("hex:size=3", bot, "random", games=2)
    with pytest.raises(ValueError, match="is not a bot"):
        tesuji.match("hex:size=3", 7, "random", games=2)  # type: ignore[arg-type]


def test_a_game_without_a_name_is_refused_before_anything_is_played() -> None:
    class Nameless(TicTacToe):
        pass

    with pytest.raises(ValueError, match="Nameless has no spec"):
        tesuji.match(Nameless(), "random", "random", games=2)


def test_a_tournament_of_named_bots() -> None:
    given: dict[str, Any] = {"search": "mcts:iterations=100", "mine": First(), "luck": "random"}
    result = tesuji.tournament("hex:size=3", given, rounds=2, kind="gauntlet")
    assert result.games == 8
    assert {row["bot"] for row in result.to_dicts()} == set(given)
    assert "search" in repr(result) and "<table>" in result._repr_html_()


def test_a_store_keeps_the_games_and_the_same_call_resumes(tmp_path: Path) -> None:
    path = tmp_path / "games.db"
    for games_asked in (4, 6):
        tesuji.match("hex:size=3", "mcts:iterations=20", "random", games=games_asked, store=path)
    with Store(path, create=False) as store:
        assert len(list(store.records())) == 6


def test_classes_of_a_module_play_in_worker_processes() -> None:
    result = tesuji.match("tictactoe", "mcts:iterations=20", "random", games=4, processes=2)
    assert result.games == 4 and not result.note


SCRIPT = """
import tesuji
from dataclasses import dataclass


@dataclass(frozen=True)
class State:
    left: int = 7
    player: int = 0

    def moves(self):
        return [n for n in (1, 2, 3) if n <= self.left]

    def play(self, move):
        return State(self.left - move, 1 - self.player)

    def scores(self):
        return None if self.left else (float(self.player), float(1 - self.player))


@tesuji.register_game("nim")
class Nim:
    def start(self):
        return State()


print(tesuji.match("nim", "mcts:iterations=50", "random", games=4, processes=2).note)
"""


def test_a_game_of_a_script_is_played_in_its_process_and_the_result_says_so(tmp_path: Path) -> None:
    (tmp_path / "nim.py").write_text(SCRIPT, encoding="utf-8")
    command = [sys.executable, str(tmp_path / "nim.py")]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120)
    assert "in this process" in done.stdout and "__main__" in done.stdout, done.stderr


def test_a_bot_that_a_cell_defines_again_replaces_the_old_one() -> None:
    def cell(code: str) -> tesuji.MatchResult:
        scope: dict[str, Any] = {"__name__": "cells", "tesuji": tesuji}
        exec(code, scope)
        return tesuji.match("hex:size=3", "cell-bot", "random", games=2, openings="none")

    source = '@tesuji.register_bot("cell-bot")\nclass CellBot:\n    def __init__(self, game):\n        pass\n'
    good = source + "    def choose(self, state):\n        return state.moves()[0]\n"
    bad = source + "    def choose(self, state):\n        return 99\n"
    assert cell(good).data["endings"] == {"played": 2}
    assert cell(bad).data["endings"] == {"illegal": 2}


def test_progress_passes_everything_through() -> None:
    for bar in (None, TerminalBar(), TerminalBar(log=True)):
        assert list(with_progress(iter("abc"), lambda: Status(0, 3), bar=bar)) == list("abc")
