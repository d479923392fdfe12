"""The benchmark of clocks runs; how much of them is used is its to say, not a test's."""

from __future__ import annotations

import re

import pytest

from benchmarks import clocks


def test_games_of_the_arena_are_measured(capsys: pytest.CaptureFixture[str]) -> None:
    clocks.main(["hex:size=3", "--clock", "1", "--clock", "1+0.1", "--games", "1", "--busy", "1"])
    printed = capsys.readouterr().out
    assert len(re.findall(r"hex:size=3 1\+0(?:\.1)?: used \d+%", printed)) == 2
    assert "lost on time" in printed


def test_games_over_gomocup_are_measured(capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["--gomocup", "--games", "1", "--bot", "mcts:iterations=20"]
    clocks.main([*arguments, "--clock", "20"])
    clocks.main([*arguments, "--turn", "2000"])
    printed = capsys.readouterr().out
    assert re.search(r"gomoku 20\+0: used \d+%", printed)
    assert re.search(r"gomoku 2000 ms: \d+ answers", printed)
