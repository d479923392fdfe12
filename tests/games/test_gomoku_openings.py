"""Gomoku's book of openings without threats, and the script that makes it."""

from pathlib import Path

import pytest

from benchmarks import gomoku_openings
from tests.games.gomoku_boards import RULES, replay
from tesuji.games import Gomoku
from tesuji.games.gomoku import defend, solve
from tesuji.games.gomoku.knowledge import PatternThreats
from tesuji.games.stone_game import read_openings, replace_openings

BOOKS = sorted({line.partition(":")[0] for line in Gomoku.book.read_text().splitlines()})


def test_the_standard_board_has_an_opening_book_and_others_are_refused() -> None:
    assert len(Gomoku().openings) >= 20
    assert Gomoku(size=6).openings == Gomoku(swap2=True).openings == ()


@pytest.mark.parametrize("key", BOOKS)
def test_openings_have_no_threats_and_are_distinct(key: str) -> None:
    size, _, rule = key.partition(" ")
    assert rule in RULES
    seen: set[frozenset[tuple[int, int]]] = set()
    for moves in read_openings(Gomoku.book, key):
        state = replay(f"gomoku:size={size},rule={rule}", moves)
        assert state.ply in gomoku_openings.PLIES
        assert state.scores() is None
        assert PatternThreats()(state, state.player) is None
        assert solve(state).verdict == defend(state).threat == "none"
        images = gomoku_openings.images(state)
        assert not images & seen
        seen |= images


def test_images_are_the_eight_symmetries_of_the_board() -> None:
    one, other = (replay("gomoku:size=7", moves) for moves in ("b1 d3 c7", "f1 d3 e7"))
    assert gomoku_openings.images(one) == gomoku_openings.images(other)
    assert len(gomoku_openings.images(one)) == 8
    assert len(gomoku_openings.images(replay("gomoku:size=7", "d4"))) == 1


def test_a_book_is_replaced_board_by_board(tmp_path: Path) -> None:
    path = tmp_path / "book.txt"
    path.write_text("15 renju: h8 i9, h8 h9\n9 renju: e5\n")
    replace_openings(path, "15 renju", ["h8 g7", "h8 j9"])
    assert path.read_text() == "15 renju: h8 g7, h8 j9\n9 renju: e5\n"


def test_openings_are_found_and_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "book.txt"
    path.write_text("")
    monkeypatch.setattr(Gomoku, "book", path)
    bot = "mcts:iterations=20"
    gomoku_openings.main(["--size", "9", "--count", "2", "--processes", "1", "--bot", bot, "--write"])
    board, _, written = path.read_text().strip().partition(": ")
    assert board == "9 freestyle" and len(written.split(", ")) == 2
    assert written.split(", ") == [
        line.partition("Black")[0].strip() for line in capsys.readouterr().out.splitlines()
    ]
