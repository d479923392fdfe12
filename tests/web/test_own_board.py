"""Boards that games describe, in the API's JSON."""

from __future__ import annotations

import json
from collections.abc import Iterator

import pytest

from tests.web.server_process import DESCRIBED_GAMES, ApiClient, ServerProcess


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ApiClient]:
    store = tmp_path_factory.mktemp("own") / "games.db"
    with ServerProcess(store, "--load", str(DESCRIBED_GAMES)) as server, ApiClient(server.base) as client:
        yield client


def test_a_table_has_the_board_the_clicks_and_the_last_move(client: ApiClient) -> None:
    table = client.new("breakthrough:columns=4,rows=5", "person", "person", moves="b2-b3")
    board = table["board"]
    assert (board["kind"], len(board["cells"]), len(board["pieces"])) == ("board", 20, 16)
    assert board["pieces"]["b3"] == {"colour": "white", "shape": "pawn", "label": "white pawn"}
    assert board["last"] == ["b2", "b3"]
    assert set(board["clicks"]) == set(table["legal"])
    assert board["clicks"]["a4xb3"] == ["a4", "b3"]
    early = client.table(table["id"], ply=0)["board"]
    assert early["last"] == [] and early["clicks"]["b2-b3"] == ["b2", "b3"]


def test_moves_without_a_place_are_not_clicked(client: ApiClient) -> None:
    assert client.new("paths", "person", "person")["board"]["clicks"]["rest"] == []


def test_a_finished_game_has_nothing_to_click(client: ApiClient) -> None:
    table = client.new("yavalath", "person", "person", moves="e4 e1 e5 a1 e6")
    assert table["over"] and table["board"]["clicks"] == {}
    assert table["board"]["marks"] == {"e4": "cross", "e5": "cross", "e6": "cross"}


def test_candidates_have_the_steps_of_their_lines(client: ApiClient) -> None:
    table = client.new("breakthrough:columns=4,rows=5", "person", "person")
    with client.live(table["id"]) as live:
        client.post(f"/tables/{table['id']}/analysis", ply=0, bot="mcts:iterations=200", seconds=5)
        found = live.until(lambda message: message["type"] == "analysis" and message["done"])
    best = found["candidates"][0]
    assert [step["player"] for step in best["steps"]] == [ply % 2 for ply in range(len(best["line"]))]
    for text, step in zip(best["line"], best["steps"], strict=True):
        assert [text[:2], text[-2:]] == step["clicks"]


def test_hidden_cards_stay_hidden(client: ApiClient) -> None:
    table = client.new("duel", "person", "easy", seed=5)
    own, other = table["board"]["hands"]
    assert [piece["label"] for piece in own["pieces"].values()] != ["face-down card"] * 2
    assert [piece["label"] for piece in other["pieces"].values()] == ["face-down card"] * 2
    held = {name.removeprefix("card ") for name in own["pieces"]}
    assert set(table["board"]["clicks"]) == set(table["legal"]) == held
    watched = client.new("duel", "random", "random", seed=5)
    client.post(f"/tables/{watched['id']}/pause")
    assert "♥" not in json.dumps(client.table(watched["id"], ply=0)["board"]["hands"], ensure_ascii=False)


def test_the_catalogue_shows_the_first_position_and_the_docstring(client: ApiClient) -> None:
    games = {game["name"]: game for game in client.http.get("/games").json()}
    assert games["reversi"]["goal"].startswith("Enclose enemy discs")
    assert len(games["reversi"]["preview"]["board"]["pieces"]) == 4
    assert games["picture"]["preview"]["board"]["kind"] == "svg"
    assert games["unseen"]["preview"] is None  # only a generated repr
    assert games["hex"]["goal"].startswith("Connect")
    assert games["duel"]["preview"]["board"]["hands"][0]["player"] == 0
