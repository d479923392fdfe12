"""One browser for all page tests, and a new context for each."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, sync_playwright

from tests.web.page.screen import CHROMIUM, DESKTOP, PHONE, Screen
from tests.web.server_process import DESCRIBED_GAMES, ServerProcess


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    if CHROMIUM is None:
        pytest.skip("no Chromium on this machine; on Debian and Ubuntu: apt install chromium")
    with sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield browser
        browser.close()


@pytest.fixture
def screen(browser: Browser, server: ServerProcess) -> Iterator[Screen]:
    with browser.new_context(viewport=DESKTOP, permissions=["clipboard-read", "clipboard-write"]) as context:
        screen = Screen(context.new_page(), server.base)
        yield screen
        assert screen.script_errors == []


@pytest.fixture
def phone(browser: Browser, server: ServerProcess) -> Iterator[Screen]:
    with browser.new_context(viewport=PHONE, has_touch=True, is_mobile=True, color_scheme="dark") as context:
        screen = Screen(context.new_page(), server.base)
        yield screen
        assert screen.script_errors == []


@pytest.fixture(scope="session")
def own_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    """A server with games that describe their own boards."""
    store = tmp_path_factory.mktemp("own") / "games.db"
    server = ServerProcess(store, "--load", str(DESCRIBED_GAMES), "--workers", "2")
    yield server
    assert "Traceback" not in server.end()


@pytest.fixture
def own(browser: Browser, own_server: ServerProcess) -> Iterator[Screen]:
    with browser.new_context(viewport=DESKTOP) as context:
        screen = Screen(context.new_page(), own_server.base)
        yield screen
        assert screen.script_errors == []


@pytest.fixture
def own_phone(browser: Browser, own_server: ServerProcess) -> Iterator[Screen]:
    with browser.new_context(viewport=PHONE, has_touch=True, is_mobile=True, color_scheme="dark") as context:
        screen = Screen(context.new_page(), own_server.base)
        yield screen
        assert screen.script_errors == []
