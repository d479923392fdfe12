"""Hex in SGF and in HexWorld's links: there and back, both kinds of swap, and texts that cannot be read."""

from __future__ import annotations

import random
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import tesuji
from tests.records.examples import NAMES, random_record
from tesuji.games.hex.formats import read_hexworld, read_sgf, write_hexworld, write_sgf
from tesuji.records import PERSON, UNDATED, Note, Record, verify

SEEDS = st.integers(0, 2**32)


def as_sgf_keeps_it(record: Record) -> Record:
    """Without seed, leg, notes, opening and the time of day."""
    day = datetime(record.when.year, record.when.month, record.when.day, tzinfo=UTC)
    return replace(record, seed=None, leg=0, notes=(), opening=0, when=day)


@given(SEEDS)
def test_players_result_date_and_moves_survive_sgf(seed: int) -> None:
    record = random_record(seed)
    assert read_sgf(write_sgf(record)) == [as_sgf_keeps_it(record)]


@given(SEEDS)
def test_sgf_that_is_read_and_written_again_is_the_same(seed: int) -> None:
    text = write_sgf(as_sgf_keeps_it(random_record(seed)))
    (record,) = read_sgf(text)
    assert write_sgf(record) == text


@pytest.mark.parametrize("size", [2, 9, 11, 13, 19])
@pytest.mark.parametrize("ending", ["played", "resigned", "unfinished"])
def test_boards_of_all_sizes_survive_both_formats(size: int, ending: Any) -> None:
    for seed in range(3):
        record = as_sgf_keeps_it(random_record(seed, size=size, ending=ending))
        assert read_sgf(write_sgf(record)) == [record]
        (linked,) = read_hexworld(write_hexworld(record))
        assert (linked.moves, linked.scores, linked.ending) == (record.moves, record.scores, record.ending)


@given(SEEDS)
def test_moves_and_who_gave_up_survive_a_link(seed: int) -> None:
    record = random_record(seed)
    link = write_hexworld(record)
    (read,) = read_hexworld(link)
    assert read.moves == record.moves
    assert read.players == (PERSON, PERSON)
    assert write_hexworld(read) == link.replace(":f", ":r")
    if record.ending in ("played", "resigned"):
        assert (read.scores, read.ending) == (record.scores, record.ending)


@given(st.tuples(st.text(min_size=1), st.text(min_size=1)))
def test_any_name_survives_sgf_but_for_its_spaces(names: tuple[str, str]) -> None:
    record = Record(game="hex:size=3", players=names, moves=("b2",))
    (read,) = read_sgf(write_sgf(record))

    def plain(name: str) -> str:
        return " ".join(name.split())

    assert [plain(name) for name in read.players] == [plain(name) for name in names]


@pytest.mark.parametrize("name", NAMES)
def test_specs_with_quotes_brackets_and_backslashes_are_kept_exactly(name: str) -> None:
    (read,) = read_sgf(write_sgf(Record(game="hex:size=3", players=(name, name))))
    assert read.players == (name, name)


def test_several_games_are_one_collection() -> None:
    records = [as_sgf_keeps_it(random_record(seed)) for seed in range(10)]
    assert read_sgf("".join(map(write_sgf, records))) == records
    assert len(read_hexworld("".join(map(write_hexworld, records)))) == 10


def test_what_the_players_thought_stands_in_comments() -> None:
    notes = (Note(0, 0.53125, 2000, 0.5), None)
    record = Record(game="hex:size=3", players=("a", "b"), moves=("b2", "a1"), notes=notes)
    assert ";B[b2]C[value 0.531, 2000 visits, 0.500 s]\n;W[a1])" in write_sgf(record)


# Two ways to swap.


def swapped_sides(moves: list[str], size: int) -> list[tuple[str, str]]:
    """A game with our swap as people write it who exchange their colours: the same game in a mirror."""

    def mirror(cell: str) -> str:
        return f"{'abcdefghijklmnopqrs'[int(cell[1:]) - 1]}{ord(cell[0]) - ord('a') + 1}"

    rest = [("WB"[number % 2], mirror(cell)) for number, cell in enumerate(moves[2:])]
    return [("B", moves[0]), ("W", "swap-sides"), *rest]


def swapped_game(seed: int, size: int) -> list[str]:
    rng = random.Random(seed)
    state: Any = tesuji.games.Hex(size=size, swap=True).start()
    while state.scores() is None:
        state = state.play(size**2 if state.ply == 1 else rng.choice(state.moves()))
    return [state.text(move) for move in state.history]


@settings(deadline=None)
@given(SEEDS, st.integers(2, 11))
def test_both_kinds_of_swap_give_the_same_game_and_the_same_winner(seed: int, size: int) -> None:
    moves = swapped_game(seed, size)
    ours = "".join(f";{'BW'[number % 2]}[{move}]" for number, move in enumerate(moves))
    theirs = "".join(f";{colour}[{cell}]" for colour, cell in swapped_sides(moves, size))
    head = f"(;GM[11]SZ[{size}]PB[Ann]PW[Bob]"
    (pieces,), (sides,) = read_sgf(f"{head}{ours})"), read_sgf(f"{head}{theirs})")
    assert pieces == sides
    verify(sides)
    # Bob owns the first stone in both. In the second text he is Black from then on, and wins as Black.
    assert sides.scores is not None
    colour = "W" if sides.scores[0] else "B"
    assert read_sgf(f"{head}RE[{colour}+]{theirs})") == [sides]
    with pytest.raises(ValueError, match="has won by the moves"):
        read_sgf(f"{head}RE[{'BW'[colour == 'B']}+]{theirs})")
    cells = "".join(cell for _, cell in swapped_sides(moves, size)).replace("swap-sides", ":S")
    assert read_hexworld(f"#{size},{cells}")[0].moves == pieces.moves


def test_who_resigns_after_people_exchanged_their_colours_is_the_one_who_opened() -> None:
    (record,) = read_sgf("(;GM[11]SZ[5]PB[Ann]PW[Bob]RE[B+R];B[a3];W[swap-sides];W[d2];W[resign])")
    assert record.players == ("Ann", "Bob")
    assert record.scores == (0.0, 1.0)  # Ann, who opened as Black, is White when she resigns
    assert record.game == "hex:size=5,swap=on"
    assert read_hexworld("#5,a3:Sd2:rw")[0].scores == (0.0, 1.0)
    assert read_hexworld("#5,a3:sb4:rb")[0].scores == (0.0, 1.0)


# What others write.


@pytest.mark.parametrize(
    ("text", "moves", "scores", "ending"),
    [
        ("(;GM[11])", (), None, "unfinished"),
        ("(;FF[4]GM[11]SZ[3:3];B[B2];W[swap];B[C1])", ("b2", "swap-pieces", "c1"), None, "unfinished"),
        ("(;GM[11]SZ[3]B[b2];C[good];W[a1](;B[c1])(;B[c2]))", ("b2", "a1", "c1"), None, "unfinished"),
        ("(;GM[11]SZ[3]RE[?];B[b2])", ("b2",), None, "unfinished"),
        ("(;GM[11]SZ[3]RE[White+Resign];B[b2])", ("b2",), (0.0, 1.0), "resigned"),
        ("(;GM[11]SZ[3]RE[b+];B[b2])", ("b2",), (1.0, 0.0), "resigned"),
        ("(;GM[11]SZ[3];B[b2];B[resign])", ("b2",), (0.0, 1.0), "resigned"),
        ("(;GM[11]SZ[3];B[b2];W[forfeit])", ("b2",), (1.0, 0.0), "resigned"),
        ("(;GM[11]SZ[3]RE[W+T];B[b2])", ("b2",), (0.0, 1.0), "hung"),
        ("(;GM[11]SZ[3]RE[0];B[b2])", ("b2",), (0.5, 0.5), "limit"),
        ("(;GM[11]SZ[2];B[a1];W[b1];B[a2])", ("a1", "b1", "a2"), (1.0, 0.0), "played"),
        ("(;GM[11]SZ[2];B[a1];W[b1];B[a2];W[resign])", ("a1", "b1", "a2"), (1.0, 0.0), "played"),
        ("(;GM[11]SZ[2]PL[B];B[a1];PL[W]W[b1])", ("a1", "b1"), None, "unfinished"),
    ],
)
def test_sgf_of_other_programs_is_read(text: str, moves: Any, scores: Any, ending: str) -> None:
    (record,) = read_sgf(text)
    assert (record.moves, record.scores, record.ending) == (moves, scores, ending)
    assert record.when == UNDATED
    assert record.players == (PERSON, PERSON)
    verify(record)


@pytest.mark.parametrize(
    ("date", "day"),
    [
        ("2020-02-29", (2020, 2, 29)),
        ("1996-05", (1996, 5, 1)),
        ("1996,1997", (1996, 1, 1)),
        ("2020-02-01,02", (2020, 2, 1)),
        ("2020-02-31", (1970, 1, 1)),
        ("0000-00-00", (1970, 1, 1)),
        ("yesterday", (1970, 1, 1)),
    ],
)
def test_dates_are_read_where_they_are_dates(date: str, day: tuple[int, int, int]) -> None:
    assert read_sgf(f"(;GM[11]DT[{date}])")[0].when == datetime(*day, tzinfo=UTC)


@pytest.mark.parametrize(
    ("link", "game", "moves"),
    [
        ("https://hexworld.org/board/#11c1,a10d4", "hex", "a10 d4"),
        ("#11,a10:sd4", "hex:swap=on", "a10 swap-pieces d4"),
        ("11,a10d4", "hex", "a10 d4"),
        ("#,a10", "hex", "a10"),
        ("#", "hex", ""),
        ("#5", "hex:size=5", ""),
        ("#5x5r11mnc1,a1,b2", "hex:size=5", "a1 b2"),
        ("https://hexworld.org/board/#5,,a1b2", "hex:size=5", "a1 b2"),
        ("  #5,a1b2\r", "hex:size=5", "a1 b2"),
    ],
)
def test_links_in_all_their_forms_are_read(link: str, game: str, moves: str) -> None:
    (record,) = read_hexworld(link)
    assert (record.game, record.moves) == (game, tuple(moves.split()))
    assert record.when == UNDATED


BAD_SGF = {
    "another game": ("(;GM[1]SZ[19];B[pd])", "line 1: this is Go, not Hex, which is GM[11]"),
    "no game": ("(;SZ[11];B[a1])", "this is Go, not Hex"),
    "a game nobody knows": ("(;GM[999999999999])", "this is another game, GM[99999999], not Hex"),
    "a huge board": ("(;GM[11]SZ[99])", "line 1: size must be from 2 to 19, not 99"),
    "an endless board": (f"(;GM[11]SZ[{'9' * 10_000}])", "the size of the board must be a number such as 11"),
    "no board": ("(;GM[11]SZ[big])", "the size of the board must be a number such as 11, not 'big'"),
    "a board that is not square": ("(;GM[11]SZ[11:9])", "not square"),
    "no cell": ("(;GM[11]SZ[5]\n;B[z9])", "line 2: move 1, B[z9]: 'z9' is not a cell of 5×5 Hex"),
    "a long move": (f"(;GM[11];B[{'a' * 10_000}])", "is not a cell"),
    "a taken cell": ("(;GM[11];B[a1]\n;W[a1])", "line 2: move 2, W[a1]: 'a1' is not legal"),
    "wrong colour": ("(;GM[11];W[a1])", "move 1, W[a1]: White moves, but it is Black's turn"),
    "wrong colour later": ("(;GM[11];B[a1];B[a2])", "move 2, B[a2]: Black moves, but it is White's turn"),
    "wrong colour after the swap": (
        "(;GM[11];B[a1];W[swap-sides];B[a2])",
        "move 3, B[a2]: Black moves, but it is White's",
    ),
    "a late swap": (
        "(;GM[11];B[a1];W[a2];B[swap-pieces])",
        "move 3, B[swap-pieces]: 'swap-pieces' is not legal",
    ),
    "a pass": ("(;GM[11];B[a1];W[pass])", "move 2, W[pass]: a pass is not legal: Hex has none"),
    "an empty move": ("(;GM[11];B[])", "move 1, B[]: a pass is not legal"),
    "after the end": (
        "(;GM[11]SZ[2];B[a1];W[b1];B[a2];W[b2])",
        "move 4, W[b2]: 'b2' is not legal; the game is over",
    ),
    "after a resignation": ("(;GM[11];B[a1];W[resign];W[a2])", "'a2' comes after White has resigned"),
    "the winner resigns": (
        "(;GM[11]SZ[2];B[a1];W[b1];B[a2];B[resign])",
        "Black resigns, but the game is over",
    ),
    "resigned twice": ("(;GM[11];B[resign];W[resign])", "White resigns, but the game is over"),
    "two moves": ("(;GM[11];B[a1]W[a2])", "move 1: B and W move in one node"),
    "setup": ("(;GM[11]AB[a1])", "move 1: AB sets up stones"),
    "White first": ("(;GM[11]PL[W])", "move 1: PL[W], but it is Black's turn"),
    "the other has won": ("(;GM[11]SZ[2]RE[W+];B[a1];W[b1];B[a2])", "RE[W+], but Black has won by the moves"),
    "the other has resigned": ("(;GM[11]RE[B+R];B[resign])", "RE[B+R], but White has won by the moves"),
    "a draw": ("(;GM[11]SZ[2]RE[Draw];B[a1];W[b1];B[a2])", "RE[Draw], but there is a winner"),
    "a NUL": ("(;GM[11];B[a\0])", "is not a cell"),
}


@pytest.mark.parametrize(("text", "says"), BAD_SGF.values(), ids=BAD_SGF)
def test_sgf_that_is_no_game_of_hex_gives_one_clear_line(text: str, says: str) -> None:
    with pytest.raises(ValueError) as caught:
        read_sgf(text)
    assert says in str(caught.value)
    assert "\n" not in str(caught.value)
    assert len(str(caught.value)) < 300


BAD_LINKS = {
    "no link": ("hello", "line 1: 'hello' is not a HexWorld link, such as"),
    "a second line": ("#5,a1\n#5,a1a1", "line 2: move 2: 'a1' is not legal"),
    "a huge board": ("#99,a1", "size must be from 2 to 19, not 99"),
    "not square": ("#11x9,a1", "is not square"),
    "a pass": ("#11,a1:pb2", "move 2: a pass is not legal: Hex has none"),
    "no cell": ("#11,a1z99", "move 2: 'z99' is not a cell of 11×11 Hex"),
    "no such word": ("#11,a1:xb2", "move 2: expected a cell or one of :s :S :p :rb :rw, not ':xb2'"),
    "no number": ("#11,a1b", "move 2: expected a cell"),
    "a swap too late": ("#11,a1b2:s", "move 3: 'swap-pieces' is not legal"),
    "after a resignation": ("#11,a1:rwb2", "'b2' comes after White has resigned"),
    "after the end": ("#2,a1b1a2b2", "move 4: 'b2' is not legal; the game is over"),
    "a NUL": ("#11,a\0", "expected a cell"),
    "other letters": ("#11,а1", "expected a cell"),
    "other digits": ("#١١,a1", "is not a HexWorld link"),
}


@pytest.mark.parametrize(("text", "says"), BAD_LINKS.values(), ids=BAD_LINKS)
def test_a_link_that_is_no_game_gives_one_clear_line(text: str, says: str) -> None:
    with pytest.raises(ValueError) as caught:
        read_hexworld(text)
    assert says in str(caught.value)
    assert str(caught.value).startswith("line ")


@settings(max_examples=300, deadline=None)
@given(SEEDS, st.lists(st.tuples(st.integers(0, 2000), st.text(max_size=4)), min_size=1, max_size=4))
def test_a_changed_text_is_read_or_refused(seed: int, changes: list[tuple[int, str]]) -> None:
    record = random_record(seed)
    for write, read in ((write_sgf, read_sgf), (write_hexworld, read_hexworld)):
        text = write(record)
        for place, new in changes:
            start = place % len(text)
            text = text[:start] + new + text[start + len(new) :]
        try:
            found = read(text)
        except ValueError as error:
            assert "\n" not in str(error)
            assert len(str(error)) < 400
        else:
            for each in found:
                verify(each)


def test_a_record_of_another_game_is_not_written() -> None:
    other = Record(game="tictactoe", players=("a", "b"))
    for write in (write_sgf, write_hexworld):
        with pytest.raises(ValueError, match="this format is for Hex"):
            write(other)
        with pytest.raises(ValueError, match="move 1: 'z9'"):
            write(Record(game="hex", players=("a", "b"), moves=("z9",)))
