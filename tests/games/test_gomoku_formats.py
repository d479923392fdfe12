"""Gomoku in SGF and in Piskvork's files: there and back, swap2, and texts that cannot be read."""

from __future__ import annotations

import random
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import tesuji
from tests.records.examples import FAULTS, NAMES
from tesuji.games.gomoku.formats import read_psq, read_sgf, write_psq, write_sgf
from tesuji.records import PERSON, UNDATED, Note, Record, verify
from tesuji.records.record import Ending

SEEDS = st.integers(0, 2**32)


def random_record(seed: int) -> Record:
    """A game by the real rules, the same for the same seed: any rule, with and without swap2, all endings."""
    rng = random.Random(seed)
    rules: Any = tesuji.games.Gomoku(
        size=rng.choice([5, 6, 9, 15, 20]),
        rule=rng.choice(["freestyle", "standard", "renju"]),
        swap2=rng.random() < 0.5,
    )
    some: list[Ending] = ["played", "played", "resigned", "unfinished", *FAULTS]
    ending = rng.choice(some)
    state = rules.start()
    length = 1000 if ending == "played" else rng.randrange(9)
    while state.scores() is None and state.ply < length:
        choices = [move for move in state.moves() if move >= rules.size**2]
        state = state.play(rng.choice(choices if choices and rng.random() < 0.8 else state.moves()))
    scores = state.scores()
    if ending == "limit":
        scores = (0.5, 0.5)
    elif ending not in ("played", "unfinished"):
        scores = rng.choice([(1.0, 0.0), (0.0, 1.0)])
    return Record(
        game=tesuji.spec_of(rules),
        players=(rng.choice(NAMES), rng.choice(NAMES)),
        moves=tuple(map(state.text, state.history)),
        notes=tuple(Note(0, None, None, rng.randrange(10**6) / 1000) for _ in state.history),
        scores=scores,
        ending=ending,
        fault=FAULTS.get(ending, ""),
        when=datetime(2026, 1, 31, tzinfo=UTC),
    )


def final(record: Record) -> Any:
    *_, state = record.states()
    return state


@settings(deadline=None)
@given(SEEDS)
def test_players_result_date_and_moves_survive_sgf(seed: int) -> None:
    record = random_record(seed)
    text = write_sgf(record)
    assert read_sgf(text) == [replace(record, notes=())]
    assert write_sgf(replace(record, notes=())) == write_sgf(read_sgf(text)[0])


@settings(deadline=None)
@given(SEEDS)
def test_stones_times_names_and_winner_survive_psq(seed: int) -> None:
    record = random_record(seed)
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


@pytest.mark.parametrize("write", [write_sgf, write_psq])
@pytest.mark.parametrize("name", [*NAMES, "1,2,3", "Piskvorky 15x15, 1:1, 0", "  ", "5"])
def test_no_name_breaks_a_file(write: Any, name: str) -> None:
    record = Record(game="gomoku:size=5", players=(name, "random"), moves=("c3", "b2"), when=UNDATED)
    (read,) = (read_sgf if write is write_sgf else read_psq)(write(record))
    assert read.moves == record.moves
    assert read.players[1] == "random"
    assert read.players[0] in (name, f'"{name}"', PERSON)


def test_several_games_are_one_collection() -> None:
    records = [random_record(seed) for seed in range(10)]
    assert [read.moves for read in read_sgf("".join(map(write_sgf, records)))] == [
        record.moves for record in records
    ]
    assert len(read_psq("".join(map(write_psq, records)))) == 10


def test_row_one_is_at_the_bottom_here_and_at_the_top_there() -> None:
    record = Record(game="gomoku", players=("a", "b"), moves=("a1", "o15", "h8", "b3"), when=UNDATED)
    assert ";B[ao]\n;W[oa]\n;B[hh]\n;W[bm])" in write_sgf(record)
    assert "\n1,15,0\n15,1,0\n8,8,0\n2,13,0\n" in write_psq(record)


def test_what_the_players_thought_stands_in_comments() -> None:
    notes = (Note(0, 0.53125, 2000, 0.5), None)
    record = Record(game="gomoku:size=5", players=("a", "b"), moves=("c3", "a1"), notes=notes)
    assert ";B[cc]C[value 0.531, 2000 visits, 0.500 s]\n;W[ae])" in write_sgf(record)


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


# What others write.

ROWS = ";B[aa];W[ba];B[ab];W[bb];B[ac];W[bc];B[ad];W[bd]"


@pytest.mark.parametrize(
    ("text", "game", "moves", "scores", "ending"),
    [
        ("(;GM[4])", "gomoku", "", None, "unfinished"),
        ("(;GM[4]SZ[15:15];B[HH];W[h9])", "gomoku", "h8 h9", None, "unfinished"),
        ("(;GM[4]SZ[19]RU[Gomoku];B[aa](;W[bb])(;W[cc]))", "gomoku:size=19", "a19 b18", None, "unfinished"),
        ("(;GM[4]RU[Renju RIF]RE[W+R];B[hh])", "gomoku:rule=renju", "h8", (0.0, 1.0), "resigned"),
        ("(;GM[4]RE[0];B[hh])", "gomoku", "h8", (0.5, 0.5), "limit"),
        ("(;GM[4]RE[B+T];B[hh])", "gomoku", "h8", (1.0, 0.0), "hung"),
        ("(;GM[4]SZ[6];B[aa];W[resign])", "gomoku:size=6", "a6", (1.0, 0.0), "resigned"),
        (
            "(;GM[4];B[aa];W[bb];B[cc];CH[swap];W[dd];B[resign])",
            "gomoku:swap2=on",
            "a15 b14 c13 swap d12",
            (1.0, 0.0),
            "resigned",
        ),
        (
            f"(;GM[4]SZ[5]RE[B+]{ROWS};B[ae])",
            "gomoku:size=5",
            "a5 b5 a4 b4 a3 b3 a2 b2 a1",
            (1.0, 0.0),
            "played",
        ),
    ],
)
def test_sgf_of_other_programs_is_read(text: str, game: str, moves: str, scores: Any, ending: str) -> None:
    (record,) = read_sgf(text)
    assert (record.game, record.moves) == (game, tuple(moves.split()))
    assert (record.scores, record.ending) == (scores, ending)
    assert record.players == (PERSON, PERSON)
    verify(record)


@pytest.mark.parametrize(
    ("text", "players", "game", "moves", "scores"),
    [
        ("Piskvorky 15x15, 0:0, 0\r\n8,8,0\r\n9,8,0\r\n0\r\n", (PERSON, PERSON), "gomoku", "h8 i8", None),
        (
            "Piskvorky 20x20, 11:11, 1\n1,1,7\nx.exe\nhomo-2\n-1\n",
            (PERSON, "x.exe"),
            "gomoku:size=20",
            "a20",
            None,
        ),
        ("\nPISKVORKY 15X15\n8, 8\n\n", (PERSON, PERSON), "gomoku", "h8", None),
        (
            "Piskvorky 15x15, 1:1, 0\n8,8,-5\nann\nbob\n0\n2,Standard\n",
            ("ann", "bob"),
            "gomoku:rule=standard",
            "h8",
            (0.0, 1.0),
        ),
        ("Piskvorky 15x15, 1:1, 1\n8,8,0\nann\nbob\n0\n2,Caro\n", ("bob", "ann"), "gomoku", "h8", (1.0, 0.0)),
        (
            "Piskvorky 15x15, 1:1, 0\n8,8,0\nann\nbob\n0\n0,Renju",
            ("ann", "bob"),
            "gomoku:rule=renju",
            "h8",
            (0.5, 0.5),
        ),
    ],
)
def test_piskvorks_files_in_all_their_forms_are_read(
    text: str, players: Any, game: str, moves: str, scores: Any
) -> None:
    (record,) = read_psq(text)
    assert (record.players, record.game) == (players, game)
    assert (record.moves, record.scores) == (tuple(moves.split()), scores)
    assert record.when == UNDATED
    verify(record)


def test_without_a_rule_the_first_that_allows_every_move_is_taken() -> None:
    # Black's sixth stone joins five and more: nothing is won by the exact rule, and the game goes on.
    stones = [(1, 1), (1, 9), (2, 1), (3, 9), (3, 1), (5, 9), (5, 1), (7, 9), (6, 1), (9, 9), (4, 1), (2, 5)]
    text = "Piskvorky 15x15, 1:1, 0\n" + "".join(f"{x},{y},0\n" for x, y in stones)
    assert read_psq(text)[0].game == "gomoku:rule=standard"
    with pytest.raises(ValueError, match="line 13: move 12, 2,5,0: .* the game is over"):
        read_psq(f"{text}a\nb\n0\n1,Freestyle\n")


BAD_SGF = {
    "another game": ("(;GM[11]SZ[11];B[a1])", "line 1: this is Hex, not Gomoku, which is GM[4]"),
    "a huge board": ("(;GM[4]SZ[99])", "line 1: size must be from 5 to 20, not 99"),
    "an endless board": (f"(;GM[4]SZ[{'9' * 10_000}])", "the size of the board must be a number such as 11"),
    "a board that is not square": ("(;GM[4]SZ[15:9])", "not square"),
    "no cell": ("(;GM[4]SZ[5]\n;B[zz])", "line 2: move 1, B[zz]: column 26, row 26 is not on the 5×5 board"),
    "no cell of ours": ("(;GM[4]SZ[5];B[f1])", "move 1, B[f1]: 'f1' is not a cell of 5×5 Gomoku"),
    "a long move": (f"(;GM[4];B[{'a' * 10_000}])", "is not a cell"),
    "a taken cell": ("(;GM[4];B[aa]\n;W[a15])", "line 2: move 2, W[a15]: 'a15' is not legal"),
    "wrong colour": ("(;GM[4];W[aa])", "move 1, W[aa]: White moves, but it is Black's turn"),
    "a pass": ("(;GM[4];B[])", "move 1, B[]: a pass is not legal: Gomoku has none"),
    "after the end": (
        f"(;GM[4]SZ[5]{ROWS};B[ae];W[be])",
        "move 10, W[be]: 'b1' is not legal; the game is over",
    ),
    "after a resignation": ("(;GM[4];B[aa];W[resign];W[bb])", "'bb' comes after White has resigned"),
    "two moves": ("(;GM[4];B[aa]W[bb])", "move 1: B and W move in one node"),
    "setup": ("(;GM[4]AB[aa])", "move 1: AB sets up stones"),
    "White first": ("(;GM[4]PL[W])", "move 1: PL[W], but it is Black's turn"),
    "the other has won": (f"(;GM[4]SZ[5]RE[W+]{ROWS};B[ae])", "RE[W+], but Black has won by the moves"),
    "no draw": (f"(;GM[4]SZ[5]RE[Draw]{ROWS};B[ae])", "RE[Draw], but there is a winner"),
    "a choice as a stone": ("(;GM[4]RU[swap2];B[swap])", "'swap' is no cell; as a choice it is CH[swap]"),
    "a stone as a choice": ("(;GM[4];CH[aa])", "move 1, CH[aa]: a choice is swap or two, not 'aa'"),
    "a choice too early": ("(;GM[4];B[aa];CH[swap])", "move 2, CH[swap]: 'swap' is not legal"),
    "a forbidden move": (
        "(;GM[4]RU[renju];B[gh];W[aa];B[ih];W[ac];B[hg];W[ae];B[hi];W[ag];B[hh])",
        "move 9, B[hh]: 'h8' is not legal",
    ),
    "a NUL": ("(;GM[4];B[a\0])", "is not a cell"),
}


@pytest.mark.parametrize(("text", "says"), BAD_SGF.values(), ids=BAD_SGF)
def test_sgf_that_is_no_game_of_gomoku_gives_one_clear_line(text: str, says: str) -> None:
    with pytest.raises(ValueError) as caught:
        read_sgf(text)
    assert says in str(caught.value)
    assert "\n" not in str(caught.value)
    assert len(str(caught.value)) < 300


HEAD = "Piskvorky 15x15, 11:11, 0\n"
BAD_PSQ = {
    "nothing": ("", "line 1: a game begins with 'Piskvorky 15x15, 11:11, 0', not ''"),
    "no game": ("hello\n", "line 1: a game begins with 'Piskvorky 15x15, 11:11, 0', not 'hello'"),
    "something before it": (f"8,8\n{HEAD}", "line 1: a game begins with"),
    "no size": ("Piskvorky big\n", "line 1: expected 'Piskvorky 15x15, 11:11, 0', not 'Piskvorky big'"),
    "a huge board": ("Piskvorky 99x99, 1:1, 0\n", "line 1: size must be from 5 to 20, not 99"),
    "an endless board": (f"Piskvorky {'9' * 5000}x9\n", "line 1: a board of '9999"),
    "an endless square": (f"Piskvorky {'9' * 5000}x{'9' * 5000}\n", "line 1: expected 'Piskvorky 15x15"),
    "not square": ("Piskvorky 15x20, 1:1, 0\n", "line 1: a board of '15:20' is not square"),
    "off the board": (
        f"{HEAD}8,8,0\n16,1,0\n",
        "line 3: move 2, 16,1,0: column 16, row 1 is not on the 15×15",
    ),
    "from zero": (f"{HEAD}0,1,0\n", "line 2: move 1, 0,1,0: column 0, row 1 is not on the 15×15 board"),
    "a taken cell": (f"{HEAD}8,8,0\n8,8,0\n", "line 3: move 2, 8,8,0: 'h8' is not legal"),
    "a second game": (f"{HEAD}8,8,0\n{HEAD}8,8,0\n8,8,0\n", "line 5: move 2, 8,8,0: 'h8' is not legal"),
    "an endless line": (f"{HEAD}{'8' * 100_000}\n", "line 2: '8888"),
    "the other has won": (
        "Piskvorky 5x5, 1:1, 0\n1,1\n1,2\n2,1\n2,2\n3,1\n3,2\n4,1\n4,2\n5,1\na\nb\n0\n2,Freestyle\n",
        "line 1: it says a win of White, but by the moves Black has won",
    ),
    "no draw": (
        "Piskvorky 5x5, 1:1, 0\n1,1\n1,2\n2,1\n2,2\n3,1\n3,2\n4,1\n4,2\n5,1\na\nb\n0\n0,Freestyle\n",
        "line 1: it says a draw, but by the moves Black has won",
    ),
}


@pytest.mark.parametrize(("text", "says"), BAD_PSQ.values(), ids=BAD_PSQ)
def test_a_psq_that_is_no_game_gives_one_clear_line(text: str, says: str) -> None:
    with pytest.raises(ValueError) as caught:
        read_psq(text)
    assert str(caught.value).startswith(says)
    assert "\n" not in str(caught.value)
    assert len(str(caught.value)) < 300


@settings(max_examples=200, deadline=None)
@given(SEEDS, st.lists(st.tuples(st.integers(0, 2000), st.text(max_size=4)), min_size=1, max_size=4))
def test_a_changed_text_is_read_or_refused(seed: int, changes: list[tuple[int, str]]) -> None:
    record = random_record(seed)
    for write, read in ((write_sgf, read_sgf), (write_psq, read_psq)):
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
    for write in (write_sgf, write_psq):
        with pytest.raises(ValueError, match="this format is for Gomoku"):
            write(Record(game="hex", players=("a", "b")))
        with pytest.raises(ValueError, match="move 1: 'z9'"):
            write(Record(game="gomoku", players=("a", "b"), moves=("z9",)))
