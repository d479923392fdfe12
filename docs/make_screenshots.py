"""Take the pictures of the page in docs/images: `python -m docs.make_screenshots [NAME …]`; by default all.

Needs Chromium and the tools of the tests. The servers are real ones, with stores of their own.
"""

from __future__ import annotations

import sys
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
REVERSI = "f5 d6 c3 d3 c4 f4 f6 g5 e6 d7"
YAVALATH = "e2 d3 b1 e4 e1 b2 c7 d4 h6 i1 i4 f5 g5 c5 h1 c6 d1 i5 c1"
GAME = "e5 d6 f4 e4 d5 c6 g3 f2 c7 b7 b8 a8 h2"


def main() -> None:
    """Take all pictures."""
    with (
        tempfile.TemporaryDirectory() as folder,
        ServerProcess(Path(folder) / "games.db") as server,
        ServerProcess(Path(folder) / "own.db", "--load", example_games(Path(folder))) as own,
        sync_playwright() as driver,
    ):
        browser = driver.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])

        def take(
            name: str,
            steps: Callable[[Screen], None],
            *,
            dark: bool = False,
            phone: bool = False,
            server: ServerProcess = server,
        ) -> None:
            if sys.argv[1:] and name not in sys.argv[1:]:
                return
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
        take("solved", solved)
        take("editor", editor)
        take("phone-hex", lambda screen: screen.game("hex", "person", "person", moves=HEX), phone=True)
        take("phone-onitama", onitama, phone=True, dark=True)
        take("breakthrough", breakthrough, server=own)
        take("reversi", lambda screen: analysed(screen, "reversi", REVERSI), server=own)
        take(
            "yavalath",
            lambda screen: screen.game("yavalath", "person", "person", moves=YAVALATH),
            dark=True,
            server=own,
        )
        take("own-games", own_games, server=own)
        take("phone-breakthrough", breakthrough, phone=True, dark=True, server=own)
        browser.close()
        server.end()
        own.end()


def example_games(folder: Path) -> str:
    """A file that loads the examples with boards."""
    path = folder / "example_games.py"
    root = str(IMAGES.parents[1])
    path.write_text(
        f"import sys\nsys.path.insert(0, {root!r})\nfrom examples import breakthrough, reversi, yavalath\n"
    )
    return str(path)


def analysed(screen: Screen, game: str, moves: str) -> None:
    """A position with what a search of three seconds thinks of it."""
    screen.game(game, "person", "person", moves=moves)
    screen.tab("Analyse")
    screen.page.wait_for_timeout(3000)


def breakthrough(screen: Screen) -> None:
    """A pawn is chosen, and the squares it can go to are shown."""
    screen.game("breakthrough", "person", "person", moves="b2-b3 c7-c6 b3-b4 c6-c5 g2-g3 f7-f6")
    screen.put("b4")


def own_games(screen: Screen) -> None:
    """The examples on the first page."""
    screen.open()
    screen.page.get_by_role("article", name="Reversi").scroll_into_view_if_needed()
    screen.page.wait_for_timeout(300)


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


def solved(screen: Screen) -> None:
    """Who wins after each opening."""
    screen.game("hex:size=6", "person", "person")
    screen.tab("Analyse")
    screen.button("Solve").click()
    screen.page.wait_for_function("() => document.querySelectorAll('.result').length === 36")
    screen.page.wait_for_function("() => document.querySelector('.solution progress').hidden")


def editor(screen: Screen) -> None:
    """A position that no game has reached."""
    screen.open("edit/gomoku:size=9")
    screen.page.locator(".place .board-frame").wait_for()
    screen.put("d5", "e5", "f5", "e7")
    screen.page.get_by_role("radio", name="White stone").check()
    screen.put("d6", "f4")
    screen.page.wait_for_timeout(500)


if __name__ == "__main__":
    main()
