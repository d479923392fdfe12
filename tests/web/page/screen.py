"""The page in the system's Chromium, with a method for each thing a person does."""

from __future__ import annotations

import random
import shutil
from typing import Any, TypedDict

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import ConsoleMessage, Error, Locator, Page, ViewportSize, expect

NAMES = ("chromium", "chromium-browser", "google-chrome", "chrome")
CHROMIUM = next(filter(None, map(shutil.which, NAMES)), None)
PATIENCE = 15_000  # milliseconds; the machine may be busy
# Nothing, so that Playwright asks again, until every selector has a visible element.
MEASURE = """selectors => {
    const found = selectors.map(selector => [...document.querySelectorAll(selector)]);
    const boxes = found.flat().map(element => element.getBoundingClientRect());
    if (found.some(elements => !elements.length) || boxes.some(box => !box.width)) return null;
    return boxes.map(({ x, y, width, height }) => ({ x, y, width, height }));
}"""
# Follow a link within the page. What was shown is removed at once, so that it is not taken for the new view.
FOLLOW = """hash => {
    document.activeElement?.blur();
    for (const id of ["main", "live-region", "toasts"]) document.getElementById(id).replaceChildren();
    performance.clearResourceTimings();
    if (location.hash.slice(1) === hash) dispatchEvent(new HashChangeEvent("hashchange"));
    else location.hash = hash;
    return performance.now();
}"""
QUIET = """since => {
    const answered = performance.getEntriesByType("resource").map(entry => entry.responseEnd);
    return performance.now() - Math.max(since, ...answered) > 500;
}"""
DESKTOP, PHONE = ViewportSize(width=1280, height=800), ViewportSize(width=390, height=844)


class Box(TypedDict):
    """The place of an element on the screen, in pixels."""

    x: float
    y: float
    width: float
    height: float


class Screen:
    """One page in a browser; errors of its scripts are in `script_errors`."""

    def __init__(self, page: Page, base: str) -> None:
        self.page, self.base = page, base
        self.script_errors: list[str] = []
        self._opened = 0.0
        page.set_default_timeout(PATIENCE)
        page.on("console", self._note_message)
        page.on("pageerror", self._note_error)

    def _note_message(self, message: ConsoleMessage) -> None:
        if message.type == "error":
            self.script_errors.append(message.text)

    def _note_error(self, error: Error) -> None:
        self.script_errors.append(str(error))

    def open(self, hash: str = "") -> None:
        """Open a link: load the page, or follow the link within the page that is loaded.

        Loading takes a second of processor time, six times as much as following a link.
        """
        if self.page.url.startswith(f"{self.base}/"):
            self._opened = self.page.evaluate(FOLLOW, hash)
        else:
            self.page.goto(f"{self.base}/#{hash}")
            self._opened = 0.0
        expect(self.page.locator("h1").first).to_be_attached(timeout=PATIENCE)

    def settle(self) -> None:
        """Wait until the server has not been asked for anything for half a second."""
        self.page.wait_for_function(QUIET, arg=self._opened, polling=100)

    def close(self) -> None:
        """Leave the browser's page to the next test as it was when loaded."""
        if self.page.url.startswith(f"{self.base}/"):
            self.open("import")
            self.page.evaluate("sessionStorage.clear()")
            self.page.mouse.move(0, 0)
        self.page.remove_listener("console", self._note_message)
        self.page.remove_listener("pageerror", self._note_error)

    def game(self, spec: str, *seats: str, moves: str = "") -> None:
        """Open a link that contains a game, and wait for its board."""
        played = f"&moves={moves.replace(' ', '.')}" if moves else ""
        before = self.page.url
        self.open(f"game={spec}&seats={','.join(seats)}{played}")
        self.page.wait_for_url(lambda url: "/#table/" in url and url != before)
        expect(self.page.locator(".board-frame")).to_be_visible(timeout=PATIENCE)

    def cell(self, name: str) -> Locator:
        return self.page.locator(f'[data-cell="{name}"]')

    def put(self, *cells: str) -> None:
        """Click cells, one after the other."""
        for name in cells:
            self.cell(name).click()

    def boxes(self, *selectors: str) -> list[Box]:
        """Where all elements of the selectors are, measured at one moment.

        The page replaces elements while it is in use: one that was found may be gone when it is measured.
        """
        boxes: list[Box] = self.page.wait_for_function(MEASURE, arg=list(selectors)).json_value()
        return boxes

    def button(self, name: str) -> Locator:
        return self.page.get_by_role("button", name=name, exact=True)

    def tab(self, name: str) -> None:
        self.page.get_by_role("tab", name=name).click()

    @property
    def moves(self) -> Locator:
        """The list of moves."""
        return self.page.locator(".move-list button")

    def played(self) -> list[str]:
        """The moves so far."""
        texts: list[str] = self.moves.evaluate_all("all => all.map(one => one.dataset.move)")
        return texts

    def sees(self, text: str) -> None:
        """Expect this text in the status line."""
        expect(self.page.locator(".status")).to_contain_text(text, timeout=PATIENCE)

    def count(self, plies: int) -> None:
        """Expect this number of moves."""
        expect(self.moves).to_have_count(plies, timeout=PATIENCE)

    def my_turn(self) -> bool:
        """Wait for the person's turn or the end of the game; False at the end."""
        self.page.wait_for_function(
            """() => document.querySelector(".status.over")
                || document.querySelector(".status")?.textContent.startsWith("Your turn")"""
        )
        return not self.page.locator(".status.over").count()

    def any_cell(self, rng: random.Random) -> str:
        """A cell that can be clicked."""
        cells = self.page.locator(".cell.can")
        names: list[str] = cells.evaluate_all("all => all.map(one => one.dataset.cell)")
        return rng.choice(names)

    def serious(self) -> list[Any]:
        """Serious accessibility violations found by axe."""
        found = Axe().run(self.page).response
        assert len(found["passes"]) > 5, "axe looked at nothing"
        return [
            (one["id"], one["help"], [node["html"][:200] for node in one["nodes"]])
            for one in found["violations"]
            if one["impact"] in ("serious", "critical")
        ]
