"""Take the pictures of the page in docs/images: `python -m docs.make_screenshots`.

Needs Chromium and the tools of the tests. The server is a real one, with a store of its own.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from pathlib import Path

from playwright.sync_api import sync_playwright

from tests.web.page.screen import CHROMIUM, DESKTOP, PHONE, Screen
from tests.web.server_process import ServerProcess

IMAGES = Path(__file__).parent / "images"
OX = "onitama:cards=ox-boar-horse-elephant-crab"
HEX = "f6 e7 g5 d8 c9 c8 h4"
GOMOKU = "h8 h9 i8 g8 i9 i10 g7 j10 f6 e5 j8 h10 k8 l8"
GAME = "e5 d6 f4 e4 d5 c6 g3 f2 c7 b7 b8 a8 h2"


def main() -> None:
    """Take all pictures."""
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as driver:
        server = ServerProcess(Path(folder) / "games.db")
        browser = driver.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])

        def take(
            name: str, steps: Callable[[Screen], None], *, dark: bool = False, phone: bool = False
        ) -> None:
            colours = "dark" if dark else "light"
            with browser.new_context(
                viewport=PHONE if phone else DESKTOP,
                color_scheme=colours,  # type: ignore[arg-type]
                reduced_motion="reduce",
            ) as context:
                screen = Screen(context.new_page(), server.base)
                steps(screen)
                screen.page.mouse.move(2, 2)
                screen.page.screenshot(path=IMAGES / f"page-{name}.jpg", type="jpeg", quality=84)

        take("home", lambda screen: screen.open())
        take("hex", lambda screen: analysed(screen, "hex", HEX))
        take("gomoku", lambda screen: screen.game("gomoku", "person", "person", moves=GOMOKU), dark=True)
        take("onitama", onitama)
        take("gofish", gofish)
        take("review", review)
        take("phone-hex", lambda screen: screen.game("hex", "person", "person", moves=HEX), phone=True)
        take("phone-onitama", onitama, phone=True, dark=True)
        browser.close()
        server.end()


def analysed(screen: Screen, game: str, moves: str) -> None:
    """A position with what a search of three seconds thinks of it."""
    screen.game(game, "person", "person", moves=moves)
    screen.tab("Analyse")
    screen.page.wait_for_timeout(3000)


def onitama(screen: Screen) -> None:
    """A piece is chosen, and the squares it can go to are shown."""
    screen.game(OX, "person", "person", moves="boar:c1c2 horse:d5d4")
    screen.put("c2")


def gofish(screen: Screen) -> None:
    """Some asks among four."""
    screen.game("gofish:players=4", "person", "easy", "easy", "medium")
    for _ in range(3):
        screen.my_turn()
        screen.page.locator(".pile:not([disabled])").first.click()
        screen.page.get_by_role("button", name="Ask for").nth(1).click()
        screen.page.wait_for_timeout(1500)
    screen.my_turn()
    screen.page.locator(".pile:not([disabled])").nth(1).click()


def review(screen: Screen) -> None:
    """A reviewed game, at its worst move."""
    screen.game("hex:size=9", "person", "person", moves=GAME)
    screen.tab("Review")
    screen.button("Review this game").click()
    screen.page.wait_for_function("() => document.querySelector('.review progress').hidden")
    screen.page.locator(".fault-row").first.click()
    screen.page.wait_for_timeout(500)


if __name__ == "__main__":
    main()
