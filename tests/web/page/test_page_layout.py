"""The layout: board and buttons are on the first screen of every size, and do not move."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Browser, expect

from tests.web.page.screen import PATIENCE, Box, Screen
from tests.web.server_process import ServerProcess

SIZES = {"phone": (390, 844), "landscape": (844, 390), "tablet": (768, 1024), "desktop": (1280, 800)}
GAMES = {
    "hex": "game=hex:swap=on&seats=person,person&moves=c2",
    "gomoku": "game=gomoku:swap2=on&seats=person,person&moves=h8.h9.i8",
    "onitama": "game=onitama&seats=person,easy",
    "gofish": "game=gofish:players=4&seats=person,easy,easy,easy",
}


@pytest.mark.parametrize("kind", SIZES)
def test_board_and_buttons_are_on_the_first_screen(
    browser: Browser, server: ServerProcess, kind: str
) -> None:
    width, height = SIZES[kind]
    small = kind in ("phone", "landscape")
    with browser.new_context(
        viewport={"width": width, "height": height}, has_touch=small, is_mobile=small
    ) as context:
        screen = Screen(context.new_page(), server.base)
        for name, hash in GAMES.items():
            screen.open(hash)
            screen.page.wait_for_url("**/#table/*")
            board = ".board-frame.gofish" if name == "gofish" else ".board"
            expect(screen.page.locator(".actions button")).to_have_count(
                {"hex": 4, "gomoku": 5}.get(name, 3), timeout=PATIENCE
            )
            for box in screen.boxes(board, ".actions button"):
                assert_inside(box, width, height)
            assert screen.page.evaluate("document.documentElement.scrollWidth") <= width, name
        assert screen.script_errors == []


def assert_inside(box: Box, width: int, height: int) -> None:
    assert box["width"] > 20 and box["height"] > 20
    assert box["x"] >= 0 and box["x"] + box["width"] <= width + 1, box
    assert box["y"] >= 0 and box["y"] + box["height"] <= height + 1, box


def test_the_board_does_not_move_during_a_game(screen: Screen) -> None:
    screen.game("hex:size=5,swap=on", "person", "person")
    place = screen.boxes(".board")
    for ply, cell in enumerate(("b2", "d4", "c3"), 1):
        screen.put(cell)
        screen.count(ply)
        assert screen.boxes(".board") == place


def test_prompts_mention_buttons_not_typing(screen: Screen) -> None:
    goal = screen.page.locator(".goal")
    screen.game("hex:size=5,swap=on", "person", "person", moves="b2")
    expect(goal).to_have_text(re.compile("^Swap"))
    screen.game("gomoku:swap2=on", "person", "person", moves="h8 h9 i8")
    expect(goal).to_contain_text("take Black, or place two more stones")
    screen.button("Take Black").click()
    screen.count(4)
    expect(goal).to_have_text("You have White.")
    marks = screen.page.locator(".players .mark")
    expect(marks.nth(0)).to_have_class("mark mark-gomoku seat-1")  # whoever opened
    expect(marks.nth(1)).to_have_class("mark mark-gomoku seat-0")
