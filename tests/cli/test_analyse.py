"""`tesuji analyse`: the candidates of a position, live and at the end, as a table, JSON and a picture."""

import json
import re
import signal
import xml.etree.ElementTree as ElementTree
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import tesuji
from tests.cli.terminal import PATIENCE, Terminal, begin, run
from tesuji.adapter import full_state
from tesuji.cli import main
from tesuji.search import Candidate
from tesuji.search.analysis_text import proof_text, value_text


def test_the_table_shows_the_candidates_that_the_search_found(capsys: pytest.CaptureFixture[str]) -> None:
    bot = "mcts:iterations=500,seed=1,rave=node"
    assert main(["analyse", "hex:size=7", "--moves", "d4 c3", "--bot", bot, "--top", "5"]) == 0
    shown = capsys.readouterr().out
    state = tesuji.replay("hex:size=7", "d4 c3")
    found = tesuji.MCTS(tesuji.game("hex:size=7"), iterations=500, seed=1, rave="node").analyse(state)
    assert str(state) in shown
    assert "Black to move" in shown
    heading, rows = re.split(r"\n─+\n", shown)
    assert heading.splitlines()[-1].split() == ["move", "visits", "win", "rate", "prior", "RAVE", "line"]
    for candidate, row in zip(found.candidates[:5], rows.splitlines()[:5], strict=True):
        assert row.split()[:2] == [full_state(state).text(candidate.move), f"{candidate.visits:,}"]
        assert row.split()[2] == f"{candidate.value:.1%}"
    assert "… and 42 more moves" in rows
    assert "500 simulations" in rows
    assert "Simulation limit reached" in rows
    assert max(map(len, shown.splitlines())) <= 80


def test_a_proof_is_shown(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["analyse", "hex:size=3", "--moves", "b2,a1"]) == 0
    shown = capsys.readouterr().out
    assert "proven" in shown
    assert " win " in shown
    assert re.search(r"Result proven\nBest: [a-c][1-3], proven win\n$", shown)


def test_alpha_beta_shows_bounds_as_bounds_and_counts_the_plies_of_a_proof(
    capsys: pytest.CaptureFixture[str],
) -> None:
    def rows_and_json(bot: str) -> Iterator[tuple[str, Any]]:
        line = ["analyse", "hex:size=3", "--moves", "a1", "--bot", bot]
        assert main(line) == main([*line, "--json"]) == 0
        table, _, data = capsys.readouterr().out.partition("{\n")
        rows = {row.split()[0]: row for row in table.splitlines() if re.match("[a-c][1-3] ", row)}
        for candidate in json.loads("{" + data)["candidates"]:
            yield rows[candidate["move"]], candidate
        yield table.splitlines()[-1], json.loads("{" + data)

    *candidates, _ = rows_and_json("alphabeta:depth=3,value=off,seed=1")
    for row, candidate in candidates:
        assert ("≤ 50.0%" in row) == (not candidate["exact"])
    assert {candidate["exact"] for _, candidate in candidates} == {True, False}
    *candidates, (last, found) = rows_and_json("alphabeta:value=off,seed=1")
    assert (last, found["plies"]) == ("Best: b2, proven win in 5 plies", 5)
    for row, candidate in candidates:
        assert ("win in 5 plies" in row) == (candidate["proven"] == 1.0) == (candidate["plies"] == 5)


def test_alpha_beta_values_are_shown_as_exact_bounded_or_unknown() -> None:
    def said(value: float, proven: float | None, exact: bool, plies: int | None = None) -> tuple[str, str]:
        candidate = Candidate("a1", 7, value, 0.1, None, proven, ("a1",), exact, plies)
        return value_text(candidate), proof_text(candidate)

    assert said(0.432, None, True) == ("43.2%", "")
    assert said(0.432, None, False) == ("≤ 43.2%", "")
    assert said(1.0, None, False) == ("–", ""), "at most a win: nothing is known"
    assert said(0.0, None, False) == ("–", ""), "not yet searched"
    assert said(1.0, 1.0, True, 1) == ("100.0%", "win in 1 ply")
    assert said(0.0, 0.0, True, 6) == ("0.0%", "loss in 6 plies")
    assert said(0.0, 0.0, False, 6) == ("0.0%", "loss in ≤ 6 plies")
    assert said(0.5, 0.5, True) == ("50.0%", "draw")


def test_json_is_all_that_is_printed(capsys: pytest.CaptureFixture[str]) -> None:
    arguments = [
        "analyse",
        "hex:size=5",
        "--moves",
        "c3 d2",
        "--bot",
        "mcts:iterations=200,seed=1,prover=off",
        "--json",
    ]
    assert main(arguments) == 0
    found = json.loads(capsys.readouterr().out)
    assert (found["game"], found["bot"]) == ("hex:size=5", "mcts:iterations=200,seed=1,prover=off")
    assert (found["moves"], found["player"], found["iterations"]) == (["c3", "d2"], 0, 200)
    assert len(found["candidates"]) == 23
    assert sum(candidate["visits"] for candidate in found["candidates"]) == found["visits"]
    assert main([*arguments, "--top", "2"]) == 0
    assert len(json.loads(capsys.readouterr().out)["candidates"]) == 2


def test_a_seed_makes_the_analysis_repeatable(capsys: pytest.CaptureFixture[str]) -> None:
    found = []
    for _ in range(2):
        assert main(["analyse", "hex:size=5", "--bot", "mcts:iterations=200", "--seed", "3", "--json"]) == 0
        found.append(json.loads(capsys.readouterr().out))
    assert found[0]["bot"] == "mcts:iterations=200,seed=3"
    assert found[0]["candidates"] == found[1]["candidates"]


@pytest.mark.parametrize("moves", ["", "a2"])
def test_the_picture_is_svg(moves: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "heat.svg"
    game = "hex:size=3,swap=on"
    assert main(["analyse", game, "--moves", moves, "--bot", "mcts:iterations=50", "--svg", str(path)]) == 0
    assert ElementTree.fromstring(path.read_text(encoding="utf-8")).tag == "{http://www.w3.org/2000/svg}svg"


def test_ctrl_c_gives_the_best_so_far_live_at_a_terminal() -> None:
    with Terminal("analyse", "hex", "--bot", "mcts:seconds=1000") as terminal:
        terminal.expect("Searching · Ctrl-C stops")
        terminal.interrupt()
        terminal.expect("Stopped by Ctrl-C")
        assert terminal.end() == 0


TELLING = """
import sys, tesuji

@tesuji.register_bot("telling")
class Telling(tesuji.MCTS):
    def analyse(self, state, *, progress):
        def tell(analysis):
            print("searching", file=sys.stderr, flush=True)
            progress(analysis)
        return super().analyse(state, progress=tell)
"""


def test_ctrl_c_gives_the_best_so_far_as_json(tmp_path: Path) -> None:
    path = tmp_path / "telling.py"
    path.write_text(TELLING)
    process = begin(
        "analyse", "hex", "--bot", "telling:seconds=1000,prover=off", "--json", "--load", str(path)
    )
    assert process.stderr is not None
    assert process.stderr.readline() == "searching\n"
    process.send_signal(signal.SIGINT)
    printed, _ = process.communicate(timeout=PATIENCE)
    found = json.loads(printed)
    assert (process.returncode, found["stopped"]) == (0, "cancelled")
    assert found["iterations"] == sum(candidate["visits"] for candidate in found["candidates"]) > 0


def test_a_users_game_is_analysed(nim: str) -> None:
    done = run("analyse", "nim:matches=6", "--load", nim, "--json")
    found = json.loads(done.stdout)
    assert (done.returncode, found["move"], found["proven"]) == (0, "2", 1.0)


def test_a_bot_without_progress_or_cancel_can_analyse(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "bot.py"
    path.write_text(
        "import tesuji\n"
        "@tesuji.register_bot('plain')\n"
        "class Plain:\n"
        "    def __init__(self, game, iterations: int = 50):\n"
        "        self.bot = tesuji.MCTS(game, iterations=iterations, prover='off')\n"
        "    def choose(self, state): return self.bot.choose(state)\n"
        "    def analyse(self, state): return self.bot.analyse(state)\n"
    )
    assert main(["analyse", "hex:size=5", "--bot", "plain:iterations=60", "--load", str(path)]) == 0
    assert "60 simulations" in capsys.readouterr().out
