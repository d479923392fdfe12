"""`tesuji check` and `tesuji bench`."""

import json
import re
from pathlib import Path

import pytest

import tesuji
from tests.cli.conftest import NIM
from tests.cli.terminal import run
from tesuji.cli import main

SHORT = ["--seconds", "0.01"]


@pytest.mark.parametrize("game", ["hex:size=3", "hex:size=4,swap=on"])
def test_a_correct_game_has_no_problems(game: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", game, "--games", "3"]) == 0
    assert capsys.readouterr().out == f"✓ {game}: no problems found in 3 random games.\n"


def test_problems_are_listed_with_exit_code_1(tmp_path: Path) -> None:
    path = tmp_path / "broken.py"
    path.write_text(NIM.replace("float(player == winner)", "2.0 * (player == winner)"))
    done = run("check", "nim", "--load", str(path))
    assert (done.returncode, done.stderr) == (1, "")
    problem, verdict = done.stdout.splitlines()
    assert problem.startswith("✗ each score must be a number from 0 to 1: ")
    assert verdict == "✗ nim: 1 problem found in 20 random games."


@pytest.mark.threads
def test_the_speeds_are_measured_with_as_many_threads_as_there_are(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    for cores, rows in ((1, 3), (2, 5), (64, 5)):
        monkeypatch.setattr("tesuji.cli.commands.bench.cores", lambda count=cores: count)
        assert main(["bench", "hex:size=7", "--json", *SHORT]) == 0
        found = json.loads(capsys.readouterr().out)
        assert (found["game"], found["cores"], len(found["speeds"])) == ("hex:size=7", cores, rows)
        assert all(speed["per_second"] > 0 for speed in found["speeds"])
        assert found["speeds"][1]["bot"] == "mcts:knowledge=off,rave=off"


def test_a_search_that_is_over_at_once_has_no_speed(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["bench", "hex:size=4", *SHORT]) == 0
    shown = capsys.readouterr().out
    rows = re.findall(r"^default mcts +\d +[\d.]+ +(\S+) *$", shown, re.MULTILINE)
    assert set(rows) == {"–"}
    assert "default mcts solves the start position without a simulation" in " ".join(shown.split())
    assert main(["bench", "hex:size=4", "--json", *SHORT]) == 0
    speeds = json.loads(capsys.readouterr().out)["speeds"]
    assert {speed["what"] for speed in speeds if speed["per_second"] is None} == {"default mcts"}


@pytest.mark.parametrize("command", ["check", "bench", "play", "analyse", "engine gtp"])
def test_a_file_that_registers_nothing_does_not_mean_hex(
    command: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "mine.py"
    path.write_text(NIM.replace('@tesuji.register_game("nim")', ""))
    assert main([*command.split(), "--load", str(path)]) == 2
    out, err = capsys.readouterr()
    assert out == "" and err.count("\n") == 1
    assert f"is registered by {path}; put @tesuji.register_game" in err


def test_a_file_with_a_bot_plays_hex_but_is_no_game_to_check(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "mine.py"
    path.write_text(
        "import tesuji\nfrom tesuji.bots import RandomBot\n\n"
        "@tesuji.register_bot('mine')\nclass Mine(RandomBot):\n    pass\n"
    )
    assert main(["check", "--load", str(path)]) == 2
    assert "no game is registered by" in capsys.readouterr().err
    tesuji.registry.bots.forget("mine")
    assert main(["play", "--load", str(path), "--bot", "mine"]) == 0
    assert main(["check", "hex:size=3", "--games", "1", "--load", str(path)]) == 0


def test_the_speeds_are_shown_as_a_table(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["bench", "hex:size=5", *SHORT]) == 0
    shown = capsys.readouterr().out
    assert all(
        name in shown for name in ("random playouts", "plain UCT", "default mcts", "CPUs", "bytes/sim")
    )
    assert max(map(len, shown.splitlines())) <= 80


def test_bench_measures_a_game_that_is_solved_at_once(nim: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["bench", "nim:matches=7", "--load", nim, "--json", *SHORT]) == 0
    speeds = json.loads(capsys.readouterr().out)["speeds"]
    assert all(speed["per_second"] > 0 for speed in speeds)
    assert speeds[1]["bytes_per_simulation"] is None


def test_bench_starts_after_the_deal(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["bench", "kuhn", "--load", "examples/kuhn_poker.py", "--json", *SHORT]) == 0
    assert all(speed["per_second"] > 0 for speed in json.loads(capsys.readouterr().out)["speeds"])
