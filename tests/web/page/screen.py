"""A real browser at a real server: the system's Chromium, with words for what a person does at the page."""

from __future__ import annotations

import random
import shutil
from typing import Any

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Locator, Page, ViewportSize, expect

NAMES = ("chromium", "chromium-browser", "google-chrome", "chrome")
CHROMIUM = next(filter(None, map(shutil.which, NAMES)), None)
PATIENCE = 15_000  # milliseconds; the machine may be busy
DESKTOP, PHONE = ViewportSize(width=1280, height=800), ViewportSize(width=390, height=844)


class Screen:
    """One page in a browser; what goes wrong in its scripts is kept in `script_errors`."""

    def __init__(self, page: Page, base: str) -> None:
        self.page, self.base = page, base
        self.script_errors: list[str] = []
        page.set_default_timeout(PATIENCE)
        page.on(
            "console", lambda said: self.script_errors.append(said.text) if said.type == "error" else None
        )
        page.on("pageerror", lambda error: self.script_errors.append(str(error)))

    def open(self, hash: str = "") -> None:
        """Go to a link of the page as if it were typed into a new window."""
        self.page.goto("about:blank")
        self.page.goto(f"{self.base}/#{hash}")
        expect(self.page.locator("h1").first).to_be_attached(timeout=PATIENCE)

    def game(self, spec: str, *seats: str, moves: str = "") -> None:
        """Open a link that holds a game, and wait for its board."""
        played = f"&moves={moves.replace(' ', '.')}" if moves else ""
        self.open(f"game={spec}&seats={','.join(seats)}{played}")
        self.page.wait_for_url("**/#table/*")
        expect(self.page.locator(".board-frame")).to_be_visible(timeout=PATIENCE)

    def cell(self, name: str) -> Locator:
        return self.page.locator(f'[data-cell="{name}"]')

    def put(self, *cells: str) -> None:
        """Click cells, one after the other."""
        for name in cells:
            self.cell(name).click()

    def button(self, name: str) -> Locator:
        return self.page.get_by_role("button", name=name, exact=True)

    def tab(self, name: str) -> None:
        self.page.get_by_role("tab", name=name).click()

    @property
    def moves(self) -> Locator:
        """The list of moves."""
        return self.page.locator(".move-list button")

    def played(self) -> list[str]:
        """The moves so far, as texts."""
        texts: list[str] = self.moves.evaluate_all("all => all.map(one => one.dataset.move)")
        return texts

    def sees(self, text: str) -> None:
        """The status line says so."""
        expect(self.page.locator(".status")).to_contain_text(text, timeout=PATIENCE)

    def count(self, plies: int) -> None:
        """So many moves have been played."""
        expect(self.moves).to_have_count(plies, timeout=PATIENCE)

    def my_turn(self) -> bool:
        """Wait until it is the person's turn, or the game is over; whether it goes on."""
        self.page.wait_for_function(
            """() => document.querySelector(".status.over")
                || document.querySelector(".status")?.textContent.startsWith("Your turn")"""
        )
        return not self.page.locator(".status.over").count()

    def any_cell(self, luck: random.Random) -> str:
        """A cell that can be clicked."""
        cells = self.page.locator(".cell.can")
        names: list[str] = cells.evaluate_all("all => all.map(one => one.dataset.cell)")
        return luck.choice(names)

    def serious(self) -> list[Any]:
        """What axe finds that keeps people out."""
        found = Axe().run(self.page).response
        assert len(found["passes"]) > 5, "axe looked at nothing"
        return [
            (one["id"], one["help"], [node["html"][:200] for node in one["nodes"]])
            for one in found["violations"]
            if one["impact"] in ("serious", "critical")
        ]
