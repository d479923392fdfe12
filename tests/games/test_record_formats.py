"""The record formats of Hex and Gomoku: files of other programs and invalid texts."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.games.gomoku_records import random_gomoku_record
from tests.records.examples import NAMES, random_record
from tesuji.games.gomoku.formats import FORMATS as GOMOKU_FORMATS
from tesuji.games.hex.formats import FORMATS as HEX_FORMATS
from tesuji.records import PERSON, UNDATED, Note, Record, verify

SEEDS = st.integers(0, 2**32)

FORMATS = {
    "hex sgf": HEX_FORMATS["sgf"],
    "hexworld": HEX_FORMATS["hexworld"],
    "gomoku sgf": GOMOKU_FORMATS["sgf"],
    "psq": GOMOKU_FORMATS["psq"],
}
RECORDS: dict[str, Callable[[int], Record]] = {
    "hex sgf": random_record,
    "hexworld": random_record,
    "gomoku sgf": random_gomoku_record,
    "psq": random_gomoku_record,
}


class Read(NamedTuple):
    """A text and what is read from it."""

    text: str
    game: str
    moves: str
    scores: Any = None
    ending: str = "unfinished"
    players: tuple[str, str] = (PERSON, PERSON)


FIVE = ";B[aa];W[ba];B[ab];W[bb];B[ac];W[bc];B[ad];W[bd]"  # but for one stone
PSQ = "Piskvorky 15x15, 1:1, 0"
BLACK, WHITE, DRAW = (1.0, 0.0), (0.0, 1.0), (0.5, 0.5)

READ = {
    "hex sgf": [
        Read("(;GM[11])", "hex", ""),
        Read("(;FF[4]GM[11]SZ[3:3];B[B2];W[swap];B[C1])", "hex:size=3,swap=on", "b2 swap-pieces c1"),
        Read("(;GM[11]SZ[3]B[b2];C[good];W[a1](;B[c1])(;B[c2]))", "hex:size=3", "b2 a1 c1"),
        Read("(;GM[11]SZ[3]RE[?];B[b2])", "hex:size=3", "b2"),
        Read("(;GM[11]SZ[3]RE[White+Resign];B[b2])", "hex:size=3", "b2", WHITE, "resigned"),
        Read("(;GM[11]SZ[3]RE[b+];B[b2])", "hex:size=3", "b2", BLACK, "resigned"),
        Read("(;GM[11]SZ[3];B[b2];B[resign])", "hex:size=3", "b2", WHITE, "resigned"),
        Read("(;GM[11]SZ[3];B[b2];W[forfeit])", "hex:size=3", "b2", BLACK, "resigned"),
        Read("(;GM[11]SZ[3]RE[W+T];B[b2])", "hex:size=3", "b2", WHITE, "hung"),
        Read("(;GM[11]SZ[3]RE[0];B[b2])", "hex:size=3", "b2", DRAW, "limit"),
        Read("(;GM[11]SZ[2];B[a1];W[b1];B[a2])", "hex:size=2", "a1 b1 a2", BLACK, "played"),
        Read("(;GM[11]SZ[2];B[a1];W[b1];B[a2];W[resign])", "hex:size=2", "a1 b1 a2", BLACK, "played"),
        Read("(;GM[11]SZ[2]PL[B];B[a1];PL[W]W[b1])", "hex:size=2", "a1 b1"),
    ],
    "hexworld": [
        Read("https://hexworld.org/board/#11c1,a10d4", "hex", "a10 d4"),
        Read("#11,a10:sd4", "hex:swap=on", "a10 swap-pieces d4"),
        Read("11,a10d4", "hex", "a10 d4"),
        Read("#,a10", "hex", "a10"),
        Read("#", "hex", ""),
        Read("#5", "hex:size=5", ""),
        Read("#5x5r11mnc1,a1,b2", "hex:size=5", "a1 b2"),
        Read("https://hexworld.org/board/#5,,a1b2", "hex:size=5", "a1 b2"),
        Read("  #5,a1b2\r", "hex:size=5", "a1 b2"),
    ],
    "gomoku sgf": [
        Read("(;GM[4])", "gomoku", ""),
        Read("(;GM[4]SZ[15:15];B[HH];W[h9])", "gomoku", "h8 h9"),
        Read("(;GM[4]SZ[19]RU[Gomoku];B[aa](;W[bb])(;W[cc]))", "gomoku:size=19", "a19 b18"),
        Read("(;GM[4]RU[Renju RIF]RE[W+R];B[hh])", "gomoku:rule=renju", "h8", WHITE, "resigned"),
        Read("(;GM[4]RE[0];B[hh])", "gomoku", "h8", DRAW, "limit"),
        Read("(;GM[4]RE[B+T];B[hh])", "gomoku", "h8", BLACK, "hung"),
        Read("(;GM[4]SZ[6];B[aa];W[resign])", "gomoku:size=6", "a6", BLACK, "resigned"),
        Read(
            "(;GM[4];B[aa];W[bb];B[cc];CH[swap];W[dd];B[resign])",
            "gomoku:swap2=on",
            "a15 b14 c13 swap d12",
            BLACK,
            "resigned",
        ),
        Read(
            f"(;GM[4]SZ[5]RE[B+]{FIVE};B[ae])", "gomoku:size=5", "a5 b5 a4 b4 a3 b3 a2 b2 a1", BLACK, "played"
        ),
    ],
    "psq": [
        Read("Piskvorky 15x15, 0:0, 0\r\n8,8,0\r\n9,8,0\r\n0\r\n", "gomoku", "h8 i8"),
        Read(
            "Piskvorky 20x20, 11:11, 1\n1,1,7\nx.exe\nhomo-2\n-1\n",
            "gomoku:size=20",
            "a20",
            players=(PERSON, "x.exe"),
        ),
        Read("\nPISKVORKY 15X15\n8, 8\n\n", "gomoku", "h8"),
        Read(
            f"{PSQ}\n8,8,-5\nann\nbob\n0\n2,Standard\n",
            "gomoku:rule=standard",
            "h8",
            WHITE,
            "resigned",
            ("ann", "bob"),
        ),
        Read(
            "Piskvorky 15x15, 1:1, 1\n8,8,0\nann\nbob\n0\n2,Caro\n",
            "gomoku",
            "h8",
            BLACK,
            "resigned",
            ("bob", "ann"),
        ),
        Read(f"{PSQ}\n8,8,0\nann\nbob\n0\n0,Renju", "gomoku:rule=renju", "h8", DRAW, "limit", ("ann", "bob")),
    ],
}

REFUSED: dict[str, dict[str, tuple[str, ...]]] = {
    "hex sgf": {
        "another game": ("(;GM[1]SZ[19];B[pd])", "line 1:", "Go", "GM[11]"),
        "no game": ("(;SZ[11];B[a1])", "Go", "Hex"),
        "a game nobody knows": ("(;GM[999999999999])", "GM[99999999]", "Hex"),
        "a huge board": ("(;GM[11]SZ[99])", "line 1:", "from 2 to 19, not 99"),
        "an endless board": (f"(;GM[11]SZ[{'9' * 10_000}])", "size of the board"),
        "no board": ("(;GM[11]SZ[big])", "size of the board", "'big'"),
        "a board that is not square": ("(;GM[11]SZ[11:9])", "not square"),
        "no cell": ("(;GM[11]SZ[5]\n;B[z9])", "line 2: move 1, B[z9]:", "'z9'", "5×5 Hex"),
        "a long move": (f"(;GM[11];B[{'a' * 10_000}])", "is not a cell"),
        "a taken cell": ("(;GM[11];B[a1]\n;W[a1])", "line 2: move 2, W[a1]:", "'a1' is not legal"),
        "wrong colour": ("(;GM[11];W[a1])", "move 1, W[a1]:", "Black's turn"),
        "wrong colour later": ("(;GM[11];B[a1];B[a2])", "move 2, B[a2]:", "White's turn"),
        "wrong colour after the swap": (
            "(;GM[11];B[a1];W[swap-sides];B[a2])",
            "move 3, B[a2]:",
            "White's turn",
        ),
        "a late swap": (
            "(;GM[11];B[a1];W[a2];B[swap-pieces])",
            "move 3, B[swap-pieces]:",
            "'swap-pieces' is not legal",
        ),
        "a pass": ("(;GM[11];B[a1];W[pass])", "move 2, W[pass]:", "pass", "Hex"),
        "an empty move": ("(;GM[11];B[])", "move 1, B[]:", "pass"),
        "after the end": (
            "(;GM[11]SZ[2];B[a1];W[b1];B[a2];W[b2])",
            "move 4, W[b2]:",
            "'b2' is not legal",
            "game is over",
        ),
        "after a resignation": ("(;GM[11];B[a1];W[resign];W[a2])", "'a2'", "White has resigned"),
        "the winner resigns": (
            "(;GM[11]SZ[2];B[a1];W[b1];B[a2];B[resign])",
            "Black resigns",
            "game is over",
        ),
        "resigned twice": ("(;GM[11];B[resign];W[resign])", "White resigns", "game is over"),
        "two moves": ("(;GM[11];B[a1]W[a2])", "move 1:", "B and W"),
        "setup": ("(;GM[11];B[a1];AB[b1])", "move 2:", "AB"),
        "the other's turn": ("(;GM[11];B[a1];B[a2]PL[B])", "move 2:", "PL[B]", "White's turn"),
        "the other has won": ("(;GM[11]SZ[2]RE[W+];B[a1];W[b1];B[a2])", "RE[W+]", "Black has won"),
        "the other has resigned": ("(;GM[11]RE[B+R];B[resign])", "RE[B+R]", "White has won"),
        "a draw": ("(;GM[11]SZ[2]RE[Draw];B[a1];W[b1];B[a2])", "RE[Draw]", "a winner"),
        "a NUL": ("(;GM[11];B[a\0])", "is not a cell"),
    },
    "hexworld": {
        "no link": ("hello", "line 1:", "'hello'", "HexWorld link"),
        "a second line": ("#5,a1\n#5,a1a1", "line 2: move 2:", "'a1' is not legal"),
        "a huge board": ("#99,a1", "from 2 to 19, not 99"),
        "not square": ("#11x9,a1", "not square"),
        "a pass": ("#11,a1:pb2", "move 2:", "pass", "Hex"),
        "no cell": ("#11,a1z99", "move 2:", "'z99'", "11×11 Hex"),
        "no such word": ("#11,a1:xb2", "move 2:", ":s :S :p :rb :rw", "':xb2'"),
        "no number": ("#11,a1b", "move 2:", "'b'"),
        "a swap too late": ("#11,a1b2:s", "move 3:", "'swap-pieces' is not legal"),
        "after a resignation": ("#11,a1:rwb2", "'b2'", "White has resigned"),
        "after the end": ("#2,a1b1a2b2", "move 4:", "'b2' is not legal", "game is over"),
        "a NUL": ("#11,a\0", "move 1:", r"'a\x00'"),
        "other letters": ("#11,а1", "move 1:", "'а1'"),
        "other digits": ("#١١,a1", "HexWorld link"),
    },
    "gomoku sgf": {
        "another game": ("(;GM[11]SZ[11];B[a1])", "line 1:", "Hex", "GM[4]"),
        "a huge board": ("(;GM[4]SZ[99])", "line 1:", "from 5 to 20, not 99"),
        "an endless board": (f"(;GM[4]SZ[{'9' * 10_000}])", "size of the board"),
        "a board that is not square": ("(;GM[4]SZ[15:9])", "not square"),
        "no cell": ("(;GM[4]SZ[5]\n;B[zz])", "line 2: move 1, B[zz]:", "column 26, row 26", "5×5"),
        "no cell of ours": ("(;GM[4]SZ[5];B[f1])", "move 1, B[f1]:", "'f1'", "5×5 Gomoku"),
        "a long move": (f"(;GM[4];B[{'a' * 10_000}])", "is not a cell"),
        "a taken cell": ("(;GM[4];B[aa]\n;W[a15])", "line 2: move 2, W[a15]:", "'a15' is not legal"),
        "wrong colour": ("(;GM[4];W[aa])", "move 1, W[aa]:", "Black's turn"),
        "a pass": ("(;GM[4];B[])", "move 1, B[]:", "pass", "Gomoku"),
        "after the end": (
            f"(;GM[4]SZ[5]{FIVE};B[ae];W[be])",
            "move 10, W[be]:",
            "'b1' is not legal",
            "game is over",
        ),
        "after a resignation": ("(;GM[4];B[aa];W[resign];W[bb])", "'bb'", "White has resigned"),
        "two moves": ("(;GM[4];B[aa]W[bb])", "move 1:", "B and W"),
        "setup": ("(;GM[4];B[aa];AB[bb])", "move 2:", "AB"),
        "the other's turn": ("(;GM[4];B[aa];B[bb]PL[B])", "move 2:", "PL[B]", "White's turn"),
        "the other has won": (f"(;GM[4]SZ[5]RE[W+]{FIVE};B[ae])", "RE[W+]", "Black has won"),
        "no draw": (f"(;GM[4]SZ[5]RE[Draw]{FIVE};B[ae])", "RE[Draw]", "a winner"),
        "a choice as a stone": ("(;GM[4]RU[swap2];B[swap])", "'swap'", "CH[swap]"),
        "a stone as a choice": ("(;GM[4];CH[aa])", "move 1, CH[aa]:", "swap or two", "'aa'"),
        "a choice too early": ("(;GM[4];B[aa];CH[swap])", "move 2, CH[swap]:", "'swap' is not legal"),
        "a forbidden move": (
            "(;GM[4]RU[renju];B[gh];W[aa];B[ih];W[ac];B[hg];W[ae];B[hi];W[ag];B[hh])",
            "move 9, B[hh]:",
            "'h8' is not legal",
        ),
        "a NUL": ("(;GM[4];B[a\0])", "is not a cell"),
    },
    "psq": {
        "nothing": ("", "line 1:", "'Piskvorky 15x15, 11:11, 0'", "''"),
        "no game": ("hello\n", "line 1:", "'Piskvorky 15x15, 11:11, 0'", "'hello'"),
        "something before it": (f"8,8\n{PSQ}", "line 1:", "'8,8'"),
        "no size": ("Piskvorky big\n", "line 1:", "'Piskvorky big'"),
        "a huge board": ("Piskvorky 99x99, 1:1, 0\n", "line 1:", "from 5 to 20, not 99"),
        "an endless board": (f"Piskvorky {'9' * 5000}x9\n", "line 1:", "'9999"),
        "an endless square": (f"Piskvorky {'9' * 5000}x{'9' * 5000}\n", "line 1:", "'Piskvorky 15x15"),
        "not square": ("Piskvorky 15x20, 1:1, 0\n", "line 1:", "'15:20'", "not square"),
        "off the board": (f"{PSQ}\n8,8,0\n16,1,0\n", "line 3: move 2, 16,1,0:", "column 16, row 1", "15×15"),
        "from zero": (f"{PSQ}\n0,1,0\n", "line 2: move 1, 0,1,0:", "column 0, row 1", "15×15"),
        "a taken cell": (f"{PSQ}\n8,8,0\n8,8,0\n", "line 3: move 2, 8,8,0:", "'h8' is not legal"),
        "a second game": (
            f"{PSQ}\n8,8,0\n{PSQ}\n8,8,0\n8,8,0\n",
            "line 5: move 2, 8,8,0:",
            "'h8' is not legal",
        ),
        "an endless line": (f"{PSQ}\n{'8' * 100_000}\n", "line 2:", "'8888"),
        "the other has won": (
            "Piskvorky 5x5, 1:1, 0\n1,1\n1,2\n2,1\n2,2\n3,1\n3,2\n4,1\n4,2\n5,1\na\nb\n0\n2,Freestyle\n",
            "line 1:",
            "White",
            "Black has won",
        ),
        "no draw": (
            "Piskvorky 5x5, 1:1, 0\n1,1\n1,2\n2,1\n2,2\n3,1\n3,2\n4,1\n4,2\n5,1\na\nb\n0\n0,Freestyle\n",
            "line 1:",
            "a draw",
            "Black has won",
        ),
    },
}


@pytest.mark.parametrize(("name", "expected"), [(name, each) for name in READ for each in READ[name]])
def test_texts_of_other_programs_are_read(name: str, expected: Read) -> None:
    (record,) = FORMATS[name].read(expected.text)
    assert (record.game, record.moves) == (expected.game, tuple(expected.moves.split()))
    assert (record.scores, record.ending) == (expected.scores, expected.ending)
    assert (record.players, record.when) == (expected.players, UNDATED)
    verify(record)


@pytest.mark.parametrize(
    ("name", "text", "parts"),
    [
        pytest.param(name, text, parts, id=f"{name}: {case}")
        for name, cases in REFUSED.items()
        for case, (text, *parts) in cases.items()
    ],
)
def test_an_invalid_text_gives_one_line_with_the_place_and_the_value(
    name: str, text: str, parts: list[str]
) -> None:
    with pytest.raises(ValueError) as caught:
        FORMATS[name].read(text)
    message = str(caught.value)
    assert message.startswith(parts[0] if parts[0].startswith("line ") else "line ")
    assert [part for part in parts if part not in message] == []
    assert "\n" not in message
    assert len(message) < 300


@settings(max_examples=250, deadline=None)
@pytest.mark.parametrize("name", FORMATS)
@given(
    seed=SEEDS, changes=st.lists(st.tuples(st.integers(0, 2000), st.text(max_size=4)), min_size=1, max_size=4)
)
def test_a_changed_text_is_read_or_refused(name: str, seed: int, changes: list[tuple[int, str]]) -> None:
    text = FORMATS[name].write(RECORDS[name](seed))
    for place, new in changes:
        start = place % len(text)
        text = text[:start] + new + text[start + len(new) :]
    try:
        found = FORMATS[name].read(text)
    except ValueError as error:
        assert "\n" not in str(error)
        assert len(str(error)) < 400
    else:
        for each in found:
            verify(each)


@pytest.mark.parametrize("name", FORMATS)
def test_several_games_are_one_collection(name: str) -> None:
    records = [RECORDS[name](seed) for seed in range(10)]
    texts = [FORMATS[name].write(record) for record in records]
    read = FORMATS[name].read("".join(texts))
    assert read == [record for text in texts for record in FORMATS[name].read(text)]
    choices = ("swap", "two") if name == "psq" else ()  # a .psq holds stones alone
    assert [record.moves for record in read] == [
        tuple(move for move in record.moves if move not in choices) for record in records
    ]


@pytest.mark.parametrize(("name", "other"), [(name, "tictactoe") for name in FORMATS] + [("psq", "hex")])
def test_a_record_of_another_game_or_an_illegal_move_is_not_written(name: str, other: str) -> None:
    own = "hex" if name.startswith("hex") else "gomoku"
    with pytest.raises(ValueError, match=f"(?i){own}.*{other}"):
        FORMATS[name].write(Record(game=other, players=("a", "b")))
    with pytest.raises(ValueError, match="move 1: 'z9'"):
        FORMATS[name].write(Record(game=own, players=("a", "b"), moves=("z9",)))


@pytest.mark.parametrize("name", ["hex sgf", "gomoku sgf", "psq"])
@pytest.mark.parametrize("player", [*NAMES, "1,2,3", "Piskvorky 15x15, 1:1, 0", "  ", "5"])
def test_any_player_name_can_be_written(name: str, player: str) -> None:
    game = "hex:size=5" if name.startswith("hex") else "gomoku:size=5"
    record = Record(game=game, players=(player, "random"), moves=("c3", "b2"), when=UNDATED)
    (read,) = FORMATS[name].read(FORMATS[name].write(record))
    assert read.moves == record.moves
    assert read.players[1] == "random"
    assert read.players[0] in (player, f'"{player}"', PERSON)


@pytest.mark.parametrize(
    ("name", "game", "written"),
    [
        ("hex sgf", "hex:size=5", ";B[b2]C[value 0.531, 2000 visits, 0.500 s]\n;W[a1])"),
        ("gomoku sgf", "gomoku:size=5", ";B[bd]C[value 0.531, 2000 visits, 0.500 s]\n;W[ae])"),
    ],
)
def test_evaluations_are_written_as_comments(name: str, game: str, written: str) -> None:
    notes = (Note(0, 0.53125, 2000, 0.5), None)
    record = Record(game=game, players=("a", "b"), moves=("b2", "a1"), notes=notes)
    assert written in FORMATS[name].write(record)
