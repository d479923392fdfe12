"""Gomoku in SGF and in Piskvork's files: round trips, coordinates and swap2; see also test_record_formats."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import tesuji
from tests.games.gomoku_records import random_gomoku_record
from tesuji.games.gomoku.formats import read_psq, read_sgf, write_psq, write_sgf
from tesuji.records import UNDATED, Record, verify

SEEDS = st.integers(0, 2**32)


def final(record: Record) -> Any:
    *_, state = record.states()
    return state


@settings(deadline=None)
@given(SEEDS)
def test_players_result_date_and_moves_round_trip_through_sgf(seed: int) -> None:
    record = random_gomoku_record(seed)
    text = write_sgf(record)
    assert read_sgf(text) == [replace(record, notes=())]
    assert write_sgf(replace(record, notes=())) == write_sgf(read_sgf(text)[0])


@settings(deadline=None)
@given(SEEDS)
def test_stones_times_names_and_winner_round_trip_through_psq(seed: int) -> None:
    record = random_gomoku_record(seed)
    (read,) = read_psq(write_psq(record))
    size, black = final(record).size, final(record).black
    stones = [index for index, move in enumerate(final(record).history) if move < size**2]
    assert read.moves == tuple(record.moves[index] for index in stones)
    assert read.players == (record.players[black], record.players[1 - black])
    assert [round(note.seconds, 3) for note in read.notes if note] == [
        round(note.seconds, 3) for index in stones if (note := record.notes[index])
    ] or not any(note and note.seconds for note in record.notes)
    if record.scores is None:
        assert read.scores is None
    else:
        assert read.scores == (record.scores[black], record.scores[1 - black])
    rules = tesuji.game(record.game)
    assert tesuji.game(read.game) == replace(rules, swap2=False)  # type: ignore[type-var]
    assert write_psq(read) == write_psq(record)
    verify(read)


def test_psq_rows_count_from_the_top() -> None:
    record = Record(game="gomoku", players=("a", "b"), moves=("a1", "o15", "h8", "b3"), when=UNDATED)
    assert ";B[ao]\n;W[oa]\n;B[hh]\n;W[bm])" in write_sgf(record)
    assert "\n1,15,0\n15,1,0\n8,8,0\n2,13,0\n" in write_psq(record)


# Swap2: names and winners go by colour in the files, and by seat here.

OPENING = "h8 h9 i9"
SWAP2 = {
    "a stone keeps White": (f"{OPENING} a1", 0),
    "the second takes Black": (f"{OPENING} swap a1", 1),
    "two stones, and the first keeps White": (f"{OPENING} two g9 g10 a1", 1),
    "two stones, and the first takes Black": (f"{OPENING} two g9 g10 swap a1", 0),
}


@pytest.mark.parametrize(("moves", "black"), SWAP2.values(), ids=SWAP2)
@pytest.mark.parametrize("winner", [0, 1])
def test_names_and_winners_go_by_colour_in_every_branch_of_swap2(moves: str, black: int, winner: int) -> None:
    record = Record(
        game="gomoku:swap2=on",
        players=("first", "second"),
        moves=tuple(moves.split()),
        scores=(1.0, 0.0) if winner == 0 else (0.0, 1.0),
        ending="resigned",
        when=UNDATED,
    )
    assert final(record).black == black
    text = write_sgf(record)
    names = ("first", "second") if black == 0 else ("second", "first")
    assert f"PB[{names[0]}]PW[{names[1]}]RE[{'B' if winner == black else 'W'}+R]" in text
    assert read_sgf(text) == [record]
    psq = write_psq(record)
    assert psq.endswith(f"{names[0]}\n{names[1]}\n0\n{1 if winner == black else 2},Freestyle\n")
    (read,) = read_psq(psq)
    assert read.players == names
    assert read.scores is not None
    assert read.scores[0] == (winner == black)


def test_a_file_without_a_rule_gets_the_first_that_allows_every_move() -> None:
    # Black's sixth stone joins five and more: nothing is won by the exact rule, and the game goes on.
    stones = [(1, 1), (1, 9), (2, 1), (3, 9), (3, 1), (5, 9), (5, 1), (7, 9), (6, 1), (9, 9), (4, 1), (2, 5)]
    text = "Piskvorky 15x15, 1:1, 0\n" + "".join(f"{x},{y},0\n" for x, y in stones)
    assert read_psq(text)[0].game == "gomoku:rule=standard"
    with pytest.raises(ValueError, match="line 13: move 12, 2,5,0: .* the game is over"):
        read_psq(f"{text}a\nb\n0\n1,Freestyle\n")
