"""`tesuji check` and `tesuji bench`."""

import json
from pathlib import Path

import pytest

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
        monkeypatch.setattr("tesuji.cli.bench.cores", lambda count=cores: count)
        assert main(["bench", "hex:size=7", "--json", *SHORT]) == 0
        found = json.loads(capsys.readouterr().out)
        assert (found["game"], found["cores"], len(found["speeds"])) == ("hex:size=7", cores, rows)
        assert all(speed["per_second"] > 0 for speed in found["speeds"])
        assert found["speeds"][1]["bot"] == "mcts:knowledge=off,rave=off"


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
