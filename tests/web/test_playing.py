"""Playing: moves, bots, undo, resignation, clocks, replaced bots."""

from __future__ import annotations

import random

import pytest

from tests.web.server_process import ApiClient, error_of


@pytest.mark.parametrize(
    "game", ["hex:size=4,swap=on", "gomoku:size=6", "onitama:ply_limit=30", "gofish:ranks=4,hand=3"]
)
def test_a_person_plays_a_whole_game_against_easy(client: ApiClient, game: str) -> None:
    rng = random.Random(game)
    table = client.new(game, "person", "easy", seed=3)
    assert table["turn"] == 0 and not table["over"] and table["legal"]
    while not table["over"]:
        client.move(table, rng.choice(table["legal"]), seat=0)
        table = client.until(table["id"], lambda now: now["over"] or now["turn"] == 0)
    assert sum(table["scores"]) == 1 and table["result"] and table["legal"] == [] and table["turn"] is None
    kept = client.until(table["id"], lambda now: now["record_number"] is not None)
    listed = client.http.get("/records", params={"limit": 50}).json()
    found = next(one for one in listed if one["number"] == kept["record_number"])
    assert (found["plies"], found["ending"]) == (kept["plies"], "played")


def test_two_people_play_each_other(client: ApiClient) -> None:
    table = client.new("hex:size=3", "person", "person")
    for move in ("b1", "a1", "b2", "a2", "b3"):
        table = client.move(table, move)
    assert table["result"] == "Black wins." and table["board"]["winning_line"] == ["b1", "b2", "b3"]


def test_an_earlier_position_can_be_shown(client: ApiClient) -> None:
    table = client.new("hex:size=3", "person", "person", moves="b2 a1")
    early = client.table(table["id"], ply=1)
    assert (early["ply"], early["plies"], early["turn"], early["board"]["last"]) == (1, 2, 1, "b2")
    assert len(early["legal"]) == 8 and [move["text"] for move in early["moves"]] == ["b2", "a1"]
    assert error_of(client.http.get(f"/tables/{table['id']}", params={"ply": 3}))[0] == 409


def test_moves_out_of_turn_for_another_seat_or_out_of_date_are_refused(client: ApiClient) -> None:
    table = client.new("hex:size=5", "person", "person", moves="c3")
    path = f"/tables/{table['id']}/moves"
    status, line = error_of(client.post(path, ply=1, move="a1", seat=0))
    assert status == 409 and "seat 0" in line
    assert error_of(client.post(path, ply=0, move="a1"))[0] == 409
    status, line = error_of(client.post(path, ply=1, move="c3"))
    assert status == 400 and "'c3' is not legal" in line
    assert error_of(client.post(path, ply=1, move="nowhere"))[0] == 400
    watched = client.new("hex:size=5", "expert", "person")
    assert error_of(client.post(f"/tables/{watched['id']}/moves", ply=0, move="a1"))[0] == 409
    assert client.table(table["id"])["plies"] == 1


def test_undo_takes_back_the_move_and_the_reply(client: ApiClient) -> None:
    table = client.new("hex:size=5", "person", "easy")
    client.move(table, "c3")
    client.until(table["id"], lambda now: now["plies"] == 2)
    back = client.post(f"/tables/{table['id']}/undo").json()
    assert (back["plies"], back["turn"], back["can_undo"]) == (0, 0, False)
    assert error_of(client.post(f"/tables/{table['id']}/undo"))[0] == 409


def test_undo_discards_the_move_of_a_thinking_bot(client: ApiClient) -> None:
    table = client.new("hex:size=11", "person", "mcts:seconds=30")
    client.move(table, "f6")
    client.until(table["id"], lambda now: now["thinking"] is not None)
    assert client.post(f"/tables/{table['id']}/undo").json()["plies"] == 0
    client.move(client.table(table["id"]), "a1")
    client.post(f"/tables/{table['id']}/seats", seats=["person", "person"])
    assert [move["text"] for move in client.table(table["id"])["moves"]] == ["a1"]


def test_a_stopped_bot_plays_its_best_move_so_far(client: ApiClient) -> None:
    table = client.new("hex:size=11", "person", "mcts:seconds=60")
    client.move(table, "f6")
    thinking = client.until(table["id"], lambda now: now["thinking"] is not None)
    assert thinking["thinking"]["seat"] == 1
    assert client.post(f"/tables/{table['id']}/stop").status_code == 200
    after = client.until(table["id"], lambda now: now["plies"] == 2)
    assert after["thinking"] is None and after["message"] is None and 0 <= after["value"] <= 1
    assert error_of(client.post(f"/tables/{table['id']}/stop")) == (409, "No bot is thinking.")


def test_people_and_bots_can_resign(client: ApiClient) -> None:
    table = client.new("hex:size=5", "person", "easy", moves="a1 b2")
    assert error_of(client.post(f"/tables/{table['id']}/resign", seat=1))[0] == 409
    over = client.post(f"/tables/{table['id']}/resign", seat=0).json()
    assert (over["scores"], over["result"]) == ([0.0, 1.0], "Black resigns: White wins.")
    other = client.new("hex:size=5", "person", "resigning")
    client.move(other, "c3")
    assert client.until(other["id"], lambda now: now["over"])["result"] == "White resigns: Black wins."


def test_a_bot_that_raises_can_be_replaced(client: ApiClient) -> None:
    table = client.new("hex:size=5", "person", "raising")
    client.move(table, "c3")
    table = client.until(table["id"], lambda now: now["plies"] == 2)
    client.move(table, next(move for move in table["legal"]))
    failed = client.until(table["id"], lambda now: now["message"] is not None)
    assert failed["message"].startswith("raising failed: KeyError: ")
    assert failed["thinking"] is None and failed["turn"] == 1 and failed["plies"] == 3
    client.post(f"/tables/{table['id']}/seats", seats=["person", "easy"])
    after = client.until(table["id"], lambda now: now["plies"] == 4)
    assert after["message"] is None


def test_an_illegal_move_of_a_bot_is_reported(client: ApiClient) -> None:
    table = client.new("hex:size=5", "person", "cheating")
    client.move(table, "c3")
    assert "is not legal" in client.until(table["id"], lambda now: now["message"])["message"]


def test_a_hanging_bot_can_be_replaced_and_blocks_no_other_table(client: ApiClient) -> None:
    stuck = client.new("hex:size=5", "person", "endless")
    client.move(stuck, "c3")
    client.until(stuck["id"], lambda now: now["thinking"] is not None)
    other = client.new("hex:size=5", "person", "easy")
    client.move(other, "c3")
    client.until(other["id"], lambda now: now["plies"] == 2)
    client.post(f"/tables/{stuck['id']}/seats", seats=["person", "easy"])
    client.until(stuck["id"], lambda now: now["plies"] == 2)


def test_an_exception_in_the_rules_leaves_the_table_unchanged(client: ApiClient) -> None:
    table = client.new("broken", "person", "person", moves="1 2")
    response = client.post(f"/tables/{table['id']}/moves", ply=2, move="1")
    assert error_of(response) == (500, "Internal error: RuntimeError: no third move")
    assert response.headers["connection"] == "close"
    assert client.table(table["id"])["plies"] == 2


def test_bots_play_each_other_with_pause_step_and_speed(client: ApiClient) -> None:
    table = client.new("hex:size=11", "random", "random")
    path = f"/tables/{table['id']}"
    assert client.post(f"{path}/speed", seconds=0.01).json()["speed"] == 0.01
    client.until(table["id"], lambda now: now["plies"] >= 3)
    paused = client.post(f"{path}/pause", paused=True).json()
    assert paused["paused"] is True
    assert client.post(f"{path}/step").status_code == 200
    after = client.until(table["id"], lambda now: now["plies"] == paused["plies"] + 1)
    assert after["paused"] is True
    assert client.post(f"{path}/pause", paused=False).json()["paused"] is False
    client.until(table["id"], lambda now: now["over"])
    with_person = client.new("hex:size=5", "person", "random")
    assert error_of(client.post(f"/tables/{with_person['id']}/pause"))[0] == 409


def test_a_bot_spends_part_of_its_clock(client: ApiClient) -> None:
    table = client.new(
        "hex:size=11", "person", "mcts:iterations=2000000", clock={"seconds": 40, "increment": 0}
    )
    client.move(table, "f6")
    after = client.until(table["id"], lambda now: now["plies"] == 2 or now["over"])
    assert not after["over"]
    assert 20 < after["clock"]["left"][1] < 39.5  # never more than a half, but some


def test_running_out_of_time_loses(client: ApiClient) -> None:
    table = client.new("hex:size=5", "person", "person", clock={"seconds": 1, "increment": 0})
    assert table["clock"] == {"left": [1.0, 1.0], "running": None, "increment": 0.0}
    after = client.move(table, "c3")
    assert after["clock"]["running"] == 1
    over = client.until(table["id"], lambda now: now["over"])
    assert over["result"] == "White runs out of time: Black wins." and over["clock"]["left"][1] == 0
    assert client.http.get(f"/tables/{table['id']}/record").json()["text"].count('"lost on time"') == 1


def test_a_table_can_be_branched(client: ApiClient) -> None:
    table = client.new("hex:size=5", "person", "person", moves="c3 b2 d4")
    branch = client.post(f"/tables/{table['id']}/branch", ply=1).json()
    assert branch["id"] != table["id"] and [move["text"] for move in branch["moves"]] == ["c3"]
    client.move(branch, "a1")
    assert client.table(table["id"])["plies"] == 3
    assert error_of(client.post(f"/tables/{table['id']}/branch", ply=4))[0] == 409


def test_a_deleted_table_is_gone(client: ApiClient) -> None:
    table = client.new("hex:size=5", "person", "person")
    assert client.http.delete(f"/tables/{table['id']}").status_code == 204
    assert error_of(client.http.get(f"/tables/{table['id']}")) == (404, "No such table.")
    assert error_of(client.http.get("/tables/there-is-no-such-table"))[0] == 404
