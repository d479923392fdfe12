"""Hex's book of balanced openings, and the script that makes it."""

import re
from pathlib import Path

import pytest

from benchmarks import hex_openings
from tesuji.games import Hex

JUDGES = ["mcts:iterations=100,seed=1", "mcts:iterations=300,rave=off,seed=1"]


def test_the_standard_board_has_an_opening_book_and_others_are_refused() -> None:
    assert len(Hex().openings) >= 30
    assert Hex(size=5).openings == Hex(swap=True).openings == ()


def test_openings_are_distinct_up_to_rotation() -> None:
    game = Hex()
    seen: list[hex_openings.Stones] = []
    for line in game.openings:
        state = hex_openings.position(game, line.split())
        assert 1 <= state.ply <= 3
        looks = hex_openings.images(state)
        assert not [other for other in seen for look in looks if look <= other or other <= look], line
        seen += looks


def test_the_image_of_an_opening_is_its_rotation_by_180_degrees() -> None:
    game = Hex(size=5)
    one, other = (hex_openings.position(game, moves) for moves in (("a1", "b3"), ("e5", "d3")))
    assert hex_openings.turned(game, ("a1", "b3")) == ("e5", "d3")
    assert hex_openings.images(one) == hex_openings.images(other)
    mirrored = hex_openings.position(game, ("a1", "c2"))  # White's goal is another one after that
    assert not hex_openings.images(one) & hex_openings.images(mirrored)
    assert len(hex_openings.images(hex_openings.position(game, ("c3",)))) == 1


def test_openings_are_found_judged_and_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "book.txt"
    path.write_text("7: a1\n5: c3\n")
    monkeypatch.setattr(Hex, "book", path)
    hex_openings.main([*JUDGES, "--size", "5", "--count", "3", "--write"])
    kept, written = path.read_text().splitlines()
    assert kept == "7: a1"
    told = [line.partition("Black") for line in capsys.readouterr().out.splitlines()]
    assert written.removeprefix("5: ").split(", ") == [moves.strip() for moves, _, _ in told]
    assert len(told) == 3
    for _, _, said in told:
        chances = [int(chance) for chance in re.findall(r"(\d+)%", said)]
        assert len(chances) == len(JUDGES)
        assert all(40 <= chance <= 60 for chance in chances)


def test_a_judge_without_a_value_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        hex_openings.main(["random", "--size", "5"])
    assert "random gives no value" in capsys.readouterr().err
