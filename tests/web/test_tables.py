"""Tables: conversion to data, forfeits, clocks, board views."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.web import user_plugin  # noqa: F401  # its games
from tesuji.adapter import full_state
from tesuji.records import Ending, Note, Record
from tesuji.web.tables import table as table_module
from tesuji.web.tables.table import Conflict, Table, TableClock
from tesuji.web.tables.views import describe_board, view


def table_of(game: str, *seats: str, moves: tuple[str, ...] = (), seed: int = 1) -> Table:
    return Table.from_record(
        "a-key-for-tests", Record(game=game, players=seats, seed=seed, moves=moves), seats
    )


@pytest.mark.parametrize("game", ["hex:size=3,swap=on", "gomoku:swap2=on", "onitama", "highcard"])
def test_a_table_survives_conversion_to_json(game: str) -> None:
    table = table_of(game, "person", "easy")
    table.clock = TableClock([60.0, 30.0], 2.0)
    for _ in range(2):
        table.play(view(table, seat=None)["legal"][0] if not table.hidden else "high")
    table.played[0] = table.played[0]._replace(note=Note(0, 0.5, 10, 0.1))
    table.message, table.failed = "something", 1
    kept = json.loads(json.dumps(table.as_dict()))
    again = Table.from_dict(table.id, kept)
    again_view, table_view = view(again), view(table)
    clocks = again_view["clock"], table_view["clock"]
    assert clocks[0] and clocks[1] and clocks[0]["left"] == pytest.approx(clocks[1]["left"], abs=0.5)
    again_view["clock"] = table_view["clock"] = None
    assert again_view == table_view and again.played == table.played


def test_a_record_with_illegal_moves_is_refused() -> None:
    with pytest.raises(ValueError, match="move 2: 'b2' is not legal"):
        table_of("hex:size=3", "person", "easy", moves=("b2", "b2"))
    with pytest.raises(ValueError, match="hex:size=3 has 2 seats, not 3"):
        table_of("hex:size=3", "person", "easy", "easy")


@pytest.mark.parametrize(
    ("ending", "fault", "scores", "said"),
    [
        ("resigned", "", (1.0, 0.0), "White resigns: Black wins."),
        ("hung", "lost on time", (0.0, 1.0), "Black runs out of time: White wins."),
        ("hung", "no response", (0.0, 1.0), "Black does not respond: White wins."),
        ("crashed", "a fault", (1.0, 0.0), "White crashes: Black wins."),
        ("limit", "", (0.5, 0.5), "Move limit reached. Draw."),
    ],
)
def test_a_forfeited_record_is_over(
    ending: Ending, fault: str, scores: tuple[float, float], said: str
) -> None:
    players = ("person", "easy")
    ended = Record(
        game="hex:size=3", players=players, moves=("b2",), scores=scores, ending=ending, fault=fault
    )
    table = Table.from_record("a-key-for-tests", ended, players)
    for one in (table, Table.from_dict(table.id, json.loads(json.dumps(table.as_dict())))):
        shown = view(one)
        assert (shown["over"], shown["result"], shown["turn"], shown["legal"]) == (True, said, None, [])
        assert (one.record().ending, one.record().scores, one.record().fault) == (ending, scores, fault)
    table.undo()
    assert not table.over and table.ending == "unfinished"


def test_a_stored_clock_runs_only_while_the_server_does(monkeypatch: pytest.MonkeyPatch) -> None:
    now = 1000.0
    monkeypatch.setattr(table_module, "monotonic", lambda: now)
    clock = TableClock([60.0, 60.0], 5.0)
    clock.start(1)
    now += 10
    kept = json.loads(json.dumps(clock.to_store()))
    standing = json.loads(json.dumps(TableClock([60.0, 60.0]).to_store()))
    now += 20
    assert TableClock.from_store(kept).left == [60.0, 30.0] and TableClock.from_store(kept).running is None
    assert TableClock.from_store(standing).left == [60.0, 60.0]
    now += 100
    assert TableClock.from_store(kept).left == [60.0, 0.0]
    monkeypatch.setattr(
        table_module, "SERVER_RUN", "another"
    )  # the server was down: nobody's time has passed
    assert TableClock.from_store(kept).left == [60.0, 50.0]


def test_only_the_clock_of_the_side_to_move_runs() -> None:
    table = table_of("hex:size=3", "person", "person")
    table.clock = TableClock([60.0, 60.0], 5.0)
    table.play("b2")
    assert table.clock.running == 1 and table.clock.left[0] == 65.0
    table.play("a1")
    assert table.clock.running == 0 and 64 < table.clock.left[1] <= 65
    table.resign(0)
    assert table.clock.running is None
    with pytest.raises(Conflict, match="The game is over"):
        table.play_person_move(2, "a2", 0)


def test_board_views_of_the_built_in_games() -> None:
    onitama: dict[str, Any] = view(table_of("onitama:cards=ox-boar-horse-elephant-crab", "person", "easy"))[
        "board"
    ]
    assert onitama["cells"][0] == list("bbBbb") and onitama["cells"][4] == list("rrRrr")
    assert [card["owner"] for card in onitama["cards"]] == [0, 0, 1, 1, None]
    assert onitama["cards"][1] == {
        "name": "Boar", "word": "boar", "owner": 0, "stamp": 1, "moves": [[0, 1], [-1, 0], [1, 0]]
    }  # fmt: skip
    moves = ("a1", "a2", "b1", "b2", "c1", "c2", "d1", "d2", "e1")
    five = view(table_of("gomoku", "person", "easy", moves=moves))
    assert five["board"]["winning_line"] == ["a1", "b1", "c1", "d1", "e1"] and five["result"] == "Black wins."
    renju = table_of("gomoku:rule=renju", "person", "easy", moves=tuple("g8 a1 i8 a3 h7 a5 h9 a7".split()))
    assert view(renju)["board"]["forbidden"] == ["h8"]
    swap = view(table_of("hex:size=3,swap=on", "person", "person", moves=("a2",)))
    assert "swap-pieces" in swap["legal"] and swap["notes"]


def test_a_game_without_a_board_view_is_shown_as_picture_or_text() -> None:
    class Drawn:
        def svg(self) -> str:
            return "<svg/>"

    assert describe_board(full_state(Drawn()), None) == {"kind": "svg", "svg": "<svg/>"}
    assert describe_board(full_state(7), None) == {"kind": "text", "text": "7"}
