"""Analysis, review, explanations, records and links, in a browser."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from tests.web.page.screen import PATIENCE, Screen

FOUR = "e5 e6 f5 e7 g5 e8 d5 c5"  # Black makes five at h5
MISTAKES = "c3 b4 a1 c2 d2 b3 c4"


def test_analysis_is_drawn_on_the_board_and_in_a_table(screen: Screen) -> None:
    screen.game("gomoku:size=9", "person", "person", moves=FOUR)
    screen.tab("Analyse")
    best = screen.page.locator(".candidates tbody tr").first
    expect(best.get_by_role("button")).to_have_text("h5", timeout=PATIENCE)
    expect(screen.page.locator('[data-cell="h5"] .heat.best')).to_have_count(1)
    expect(screen.page.locator(".winbar")).to_contain_text("Black 100%")
    expect(screen.page.locator(".summary")).to_contain_text("visits")


def test_the_line_of_a_candidate_is_shown_on_hover(screen: Screen) -> None:
    screen.game("hex:size=6", "person", "person", moves="c3 d3")
    screen.tab("Analyse")
    rows = screen.page.locator(".candidates tbody tr")
    expect(rows.first).to_be_visible(timeout=PATIENCE)
    rows.first.hover()
    expect(screen.page.locator(".line .coming").first).to_be_visible()
    expect(screen.page.locator(".line .number").first).to_have_text("1")
    screen.page.locator(".status").hover()
    expect(screen.page.locator(".line .coming")).to_have_count(0)


def test_analysis_follows_the_position_and_can_be_stopped(screen: Screen) -> None:
    screen.game("hex:size=6", "person", "person", moves="c3 d3")
    screen.tab("Analyse")
    expect(screen.page.locator(".heat.best")).to_have_count(1, timeout=PATIENCE)
    screen.button("One move back").click()
    expect(screen.page.locator(".summary")).to_contain_text(re.compile("^White "), timeout=PATIENCE)
    screen.page.locator(".analysis").get_by_role("button", name="Stop").click()
    expect(screen.page.locator(".analysis").get_by_role("button", name="Analyse")).to_be_visible()


def test_solving_shows_who_wins_after_each_move(screen: Screen) -> None:
    screen.game("hex:size=5", "person", "person", moves="e1 c2 c3 d2 a4")
    screen.tab("Analyse")
    screen.button("Solve").click()
    summary = screen.page.locator(".verdict")
    expect(summary).to_contain_text("win for White", timeout=PATIENCE)
    expect(screen.button("Analyse")).to_be_visible()
    screen.put("b4")
    expect(summary).to_contain_text("1 of 19 moves wins for Black", timeout=PATIENCE)
    expect(screen.page.locator("[role=status]").filter(has_text="wins for Black")).to_have_count(1)
    expect(screen.cell("b3")).to_have_attribute("aria-label", "b3, empty, legal, Black wins")
    expect(screen.cell("e2")).to_have_attribute("aria-label", "e2, empty, legal, White wins")
    expect(screen.page.locator(".result.win")).to_have_count(1)
    expect(screen.page.locator(".result.loss")).to_have_count(18)
    expect(screen.page.locator(".results dd").first).to_have_text("b3")
    expect(screen.page.locator(".winbar")).to_contain_text("Black 100%")
    assert screen.serious() == []
    screen.button("Stop").click()
    screen.button("Analyse").click()
    expect(screen.page.locator(".candidates tbody tr").first).to_be_visible(timeout=PATIENCE)
    expect(screen.page.locator(".result")).to_have_count(0)


def test_a_long_solution_shows_its_progress_and_is_cancelled_by_an_analysis(screen: Screen) -> None:
    screen.game("hex:size=7", "person", "person")
    screen.tab("Analyse")
    screen.button("Solve").click()
    expect(screen.page.locator(".solution progress")).to_be_visible()
    expect(screen.page.locator(".results .unknown")).to_have_text("Not solved yet", timeout=PATIENCE)
    screen.button("Analyse").click()
    expect(screen.page.locator(".candidates tbody tr").first).to_be_visible(timeout=PATIENCE)
    expect(screen.page.locator(".solution")).to_be_hidden()


def test_boards_without_a_solver_have_no_solve_button(screen: Screen) -> None:
    screen.game("hex", "person", "person")
    screen.tab("Analyse")
    expect(screen.page.locator(".analysis .buttons button")).to_have_count(1)


def test_a_review_finds_mistakes(screen: Screen) -> None:
    screen.game("hex:size=5", "person", "person", moves=MISTAKES)
    screen.tab("Review")
    screen.page.get_by_label("Time per move").select_option("0.2")
    screen.button("Review this game").click()
    expect(screen.page.locator(".fault-row").first).to_be_visible(timeout=PATIENCE)
    expect(screen.page.locator("progress")).to_be_hidden(timeout=PATIENCE)
    expect(screen.page.locator(".graph .curve")).to_have_attribute("d", re.compile(r"^(M|L|[\d. ])+$"))
    screen.page.locator(".fault-row", has_text="3. a1").click()
    expect(screen.button("Back to current position")).to_be_visible()
    expect(screen.cell("a1")).to_have_attribute("aria-label", re.compile("mistake"))
    expect(screen.page.locator(".here")).to_contain_text("was better")


def test_arrow_keys_step_through_a_game(screen: Screen) -> None:
    screen.game("hex:size=5", "person", "person", moves=MISTAKES)
    screen.tab("Review")
    screen.page.locator("#panel").focus()
    screen.page.keyboard.press("ArrowLeft")
    screen.page.keyboard.press("ArrowLeft")
    screen.sees("Position after move 5")
    expect(screen.cell("b3")).to_have_attribute("aria-label", re.compile("empty"))
    screen.page.keyboard.press("Home")
    screen.sees("Position after move 0")
    screen.page.keyboard.press("End")
    screen.sees("White to move")


def test_a_move_in_an_earlier_position_starts_a_new_game(screen: Screen) -> None:
    screen.game("hex:size=5", "person", "person", moves=MISTAKES)
    before = screen.page.url
    screen.moves.nth(1).click()
    screen.sees("Position after move 2")
    screen.put("d4")
    screen.page.wait_for_url(lambda url: url != before)
    screen.count(3)
    assert screen.played() == ["c3", "b4", "d4"]
    screen.page.goto(before)
    screen.count(7)


def test_two_moves_are_explained_side_by_side(screen: Screen) -> None:
    screen.game("onitama:cards=ox-boar-horse-elephant-crab", "person", "person")
    screen.tab("Explain")
    heads = screen.page.locator(".features thead th")
    expect(heads).to_have_count(3, timeout=PATIENCE)
    screen.page.get_by_label("First move").select_option("boar:a1a2")
    screen.page.get_by_label("Compare with").select_option("ox:c1c2")
    expect(heads.nth(1)).to_contain_text("boar:a1a2", timeout=PATIENCE)
    expect(heads.nth(2)).to_contain_text("ox:c1c2")
    assert screen.page.locator(".features tbody tr").count() > 5
    assert screen.page.locator("#panel").evaluate("one => one.scrollWidth - one.clientWidth") == 0


def test_a_hint_cancels_a_review_which_can_be_restarted(screen: Screen) -> None:
    screen.game("hex:size=5", "person", "person", moves=MISTAKES)
    screen.tab("Review")
    screen.page.get_by_label("Time per move").select_option("3")
    screen.button("Review this game").click()
    expect(screen.page.locator("progress")).to_be_visible()
    screen.button("Hint").click()
    expect(screen.page.locator("progress")).to_be_hidden()
    expect(screen.page.locator(".review .form > button")).to_be_enabled()


def test_a_record_is_exported_and_imported(screen: Screen) -> None:
    screen.game("gomoku:size=9", "person", "person", moves=FOUR)
    screen.tab("Share")
    for format, sign in (("sgf", "GM[4]"), ("psq", "Piskvorky 9x9"), ("json", '"moves"')):
        screen.page.get_by_label("Format").select_option(format)
        expect(screen.page.get_by_label("Record text")).to_have_value(
            re.compile(re.escape(sign)), timeout=PATIENCE
        )
        text = screen.page.get_by_label("Record text").input_value()
        with screen.page.expect_download() as saved:
            screen.page.get_by_text("Save file").click()
        assert saved.value.suggested_filename.endswith(f".{format}")
        assert saved.value.path().read_text() == text
        screen.open("import")
        screen.page.get_by_label("Record", exact=True).fill(text)
        screen.button("Open").click()
        screen.page.wait_for_url("**/#table/*")
        screen.tab("Moves")
        screen.count(8)
        assert screen.played() == FOUR.split()
        screen.tab("Share")


def test_an_invalid_record_is_refused_in_one_line(screen: Screen) -> None:
    screen.open("import")
    screen.page.get_by_label("Record", exact=True).fill("once upon a time")
    screen.button("Open").click()
    expect(screen.page.locator(".toast.bad")).to_be_visible(timeout=PATIENCE)
    screen.script_errors.clear()  # the browser itself notes that a call was refused


def test_a_link_contains_game_and_position(screen: Screen) -> None:
    screen.game("hex:size=6", "person", "easy", moves="c3 d3")
    screen.tab("Share")
    screen.page.locator("#panel").focus()
    link = screen.page.get_by_label("Link to this game").input_value()
    assert re.search(r"/#game=hex:size=6&moves=c3\.d3&seats=person,easy&seed=\d+$", link), link
    screen.page.locator(".record").get_by_role("button", name="Copy").first.click()
    expect(screen.page.locator(".toast.good")).to_be_visible()
    screen.open(link.partition("#")[2])
    screen.count(2)
    screen.sees("Your turn: Black.")


@pytest.mark.parametrize("hash", ["game=hex&moves=%zz", "matches/%E0%A4%A"])
def test_an_invalid_link_is_reported(screen: Screen, hash: str) -> None:
    screen.open(hash)
    expect(screen.page.get_by_text("This link is invalid.")).to_be_visible()


def test_panels_are_unavailable_while_cards_are_hidden(screen: Screen) -> None:
    screen.game("gofish:ranks=4,hand=3", "person", "easy")
    for tab in ("Review", "Explain", "Share"):
        screen.tab(tab)
        expect(screen.page.locator("#panel").get_by_text("the cards are hidden")).to_be_visible()
        expect(screen.page.locator("#panel").get_by_role("button")).to_have_count(0)
