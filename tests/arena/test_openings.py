"""Openings are legal, do not end the game, and are the same for all legs of a round."""

from __future__ import annotations

from itertools import product
from pathlib import Path

import pytest

from tesuji.adapter import full_game
from tesuji.any_game import game, parse_move
from tesuji.arena.match import Pairing
from tesuji.arena.openings import make_openings


def is_open(spec: str, moves: tuple[str, ...], seed: int | None = None) -> bool:
    """Whether the moves are legal and do not end the game."""
    state = game(spec).start(seed)
    for text in moves:
        state = state.play(parse_move(state, text))
    return state.scores() is None


def test_every_opening_of_a_book_is_used_once_before_any_repeats() -> None:
    spec, book = make_openings(None, game("hex"))
    assert spec == "book"
    size = len(game("hex").openings)
    orders = []
    for cycle in range(3):
        order = [book.opening(1, cycle * size + place) for place in range(size)]
        assert len(set(order)) == size
        orders.append(order)
    assert orders[0] != orders[1] != orders[2]
    assert [book.opening(2, place) for place in range(size)] != orders[0]
    assert all(is_open("hex", moves) for moves in orders[0])


def test_random_openings_are_legal_and_differ_by_round_and_seed() -> None:
    _, openings = make_openings("random:plies=4", game("hex:size=5"))
    found = [openings.opening(1, round) for round in range(30)]
    assert all(len(moves) == 4 and is_open("hex:size=5", moves) for moves in found)
    assert len(set(found)) > 25
    assert found == [openings.opening(1, round) for round in range(30)]
    assert found != [openings.opening(2, round) for round in range(30)]


@pytest.mark.parametrize("spec", ["gomoku", "gomoku:size=6,rule=renju", "gomoku:size=20,rule=standard"])
def test_near_openings_are_near_the_centre_and_each_other(spec: str) -> None:
    rules = game(spec)
    _, openings = make_openings("near:plies=7", rules)
    found = [openings.opening(1, round) for round in range(30)]
    assert len(set(found)) == 30
    for moves in found:
        assert is_open(spec, moves)
        state = full_game(rules).start()
        places: list[tuple[int, int]] = []
        size = rules.size  # type: ignore[attr-defined]
        for text in moves:
            row, column = divmod(parse_move(state, text), size)
            middle = list(product(((size - 1) // 2, size // 2), repeat=2))  # four cells on an even board
            steps = min(max(abs(row - r), abs(column - c)) for r, c in places or middle)
            assert steps <= (2 if places else 4)
            places.append((row, column))
            state = state.play(parse_move(state, text))


def test_three_near_stones_leave_the_choice_of_swap2_to_the_players() -> None:
    rules = game("gomoku:swap2=on")
    moves = make_openings(None, rules)[1].opening(1, 0)
    state = full_game(rules).start()
    for text in moves:
        state = state.play(parse_move(state, text))
    assert len(moves) == 3
    assert (state.player, state.core.stage) == (1, "second_chooses")


@pytest.mark.parametrize("plies", [3, 4, 9, 50])
def test_random_openings_never_end_the_game(plies: int) -> None:
    _, openings = make_openings(f"random:plies={plies}", game("hex:size=2"))
    for round in range(20):
        moves = openings.opening(1, round)
        assert is_open("hex:size=2", moves)
        assert len(moves) == 3  # the fourth stone ends any game


def test_random_openings_are_legal_in_the_deal_of_their_round(users: object) -> None:
    pairing = Pairing("trick", ("first", "last", "random"), openings="random:plies=5")
    for round in range(10):
        tasks = [pairing.task(round, leg) for leg in range(3)]
        assert len({(task.seed, task.opening) for task in tasks}) == 1
        assert is_open("trick", tasks[0].opening, tasks[0].seed)


def test_default_openings_are_the_book_or_none_for_deals_or_random_moves(users: object) -> None:
    assert make_openings(None, game("hex:size=11"))[0] == "book"
    assert make_openings(None, game("hex:size=11,swap=on"))[0] == "random:plies=2"
    assert make_openings(None, game("hex:size=5"))[0] == "random:plies=2"
    assert make_openings(None, game("gomoku"))[0] == "book"
    assert make_openings(None, game("gomoku:size=9"))[0] == "near:plies=3"
    assert make_openings(None, game("gomoku:swap2=on"))[0] == "near:plies=3"
    spec, none = make_openings(None, game("trick"))
    assert (spec, none.opening(1, 5)) == ("none", ())
    assert len(make_openings(None, game("hex:size=5"))[1].opening(1, 1)) == 2


def test_a_file_of_openings_may_hold_comments_and_empty_lines(tmp_path: Path) -> None:
    path = tmp_path / "my openings.txt"
    path.write_bytes("\ufeff# even ones\na1 b2\n\n  c3, a2  # the good one\r\n#b1\nb1\n".encode())
    spec, openings = make_openings(f'file:path="{path}"', game("hex:size=3"))
    assert spec == f'file:path="{path}"'
    found = [openings.opening(1, round) for round in range(6)]
    assert set(found[:3]) == set(found[3:]) == {("a1", "b2"), ("c3", "a2"), ("b1",)}


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"# one\na1\na1 a1\n", r"^line 3 of .*, 'a1 a1': 'a1' is not legal; legal: b1, .*$"),
        (b"a1\n\nz9 # wrong\n", r"^line 3 of .*, 'z9': 'z9' is not a cell.*$"),
        (b"a1 b1 a2 b2 a3\n", r"^line 1 of .*: it ends the game$"),
        (b"a1 b1 a2 b2 a3 c1\n", r"^line 1 of .*: .*the game is over$"),
        (b"# nothing\n\n", r"^no openings in .*openings.txt$"),
        (b"", r"^no openings in .*openings.txt$"),
        (b"\xff\xfe\x00", r"^cannot read the openings in .*: not a text file$"),
        (b"a1\n" * (6 << 20), r"^cannot read the openings in .*: over 16 MiB$"),
    ],
)
def test_a_bad_file_of_openings_is_a_one_line_error(tmp_path: Path, content: bytes, message: str) -> None:
    path = tmp_path / "openings.txt"
    path.write_bytes(content)
    with pytest.raises(ValueError, match=message) as error:
        make_openings(f'file:path="{path}"', game("hex:size=3"))
    assert "\n" not in str(error.value)


@pytest.mark.parametrize("spec", ["hex:size=3", "gomoku", "onitama", "gofish"])
@pytest.mark.parametrize("line", ["x" * 900_000, "a" + "1" * 900_000, "a1 " * 300_000, "é," * 300_000])
def test_a_bad_line_of_any_length_is_shown_in_part(tmp_path: Path, spec: str, line: str) -> None:
    path = tmp_path / "openings.txt"
    path.write_text(line, encoding="utf-8")
    with pytest.raises(ValueError, match=r"^line 1 of ") as error:
        make_openings(f'file:path="{path}"', game(spec))
    assert len(str(error.value)) < 500 + len(str(path))


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("file:path=/no/such/file", "cannot read the openings in /no/such/file: No such file or directory"),
        ("file:path=/", "cannot read the openings in /: Is a directory"),
        ("file", "file needs the option path=text"),
        ("book", "hex:size=.* book"),
        ("random:plies=-1", "plies must be at least 0, not -1"),
        ("near:plies=-1", "plies must be at least 0, not -1"),
        ("near", "hex:size=.* proximity"),
        ("random:plies=x", "plies must be a whole number, not 'x'"),
        ("bok", "'bok'.*'book'"),
        ("random:ply=2", "unknown option 'ply' for random"),
        ("", "expected a name"),
    ],
)
def test_a_bad_spec_is_a_one_line_error(spec: str, message: str) -> None:
    with pytest.raises(ValueError, match=message) as error:
        make_openings(spec, game("hex:size=3"))
    assert "\n" not in str(error.value)
