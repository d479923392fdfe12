"""`tesuji perft`."""

import json
import signal

import pytest

from tests.cli.bad_input import check_error
from tests.cli.terminal import PATIENCE, begin, run
from tesuji.any_game import perft
from tesuji.cli import main

OX = "onitama:cards=ox-boar-horse-elephant-crab"


def counts(capsys: pytest.CaptureFixture[str], *arguments: str) -> list[int]:
    assert main(["perft", *arguments, "--json"]) == 0
    return [row["leaves"] for row in json.loads(capsys.readouterr().out)["depths"]]


def test_the_counts_at_every_depth_are_shown(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["perft", OX, "4"]) == 0
    head, *rows = capsys.readouterr().out.splitlines()
    assert head.split() == ["depth", "leaves", "seconds", "leaves/s"]
    assert [row.split()[:2] for row in rows] == [["1", "10"], ["2", "130"], ["3", "1,989"], ["4", "28,509"]]


def test_native_and_python_games_are_counted_alike(capsys: pytest.CaptureFixture[str], nim: str) -> None:
    assert counts(capsys, "hex:size=3", "4") == [9, 72, 504, 3024]
    # 4 matches: 3 moves; then 3, 2 and 1 more; a finished game stays one leaf.
    assert counts(capsys, "nim:matches=4", "4", "--load", nim) == [3, 6, 7, 7]


def test_finished_games_are_one_leaf_each(capsys: pytest.CaptureFixture[str]) -> None:
    # On 2×2 the third or the fourth stone ends the game: no way grows in number after the third.
    assert counts(capsys, "hex:size=2", "6") == [4, 12, 24, 24, 24, 24]


def test_moves_before_the_count_are_played_first(capsys: pytest.CaptureFixture[str]) -> None:
    whole = counts(capsys, OX, "3")[-1]
    from tesuji import game

    state = game(OX).start()
    parts = [counts(capsys, OX, "2", "--moves", state.text(move))[-1] for move in state.moves()]
    assert sum(parts) == whole


def test_a_deal_is_counted_by_its_seed(capsys: pytest.CaptureFixture[str]) -> None:
    assert counts(capsys, "onitama", "3", "--seed", "5") == counts(capsys, "onitama", "3", "--seed", "5")


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["hex", "0"], "invalid value for 'DEPTH'"),
        (["hex", "x"], "invalid value for 'DEPTH'"),
        (["hex"], "missing argument 'DEPTH'"),
        (["chess", "2"], "unknown game 'chess'"),
        ([OX, "2", "--moves", "ox:a1a5"], "move 1: 'ox:a1a5'"),
    ],
)
def test_bad_input_is_a_one_line_error(arguments: list[str], says: str) -> None:
    done = run("perft", *arguments)
    assert done.returncode == 2
    check_error(done.stdout, done.stderr, says)


def test_a_negative_depth_is_refused() -> None:
    from tesuji import game

    for depth in (-1, -(2**20)):
        with pytest.raises(ValueError, match="depth must be at least 0"):
            perft(game("hex").start(), depth)
        with pytest.raises(ValueError, match="depth must be at least 0"):
            game(OX).start().core.perft(depth)


def test_ctrl_c_ends_a_long_count() -> None:
    process = begin("perft", OX, "14")
    assert process.stdout is not None
    for _ in range(6):  # the first rows are there, so that the count is under way
        process.stdout.readline()
    process.send_signal(signal.SIGINT)
    process.communicate(timeout=PATIENCE)
    assert process.returncode == 130
