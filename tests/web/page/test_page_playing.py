"""Playing in a browser: whole games, swap, undo, hint, resignation, watching."""

from __future__ import annotations

import random

import pytest
from playwright.sync_api import expect

from tests.web.page.screen import PATIENCE, Screen


def test_a_newcomer_is_one_click_from_a_game(new_screen: Screen) -> None:
    new_screen.open()
    for title in ("Hex", "Gomoku", "Onitama"):
        expect(new_screen.page.get_by_role("heading", name=title, exact=True)).to_be_visible()
    new_screen.page.get_by_role("group", name="Play Gomoku against").get_by_role(
        "button", name="Easy"
    ).click()
    new_screen.sees("Your turn: Black.")
    new_screen.put("h8")
    new_screen.count(2)
    expect(new_screen.cell("h8")).to_have_attribute("aria-label", "h8, Black")


def test_a_game_is_set_up_with_rules_seat_and_clock(screen: Screen) -> None:
    screen.open("new/hex")
    screen.page.get_by_label("Size").fill("5")
    screen.page.get_by_label("Swap").check()
    screen.page.get_by_role("radio", name="White").check()
    screen.page.get_by_text("More options").click()
    screen.page.get_by_label("Clock").select_option("300+3")
    screen.button("Play").click()
    screen.sees("Your turn: White.")
    screen.count(1)
    expect(screen.page.locator(".clock")).to_have_count(2)
    expect(screen.page.locator(".clock").nth(1)).to_contain_text(":")
    expect(screen.page.locator(".cell")).to_have_count(25)


def test_a_bot_shows_its_basic_options_first(screen: Screen) -> None:
    screen.open("new/hex")
    screen.page.get_by_role("radio", name="Another bot").check()
    bot = screen.page.locator(".field.bot")
    bot.get_by_label("Bot", exact=True).select_option("mcts")
    bot.get_by_text("Bot options").click()
    expect(bot.get_by_label("Iterations")).to_be_visible()
    expect(bot.get_by_label("Expand after")).to_be_hidden()
    bot.get_by_text("More options").click()
    expect(bot.get_by_label("Expand after")).to_be_visible()


@pytest.mark.parametrize("game", ["hex:size=5", "gomoku:size=7"])
def test_a_whole_game_of_stones_against_easy(screen: Screen, game: str) -> None:
    rng = random.Random(game)
    screen.game(game, "person", "easy")
    while screen.my_turn():
        plies = len(screen.played())
        screen.put(screen.any_cell(rng))
        expect(screen.moves.nth(plies)).to_be_visible(timeout=PATIENCE)
    result = screen.page.locator(".status.over").inner_text()
    assert result in ("Black wins.", "White wins.", "Draw.")
    assert (screen.page.locator(".won").count() >= 5) == (result != "Draw.")
    expect(screen.page.locator(".cell.can")).to_have_count(0)
    screen.button("Play again").click()
    screen.count(0)
    screen.sees("Your turn: Black.")


def test_a_whole_game_of_onitama_against_easy(screen: Screen) -> None:
    rng = random.Random(3)
    screen.game("onitama:cards=ox-boar-horse-elephant-crab,ply_limit=24", "person", "easy")
    expect(screen.page.locator("[data-card]")).to_have_count(5)
    while screen.my_turn():
        plies = len(screen.played())
        screen.put(screen.any_cell(rng))
        expect(screen.page.locator(".chosen")).to_have_count(1)
        targets = screen.page.locator('[aria-label*="legal target"]')
        targets.nth(rng.randrange(targets.count())).click()
        wanted = screen.page.locator(".card.choose")
        if wanted.count():  # two cards lead there
            wanted.first.click()
        expect(screen.moves.nth(plies)).to_be_visible(timeout=PATIENCE)
    assert screen.page.locator(".status.over").inner_text() in ("Blue wins.", "Red wins.", "Draw.")
    assert len(screen.played()) > 4


def test_a_preselected_card_resolves_an_ambiguous_move(screen: Screen) -> None:
    screen.game("onitama:cards=ox-boar-horse-elephant-crab", "person", "person")
    screen.page.locator('[data-card="boar"]').click()
    screen.put("a1", "a2")  # the ox leads there as well
    screen.count(1)
    assert screen.played() == ["boar:a1a2"]
    expect(screen.page.locator(".aside .card.lying")).to_have_attribute("data-card", "boar")


def test_the_board_is_flipped_for_red(screen: Screen) -> None:
    screen.game("onitama:cards=ox-boar-horse-elephant-crab", "person", "person")
    cells = [f'[data-cell="{name}"]' for name in ("c1", "c5")]
    below = screen.boxes(*cells)
    screen.game("onitama:cards=ox-boar-horse-elephant-crab", "easy", "person")
    screen.count(1)
    turned = screen.boxes(*cells)
    assert below[0]["y"] > below[1]["y"] and turned[0]["y"] < turned[1]["y"]


def test_swap_takes_over_the_first_stone(screen: Screen) -> None:
    screen.game("hex:size=5,swap=on", "person", "person")
    screen.put("b1")
    screen.page.get_by_role("button", name="Swap", exact=True).click()
    screen.count(2)
    assert screen.played() == ["b1", "swap-pieces"]
    expect(screen.cell("a2")).to_have_attribute("data-piece", "white")
    expect(screen.cell("b1")).to_have_attribute("aria-label", "b1, empty, legal")


def test_undo_takes_back_the_reply_too(screen: Screen) -> None:
    screen.game("hex:size=5", "person", "easy")
    screen.put("c3")
    screen.count(2)
    screen.sees("Your turn")
    screen.button("Undo").click()
    screen.count(0)
    expect(screen.cell("c3")).to_have_attribute("aria-label", "c3, empty, legal")
    expect(screen.button("Undo")).to_be_disabled()


def test_a_hint_is_shown_on_the_board(screen: Screen) -> None:
    screen.game("gomoku:size=9", "person", "easy", moves="e5 e6 f5 e7 g5 e8 d5 c5")
    screen.button("Hint").click()
    best = screen.page.locator(".heat.best")
    expect(best).to_have_count(1, timeout=PATIENCE)
    expect(screen.page.locator('[data-cell="h5"] .heat')).to_have_count(1)  # five in a row


def test_resigning_needs_confirmation(screen: Screen) -> None:
    screen.game("hex:size=5", "person", "easy")
    screen.put("c3")
    screen.count(2)
    screen.button("Resign").click()
    expect(screen.page.get_by_text("Resign this game?")).to_be_visible()
    screen.button("Resign").click()
    screen.sees("Black resigns: White wins.")


def test_a_thinking_bot_can_be_stopped(screen: Screen) -> None:
    screen.game("hex:size=11", "person", "mcts:seconds=50")
    screen.put("f6")
    screen.button("Stop").click()
    screen.count(2)
    screen.sees("Your turn")


def test_two_bots_are_watched_with_pause_and_step(screen: Screen) -> None:
    screen.open("watch/hex")
    screen.page.get_by_label("Size").fill("4")
    screen.button("Watch").click()
    screen.button("Pause").click()
    expect(screen.button("Resume")).to_be_visible()
    before = len(screen.played())
    screen.button("Step").click()
    screen.count(before + 1)
    screen.page.get_by_label("Speed").select_option("0")
    screen.button("Resume").click()
    expect(screen.page.locator(".status.over")).to_be_visible(timeout=PATIENCE)


def test_a_failed_bot_can_be_replaced(screen: Screen) -> None:
    screen.game("hex:size=5", "person", "raising")
    screen.put("c3")
    screen.count(2)
    screen.sees("Your turn")
    screen.put(screen.any_cell(random.Random(1)))
    expect(screen.page.locator(".banner.failed")).to_be_visible(timeout=PATIENCE)
    screen.page.get_by_label("Replacement bot").select_option("easy")
    screen.button("Continue with this bot").click()
    screen.sees("Your turn")
    screen.count(4)


def test_small_cells_need_a_second_tap(phone: Screen) -> None:
    phone.game("gomoku:size=19", "person", "person")
    phone.cell("j10").tap()
    expect(phone.page.locator(".aim")).to_have_count(1)
    phone.count(0)
    phone.cell("j10").tap()
    phone.count(1)


def test_a_phone_needs_no_horizontal_scrolling(phone: Screen) -> None:
    games = [f"game={name}&seats=person,person" for name in ("hex", "gomoku", "onitama", "gofish")]
    for hash in ("", "new/hex", "watch/gomoku", "import", "matches", *games):
        phone.open(hash)
        phone.page.wait_for_timeout(300)
        width = phone.page.evaluate("document.documentElement.scrollWidth")
        assert width <= 390, (hash, width)
    for name, found in (("hex", ".features"), ("onitama", ".candidates")):
        phone.game(name, "person", "person")
        phone.tab("Explain" if found == ".features" else "Analyse")
        expect(phone.page.locator(f"{found} tbody tr").first).to_be_visible(timeout=PATIENCE)
        assert phone.page.evaluate("document.documentElement.scrollWidth") <= 390, name


def test_a_whole_game_of_go_fish_against_easy(screen: Screen) -> None:
    rng = random.Random(5)
    screen.game("gofish:ranks=4,hand=4", "person", "easy")
    while screen.my_turn():
        plies = len(screen.played())
        piles = screen.page.locator(".pile:not([disabled])")
        expect(piles.first).to_be_visible(timeout=PATIENCE)
        piles.nth(rng.randrange(piles.count())).click()
        expect(screen.moves.nth(plies)).to_be_visible(timeout=PATIENCE)
    assert screen.page.locator(".status.over").inner_text() in ("Player 0 wins.", "Player 1 wins.", "Draw.")
    expect(screen.page.locator(".playing.book")).to_have_count(4, timeout=PATIENCE)


def test_with_several_players_a_card_and_a_player_are_chosen(screen: Screen) -> None:
    screen.game("gofish:players=3", "person", "easy", "easy")
    expect(screen.page.locator(".others .closed")).to_have_count(14)  # the cards of others are closed
    screen.page.locator(".pile").first.click()
    screen.page.get_by_role("region", name="Player 2").get_by_role("button", name="Ask for").click()
    expect(screen.moves.first).to_be_visible(timeout=PATIENCE)
    assert screen.played()[0].startswith("2:")


def test_two_people_at_one_screen_do_not_see_each_others_cards(screen: Screen) -> None:
    screen.game("gofish", "person", "person")
    for name in ("Player 0", "Player 1"):
        expect(screen.page.locator(".pile")).to_have_count(0, timeout=PATIENCE)
        screen.button(f"Show {name}'s cards").click()
        expect(screen.page.locator(".pile").first).to_be_visible(timeout=PATIENCE)
        while not screen.page.locator(".banner.pass-screen").is_visible():
            plies = len(screen.played())
            screen.page.locator(".pile").nth(plies % screen.page.locator(".pile").count()).click()
            screen.count(plies + 1)
            screen.page.wait_for_timeout(300)
