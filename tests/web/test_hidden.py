"""Games with hidden cards: nothing reveals the cards of others."""

from __future__ import annotations

from tests.web.server_process import ApiClient, error_of


def test_a_person_sees_only_their_own_card(client: ApiClient) -> None:
    table = client.new("highcard", "person", "random", seed=3)
    first = table["board"]["text"]
    assert table["hidden"] and table["viewer"] == 0 and first.startswith("(0, ")
    assert table["seed"] is None and table["legal"] == ["high", "low"]
    assert error_of(client.http.get(f"/tables/{table['id']}", params={"seat": 1}))[0] == 409
    with client.live(table["id"], "?seat=1") as live:
        assert live.next()["type"] == "error"


def test_moves_of_others_are_not_listed_while_it_is_their_turn(client: ApiClient) -> None:
    table = client.new("highcard", "endless", "person", seed=3)
    assert table["turn"] == 0 and table["legal"] == [] and table["viewer"] == 1
    assert table["board"]["text"].startswith("(1, ")
    client.http.delete(f"/tables/{table['id']}")


def test_chance_events_are_revealed_when_the_game_is_over(client: ApiClient) -> None:
    table = client.new("dealt", "person", "person", seed=3)
    assert [(move["player"], move["text"]) for move in table["moves"]] == [(-1, "…"), (-1, "…")]
    assert not any("card-" in move["name"] for move in table["moves"])
    over = client.move(client.move(table, "high"), "low")
    assert over["over"] and all(move["text"].startswith("card-") for move in over["moves"][:2])


def test_requests_that_would_reveal_cards_are_refused_until_the_end(client: ApiClient) -> None:
    table = client.new("highcard", "person", "random", seed=3)
    path = f"/tables/{table['id']}"
    for call in ("record", "explain?ply=0"):
        assert error_of(client.http.get(f"{path}/{call}"))[0] == 409
    for call, body in (("branch", {"ply": 0}), ("review", {}), ("undo", {})):
        assert error_of(client.post(f"{path}/{call}", **body))[0] == 409
    status, line = error_of(client.post(f"{path}/seats", seats=["person", "person"]))
    assert status == 409 and "hidden" in line
    client.move(table, "high")
    over = client.until(table["id"], lambda now: now["over"])
    assert over["seed"] == 3 and client.http.get(f"{path}/record").status_code == 200
    assert client.table(table["id"], seat=1)["board"]["text"].startswith("(1, ")


def test_two_people_at_one_screen_see_the_cards_of_the_side_to_move(client: ApiClient) -> None:
    table = client.new("highcard", "person", "person", seed=3)
    assert table["viewer"] == 0
    assert client.move(table, "low")["viewer"] == 1


def test_go_fish_shows_the_own_hand_and_public_information(client: ApiClient) -> None:
    table = client.new("gofish:players=3", "person", "easy", "easy", seed=4)
    own, *others = table["board"]["seats"]
    assert len(own["cards"]) == 7 and all(seat["cards"] is None and seat["count"] == 7 for seat in others)
    asked = client.move(table, table["legal"][0])
    assert asked["board"]["log"][0].startswith("You ask player 1 for A")
    waits = client.until(table["id"], lambda now: now["turn"] == 0 or now["over"])
    assert {move["player"] for move in waits["moves"]} <= {0, 1, 2} and waits["board"]["viewer"] == 0
    two = client.new("gofish", "person", "person", seed=4)
    hands = [client.table(two["id"], seat=seat)["board"]["seats"][seat]["cards"] for seat in (0, 1)]
    assert hands[0] != hands[1] and None not in hands
    assert client.table(two["id"], seat=1)["legal"] == []  # the other's moves would tell what it holds
