"""The benchmarks of Gomoku run; that of the threat solver believes no line that is longer than need be."""

import json
from pathlib import Path

import pytest

import tesuji
from benchmarks import gomoku_proximity, gomoku_vcf, gomoku_vct
from tesuji.games.gomoku import GomokuState

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


@pytest.mark.slow
def test_proximity_has_a_row_for_each_search_and_mode(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(gomoku_proximity, "GAMES", 1)
    monkeypatch.setattr(gomoku_proximity, "LONGER", 2)
    monkeypatch.setattr(gomoku_proximity, "EQUAL", {"iterations": "20", "nodes": "50", "seconds": "0.01"})
    few = ["--questions", "6", "--most", "25", "--agree", "2", "--processes", "1", "--target", "1.01"]
    gomoku_proximity.main([*few, "--games", "2", "--with", "seed=3"])
    shown = capsys.readouterr()
    _, _, heads, _, *rows = shown.out.splitlines()
    cells = [[cell.strip() for cell in row.strip("|").split("|")] for row in (heads, *rows)]
    assert [(row[0], row[1]) for row in cells[1:]] == [
        (f"`{search}`", mode) for search in ("mcts", "alphabeta") for mode in ("off", "soft", "hard")
    ]
    assert {len(row) for row in cells} == {8}
    assert all(row[3] == "over 25" for row in cells[1:])
    assert shown.err.count("seed=3") == 6
    gomoku_proximity.main([*few[:-1], "0"])
    assert "tesuji match gomoku mcts:seconds=0.01,proximity=soft" in capsys.readouterr().err


def test_candidates_are_counted_by_their_definition() -> None:
    state = tesuji.replay("gomoku", "h8 i9 g7 h9 i8")
    assert isinstance(state, GomokuState)
    off, soft, hard = (gomoku_proximity.candidates(state, mode) for mode in ("off", "soft", "hard"))
    assert off == 220
    assert hard == 40  # 45 cells within two steps, less the stones
    assert hard < soft < off
