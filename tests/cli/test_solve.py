"""`tesuji solve`."""

import json
import signal
import subprocess
from pathlib import Path

import pytest

from tests.cli.bad_input import check_error
from tests.cli.terminal import PATIENCE, Terminal, begin, run
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
    assert "has no win by fours." in solved(capsys, "gomoku", "--moves", moves)
    assert "Black wins by fours and threes in " in solved(capsys, "gomoku", "--moves", moves, "--vct")


def test_a_forbidden_reply_is_named(capsys: pytest.CaptureFixture[str]) -> None:
    moves = "h5 e8 h6 f8 h7 g8 h9 a1 h10 a3 d8"  # h8 would make six
    shown = solved(capsys, "gomoku:rule=renju", "--moves", moves)
    assert "White wins by fours in 3 plies: i8 " in shown
    assert "Black cannot block: h8 is forbidden." in shown


def test_defences_are_shown(capsys: pytest.CaptureFixture[str]) -> None:
    shown = solved(capsys, "gomoku", "--moves", "h8 a1 i8 a3 j8", "--defend")
    assert "The opponent threatens to win by fours: g8 f8 k8\nMoves that stop it: g8 k8\n" in shown
    shown = solved(capsys, "gomoku", "--moves", f"{THREE} k8", "--defend")
    assert "every move of White loses." in shown
    assert "does not threaten" in solved(capsys, "gomoku", "--defend")


def test_a_reached_limit_is_reported(capsys: pytest.CaptureFixture[str]) -> None:
    shown = solved(capsys, "gomoku", "--moves", LONG, "--vct", "--nodes", "100")
    assert "No win by fours and threes found within the limits." in shown
    assert "; node limit reached" in shown


def test_json_has_the_texts_of_the_moves(capsys: pytest.CaptureFixture[str]) -> None:
    found = json.loads(solved(capsys, "gomoku", "--moves", THREE, "--json"))
    assert (found["kind"], found["verdict"], found["player"]) == ("vcf", "won", 0)
    assert found["line"] == ["g8", "f8", "k8"]
    found = json.loads(solved(capsys, "gomoku", "--moves", "h8 a1 i8 a3 j8", "--defend", "--json"))
    assert (found["threat"], found["stops"], found["player"]) == ("won", ["g8", "k8"], 1)


PUZZLE = ["hex:size=5", "--moves", "e1 c2 c3 d2 a4 b4"]


def test_hex_shows_the_winner_and_a_winning_move(capsys: pytest.CaptureFixture[str]) -> None:
    assert "Black to move\nBlack wins: b3\n" in solved(capsys, *PUZZLE)
    found = json.loads(solved(capsys, *PUZZLE, "--json"))
    assert (found["winner"], found["move"], found["player"]) == (0, "b3", 0)
    lost = solved(capsys, "hex:size=4", "--moves", "b3")
    assert "White to move\nBlack wins, whatever is played.\n" in lost
    assert "White wins: swap-pieces\n" in solved(capsys, "hex:size=4,swap=on", "--moves", "b3")


def test_hex_shows_all_moves_as_a_board(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    file = tmp_path / "board.svg"
    shown = solved(capsys, "hex:size=3", "--all-moves", "--svg", str(file))
    assert " 1 ╲ - - + ╲ 1\n  2 ╲ + + + ╲ 2  ○ = White\n   3 ╲ + - - ╲ 3\n" in shown
    assert "Black wins with: c1 a2 b2 c2 a3\n" in shown
    assert file.read_text(encoding="utf-8").count(">win<") == 5
    found = json.loads(solved(capsys, "hex:size=4", "--all-moves", "--json"))
    assert (found["winner"], found["winning"], found["unsolved"]) == (0, ["d1", "c2", "b3", "a4"], [])
    assert "White loses, whatever is played." in solved(capsys, "hex:size=3", "--moves", "b2", "--all-moves")


def test_a_reached_limit_is_reported_for_hex(capsys: pytest.CaptureFixture[str]) -> None:
    shown = solved(capsys, "hex", "--nodes", "3", "--memory", "1")
    assert "The position was not solved." in shown
    assert "; node limit reached" in shown
    found = json.loads(solved(capsys, "hex", "--nodes", "3", "--all-moves", "--json"))
    assert (found["winner"], found["winning"], found["stopped"]) == (None, [], "nodes")
    assert len(found["unsolved"]) == 121
    assert "121 moves not solved" in solved(capsys, "hex", "--seconds", "0.01", "--all-moves")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["onitama"], "no solver for onitama; gomoku and hex"),
        (["hex", "--vct"], "--vcf, --vct and --defend are for gomoku, not for hex"),
        (["gomoku", "--all-moves"], "--all-moves and --svg are for hex, not for gomoku"),
        (["hex:size=2", "--moves", "a1 b1 a2"], "the game is over"),
        (["hex", "--svg", "nowhere/board.svg"], "cannot write nowhere/board.svg"),
        (["gomoku", "--vcf", "--vct"], "--vcf, --vct and --defend exclude"),
        (["gomoku", "--moves", f"{THREE} k8 g8 l8"], "the game is over"),
        (["gomoku:swap2=on"], "swap2 opening"),
        (["gomoku", "--moves", "z9"], "'z9' is not a cell"),
        (["gomoku", "--seconds", "0"], "invalid value for '--seconds'"),
    ],
)
def test_bad_input_is_a_one_line_error(arguments: list[str], message: str) -> None:
    done = run("solve", *arguments)
    assert done.returncode == 2
    check_error(done.stdout, done.stderr, message)


@pytest.mark.parametrize(
    "arguments",
    [
        ["gomoku", "--moves", LONG, "--vct", "--seconds", "600"],
        ["hex:size=11"],
    ],
)
def test_ctrl_c_ends_a_long_search(arguments: list[str]) -> None:
    process = begin("solve", *arguments)
    with pytest.raises(subprocess.TimeoutExpired):
        process.communicate(timeout=2)
    process.send_signal(signal.SIGINT)
    process.communicate(timeout=PATIENCE)
    assert process.returncode == 130


def test_ctrl_c_keeps_the_moves_that_are_solved() -> None:
    with Terminal("solve", "hex:size=7", "--all-moves") as terminal:
        terminal.expect("moves solved")
        terminal.interrupt()
        terminal.expect("moves not solved")
        terminal.expect("stopped by Ctrl-C")
        assert terminal.end() == 0
