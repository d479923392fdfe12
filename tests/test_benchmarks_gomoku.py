"""The benchmark of the threat solver runs, and does not believe a line that is longer than need be."""

import json
from pathlib import Path

import pytest

from benchmarks import gomoku_vcf

THREE = [112, 0, 113, 30, 114, 60]  # h8 i8 j8 against a1 a3 a5


def test_the_share_is_shown_by_length(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "positions.json"
    file.write_text(json.dumps([{"moves": THREE, "plies": 3}]))
    gomoku_vcf.main(["--keep", str(file), "--seconds", "60"])
    title, _, three, every = capsys.readouterr().out.splitlines()
    assert title == "freestyle, 1 positions, 60 s each"
    assert three.split()[:3] == ["3", "1", "100.0%"]
    assert every.split()[:3] == ["all", "1", "100.0%"]
    file.write_text(json.dumps([{"moves": THREE, "plies": 1}]))
    with pytest.raises(RuntimeError, match="a line of 3 plies where 1 are enough"):
        gomoku_vcf.main(["--keep", str(file), "--seconds", "60"])


def test_positions_are_made_of_the_wanted_lengths(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(gomoku_vcf, "LENGTHS", range(3, 8, 2))
    problems = gomoku_vcf.generate(4, "standard", seed=3)
    assert sorted(problem.plies for problem in problems) == [3, 5, 7, 7]
    for problem in problems:
        board = gomoku_vcf.Windows(exact=True)
        for ply, move in enumerate(problem.moves):
            board.put(move, ply % 2)
        assert gomoku_vcf.SlowSearch(board, len(problem.moves) % 2).shortest() == problem.plies
