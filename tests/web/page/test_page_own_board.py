"""Games that describe their own boards, in a browser: drawn, played by clicks, analysed, reviewed."""

from __future__ import annotations

import random
import re

import pytest
from playwright.sync_api import expect

from tests.web.page.screen import PATIENCE, Screen

SMALL = "breakthrough:columns=4,rows=5"


def chosen(screen: Screen) -> list[str]:
    """The selected cells."""
    names: list[str] = screen.page.locator('.cell[aria-selected="true"]').evaluate_all(
        "all => all.map(one => one.dataset.cell)"
    )
    return names


def targets(screen: Screen) -> list[str]:
    """The cells that complete a move."""
    names: list[str] = screen.page.locator('[aria-label*="legal target"]').evaluate_all(
        "all => all.map(one => one.dataset.cell)"
    )
    return sorted(names)


def test_home_cards_show_the_picture_and_the_docstring(own: Screen) -> None:
    own.open()
    card = own.page.get_by_role("article", name="Breakthrough")
    expect(card.locator(".preview svg.board .piece")).to_have_count(32)
    expect(card).to_contain_text("Move a pawn to the far row; pawns move forward and capture diagonally.")
    expect(own.page.get_by_role("article", name="Picture").locator(".preview rect")).to_have_count(4)
    expect(own.page.get_by_role("article", name="Unseen").locator(".preview")).to_have_text("U")


@pytest.mark.parametrize("game", ["reversi:size=4", "yavalath"])
def test_a_whole_game_with_one_click_a_move(own: Screen, game: str) -> None:
    rng = random.Random(game)
    own.game(game, "person", "random:seed=1")
    while own.my_turn():
        plies = len(own.played())
        if own.page.locator(".cell.can").count():
            own.put(own.any_cell(rng))
        else:
            own.button("pass").click()
        expect(own.moves.nth(plies)).to_be_visible(timeout=PATIENCE)
    assert own.page.locator(".status.over").inner_text() in ("Black wins.", "White wins.", "Draw.")
    expect(own.page.locator(".cell.can")).to_have_count(0)


def test_a_whole_game_with_two_clicks_a_move(own: Screen) -> None:
    rng = random.Random(2)
    own.game(SMALL, "person", "random:seed=1")
    while own.my_turn():
        plies = len(own.played())
        start = own.any_cell(rng)
        own.put(start)
        assert chosen(own) == [start]
        target = rng.choice(targets(own))
        own.put(target)
        expect(own.moves.nth(plies)).to_be_visible(timeout=PATIENCE)
        assert re.fullmatch(f"{start}[-x]{target}", own.played()[plies])
    assert own.page.locator(".status.over").inner_text() in ("White wins.", "Black wins.")


def test_a_selection_can_be_changed_and_cancelled(own: Screen) -> None:
    own.game(SMALL, "person", "person")
    own.put("b2")
    assert (chosen(own), targets(own)) == (["b2"], ["a3", "b3", "c3"])
    own.put("b2")
    assert chosen(own) == []
    own.put("b2", "d2")
    assert (chosen(own), targets(own)) == (["d2"], ["c3", "d3"])
    own.put("a1")  # an own piece that cannot move
    assert chosen(own) == []
    own.cell("c2").focus()
    own.page.keyboard.press("Enter")
    assert chosen(own) == ["c2"]
    own.page.keyboard.press("Escape")
    assert (chosen(own), own.played()) == ([], [])


def test_the_last_move_is_marked(own: Screen) -> None:
    own.game(SMALL, "person", "person", moves="b2-b3")
    expect(own.cell("b3")).to_have_attribute("aria-label", "b3, white pawn, last move")
    expect(own.cell("b2").locator(".moved.left")).to_have_count(1)
    own.game("reversi:size=4", "person", "person", moves="d3")
    expect(own.cell("d3")).to_have_attribute("aria-label", "d3, black, last move")


def test_the_board_is_flipped_for_the_second_player(own: Screen) -> None:
    heights = []
    for seats in (("person", "person"), ("random", "person")):
        own.game(SMALL, *seats)
        first, last = own.cell("a1").bounding_box(), own.cell("a5").bounding_box()
        assert first and last
        heights.append(first["y"] - last["y"])
    assert heights[0] > 0 > heights[1]


def test_three_clicks_and_moves_that_share_their_clicks(own: Screen) -> None:
    own.game("paths", "person", "person")
    own.put("α")
    assert targets(own) == ["β", "γ"]
    own.put("γ", "β")
    own.count(1)
    own.put("δ")  # two moves
    expect(own.page.locator(".choose-move button")).to_have_text(["twin-1", "twin-2"])
    own.button("twin-2").click()
    own.count(2)
    own.button("rest").click()
    own.count(3)
    assert own.played() == ["curved", "twin-2", "rest"]
    expect(own.page.locator(".choose-move button")).to_have_count(0)


def test_a_piece_is_dropped_from_the_hand(own: Screen) -> None:
    own.game("drops", "person", "person")
    own.page.get_by_role("button", name="2 × red pawn").click()
    assert len(targets(own)) == 9
    own.put("b2")
    own.count(1)
    expect(own.cell("b2")).to_have_attribute("aria-label", re.compile("^b2, red pawn, last move"))
    expect(own.page.get_by_role("group", name="red hand").get_by_role("button")).to_have_text(["", ""])
    expect(own.page.get_by_role("button", name="2 × blue pawn")).to_be_enabled()
    expect(own.page.get_by_role("button", name="red king")).to_be_disabled()


def test_the_hidden_hand_of_the_other_player_is_closed(own: Screen) -> None:
    own.game("duel", "person", "easy")
    hands = own.page.locator(".side-hand")
    expect(hands.nth(0).get_by_role("button")).to_have_count(2)
    expect(hands.nth(0).get_by_role("button").first).to_have_attribute("aria-label", "face-down card")
    own.page.get_by_role("group", name="Player 0").get_by_role("button").first.click()
    own.count(2)
    expect(own.page.locator(".described .face-card")).to_have_count(2)


def test_heat_labels_and_lines_of_moves_with_one_click(own: Screen) -> None:
    own.game("yavalath", "person", "person", moves="e5 d4 e6 c3 e8 a1")  # e7 makes four
    own.tab("Analyse")
    rows = own.page.locator(".candidates tbody tr")
    expect(rows.first.get_by_role("button")).to_have_text("e7", timeout=PATIENCE)
    expect(own.cell("e7").locator(".heat.best")).to_have_count(1)
    expect(own.cell("e7")).to_have_attribute("aria-label", re.compile("^e7, empty, legal, 100%, "))
    rows.first.hover()
    expect(own.page.locator(".line .coming .number").first).to_have_text("1")
    own.page.locator(".status").hover()
    expect(own.page.locator(".line .coming")).to_have_count(0)


def test_arrows_and_lines_of_moves_with_two_clicks(own: Screen) -> None:
    own.game(SMALL, "person", "person", moves="b2-b3 c4-c3")
    own.tab("Analyse")
    expect(own.page.locator(".described .arrow").first).to_be_visible(timeout=PATIENCE)
    expect(own.page.locator(".described .plate").first).to_contain_text("%")
    row = own.page.locator(".candidates tbody tr").first
    row.hover()
    expect(own.page.locator(".line .arrow.coming").first).to_be_visible()
    own.page.locator(".status").hover()
    own.put("b3")  # only the moves of this piece
    expect(own.page.locator(".described .arrow")).to_have_count(len(targets(own)), timeout=PATIENCE)


def test_a_review_marks_the_mistake_and_the_better_move(own: Screen) -> None:
    # The fifth move lets Black win; a capture on the last row would have won.
    own.game(SMALL, "person", "person", moves="b2-c3 c4-b3 c3-c4 b3xa2 c2-b3")
    own.tab("Review")
    own.page.get_by_label("Time per move").select_option("0.2")
    own.button("Review this game").click()
    expect(own.page.locator("progress")).to_be_hidden(timeout=PATIENCE)
    own.page.locator(".fault-row", has_text="5. c2-b3").click()
    expect(own.cell("b3")).to_have_attribute("aria-label", "b3, white pawn, last move, mistake")
    expect(own.page.locator(".described .plate")).to_have_text("better")
    expect(own.page.locator(".described .arrow")).to_have_count(1)


def test_the_board_follows_the_steps_through_a_game(own: Screen) -> None:
    own.game(SMALL, "person", "person", moves="b2-b3 c4-c3")
    own.button("One move back").click()
    own.sees("Position after move 1")
    expect(own.cell("c4")).to_have_attribute("aria-label", "c4, black pawn, can move")
    before = own.page.url
    own.put("c4", "d3")  # starts a new game from there
    own.page.wait_for_url(lambda url: url != before)
    own.count(2)
    assert own.played() == ["b2-b3", "c4-d3"]


def test_the_piece_to_place_is_shown_under_the_pointer(own: Screen) -> None:
    own.game("yavalath", "person", "person")
    own.cell("e5").hover()
    expect(own.page.locator(".ghost .stone-white")).to_have_count(1)


def test_elements_of_a_picture_are_clicked(own: Screen) -> None:
    own.game("picture", "person", "person")
    expect(own.page.locator('[data-move="c"]')).to_have_attribute("aria-label", "c, legal")
    expect(own.page.locator(".moves-to-choose button")).to_have_text(["e"])  # not in the picture
    own.page.locator('[data-move="c"] rect').click()
    own.count(1)
    own.page.locator('[data-move="c"] rect').click(force=True)  # no longer legal
    own.page.locator('[data-move="a"]').focus()
    own.page.keyboard.press("ArrowRight")
    assert own.page.evaluate("document.activeElement.ariaLabel") == "b, legal"
    own.page.keyboard.press("Enter")
    own.count(2)
    assert own.played() == ["c", "b"]
    assert own.page.evaluate("document.activeElement.dataset.move") == "b"  # the focus stays
    own.button("e").click()
    own.count(3)


@pytest.mark.parametrize("game", ["paths", "picture"])
def test_texts_and_pictures_of_a_game_do_not_become_script(own: Screen, game: str) -> None:
    own.open()
    own.settle()
    own.game(game, "person", "person")
    own.settle()
    assert own.page.evaluate("window.pwned") is None
    inside = own.page.locator("#main")
    expect(
        inside.locator("script, foreignObject, img, a[href^=javascript], [onclick], [onload]")
    ).to_have_count(0)


@pytest.mark.parametrize("game", ["reversi", "breakthrough", "yavalath", "drops", "duel", "paths", "picture"])
def test_a_phone_shows_the_whole_board(own_phone: Screen, game: str) -> None:
    own_phone.game(game, "person", "person")
    if game == "duel":
        own_phone.button("Show Player 0's cards").click()
    board = own_phone.page.locator(".board")
    expect(board).to_be_visible(timeout=PATIENCE)
    box = board.bounding_box()
    assert box and box["x"] >= 0 and box["x"] + box["width"] <= 391 and box["y"] + box["height"] <= 844
    assert own_phone.page.evaluate("document.documentElement.scrollWidth") <= 390


def test_small_cells_need_a_second_tap(own_phone: Screen) -> None:
    own_phone.game("reversi:size=16", "person", "person")
    own_phone.cell("g8").tap()
    expect(own_phone.page.locator(".aim")).to_have_count(1)
    own_phone.count(0)
    own_phone.cell("g8").tap()
    own_phone.count(1)
