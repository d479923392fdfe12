"""Hex in SGF and in HexWorld's links: round trips and both kinds of swap; see also test_record_formats."""

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
from tesuji.records import PERSON, Record, verify

SEEDS = st.integers(0, 2**32)


def as_sgf_keeps_it(record: Record) -> Record:
    """Without seed, leg, notes, opening and the time of day."""
    day = datetime(record.when.year, record.when.month, record.when.day, tzinfo=UTC)
    return replace(record, seed=None, leg=0, notes=(), opening=0, when=day)


@given(SEEDS)
def test_players_result_date_and_moves_round_trip_through_sgf(seed: int) -> None:
    record = random_record(seed)
    assert read_sgf(write_sgf(record)) == [as_sgf_keeps_it(record)]


@given(SEEDS)
def test_sgf_that_is_read_and_written_again_is_the_same(seed: int) -> None:
    text = write_sgf(as_sgf_keeps_it(random_record(seed)))
    (record,) = read_sgf(text)
    assert write_sgf(record) == text


@pytest.mark.parametrize("size", [2, 9, 11, 13, 19])
@pytest.mark.parametrize("ending", ["played", "resigned", "unfinished"])
def test_boards_of_all_sizes_round_trip_through_both_formats(size: int, ending: Any) -> None:
    for seed in range(3):
        record = as_sgf_keeps_it(random_record(seed, size=size, ending=ending))
        assert read_sgf(write_sgf(record)) == [record]
        (linked,) = read_hexworld(write_hexworld(record))
        assert (linked.moves, linked.scores, linked.ending) == (record.moves, record.scores, record.ending)


@given(SEEDS)
def test_moves_and_resignation_round_trip_through_a_link(seed: int) -> None:
    record = random_record(seed)
    link = write_hexworld(record)
    (read,) = read_hexworld(link)
    assert read.moves == record.moves
    assert read.players == (PERSON, PERSON)
    assert write_hexworld(read) == link.replace(":f", ":r")
    if record.ending in ("played", "resigned"):
        assert (read.scores, read.ending) == (record.scores, record.ending)


@given(st.tuples(st.text(min_size=1), st.text(min_size=1)))
def test_any_name_round_trips_through_sgf_except_for_spaces(names: tuple[str, str]) -> None:
    record = Record(game="hex:size=3", players=names, moves=("b2",))
    (read,) = read_sgf(write_sgf(record))

    def plain(name: str) -> str:
        return " ".join(name.split())

    assert [plain(name) for name in read.players] == [plain(name) for name in names]


@pytest.mark.parametrize("name", NAMES)
def test_specs_with_quotes_brackets_and_backslashes_are_kept_exactly(name: str) -> None:
    (read,) = read_sgf(write_sgf(Record(game="hex:size=3", players=(name, name))))
    assert read.players == (name, name)


# Two ways to swap.


def swapped_sides(moves: list[str], size: int) -> list[tuple[str, str]]:
    """A game with our swap as written by players who exchange colours: mirrored from then on."""

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


def test_after_swap_sides_a_resignation_counts_for_the_exchanged_colours() -> None:
    (record,) = read_sgf("(;GM[11]SZ[5]PB[Ann]PW[Bob]RE[B+R];B[a3];W[swap-sides];W[d2];W[resign])")
    assert record.players == ("Ann", "Bob")
    assert record.scores == (0.0, 1.0)  # Ann, who opened as Black, is White when she resigns
    assert record.game == "hex:size=5,swap=on"
    assert read_hexworld("#5,a3:Sd2:rw")[0].scores == (0.0, 1.0)
    assert read_hexworld("#5,a3:sb4:rb")[0].scores == (0.0, 1.0)


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
def test_invalid_dates_are_ignored(date: str, day: tuple[int, int, int]) -> None:
    assert read_sgf(f"(;GM[11]DT[{date}])")[0].when == datetime(*day, tzinfo=UTC)
