"""Boards that games describe: keyboards, screen readers, colours."""

from __future__ import annotations

from typing import Literal

import pytest
from playwright.sync_api import Browser, ViewportSize, expect

from tests.web.described_games import PATHS
from tests.web.page.screen import DESKTOP, PHONE, Screen
from tests.web.page.test_page_accessibility import focused, to_board
from tests.web.server_process import ServerProcess
from tesuji.board import Layout, hexagons, points, squares

SMALL = "breakthrough:columns=2,rows=5"
BOARDS = (
    "game=reversi:size=6&seats=person,person&moves=e4",
    "game=breakthrough&seats=person,person&moves=b2-b3",
    "game=yavalath&seats=person,person&moves=e5.d4.e6.c3.e8.a1.e7",
    "game=drops&seats=person,person&moves=pawn@b2",
    "game=duel&seats=person,easy",
    "game=paths&seats=person,person",
    "game=picture&seats=person,person&moves=a",
)


def move(screen: Screen, start: str, target: str) -> None:
    """Select a piece and its target with the keyboard alone."""
    for cell in (start, target):
        walk_to(screen, cell)
        screen.page.keyboard.press("Enter")


def walk_to(screen: Screen, cell: str) -> None:
    """Arrow keys on a board of squares, row 1 at the bottom."""
    now = focused(screen).partition(",")[0]
    right, up = ord(cell[0]) - ord(now[0]), int(cell[1:]) - int(now[1:])
    for key in ["ArrowRight" if right > 0 else "ArrowLeft"] * abs(right):
        screen.page.keyboard.press(key)
    for key in ["ArrowUp" if up > 0 else "ArrowDown"] * abs(up):
        screen.page.keyboard.press(key)
    assert focused(screen).startswith(f"{cell}, ")


def test_a_whole_game_with_the_keyboard_alone(own: Screen) -> None:
    own.game(SMALL, "person", "person")
    to_board(own)
    assert focused(own) == "a5, black pawn"
    game = ["a2-a3", "b4xa3", "b2xa3", "a4-b3", "b1-b2", "b3-a2", "b2-b3", "a2-b1"]
    for ply, text in enumerate(game, 1):
        move(own, text[:2], text[-2:])
        own.count(ply)
    assert own.played() == game
    own.sees("Black wins.")
    expect(own.page.locator("#live-region")).to_contain_text("Black plays a2-b1. Black wins.")


def test_a_selection_is_announced(own: Screen) -> None:
    own.game("breakthrough:columns=4,rows=5", "person", "person")
    own.cell("b2").focus()
    assert focused(own) == "b2, white pawn, can move"
    own.page.keyboard.press("Enter")
    expect(own.page.locator("#live-region")).to_contain_text("b2 selected; targets: a3, b3, c3.")
    assert focused(own) == "b2, white pawn, selected"
    own.page.keyboard.press("ArrowUp")
    assert focused(own) == "b3, empty, legal target"


def test_a_drop_with_the_keyboard_alone(own: Screen) -> None:
    own.game("drops", "person", "person")
    own.page.get_by_role("button", name="red king").focus()
    own.page.keyboard.press("Enter")
    expect(own.page.get_by_role("button", name="red king, selected")).to_be_focused()
    expect(own.page.get_by_role("button", name="red king, selected")).to_have_attribute(
        "aria-pressed", "true"
    )
    own.cell("b2").focus()
    own.page.keyboard.press("Enter")
    own.count(1)
    assert own.played() == ["king@b2"]


@pytest.mark.parametrize(
    "layout", [squares(4, 3), hexagons(5), points(5, 4), PATHS], ids=["squares", "hexagons", "points", "any"]
)
def test_arrow_keys_reach_every_cell(own: Screen, layout: Layout) -> None:
    own.open()
    places = [[cell.name, [72 * cell.x, 72 * cell.y]] for cell in layout.cells]
    reached = own.page.evaluate(
        """async (list) => {
            const { neighbour } = await import("/boards/grid.js");
            const places = new Map(list);
            return [...places.keys()].map((first) => {
                const seen = new Set([first]);
                for (const name of seen)
                    for (const [right, down] of [[1, 0], [-1, 0], [0, 1], [0, -1]]) {
                        const next = neighbour(places, name, right, down);
                        if (next !== null) seen.add(next);
                    }
                return seen.size;
            });
        }""",
        places,
    )
    assert reached == [len(layout.cells)] * len(layout.cells)


@pytest.mark.parametrize(
    ("colours", "size"),
    [
        pytest.param("light", DESKTOP, id="light-desktop", marks=pytest.mark.slow),
        pytest.param("dark", PHONE, id="dark-phone"),
        pytest.param("dark", DESKTOP, id="dark-desktop", marks=pytest.mark.slow),
        pytest.param("light", PHONE, id="light-phone", marks=pytest.mark.slow),
    ],
)
def test_axe_finds_nothing_serious(
    browser: Browser, own_server: ServerProcess, colours: Literal["light", "dark"], size: ViewportSize
) -> None:
    with browser.new_context(viewport=size, color_scheme=colours, reduced_motion="reduce") as context:
        screen = Screen(context.new_page(), own_server.base)
        for hash in ("", *BOARDS):
            screen.open(hash)
            screen.settle()
            assert screen.serious() == [], hash
        screen.open(BOARDS[0])
        screen.tab("Analyse")
        expect(screen.page.locator(".described .heat.best")).to_have_count(1, timeout=60_000)
        assert screen.serious() == []
        assert screen.script_errors == []
