"""The page after a lost connection, a restart of the server, a reload."""

from __future__ import annotations

from pathlib import Path

from playwright.sync_api import Browser, WebSocketRoute, expect

from tests.web.page.screen import PATIENCE, Screen
from tests.web.server_process import ServerProcess


def test_the_page_reconnects_by_itself(new_screen: Screen) -> None:
    opened: list[WebSocketRoute] = []

    def through(socket: WebSocketRoute) -> None:
        opened.append(socket)
        socket.connect_to_server()

    new_screen.page.route_web_socket("**/live", through)
    new_screen.game("hex:size=5", "person", "easy")
    opened[0].close(code=4000)
    expect(new_screen.page.locator("#live-region")).to_contain_text("Reconnected.", timeout=PATIENCE)
    assert len(opened) == 2
    new_screen.put("c3")
    new_screen.count(2)
    new_screen.sees("Your turn")
    expect(new_screen.page.locator(".banner.broken")).to_be_hidden()


def test_the_game_continues_after_a_restart_of_the_server(browser: Browser, tmp_path: Path) -> None:
    with ServerProcess(tmp_path / "games.db") as first, browser.new_context() as context:
        port = int(first.base.rpartition(":")[2])
        screen = Screen(context.new_page(), first.base)
        screen.game("hex:size=5", "person", "easy")
        screen.put("c3")
        screen.count(2)
        screen.sees("Your turn")
        kept = screen.played()
        first.kill()
        expect(screen.page.locator(".banner.broken")).to_be_visible(timeout=PATIENCE)
        second = ServerProcess(tmp_path / "games.db", port=port)
        try:
            expect(screen.page.locator(".banner.broken")).to_be_hidden(timeout=PATIENCE)
            assert screen.played() == kept
            screen.page.locator(".cell.can").first.click()
            screen.count(4)
        finally:
            second.end()


def test_a_reload_shows_the_same_game(new_screen: Screen) -> None:
    new_screen.game("gomoku:size=7", "person", "easy", moves="d4 c3")
    new_screen.page.reload()
    new_screen.count(2)
    new_screen.sees("Your turn: Black.")
    expect(new_screen.cell("d4")).to_have_attribute("data-piece", "black")


def test_a_lost_table_is_created_again(new_screen: Screen) -> None:
    new_screen.game("hex:size=5", "person", "person", moves="c3 b2")
    before = new_screen.page.url
    table = before.rpartition("/")[2]
    new_screen.page.evaluate(
        "id => fetch(`api/tables/${id}`, {method: 'DELETE', headers: {'content-type': 'application/json'}})",
        table,
    )
    new_screen.put("d4")
    expect(new_screen.page.locator(".toast.good")).to_contain_text("created again", timeout=PATIENCE)
    new_screen.page.wait_for_function("before => location.href !== before", arg=before)
    new_screen.put("d4")
    new_screen.count(3)
    assert new_screen.played() == ["c3", "b2", "d4"]
    new_screen.script_errors.clear()  # the browser notes the call for a table that is gone
