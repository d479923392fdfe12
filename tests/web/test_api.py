"""The API of games, records, explanations and the store; invalid requests."""

from __future__ import annotations

import json

import pytest

from tests.web.server_process import ApiClient, error_of
from tesuji.bots.levels import LEVELS
from tesuji.registry import bots


def test_games_are_listed_with_options_bots_and_formats(client: ApiClient) -> None:
    games = {game["name"]: game for game in client.http.get("/games").json()}
    assert {"hex", "gomoku", "onitama", "highcard"} <= set(games)
    hex_game = games["hex"]
    assert hex_game["seats"] == {"minimum": 2, "maximum": 2} and hex_game["seat_names"] == ["Black", "White"]
    size = hex_game["options"][0]
    assert (size["name"], size["kind"], size["default"], size["minimum"], size["maximum"]) == (
        "size",
        "int",
        "11",
        2,
        19,
    )
    mcts = next(bot for bot in hex_game["bots"] if bot["name"] == "mcts")
    memory = next(option for option in mcts["options"] if option["name"] == "memory")
    declared = next(info for info in bots.describe("mcts") if info.name == "memory")
    assert (memory["kind"], memory["minimum"], memory["maximum"]) == (
        "int",
        declared.minimum,
        declared.maximum,
    )
    assert [level["name"] for level in hex_game["levels"]] == list(LEVELS)
    offered = [bot["name"] for bot in hex_game["bots"]]
    assert "zero" in offered and "raising" in offered and not {"gtp", "gomocup"} & set(offered)
    assert not any(option["name"] == "tablebase" for bot in hex_game["bots"] for option in bot["options"])
    assert hex_game["explainable"] and not hex_game["hidden"] and hex_game["board_kind"] == "hex"
    assert games["highcard"]["hidden"] and games["highcard"]["board_kind"] == "text"
    assert {"name": "sgf", "title": "SGF"} in hex_game["formats"]


@pytest.mark.parametrize(
    ("game", "moves"), [("hex:size=5,swap=on", "c3 swap-pieces b2"), ("gomoku", "h8 i9 h9"), ("onitama", "")]
)
def test_a_game_survives_export_and_import_in_every_format(client: ApiClient, game: str, moves: str) -> None:
    table = client.new(game, "person", "person", seed=5, moves=moves)
    if not moves:
        for _ in range(4):
            table = client.move(table, table["legal"][0])
    listed = next(one for one in client.http.get("/games").json() if one["name"] == game.partition(":")[0])
    for format in listed["formats"]:
        kept = client.http.get(f"/tables/{table['id']}/record", params={"format": format["name"]}).json()
        assert kept["format"] == format["name"] and kept["filename"].startswith(listed["name"])
        for named in ({"format": format["name"]}, {}):
            back = client.post("/records", text=kept["text"], game=listed["name"], **named)
            assert back.status_code == 201, (format, back.text)
            again = back.json()
            assert [move["text"] for move in again["moves"]] == [move["text"] for move in table["moves"]]
            assert again["board"] == table["board"] and {seat["kind"] for seat in again["seats"]} == {
                "person"
            }


def test_records_that_cannot_be_read_are_refused(client: ApiClient) -> None:
    assert error_of(client.post("/records", text="hello"))[0] == 400
    status, line = error_of(client.post("/records", text="(;GM[11]SZ[5];B[z9])", format="sgf"))
    assert status == 400 and "z9" in line
    status, line = error_of(client.post("/records", text="x", format="docx"))
    assert status == 400 and "unknown format 'docx'" in line
    table = client.new("hex:size=5", "person", "person")
    assert error_of(client.http.get(f"/tables/{table['id']}/record", params={"format": "psq"}))[0] == 400


def test_moves_are_explained_by_the_games_own_value(client: ApiClient) -> None:
    table = client.new("onitama", "person", "person", seed=7)
    path = f"/tables/{table['id']}/explain"
    best = client.http.get(path, params={"ply": 0}).json()["explanations"]
    assert 1 <= len(best) <= 5 and [one["probability"] for one in best] == sorted(
        (one["probability"] for one in best), reverse=True
    )
    two = [table["legal"][0], table["legal"][-1]]
    pair = client.http.get(path, params={"ply": 0, "moves": ",".join(two)}).json()["explanations"]
    assert [one["move"] for one in pair] == two
    for one in pair:
        total = one["base"] + sum(feature["contribution"] for feature in one["terms"])
        assert total == pytest.approx(one["total"])
    assert error_of(client.http.get(path, params={"ply": 5}))[0] == 409
    assert error_of(client.http.get(path, params={"ply": 0, "moves": "nonsense"}))[0] == 409


def test_a_stored_game_can_be_opened(client: ApiClient) -> None:
    table = client.new("hex:size=3", "person", "person", moves="b1 a1 b2 a2")
    client.move(table, "b3")
    number = client.until(table["id"], lambda now: now["record_number"])["record_number"]
    opened = client.post(f"/records/{number}").json()
    assert opened["over"] and opened["plies"] == 5 and opened["id"] != table["id"]
    assert error_of(client.post("/records/999999999"))[0] == 404


def test_a_stored_game_that_was_resigned_opens_as_over(client: ApiClient) -> None:
    table = client.new("hex:size=3", "person", "person", moves="b1")
    given_up = client.post(f"/tables/{table['id']}/resign", seat=1).json()
    assert given_up["result"] == "White resigns: Black wins." and given_up["record_number"]
    opened = client.post(f"/records/{given_up['record_number']}").json()
    assert (opened["result"], opened["scores"], opened["turn"]) == (given_up["result"], [1, 0], None)
    for listed in ("json", "sgf"):
        text = client.http.get(f"/tables/{opened['id']}/record", params={"format": listed}).json()["text"]
        assert client.post("/records", text=text).json()["result"] == given_up["result"]
    assert client.table(opened["id"])["record_number"] is None  # it is in the store already


@pytest.mark.parametrize(
    ("body", "error"),
    [
        ({}, "game: Field required"),
        ({"game": "hex", "seats": ["person", "easy"], "path": "/etc/passwd"}, "path: Extra inputs"),
        ({"game": "chess", "seats": ["person", "easy"]}, "unknown game 'chess'"),
        ({"game": "hex:size=99", "seats": ["person", "easy"]}, "size must be from 2 to 19"),
        ({"game": "hex", "seats": ["person"]}, "hex has 2 seats, not 1"),
        ({"game": "hex", "seats": ["person", "esay"]}, "did you mean 'easy'?"),
        ({"game": "hex", "seats": ["person", 'gtp:command="rm -rf /"']}, "unknown bot 'gtp'"),
        ({"game": "hex", "seats": ["person", "gomocup:command=x"]}, "unknown bot 'gomocup'"),
        ({"game": "hex", "seats": ["person", "greedy:value=/etc/passwd"]}, "value must be one of game, off"),
        ({"game": "hex", "seats": ["person", "zero:net=/tmp/net.onnx"]}, "net must be one of game, "),
        ({"game": "onitama", "seats": ["person", "zero"]}, "network for onitama"),
        ({"game": "gomoku", "seats": ["person", "zero:net=hex"]}, "network hex for gomoku"),
        ({"game": "gofish", "seats": ["person", "alphabeta"]}, "alphabeta cannot search"),
        ({"game": "hex", "seats": ["person", "zero:batch_size=0"]}, "batch_size must be from 1 to 1024"),
        ({"game": "onitama", "seats": ["person", "mcts:tablebase=/etc/passwd"]}, "tablebase must be"),
        ({"game": "hex", "seats": ["person", "mcts:seconds=100000"]}, "seconds must be at most"),
        ({"game": "hex", "seats": ["person", "mcts:iterations=4e9"]}, "iterations must be at most"),
        ({"game": "hex", "seats": ["person", "mcts:memory=100000"]}, "memory must be at most"),
        ({"game": "hex", "seats": ["person", "mcts:memory=off"]}, "memory must be a whole number"),
        ({"game": "hex", "seats": ["person", "mcts:memory=0"]}, "memory must be from 1"),
        ({"game": "hex", "seats": ["person", "mcts:threads=256"]}, "threads must be at most"),
        ({"game": "openspiel", "seats": ["person", "easy"]}, "'openspiel' are not available here"),
        ({"game": "hex", "seats": ["person", "easy"], "moves": "a1 a1"}, "move 2: 'a1' is not legal"),
        ({"game": "hex", "seats": ["person", "easy"], "seed": -1}, "seed: "),
        ({"game": "hex", "seats": ["person", "easy"], "clock": {"seconds": 0}}, "clock.seconds: "),
        ({"game": "x" * 1000, "seats": ["person", "easy"]}, "game: String should have at most 600"),
        ({"game": "hex", "seats": ["person", "easy\n"]}, "printable"),
    ],
)
def test_invalid_tables_are_refused_in_one_line(client: ApiClient, body: object, error: str) -> None:
    status, line = error_of(client.http.post("/tables", json=body))
    assert status == 400 and error in line


def test_bodies_that_are_not_json_are_refused(client: ApiClient) -> None:
    for content in (b"", b"{", b"[1, 2", b"\xff\xfe", b"[" * 100_000, b'{"game": NaN}'):
        response = client.http.post("/tables", content=content, headers={"content-type": "application/json"})
        assert error_of(response)[0] == 400
    body = json.dumps({"game": "hex", "seats": ["person", "person"]}).encode()
    assert (
        error_of(client.http.post("/tables", content=body, headers={"content-type": "text/plain"}))[0] == 400
    )


def test_unknown_paths_and_methods_are_refused(client: ApiClient) -> None:
    assert error_of(client.http.get("/nothing")) == (404, "Not found.")
    assert error_of(client.http.put("/games")) == (405, "Method not allowed.")


def test_a_diagram_becomes_a_game_or_a_problem(client: ApiClient) -> None:
    found = client.post("/positions", game="hex:size=3", diagram="..B\n.W.\n...", player=1).json()
    assert found["game"] == "hex:size=3,position=2b/1w1/3-w"
    assert (found["turn"], found["over"], found["board"]["cells"][0]) == (1, False, [".", ".", "b"])
    table = client.new(found["game"], "person", "person")
    assert table["turn"] == 1 and table["board"]["cells"] == found["board"]["cells"]
    wrong = client.post("/positions", game="hex:size=3", diagram="..B").json()
    assert "3 rows" in wrong["problem"] and "game" not in wrong
    full = "\n".join("XO" * 10 if row % 4 < 2 else "OX" * 10 for row in range(20))
    large = client.post("/positions", game="gomoku:size=20", diagram=full, player=0).json()
    assert large["over"] and client.new(large["game"], "person", "person")["over"]
    assert client.post("/positions", game="gomoku:size=20").json()["turn"] == 0
    for spec in ("gofish", "hex:size=99"):
        assert error_of(client.post("/positions", game=spec))[0] == 400
