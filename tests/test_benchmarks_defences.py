"""The benchmark of defences counts runs that held."""

from __future__ import annotations

import pytest

from benchmarks import gomoku_defences


def test_runs_that_held_are_counted(capsys: pytest.CaptureFixture[str]) -> None:
    quick = ["--positions", "1", "--runs", "2", "--processes", "1", "--check", "0.05"]
    gomoku_defences.main(["--bot", "mcts:iterations=20,seed=1", *quick])
    assert "mcts:iterations=20,seed=1: " in (said := capsys.readouterr().out)
    assert " of 2 runs held (" in said
    assert "20 visits on average" in said


def test_no_move_holds_against_an_open_four() -> None:
    line = "gomoku:size=9 a1 e5 a3 e6 a5 e4 a7 e7 a9"
    assert not gomoku_defences.holds((f"{line} i9", "mcts:iterations=50,seed=1", 1.0))[0]
