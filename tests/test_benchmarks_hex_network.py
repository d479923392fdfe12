"""The measures of the Hex network run; how well it does is theirs to say."""

from __future__ import annotations

import pytest

from benchmarks import hex_network


def test_the_network_is_compared_with_the_solver(capsys: pytest.CaptureFixture[str]) -> None:
    hex_network.main(["--only", "openings", "--sizes", "3", "4"])
    lines = capsys.readouterr().out.splitlines()
    assert [line.partition(",")[0] for line in lines] == ["3×3", "3×3", "4×4", "4×4"]
    assert "100 visits: winner of 9 of 9 openings, 4 of 4 replies win" in lines[1]
    assert "100 visits: winner of 16 of 16 openings, 12 of 12 replies win" in lines[3]
    assert lines[1].endswith("wins") and lines[3].endswith("wins")


def test_the_swap_and_the_match_are_measured(capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["--visits", "8", "--reference", "16", "--openings", "2", "--boards", "4"]
    hex_network.main(["--only", "swap", "mcts", *arguments, "--match-visits", "4", "--games", "2"])
    swap, match = capsys.readouterr().out.splitlines()
    assert swap.startswith("swap, 8 and 16 visits: agree after ") and "of 2 openings" in swap
    assert match.startswith("4×4, 4 visits against ") and "of 2 points" in match
