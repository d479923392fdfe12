"""File formats: JSON is lossless, and invalid text is a one-line ValueError."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

import tesuji
from tests.records.examples import random_record
from tesuji.adapter import full_game
from tesuji.games.onitama.formats import write_litama
from tesuji.records import UNDATED, Note, Record, verify
from tesuji.records.formats import (
    JSON,
    Format,
    WrongGameError,
    all_formats,
    formats_of,
    read_json,
    read_records,
    write_json,
)
from tesuji.records.serialization import as_dict, parse_time, result_of

GAME = Record(game="hex:size=3", players=("mcts", "random"), moves=("b2", "a1"))


@given(st.integers(0, 2**32))
def test_json_keeps_everything(seed: int) -> None:
    record = random_record(seed)
    text = write_json(record)
    assert text.count("\n") == 1
    assert read_json(text) == [record]


def test_many_records_are_many_lines() -> None:
    records = [random_record(seed) for seed in range(20)]
    assert read_json("\r\n\n".join(map(write_json, records))) == records
    assert read_json("") == []


def test_texts_of_any_kind_survive_json() -> None:
    odd = 'quote " backslash \\ bracket ] line\u2028 tab\t nul\0 emoji 😀 line\nend'
    record = replace(GAME, players=(odd, odd), fault=odd)
    assert read_json(write_json(record)) == [record]


def test_numbers_are_kept_bit_for_bit() -> None:
    notes = (Note(0, 0.1 + 0.2, 2**70, 5e-324), Note(1, None, None, 1e300))
    assert read_json(write_json(replace(GAME, notes=notes)))[0].notes == notes


def test_times_of_all_zones_are_kept_in_utc() -> None:
    east = datetime(2026, 1, 31, 18, 30, 0, 123456, tzinfo=timezone(timedelta(hours=5)))
    assert as_dict(replace(GAME, when=east))["when"] == "2026-01-31T13:30:00.123456Z"
    assert read_json(write_json(replace(GAME, when=east)))[0].when == east
    assert as_dict(replace(GAME, when=datetime(2026, 1, 31)))["when"] == "2026-01-31T00:00:00.000000Z"
    assert parse_time("2026-01-31") == datetime(2026, 1, 31, tzinfo=UTC)


def test_missing_keys_have_the_defaults_of_a_record() -> None:
    (record,) = read_json('{"game": "hex", "players": ["a", "b"], "scores": [1, 0]}')
    assert record == Record(game="hex", players=("a", "b"), scores=(1.0, 0.0), ending="played", when=UNDATED)


BAD_JSON = {
    "not json": ("{", "line 1: not JSON: Expecting property name"),
    "a second line that is bad": ('{"game": "hex", "players": ["a"]}\nx', "line 2: not JSON"),
    "no object": ("[1]", "not [1]"),
    "no players": ('{"game": "hex"}', "'players' is missing"),
    "an unknown key": ('{"game": "hex", "players": ["a"], "move": []}', "did you mean 'moves'?"),
    "moves that are no list": ('{"game": "hex", "players": ["a"], "moves": "b2"}', "'moves' must be a list"),
    "a move that is no text": (
        '{"game": "hex", "players": ["a"], "moves": [1]}',
        "'moves' must be text, not 1",
    ),
    "a seed that is no number": ('{"game": "hex", "players": ["a"], "seed": true}', "'seed' must be a whole"),
    "an endless value": ('{"game": "hex", "players": ["a"], "notes": [[0, NaN, 1, 1]]}', "not NaN"),
    "a huge value": ('{"game": "hex", "players": ["a"], "scores": [1e999]}', "from 0 to 1, not inf"),
    "a note too short": (
        '{"game": "hex", "players": ["a"], "moves": ["a1"], "notes": [[1]]}',
        "[player, value, visits, seconds]",
    ),
    "notes that are too few": (
        '{"game": "hex", "players": ["a"], "moves": ["a1", "a2"], "notes": [null]}',
        "2 moves, but 1 notes",
    ),
    "no such ending": ('{"game": "hex", "players": ["a"], "ending": []}', "'ending' must be one of played"),
    "no time": ('{"game": "hex", "players": ["a"], "when": "noon"}', "not 'noon'"),
    "a time at the end of time": (
        '{"game": "hex", "players": ["a"], "when": "0001-01-01T00:00+14:00"}',
        "not '0001-01-01T00:00+14:00'",
    ),
    "half a character": ('{"game": "hex", "players": ["\\ud800"]}', "lone surrogate"),
    "nested too deep": ("[" * 100_000, "nested too deeply"),
    "too many digits": ('{"game": "hex", "players": ["a"], "seed": ' + "9" * 10_000 + "}", "4300 digits"),
}


@pytest.mark.parametrize(("text", "message"), BAD_JSON.values(), ids=BAD_JSON)
def test_invalid_json_is_a_one_line_error(text: str, message: str) -> None:
    with pytest.raises(ValueError) as caught:
        read_json(text)
    assert message in str(caught.value)
    assert str(caught.value).startswith("line ")
    assert "\n" not in str(caught.value)
    assert len(str(caught.value)) < 300


LONG = "q" * 5000
LONG_DIGITS = "9" * 4000
LITAMA = write_litama(Record(game="onitama:cards=ox-boar-horse-elephant-crab", players=("a", "b")))
LONG_VALUES: list[Any] = [
    LONG,
    [LONG],
    {LONG: 1},
    LONG_DIGITS,
    10**4000,
    [f"boar:{LONG}"],
    {"blue": [LONG] * 2},
]
LONG_SPECS = [
    LONG,
    f"hex:{LONG}=3",
    f"hex:size={LONG}",
    f"hex:size={LONG_DIGITS}",
    "hex:size=3," * 500,
    "hex:size=3,size=4" + ",size=5" * 500,
    f"gomoku:rule={LONG}",
    f"onitama:cards={LONG}",
    "onitama:cards=" + "ox-" * 2000,
    f"gofish:players={LONG_DIGITS}",
]


@pytest.mark.parametrize(
    ("name", "text"),
    [
        *[("json", json.dumps({**as_dict(GAME), key: v})) for key in as_dict(GAME) for v in LONG_VALUES],
        *[("json", json.dumps({**as_dict(GAME), "game": spec})) for spec in LONG_SPECS],
        *[
            ("json", json.dumps({**as_dict(GAME), "game": game, "moves": [move]}))
            for game in ("hex", "gomoku", "onitama", "gofish")
            for move in (LONG, f"a{LONG_DIGITS}", f"1:{LONG}", f"boar:{LONG}")
        ],
        *[
            ("litama", json.dumps({**json.loads(LITAMA), key: v}))
            for key in json.loads(LITAMA)
            for v in LONG_VALUES
        ],
        *[
            ("sgf", before + long + after)
            for long in (LONG, LONG.upper(), LONG_DIGITS, f"a{LONG_DIGITS}")
            for before, after in (
                ("(;GM[11]SZ[3];B[", "])"),
                ("(;GM[11]SZ[", "];B[a1])"),
                ("(;GM[", "]SZ[3];B[a1])"),
                ("(;GM[11]SZ[3]RE[", "];B[a1])"),
                ("(;GM[11]SZ[3]PL[", "];B[a1])"),
                ("(;GM[11]SZ[3];", "[a1])"),
                ("(;GM[4]SZ[9]RU[", "];B[aa])"),
                ("(;GM[4]SZ[9];B[", "])"),
            )
        ],
        *[("hexworld", f"https://hexworld.org/board/#{c}{LONG}") for c in ("", "5,", "5,a1:", LONG_DIGITS)],
        *[("psq", f"Piskvorky 15x15, 11:11, 0\n8,8,{long}\n{long}\n") for long in (LONG, LONG_DIGITS)],
    ],
)
def test_a_message_quotes_little_of_what_it_refuses(name: str, text: str) -> None:
    try:
        for record in read_records(text, name):
            verify(record)
    except ValueError as error:
        assert len(str(error)) < 500
        assert "\n" not in str(error)


def test_the_documentation_names_every_format() -> None:
    page = (Path(__file__).parents[2] / "docs" / "records.md").read_text(encoding="utf-8")
    for name, forms in all_formats().items():
        assert f"| `{name}` | `{forms[0].suffix}`" in page


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
    max_leaves=5,
)


@settings(deadline=None)
@given(st.sampled_from(list(as_dict(GAME))), VALUES)
def test_any_value_in_any_place_is_read_or_refused(key: str, value: Any) -> None:
    text = json.dumps({**as_dict(GAME), key: value})
    try:
        (record,) = read_json(text)
    except ValueError as error:
        assert "\n" not in str(error)
    else:
        assert read_json(write_json(record)) == [record]


@settings(deadline=None)
@given(st.sampled_from(["json", "sgf", "hexworld"]), st.text(max_size=200) | st.binary(max_size=200))
@example("sgf", "(" * 200_000)
@example("sgf", "(;" * 200_000)
@example("sgf", "(;GM[11]C[" + "\\" * 1_000_000)
@example("sgf", "(;GM[11]" + "C[]" * 300_000)
@example("sgf", "(;GM[11]" + ";" * 100_000 + ")")
@example("sgf", "(;GM[11])" * 10_000)
@example("sgf", "A" * 1_000_000)
@example("sgf", "(;" + "A" * 1_000_000)
@example("hexworld", "#" * 1_000_000)
@example("hexworld", "1" * 1_000_000)
@example("hexworld", "#11," + "a" * 1_000_000)
@example("hexworld", "#11," + "," * 100_000)
@example("hexworld", "#11," + "1" * 1_000_000)
@example("json", "\n" * 1_000_000)
@example("json", '{"a":' * 200_000)
def test_any_text_is_read_or_a_one_line_error(name: str, text: str | bytes) -> None:
    given = text if isinstance(text, str) else text.decode("latin-1")
    try:
        records = read_records(given, name)
    except ValueError as error:
        assert "\n" not in str(error)
        assert len(str(error)) < 400
    else:
        for record in records[:100]:  # one example has thousands of empty games
            verify(record)


class Plain:
    def start(self) -> None: ...


def test_a_game_brings_its_own_formats() -> None:
    assert list(formats_of(tesuji.game("hex"))) == ["json", "sgf", "hexworld"]
    assert formats_of(full_game(Plain())) == {"json": JSON}
    assert list(all_formats()) == ["json", "sgf", "hexworld", "psq", "litama"]
    with pytest.raises(ValueError, match="unknown format 'sfg'; did you mean 'sgf'"):
        read_records("", "sfg")


def test_a_format_of_two_games_is_read_by_the_right_game() -> None:
    def read(text: str) -> list[Record]:
        if "GM[5]" not in text:
            raise WrongGameError("this is not Nine Men's Morris")
        return [replace(GAME, game="morris")]

    class Morris:
        record_formats = {"sgf": Format("sgf", ".sgf", write_json, read)}

        def start(self) -> None: ...

    from tesuji.registry import games

    games.register("morris")(Morris)
    try:
        assert [record.game for record in read_records("(;GM[5])", "sgf")] == ["morris"]
        assert [record.game for record in read_records("(;GM[4])", "sgf")] == ["gomoku"]
        assert [record.game for record in read_records("(;GM[11])", "sgf")] == ["hex"]
        with pytest.raises(ValueError, match="this is Go, not Hex"):
            read_records("(;GM[1])", "sgf")
    finally:
        games.forget("morris")


@pytest.mark.parametrize(
    ("record", "message"),
    [
        (replace(GAME, game="nosuch"), "unknown game 'nosuch'"),
        (replace(GAME, game="hex:size=99"), "size must be from 2 to 19"),
        (replace(GAME, players=("a",)), "hex:size=3 has 2 players, not 1"),
        (replace(GAME, moves=("b2", "b2")), "move 2: 'b2' is not legal"),
        (replace(GAME, ending="played", scores=(1.0, 0.0)), "not over after move 2"),
        (
            replace(GAME, moves=("b1", "a1", "b2", "a2", "b3")),
            "'unfinished', but the game is over after move 5",
        ),
        (
            replace(GAME, moves=("b1", "a1", "b2", "a2", "b3"), ending="played", scores=(0.0, 1.0)),
            "must be 1, 0, not 0, 1",
        ),
    ],
)
def test_a_record_that_breaks_the_rules_is_refused(record: Record, message: str) -> None:
    with pytest.raises(ValueError) as caught:
        verify(record)
    assert message in str(caught.value)


@given(st.integers(0, 2**32))
def test_every_real_game_is_verified(seed: int) -> None:
    verify(random_record(seed))


@pytest.mark.parametrize(
    ("scores", "result"),
    [(None, "unfinished"), ((1.0, 0.0), "0"), ((0.2, 0.3, 0.3), "draw"), ((0.0, 0.1, 0.9), "2")],
)
def test_a_result_is_the_seat_that_won(scores: tuple[float, ...] | None, result: str) -> None:
    players = ("a",) * len(scores or "ab")
    ending: Any = "unfinished" if scores is None else "played"
    assert result_of(Record(game="hex", players=players, scores=scores, ending=ending)) == result
