"""The benchmark of the threat solver counts its verdicts."""

from pathlib import Path

import pytest

import tesuji
from benchmarks import gomoku_vct


def test_problems_are_counted_by_verdict(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    won = tesuji.replay("gomoku:size=9,rule=renju", "d5 a1 e5 a3 d6 i9 d7 i1")  # an open three
    (tmp_path / "three.txt").write_text(f"{won}\nBlack to move")
    (tmp_path / "empty.txt").write_text(f"{tesuji.game('gomoku:size=9').start()}\nBlack to move")
    gomoku_vct.main([str(tmp_path), "--game", "gomoku:size=9,rule=renju", "--seconds", "60"])
    named, _, verdicts, *_ = capsys.readouterr().out.splitlines()
    assert named == "empty.txt: no such win"
    assert verdicts == "1 won, 0 unknown, 1 none"


def test_wins_are_read_from_a_file_of_positions(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "wins.txt"
    file.write_text("# a game and its moves\ngomoku:size=9 d5 a1 e5 a3 d6 i9 d7 i1\ngomoku:size=9 e5 a1\n")
    gomoku_vct.main([str(file), "--seconds", "60"])
    named, _, verdicts, *_ = capsys.readouterr().out.splitlines()
    assert named == "line 3: no such win"
    assert verdicts == "1 won, 0 unknown, 1 none"
