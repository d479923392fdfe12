"""Accessibility: keyboards, screen readers, colours."""

from __future__ import annotations

from typing import Literal

import pytest
from playwright.sync_api import Browser, ViewportSize, expect

from tests.web.page.screen import DESKTOP, PATIENCE, PHONE, Screen
from tests.web.server_process import ServerProcess

OX = "ox-boar-horse-elephant-crab"
BOARDS = {
    "hex": "game=hex:size=5&seats=person,person&moves=c3.b4.a1",
    "gomoku": "game=gomoku:size=9,rule=renju&seats=person,person&moves=c5.a1.d5.a3.e6.a8.e7.i9",
    "onitama": f"game=onitama:cards={OX}&seats=person,person&moves=boar:c1c2.horse:d5d4",
    "gofish": "game=gofish:players=3&seats=person,easy,easy",
    "over": "game=hex:size=3&seats=person,person&moves=b1.a1.b2.a2.b3",
}


def focused(screen: Screen) -> str:
    """The label of the focused element."""
    name: str = screen.page.evaluate(
        "document.activeElement.getAttribute('aria-label') ?? document.activeElement.textContent"
    )
    return name


def to_board(screen: Screen) -> None:
    """Press Tab until the board is focused."""
    for _ in range(40):
        screen.page.keyboard.press("Tab")
        if screen.page.evaluate("document.activeElement.closest('[role=grid]') !== null"):
            return
    raise AssertionError("the board cannot be reached with the keyboard")


def test_hex_can_be_played_with_the_keyboard(new_screen: Screen) -> None:
    new_screen.game("hex:size=3", "person", "person")
    to_board(new_screen)
    assert focused(new_screen) == "a1, empty, legal"
    for keys, cell in (
        (["ArrowRight"], "b1"),
        (["ArrowRight"], "c1"),
        (["ArrowLeft", "ArrowDown"], "b2"),
        (["ArrowRight"], "c2"),
        (["ArrowLeft", "ArrowDown"], "b3"),
    ):
        for key in keys:
            new_screen.page.keyboard.press(key)
        assert focused(new_screen) == f"{cell}, empty, legal"
        plies = len(new_screen.played())
        new_screen.page.keyboard.press("Enter")
        new_screen.count(plies + 1)
    new_screen.sees("Black wins.")
    expect(new_screen.page.locator("#live-region")).to_contain_text("Black plays b3. Black wins.")


def test_onitama_can_be_played_with_the_keyboard(screen: Screen) -> None:
    screen.game("onitama:cards=ox-boar-horse-elephant-crab", "person", "person")
    to_board(screen)
    for _ in range(4):
        screen.page.keyboard.press("ArrowDown")
    assert focused(screen) == "a1, blue student, can move"
    screen.page.keyboard.press("Enter")
    screen.page.keyboard.press("ArrowUp")
    assert focused(screen) == "a2, empty, legal target"
    screen.page.keyboard.press("Enter")
    assert focused(screen).startswith(("Ox, Blue's card", "Boar, Blue's card"))  # both lead there
    screen.page.keyboard.press("Enter")
    screen.count(1)


def test_rows_of_gomoku_run_upwards_under_the_arrow_keys(screen: Screen) -> None:
    screen.game("gomoku:size=9", "person", "person", moves="e5")
    to_board(screen)
    assert focused(screen) == "e5, Black, last move"
    screen.page.keyboard.press("ArrowUp")
    assert focused(screen) == "e6, empty, legal"


def test_moves_are_announced(screen: Screen) -> None:
    screen.game("hex:size=5", "person", "easy")
    screen.put("c3")
    screen.count(2)
    expect(screen.page.locator("#live-region")).to_contain_text("White plays", timeout=PATIENCE)
    expect(screen.page.locator("#live-region")).to_contain_text("Your turn")


@pytest.mark.parametrize(
    ("colours", "size"),
    [
        pytest.param("light", DESKTOP, id="light-desktop"),
        pytest.param("dark", PHONE, id="dark-phone", marks=pytest.mark.slow),
        pytest.param("dark", DESKTOP, id="dark-desktop", marks=pytest.mark.slow),
        pytest.param("light", PHONE, id="light-phone", marks=pytest.mark.slow),
    ],
)
def test_axe_finds_nothing_serious(
    browser: Browser, server: ServerProcess, colours: Literal["light", "dark"], size: ViewportSize
) -> None:
    with browser.new_context(viewport=size, color_scheme=colours, reduced_motion="reduce") as context:
        screen = Screen(context.new_page(), server.base)
        for hash in ("", "new/hex", "watch/gomoku", "import", *BOARDS.values()):
            screen.open(hash)
            screen.settle()
            assert screen.serious() == [], hash
        screen.open(BOARDS["onitama"])
        for tab in ("Analyse", "Review", "Explain", "Share"):
            screen.tab(tab)
            screen.page.wait_for_timeout(500)
            assert screen.serious() == [], tab
        assert screen.script_errors == []


def test_sound_is_off_by_default(new_screen: Screen) -> None:
    new_screen.open()
    sound = new_screen.page.get_by_role("button", name="Sound")
    expect(sound).to_have_attribute("aria-pressed", "false")
    sound.click()
    expect(sound).to_have_attribute("aria-pressed", "true")


def test_the_theme_switch_changes_colours(new_screen: Screen) -> None:
    new_screen.open()
    ground = "getComputedStyle(document.body).backgroundColor"
    light = new_screen.page.evaluate(ground)
    switch = new_screen.page.get_by_role("button", name="Theme")
    switch.click()
    switch.click()
    assert new_screen.page.evaluate(ground) != light


def test_nothing_is_loaded_from_other_servers(new_screen: Screen) -> None:
    asked: list[str] = []
    new_screen.page.on("request", lambda request: asked.append(request.url))
    new_screen.game("hex:size=5", "person", "easy")
    assert asked and all(url.startswith((new_screen.base, "blob:", "about:")) for url in asked)
