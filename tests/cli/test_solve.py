"""`tesuji solve`."""

import json
import signal
import subprocess

import pytest

from tests.cli.terminal import PATIENCE, begin, run
from tesuji.cli import main

THREE = "h8 a1 i8 a3 j8 a5"
LONG = "h8 i7 k7 j6 m8 i6 g9 f6 g5 i10 g11 d8 m9 o10 f5 k8 n6 e5"
"""Fours and threes find no win here for a long time, nor that there is none."""


def solved(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    assert main(["solve", *arguments]) == 0
    return capsys.readouterr().out


def test_the_winning_line_is_shown_up_to_the_five(capsys: pytest.CaptureFixture[str]) -> None:
    for kind in ([], ["--vcf"]):
        shown = solved(capsys, "gomoku", "--moves", THREE, *kind)
        assert "Black to move\nBlack wins by fours in 3 plies: g8 f8 k8\n" in shown
    one = solved(capsys, "gomoku", "--moves", f"{THREE} k8 g8")
    assert "Black wins by fours in 1 ply: l8\n" in one
    moves = "h8 a1 i8 o15 g9 a15 g10 o1"
    assert "There is no win by fours." in solved(capsys, "gomoku", "--moves", moves)
    assert "Black wins by fours and threes in " in solved(capsys, "gomoku", "--moves", moves, "--vct")


def test_a_forbidden_reply_is_named(capsys: pytest.CaptureFixture[str]) -> None:
    moves = "h5 e8 h6 f8 h7 g8 h9 a1 h10 a3 d8"  # h8 would make six
    shown = solved(capsys, "gomoku:rule=renju", "--moves", moves)
    assert "White wins by fours in 3 plies: i8 " in shown
    assert "Black may not stop it: h8 is forbidden." in shown


def test_defences_are_shown(capsys: pytest.CaptureFixture[str]) -> None:
    shown = solved(capsys, "gomoku", "--moves", "h8 a1 i8 a3 j8", "--defend")
    assert "The opponent threatens to win by fours: g8 f8 k8\nWhat stops it: g8 k8\n" in shown
    shown = solved(capsys, "gomoku", "--moves", f"{THREE} k8", "--defend")
    assert "Nothing stops it: every move of White loses." in shown
    assert "does not threaten" in solved(capsys, "gomoku", "--defend")


def test_a_limit_is_said(capsys: pytest.CaptureFixture[str]) -> None:
    shown = solved(capsys, "gomoku", "--moves", LONG, "--vct", "--nodes", "100")
    assert "No win by fours and threes was found, but there may be one." in shown
    assert "; all nodes are used" in shown


def test_json_has_the_texts_of_the_moves(capsys: pytest.CaptureFixture[str]) -> None:
    found = json.loads(solved(capsys, "gomoku", "--moves", THREE, "--json"))
    assert (found["kind"], found["verdict"], found["player"]) == ("vcf", "won", 0)
    assert found["line"] == ["g8", "f8", "k8"]
    found = json.loads(solved(capsys, "gomoku", "--moves", "h8 a1 i8 a3 j8", "--defend", "--json"))
    assert (found["threat"], found["stops"], found["player"]) == ("won", ["g8", "k8"], 1)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["hex"], "there is no solver for hex; gomoku has one"),
        (["gomoku", "--vcf", "--vct"], "--vcf, --vct and --defend exclude each other"),
        (["gomoku", "--moves", f"{THREE} k8 g8 l8"], "the game is over"),
        (["gomoku:swap2=on"], "the swap2 opening is not settled yet"),
        (["gomoku", "--moves", "z9"], "'z9' is not a cell"),
        (["gomoku", "--seconds", "0"], "--seconds"),
    ],
)
def test_bad_input_is_one_line(arguments: list[str], message: str) -> None:
    done = run("solve", *arguments)
    assert done.returncode == 2
    assert done.stderr.startswith("tesuji: ")
    assert message in done.stderr
    assert done.stderr.count("\n") == 1


def test_ctrl_c_ends_a_long_search() -> None:
    process = begin("solve", "gomoku", "--moves", LONG, "--vct", "--seconds", "600")
    with pytest.raises(subprocess.TimeoutExpired):
        process.communicate(timeout=2)
    process.send_signal(signal.SIGINT)
    process.communicate(timeout=PATIENCE)
    assert process.returncode == 130
