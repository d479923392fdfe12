"""`--position FILE`: analyse, solve and play from diagrams and SGF."""

import io
import json
import sys
from pathlib import Path

import pytest

from tests.cli.bad_input import check_error
from tesuji.cli import main
from tesuji.records import Store

FOUR = "\n".join(["....." * 3] * 7 + [".....XXXX......"] + ["....." * 3] * 7) + "\n"
HEX = "..B\n.W.\n..B\nWhite to move\n"


@pytest.fixture
def four(tmp_path: Path) -> str:
    path = tmp_path / "four.txt"
    path.write_text(FOUR)
    return str(path)


def found(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    assert main([*arguments]) == 0
    return capsys.readouterr().out


def refused(capsys: pytest.CaptureFixture[str], says: str, *arguments: str) -> None:
    assert main([*arguments]) == 2
    check_error(*capsys.readouterr(), says)


def test_a_diagram_is_analysed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "hex.txt"
    path.write_text(HEX)
    bot = ["--bot", "mcts:iterations=200,seed=1"]
    shown = found(capsys, "analyse", "hex:size=3", "--position", str(path), *bot)
    assert shown.count("White to move") == 1
    facts = json.loads(found(capsys, "analyse", "hex:size=3", "--position", str(path), "--json", *bot))
    assert facts["game"] == "hex:size=3,position=2b/1w1/2b-w" and facts["player"] == 1
    more = json.loads(
        found(capsys, "analyse", "hex:size=3", "--position", str(path), "--moves", "c2", "--json", *bot)
    )
    assert more["player"] == 0


def test_standard_input_holds_the_position(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(HEX.encode())))
    facts = json.loads(found(capsys, "solve", "hex:size=3", "--position", "-", "--json"))
    assert facts["game"] == "hex:size=3,position=2b/1w1/2b-w"


def test_a_puzzle_is_solved(four: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    refused(capsys, "four.txt … who moves", "solve", "gomoku", "--position", four)
    puzzle = tmp_path / "black.txt"
    puzzle.write_text(f"{FOUR}Black to move")
    shown = found(capsys, "solve", "gomoku", "--position", str(puzzle))
    assert "Black wins by fours in 1 ply" in shown and shown.count("Black to move") == 1
    sgf = tmp_path / "puzzle.sgf"
    sgf.write_text("(;GM[4]SZ[15]AB[eh][fh][gh][hh]AW[aa]PL[W];W[dh])")
    shown = found(capsys, "solve", "--position", str(sgf))
    assert "Black wins by fours in 1 ply: i8" in shown
    facts = json.loads(found(capsys, "solve", "gomoku:rule=renju", "--position", str(sgf), "--json"))
    assert "rule=renju" in facts["game"]


def test_a_game_is_played_and_stored_from_a_position(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path, store = tmp_path / "hex.txt", tmp_path / "games.db"
    path.write_text(HEX)
    arguments = ["--position", str(path), "--seat", "none", "--bot", "random", "--store", str(store)]
    found(capsys, "play", "hex:size=3", "--seed", "1", *arguments)
    with Store(store) as kept:
        (stored,) = kept.records()
        assert stored.record.game == "hex:size=3,position=2b/1w1/2b-w"


def test_a_bad_position_is_one_line(four: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    sgf, binary = tmp_path / "hex.sgf", tmp_path / "binary"
    sgf.write_text("(;GM[11]SZ[3]AB[a1])")
    binary.write_bytes(b"\xff\xfe\x00")
    refused(capsys, "four.txt … 9×9 … 15", "analyse", "gomoku:size=9", "--position", four)
    refused(capsys, "No such file", "analyse", "gomoku", "--position", str(tmp_path / "none"))
    refused(capsys, "gofish … hidden", "analyse", "gofish", "--position", four)
    refused(capsys, "hex, not of gomoku", "solve", "gomoku", "--position", str(sgf))
    refused(capsys, "gomoku or hex", "solve")
    refused(capsys, "not a text file", "analyse", "hex", "--position", str(binary))
