"""Playing at a table: moves, bots, undo, resigning, clocks, other bots."""

from __future__ import annotations

import random

import pytest

from tests.web.running import Page, errors


@pytest.mark.parametrize(
    "game", ["hex:size=4,swap=on", "gomoku:size=6", "onitama:ply_limit=30", "gofish:ranks=4,hand=3"]
)
def test_a_person_plays_a_whole_game_against_easy(page: Page, game: str) -> None:
    luck = random.Random(game)
    table = page.new(game, "person", "easy", seed=3)
    assert table["turn"] == 0 and not table["over"] and table["legal"]
    while not table["over"]:
        page.move(table, luck.choice(table["legal"]), seat=0)
        table = page.until(table["id"], lambda now: now["over"] or now["turn"] == 0)
    assert sum(table["scores"]) == 1 and table["result"] and table["legal"] == [] and table["turn"] is None
    kept = page.until(table["id"], lambda now: now["number"] is not None)
    listed = page.http.get("/records", params={"limit": 50}).json()
    found = next(one for one in listed if one["number"] == kept["number"])
    assert (found["plies"], found["ending"]) == (kept["plies"], "played")


def test_two_people_may_sit_at_one_screen(page: Page) -> None:
    table = page.new("hex:size=3", "person", "person")
    for move in ("b1", "a1", "b2", "a2", "b3"):
        table = page.move(table, move)
    assert table["result"] == "Black wins." and table["board"]["path"] == ["b1", "b2", "b3"]


def test_an_earlier_position_is_shown_as_it_was(page: Page) -> None:
    table = page.new("hex:size=3", "person", "person", moves="b2 a1")
    early = page.table(table["id"], ply=1)
    assert (early["ply"], early["plies"], early["turn"], early["board"]["last"]) == (1, 2, 1, "b2")
    assert len(early["legal"]) == 8 and [move["text"] for move in early["moves"]] == ["b2", "a1"]
    assert errors(page.http.get(f"/tables/{table['id']}", params={"ply": 3}))[0] == 409


def test_moves_out_of_turn_for_another_seat_or_from_the_past_are_refused(page: Page) -> None:
    table = page.new("hex:size=5", "person", "person", moves="c3")
    path = f"/tables/{table['id']}/moves"
    assert errors(page.post(path, ply=1, move="a1", seat=0)) == (
        409,
        "it is the turn of seat 1, not of seat 0",
    )
    assert errors(page.post(path, ply=0, move="a1"))[0] == 409
    status, line = errors(page.post(path, ply=1, move="c3"))
    assert status == 400 and "'c3' is not legal" in line
    assert errors(page.post(path, ply=1, move="nowhere"))[0] == 400
    watched = page.new("hex:size=5", "expert", "person")
    assert errors(page.post(f"/tables/{watched['id']}/moves", ply=0, move="a1"))[0] == 409
    assert page.table(table["id"])["plies"] == 1


def test_undo_takes_back_the_move_and_the_reply(page: Page) -> None:
    table = page.new("hex:size=5", "person", "easy")
    page.move(table, "c3")
    page.until(table["id"], lambda now: now["plies"] == 2)
    back = page.post(f"/tables/{table['id']}/undo").json()
    assert (back["plies"], back["turn"], back["undo"]) == (0, 0, False)
    assert errors(page.post(f"/tables/{table['id']}/undo"))[0] == 409


def test_undo_while_the_bot_thinks_forgets_its_answer(page: Page) -> None:
    table = page.new("hex:size=11", "person", "mcts:seconds=30")
    page.move(table, "f6")
    page.until(table["id"], lambda now: now["thinking"] is not None)
    assert page.post(f"/tables/{table['id']}/undo").json()["plies"] == 0
    page.move(page.table(table["id"]), "a1")
    page.post(f"/tables/{table['id']}/seats", seats=["person", "person"])
    assert [move["text"] for move in page.table(table["id"])["moves"]] == ["a1"]


def test_a_bot_that_is_told_to_stop_plays_what_it_has(page: Page) -> None:
    table = page.new("hex:size=11", "person", "mcts:seconds=60")
    page.move(table, "f6")
    thinking = page.until(table["id"], lambda now: now["thinking"] is not None)
    assert thinking["thinking"]["seat"] == 1
    assert page.post(f"/tables/{table['id']}/stop").status_code == 200
    after = page.until(table["id"], lambda now: now["plies"] == 2)
    assert after["thinking"] is None and after["message"] is None and 0 <= after["value"] <= 1
    assert errors(page.post(f"/tables/{table['id']}/stop")) == (409, "no bot is thinking")


def test_a_person_resigns_and_a_bot_does(page: Page) -> None:
    table = page.new("hex:size=5", "person", "easy", moves="a1 b2")
    assert errors(page.post(f"/tables/{table['id']}/resign", seat=1))[0] == 409
    over = page.post(f"/tables/{table['id']}/resign", seat=0).json()
    assert (over["scores"], over["result"]) == ([0.0, 1.0], "Black resigns: White wins.")
    other = page.new("hex:size=5", "person", "resigning")
    page.move(other, "c3")
    assert page.until(other["id"], lambda now: now["over"])["result"] == "White resigns: Black wins."


def test_a_bot_that_raises_leaves_a_message_and_another_goes_on(page: Page) -> None:
    table = page.new("hex:size=5", "person", "raising")
    page.move(table, "c3")
    table = page.until(table["id"], lambda now: now["plies"] == 2)
    page.move(table, next(move for move in table["legal"]))
    failed = page.until(table["id"], lambda now: now["message"] is not None)
    assert failed["message"].startswith("raising cannot go on: KeyError: ")
    assert failed["thinking"] is None and failed["turn"] == 1 and failed["plies"] == 3
    page.post(f"/tables/{table['id']}/seats", seats=["person", "easy"])
    after = page.until(table["id"], lambda now: now["plies"] == 4)
    assert after["message"] is None


def test_a_bot_that_plays_what_is_not_legal_is_told_of(page: Page) -> None:
    table = page.new("hex:size=5", "person", "cheating")
    page.move(table, "c3")
    assert "is not legal" in page.until(table["id"], lambda now: now["message"])["message"]


def test_a_bot_that_hangs_can_be_replaced_and_disturbs_nobody(page: Page) -> None:
    stuck = page.new("hex:size=5", "person", "endless")
    page.move(stuck, "c3")
    page.until(stuck["id"], lambda now: now["thinking"] is not None)
    other = page.new("hex:size=5", "person", "easy")
    page.move(other, "c3")
    page.until(other["id"], lambda now: now["plies"] == 2)
    page.post(f"/tables/{stuck['id']}/seats", seats=["person", "easy"])
    page.until(stuck["id"], lambda now: now["plies"] == 2)


def test_rules_that_raise_are_one_line_and_the_table_stays(page: Page) -> None:
    table = page.new("broken", "person", "person", moves="1 2")
    answer = page.post(f"/tables/{table['id']}/moves", ply=2, move="1")
    assert errors(answer) == (500, "this did not work: RuntimeError: no third move")
    assert answer.headers["connection"] == "close"
    assert page.table(table["id"])["plies"] == 2


def test_bots_play_each_other_with_pause_step_and_speed(page: Page) -> None:
    table = page.new("hex:size=11", "random", "random")
    path = f"/tables/{table['id']}"
    assert page.post(f"{path}/speed", seconds=0.01).json()["speed"] == 0.01
    page.until(table["id"], lambda now: now["plies"] >= 3)
    paused = page.post(f"{path}/pause", paused=True).json()
    assert paused["paused"] is True
    assert page.post(f"{path}/step").status_code == 200
    after = page.until(table["id"], lambda now: now["plies"] == paused["plies"] + 1)
    assert after["paused"] is True
    assert page.post(f"{path}/pause", paused=False).json()["paused"] is False
    page.until(table["id"], lambda now: now["over"])
    with_person = page.new("hex:size=5", "person", "random")
    assert errors(page.post(f"/tables/{with_person['id']}/pause"))[0] == 409


def test_a_bot_with_a_clock_uses_a_part_of_it(page: Page) -> None:
    table = page.new(
        "hex:size=11", "person", "mcts:iterations=2000000", clock={"seconds": 40, "increment": 0}
    )
    page.move(table, "f6")
    after = page.until(table["id"], lambda now: now["plies"] == 2 or now["over"])
    assert not after["over"]
    assert 20 < after["clock"]["left"][1] < 39.5  # never more than a half, but some


def test_who_runs_out_of_time_loses(page: Page) -> None:
    table = page.new("hex:size=5", "person", "person", clock={"seconds": 1, "increment": 0})
    assert table["clock"] == {"left": [1.0, 1.0], "running": None, "increment": 0.0}
    after = page.move(table, "c3")
    assert after["clock"]["running"] == 1
    over = page.until(table["id"], lambda now: now["over"])
    assert over["result"] == "White runs out of time: Black wins." and over["clock"]["left"][1] == 0
    assert page.http.get(f"/tables/{table['id']}/record").json()["text"].count('"lost on time"') == 1


def test_another_move_can_be_tried_from_any_point(page: Page) -> None:
    table = page.new("hex:size=5", "person", "person", moves="c3 b2 d4")
    branch = page.post(f"/tables/{table['id']}/branch", ply=1).json()
    assert branch["id"] != table["id"] and [move["text"] for move in branch["moves"]] == ["c3"]
    page.move(branch, "a1")
    assert page.table(table["id"])["plies"] == 3
    assert errors(page.post(f"/tables/{table['id']}/branch", ply=4))[0] == 409


def test_a_table_that_was_cleared_is_gone(page: Page) -> None:
    table = page.new("hex:size=5", "person", "person")
    assert page.http.delete(f"/tables/{table['id']}").status_code == 204
    assert errors(page.http.get(f"/tables/{table['id']}")) == (404, "there is no such table")
    assert errors(page.http.get("/tables/there-is-no-such-table"))[0] == 404
