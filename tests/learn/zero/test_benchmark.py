"""The benchmark of self-play runs; how fast it is is its own to say."""

import pytest

from benchmarks import zero


def test_the_tree_is_measured(capsys: pytest.CaptureFixture[str]) -> None:
    zero.main(["--only", "tree", "--game", "gomoku:size=7", "--seconds", "0.2"])
    puct, gumbel = capsys.readouterr().out.splitlines()
    assert puct.startswith("tree, gomoku:size=7, puct: ")
    assert gumbel.startswith("tree, gomoku:size=7, gumbel: ")


def test_the_speed_relative_to_the_network_alone_is_measured(capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("torch")
    zero.main(
        ["--only", "share", "--game", "gomoku:size=7", "--seconds", "0.3", "--games", "8", "--threads", "1"]
        + ["--device", "cpu", "--net", "resnet:blocks=1,channels=8"]
    )
    assert "evaluations per second in self-play" in capsys.readouterr().out
