"""`tesuji exam`: its tables, its JSON, bad input, Ctrl-C."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from tests.arena.marks import needs_proc
from tests.cli.bad_input import check_error
from tests.cli.terminal import ROOT, Terminal
from tesuji.cli import main
from tesuji.games.onitama import Tablebase

USERS = str(ROOT / "tests" / "arena" / "users.py")


@pytest.fixture(autouse=True)
def _elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, four_men: Tablebase) -> None:
    monkeypatch.chdir(tmp_path)
    Path("4.tb").symlink_to(four_men.path)


EXAM = ["exam", "onitama", "--tablebase", "4.tb", "--processes", "2"]


def test_the_tables_have_a_row_for_each_bot_and_one_for_a_random_mover(
    capsys: pytest.CaptureFixture[str],
) -> None:
    bots = ["--bot", "alphabeta:depth=1,tablebase=4.tb", "--bot", "random"]
    assert main([*EXAM, *bots, "--positions", "40"]) == 0
    shown = capsys.readouterr().out
    lines = shown.splitlines()
    assert lines[0] == "onitama, 40 positions: 20 wins, 10 draws, 10 losses; seed 1"
    assert "Wins, and the share kept by the plies to the end:" in lines
    assert shown.count("random mover") == shown.count("alphabeta:") == 2
    assert max(map(len, lines)) <= 80
    summary, wins = (line for line in lines if line.startswith("alphabeta:"))
    assert summary.count("100.0%") == 4
    assert wins.count("100%") == 6
    assert "0.00" in summary and "0.00" in wins


def test_json_has_every_figure(capsys: pytest.CaptureFixture[str]) -> None:
    command = [*EXAM, "--bot", "faulty:how=none,after=0", "--bot", "first", "--load", USERS]
    assert main([*command, "--positions", "8", "--json"]) == 0
    facts = json.loads(capsys.readouterr().out, parse_constant=lambda word: 1 / 0)
    assert (facts["game"], facts["tablebase"], facts["seed"]) == ("onitama", "4.tb", 1)
    assert facts["questions"] == {"win": 4, "draw": 2, "loss": 2}
    assert facts["answers"] == facts["planned"] == 16
    faulty, first = facts["bots"]
    assert faulty["bot"] == "faulty:how=none,after=0"
    assert faulty["exact"]["asked"] == 6
    assert faulty["exact"]["kept"] == 0
    assert faulty["seconds_per_move"] is None
    assert facts["faults"] == {"faulty:how=none,after=0: played None, which is not legal": 8}
    assert first["loss"]["kept"] == 2
    assert sum(group["kept"] for group in first["win_by_plies"].values()) == first["win"]["kept"]
    assert 0 < facts["random_mover"]["win"]["kept"] < 4
    assert "interval" not in facts["random_mover"]["win"]
    low, high = first["exact"]["interval"]
    assert 0 <= low <= first["exact"]["kept"] / 6 <= high <= 1


def test_an_exam_of_gomoku_needs_no_tablebase(capsys: pytest.CaptureFixture[str]) -> None:
    command = ["exam", "gomoku", "--bot", "greedy", "--bot", "random", "--positions", "24"]
    assert main(command) == 0
    shown = capsys.readouterr().out
    lines = shown.splitlines()
    assert lines[0].startswith("gomoku, 24 positions: 4 five, 4 stop five, 4 open four, 4 stop four, 4")
    assert "Fours, by the win's plies:" in lines
    assert "Hold fours, by the win's plies:" in lines
    assert shown.count("random mover") == shown.count("greedy") == 3
    assert max(map(len, lines)) <= 80
    assert any(line.endswith(" ms") for line in lines)
    assert main([*command, "--json"]) == 0
    facts = json.loads(capsys.readouterr().out)
    assert facts["tablebase"] is None
    assert facts["questions"]["hold fours"] == 4
    greedy, random = facts["bots"]
    assert greedy["five"]["kept"] == greedy["stop five"]["kept"] == 4
    assert greedy["exact"]["asked"] == 24
    assert sum(group["asked"] for group in greedy["fours_by_plies"].values()) == 4
    assert random["exact"]["kept"] < greedy["exact"]["kept"]
    assert 0 < facts["random_mover"]["exact"]["kept"] < 3


def test_an_exam_without_a_bot_uses_the_games_default_bot(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([*EXAM, "--positions", "1", "--json"]) == 0
    [row] = json.loads(capsys.readouterr().out)["bots"]
    assert row["bot"] == "alphabeta"


BAD = {
    "no tablebase": ("onitama", "tesuji tablebase build onitama:cards="),
    "no tablebase of these cards": (
        "onitama:cards=ox-boar-horse-elephant-crab",
        "tesuji tablebase build onitama:cards=ox-boar-horse-elephant-crab",
    ),
    "other cards": (
        "onitama:cards=tiger-ox-horse-crab-monkey --tablebase 4.tb",
        "4.tb has the cards boar-crab-elephant-horse-ox, but the game has tiger-ox-horse-crab-monkey",
    ),
    "game without": ("gofish", "gofish … hex, gomoku, onitama"),
    "no tablebase wanted": (
        "gomoku --tablebase 4.tb",
        "gomoku has no tablebase",
    ),
    "no men wanted": ("gomoku --men 4", "gomoku has no tablebase"),
    "nothing to ask": (
        "gomoku:size=5 --positions 1",
        "no position of gomoku:size=5",
    ),
    "missing file": ("onitama --tablebase no.tb", "cannot read no.tb: No such file"),
    "directory": ("onitama --tablebase folder", "cannot read folder: "),
    "another file": ("onitama --tablebase other.tb", "cannot read other.tb: "),
    "no positions": ("onitama --tablebase 4.tb --positions 0", "invalid value for '--positions'"),
    "too many men": ("onitama --tablebase 4.tb --men 6", "men must be from 2 to 4, not 6"),
    "unknown bot": ("onitama --tablebase 4.tb --bot mtcs", "unknown bot 'mtcs'; did you mean 'mcts'?"),
    "twice the same": ("onitama --tablebase 4.tb --bot random --bot random", "random is given twice"),
    "unknown game": ("onitma --tablebase 4.tb", "unknown game 'onitma'; did you mean 'onitama'?"),
}


@pytest.mark.parametrize(("line", "says"), BAD.values(), ids=BAD)
def test_bad_input_is_a_one_line_error_and_creates_no_files(
    line: str, says: str, capsys: pytest.CaptureFixture[str]
) -> None:
    Path("folder").mkdir()
    Path("other.tb").write_text("no tablebase")
    assert main(["exam", *line.split()]) == 2
    check_error(*capsys.readouterr(), says)
    assert sorted(os.listdir()) == ["4.tb", "folder", "other.tb"]


@needs_proc
def test_ctrl_c_ends_an_exam_with_partial_results(four_men: Tablebase) -> None:
    bots = ["--bot", "mcts:seconds=0.05", "--bot", "random"]
    with Terminal(
        "exam", "onitama", "--tablebase", str(four_men.path), *bots, "--positions", "2000"
    ) as terminal:
        terminal.expect("of 4000 answers, ")
        terminal.interrupt()
        assert terminal.end() == 130
        assert "Stopped after " in terminal.unread
        assert "Traceback" not in terminal.seen
