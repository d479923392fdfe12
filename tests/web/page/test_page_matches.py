"""Matches, ratings and saved games of a store, and user-defined games, in a browser."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from playwright.sync_api import Browser, expect

from tests.web.page.screen import PATIENCE, Screen
from tests.web.server_process import ServerProcess

MATCH = ["match", "hex:size=3", "random", "easy", "--games", "4", "--seed", "1", "--store"]


def test_a_match_of_the_store_is_shown_with_its_ratings(browser: Browser, tmp_path: Path) -> None:
    store = tmp_path / "games.db"
    command = [
        sys.executable,
        "-c",
        "from tesuji.cli import main; raise SystemExit(main())",
        *MATCH,
        str(store),
    ]
    subprocess.run(command, check=True, capture_output=True)
    server = ServerProcess(store)
    try:
        with browser.new_context() as context:
            screen = Screen(context.new_page(), server.base)
            screen.open("matches")
            ratings = screen.page.get_by_role("region", name="Ratings")
            expect(ratings.get_by_role("row")).to_have_count(3, timeout=PATIENCE)
            cross = screen.page.get_by_role("region", name="Cross table")
            expect(cross.get_by_role("cell", name="/ 4")).to_have_count(2)
            expect(screen.page.locator("svg.ratings .point")).to_have_count(2)
            assert screen.serious() == []
            screen.page.get_by_role("link", name="random – easy").click()
            expect(screen.page.locator(".report")).to_contain_text("Elo")
            screen.open("import")
            kept = screen.page.get_by_role("region", name="Saved games")
            expect(kept.get_by_role("button")).to_have_count(4, timeout=PATIENCE)
            expect(kept.get_by_role("row").nth(1)).to_contain_text(" wins")
            kept.get_by_role("button").first.click()
            screen.page.wait_for_url("**/#table/*")
            expect(screen.page.locator(".status.over")).to_be_visible(timeout=PATIENCE)
            assert screen.script_errors == []
    finally:
        server.end()


def test_a_store_without_matches_says_how_to_play_one(screen: Screen) -> None:
    screen.open("matches")
    expect(screen.page.get_by_text("tesuji match hex easy medium")).to_be_visible(timeout=PATIENCE)


def test_a_game_without_a_renderer_is_played_with_buttons(screen: Screen) -> None:
    screen.game("broken", "person", "person")
    expect(screen.page.locator(".text-board, .board-picture")).to_be_visible()
    choices = screen.page.get_by_role("group", name="Legal moves").get_by_role("button")
    first = choices.first.inner_text()
    choices.first.click()
    screen.count(1)
    assert screen.played() == [first]
