"""One browser for all page tests, and pages that tests use one after the other.

A new page starts a process of the browser that loads and compiles all scripts, more work than most tests do.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, sync_playwright

from tests.web.page.screen import CHROMIUM, DESKTOP, PHONE, Screen
from tests.web.server_process import DESCRIBED_GAMES, ServerProcess

DESKTOP_CONTEXT: dict[str, Any] = {"viewport": DESKTOP, "permissions": ["clipboard-read", "clipboard-write"]}
PHONE_CONTEXT: dict[str, Any] = {
    "viewport": PHONE,
    "has_touch": True,
    "is_mobile": True,
    "color_scheme": "dark",
}


class Pages:
    """Pages of the shared servers that are not in use."""

    def __init__(self, browser: Browser) -> None:
        self.browser = browser
        self._idle: dict[tuple[str, str], Page] = {}

    @contextmanager
    def screen(self, server: ServerProcess, context: dict[str, Any]) -> Iterator[Screen]:
        """A page in such a context, the one of an earlier test if it was left without errors."""
        key = server.base, repr(context)
        page = self._idle.pop(key, None) or self.browser.new_context(**context).new_page()
        screen = Screen(page, server.base)
        yield screen
        screen.close()
        assert screen.script_errors == []
        self._idle[key] = page


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    if CHROMIUM is None:
        pytest.skip("no Chromium on this machine; on Debian and Ubuntu: apt install chromium")
    with sync_playwright() as driver:
        # A sanitizer's library is for the processes that we test; with it the browser does not start.
        environment: dict[str, str | float | bool] = {**os.environ, "LD_PRELOAD": ""}
        browser = driver.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"], env=environment)
        yield browser
        browser.close()


@pytest.fixture(scope="session")
def pages(browser: Browser) -> Pages:
    return Pages(browser)


@pytest.fixture
def screen(pages: Pages, server: ServerProcess) -> Iterator[Screen]:
    with pages.screen(server, DESKTOP_CONTEXT) as screen:
        yield screen


@pytest.fixture
def phone(pages: Pages, server: ServerProcess) -> Iterator[Screen]:
    with pages.screen(server, PHONE_CONTEXT) as screen:
        yield screen


@pytest.fixture
def new_screen(browser: Browser, server: ServerProcess) -> Iterator[Screen]:
    """A page that no other test uses, for tests of loading, of settings, and of the connection."""
    with browser.new_context(**DESKTOP_CONTEXT) as context:
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
def own(pages: Pages, own_server: ServerProcess) -> Iterator[Screen]:
    with pages.screen(own_server, DESKTOP_CONTEXT) as screen:
        yield screen


@pytest.fixture
def own_phone(pages: Pages, own_server: ServerProcess) -> Iterator[Screen]:
    with pages.screen(own_server, PHONE_CONTEXT) as screen:
        yield screen
