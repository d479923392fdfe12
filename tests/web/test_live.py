"""The live connection: tables, analyses, reviews and malformed frames."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from pydantic import TypeAdapter
from websockets.exceptions import ConnectionClosed, InvalidStatus

from tests.web.server_process import TIMEOUT, ApiClient, ServerProcess, error_of
from tesuji.web.schema import AnalysisMessage, ReviewMessage, SolutionMessage, TableMessage


def check_form(message: Any, form: type) -> None:
    """A message has all keys of its type in the schema, and no others."""
    assert TypeAdapter(form).validate_python(message) == message


def test_a_page_gets_the_table_at_once_and_every_change(client: ApiClient) -> None:
    table = client.new("hex:size=5", "person", "easy")
    with client.live(table["id"]) as live:
        assert live.next() == {"type": "table", **client.table(table["id"])}
        client.move(table, "c3")
        frame = live.until(lambda frame: frame["type"] == "table" and frame["plies"] == 2)
        assert frame["turn"] == 0
        check_form(frame, TableMessage)
    with client.live(table["id"]) as again:  # a page that comes back
        assert again.next()["plies"] == 2


@pytest.mark.parametrize(
    "frame",
    [
        "nonsense",
        "[" * 3000,
        '{"type": "move"}',
        "[]",
        "null",
        b"\x00\xff",
        "\ud7ff" * 10,
        '{"type":' + "1" * 4000 + "}",
    ],
)
def test_what_a_page_sends_is_ignored_and_the_connection_stays_open(
    client: ApiClient, frame: str | bytes
) -> None:
    table = client.new("hex:size=5", "person", "person")
    with client.live(table["id"]) as live:
        live.next()
        live.socket.send(frame)
        assert live.socket.ping().wait(TIMEOUT)
        client.move(table, "a1")
        assert live.next()["plies"] == 1


def test_a_large_frame_closes_the_connection(client: ApiClient) -> None:
    table = client.new("hex:size=5", "person", "person")
    with client.live(table["id"]) as live:
        live.next()
        live.socket.send("x" * 5000)
        with pytest.raises(ConnectionClosed) as closed:
            live.next()
    assert closed.value.rcvd is not None and closed.value.rcvd.code == 1009
    assert client.table(table["id"])["plies"] == 0


def test_text_that_is_not_utf_8_closes_the_connection_without_a_traceback(tmp_path: Path) -> None:
    with ServerProcess(tmp_path / "games.db", "--workers", "1") as server, ApiClient(server.base) as client:
        table = client.new("hex:size=5", "person", "person")
        with client.live(table["id"]) as live:
            live.next()
            live.socket.send(b"\xff\xfe", text=True)
            with pytest.raises(ConnectionClosed) as closed:
                live.next()
        assert closed.value.rcvd is not None and closed.value.rcvd.code == 1007
        assert client.table(table["id"])["plies"] == 0
        assert server.end() == ""


def test_a_connection_to_an_unknown_table_gets_an_error(client: ApiClient) -> None:
    with client.live("there-is-no-such-table") as live:
        assert live.next() == {"type": "error", "error": "No such table."}
        with pytest.raises(ConnectionClosed):
            live.next()


def test_cross_origin_connections_are_refused(client: ApiClient) -> None:
    table = client.new("hex:size=5", "person", "person")
    with pytest.raises(InvalidStatus), client.live(table["id"], Origin="http://evil.example") as _:
        pass
    with client.live(table["id"], Origin=client.base) as live:
        assert live.next()["type"] == "table"


def test_an_analysis_reports_progress_and_finishes(client: ApiClient) -> None:
    table = client.new("hex:size=7", "person", "person", moves="d4")
    with client.live(table["id"]) as live:
        response = client.post(f"/tables/{table['id']}/analysis", ply=1, bot="mcts", seconds=1)
        assert (response.status_code, response.json()) == (202, {"started": True})
        first = live.until(lambda frame: frame["type"] == "analysis")
        assert not first["done"] and first["ply"] == 1 and first["player"] == 1
        last = live.until(lambda frame: frame["type"] == "analysis" and frame["done"])
        best = last["candidates"][0]
        assert last["visits"] > first["visits"] and 0 <= last["value"] <= 1 and "error" not in last
        assert best["move"] == last["move"] == best["line"][0] and best["visits"] > 0
        check_form(last, AnalysisMessage)


def test_an_analysis_can_be_stopped(client: ApiClient) -> None:
    table = client.new("hex:size=7", "person", "person")
    with client.live(table["id"]) as live:
        client.post(f"/tables/{table['id']}/analysis", ply=0, bot="mcts", seconds=50)
        live.until(lambda frame: frame["type"] == "analysis")
        assert client.http.delete(f"/tables/{table['id']}/analysis").status_code == 204
        other = client.new("hex:size=7", "person", "mcts:iterations=50")  # its worker is free again
        client.move(other, "a1")
        client.until(other["id"], lambda now: now["plies"] == 2)


def test_impossible_analyses_are_refused(client: ApiClient) -> None:
    table = client.new("hex:size=2", "person", "person", moves="a1 b1 a2")
    path = f"/tables/{table['id']}"
    assert error_of(client.post(f"{path}/analysis", ply=3))[0] == 409
    assert error_of(client.post(f"{path}/analysis", ply=9))[0] == 409
    assert error_of(client.post(f"{path}/analysis", ply=0, bot="gtp:command=sh"))[0] == 400
    with client.live(table["id"]) as live:
        assert client.post(f"{path}/analysis", ply=0, bot="random").status_code == 202
        last = live.until(lambda frame: frame["type"] == "error")
        assert "random cannot analyse" in last["error"]


def test_a_solved_position_names_the_winner_after_each_move(client: ApiClient) -> None:
    table = client.new("hex:size=4", "person", "person")
    assert table["solvable"]
    with client.live(table["id"]) as live:
        response = client.post(f"/tables/{table['id']}/solution", ply=0)
        assert (response.status_code, response.json()) == (202, {"started": True})
        last = live.until(lambda frame: frame["type"] == "solution" and frame["done"])
        assert (last["ply"], last["player"], last["unsolved"], "error" in last) == (0, 0, 0, False)
        check_form(last, SolutionMessage)
        assert sorted(last["winners"]) == sorted(table["legal"])
        assert [move for move, winner in last["winners"].items() if winner == 0] == ["d1", "c2", "b3", "a4"]


def test_a_solution_reports_progress_and_can_be_stopped(client: ApiClient) -> None:
    table = client.new("hex:size=7", "person", "person")
    with client.live(table["id"]) as live:
        client.post(f"/tables/{table['id']}/solution", ply=0)
        first = live.until(lambda frame: frame["type"] == "solution")
        assert not first["done"] and len(first["winners"]) + first["unsolved"] == 49
        assert client.http.delete(f"/tables/{table['id']}/analysis").status_code == 204
        other = client.new("hex:size=7", "person", "mcts:iterations=50")  # its worker is free again
        client.move(other, "a1")
        client.until(other["id"], lambda now: now["plies"] == 2)


def test_a_solver_out_of_time_says_what_it_knows(client: ApiClient) -> None:
    table = client.new("hex:size=7", "person", "person")
    with client.live(table["id"]) as live:
        client.post(f"/tables/{table['id']}/solution", ply=0, seconds=0.1)
        last = live.until(lambda frame: frame["type"] == "solution" and frame["done"])
        assert last["unsolved"] > 0 and "error" not in last


def test_impossible_solutions_are_refused(client: ApiClient) -> None:
    small = client.new("hex:size=2", "person", "person", moves="a1 b1 a2")
    path = f"/tables/{small['id']}/solution"
    assert error_of(client.post(path, ply=3)) == (409, "The game is over: nothing to analyse.")
    assert error_of(client.post(path, ply=9))[0] == 409
    assert error_of(client.post(path, ply=0, bot="mcts"))[0] == 400
    for game in ("hex:size=11", "gomoku"):
        table = client.new(game, "person", "person")
        status, error = error_of(client.post(f"/tables/{table['id']}/solution", ply=0))
        assert not table["solvable"] and status == 409 and table["game"] in error


def test_a_review_finds_the_blunder(client: ApiClient) -> None:
    table = client.new("hex:size=3", "person", "person", moves="b2 a1 b1 a3 c1 b3")  # c1, where b3 wins
    with client.live(table["id"]) as live:
        client.post(f"/tables/{table['id']}/review", bot="mcts:iterations=3000", seconds=5)
        found = {}
        while True:
            frame = live.until(lambda frame: frame["type"] == "review")
            found[frame["ply"]] = frame
            check_form(frame, ReviewMessage)
            if frame["done"]:
                break
    assert sorted(found) == list(range(7))
    assert (found[4]["played"], found[4]["best"], found[4]["loss"]) == ("c1", "b3", 1.0)
    assert found[4]["value"] == 1.0 and found[6]["value"] == 0.0  # of Black, before and after
    assert all(frame["loss"] < 0.1 for ply, frame in found.items() if ply != 4)
    with client.live(table["id"]) as again:  # a page that comes back gets it once more
        assert [again.next()["type"] for _ in range(8)] == ["table"] + ["review"] * 7


def test_a_game_without_moves_cannot_be_reviewed(client: ApiClient) -> None:
    table = client.new("hex:size=3", "person", "person")
    assert error_of(client.post(f"/tables/{table['id']}/review"))[0] == 409
