"""The editor of positions: by mouse, keyboard and touch; analysis and play from there; links."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from tests.web.page.screen import DESKTOP, PATIENCE, Screen
from tests.web.page.test_page_accessibility import focused, to_board
from tests.web.server_process import ServerProcess


def edit(screen: Screen, spec: str) -> None:
    screen.open(f"edit/{spec.replace('/', '%2F')}")
    expect(screen.page.locator(".place .board-frame")).to_be_visible(timeout=PATIENCE)


def choose(screen: Screen, label: str) -> None:
    screen.page.get_by_role("radio", name=label, exact=True).check()


def holds(screen: Screen, cell: str, words: str) -> None:
    expect(screen.cell(cell)).to_have_attribute("aria-label", f"{cell}, {words}")


def test_stones_are_put_and_erased_and_the_position_is_analysed(screen: Screen) -> None:
    edit(screen, "hex:size=3")
    screen.put("a1", "a2", "a3")
    holds(screen, "a2", "Black")
    screen.sees("has connected its sides")
    expect(screen.button("Analyse")).to_be_disabled()
    choose(screen, "White stone")
    screen.put("a3")
    choose(screen, "Erase")
    screen.put("a2")
    holds(screen, "a2", "empty")
    screen.sees("Black to move")
    choose(screen, "White")
    screen.sees("White to move")
    screen.button("Analyse").click()
    screen.page.wait_for_url("**/#table/*")
    holds(screen, "a1", "Black")
    expect(screen.page.get_by_role("tab", name="Analyse")).to_have_attribute("aria-selected", "true")
    expect(screen.page.locator(".heat.best")).to_have_count(1, timeout=PATIENCE)


def test_a_game_is_played_from_the_position(screen: Screen) -> None:
    edit(screen, "gomoku:size=7")
    screen.put("a4", "b4", "c4", "d4")
    choose(screen, "White")
    screen.sees("White to move")
    screen.page.get_by_label("Opponent").select_option("medium")
    screen.page.get_by_label("You play").select_option("Black")
    screen.button("Play").click()
    screen.count(1)
    assert screen.played() == ["e4"]
    expect(screen.moves.first.locator(".mark")).to_have_class("mark mark-gomoku seat-1")


def test_the_address_holds_the_position_and_reloads_it(screen: Screen) -> None:
    edit(screen, "hex:size=3,position=2b/1w1/3-w")
    holds(screen, "c1", "Black")
    screen.sees("White to move")
    screen.put("a1")
    screen.page.wait_for_url("**position%3Db1b*")
    screen.page.reload()
    holds(screen, "a1", "Black")
    holds(screen, "b2", "White")


def test_the_editor_works_with_the_keyboard(screen: Screen) -> None:
    edit(screen, "hex:size=3")
    to_board(screen)
    screen.page.keyboard.press("ArrowRight")
    screen.page.keyboard.press("Enter")
    assert focused(screen) == "b1, Black"
    expect(screen.page.locator("#live-region")).to_contain_text("b1: Black stone")
    screen.page.keyboard.press("2")
    screen.page.keyboard.press("ArrowDown")
    screen.page.keyboard.press(" ")
    assert focused(screen) == "b2, White"
    screen.page.keyboard.press("Delete")
    assert focused(screen) == "b2, empty"


def test_pieces_of_other_kinds_are_put_and_mistakes_named(screen: Screen) -> None:
    edit(screen, "onitama:cards=ox-boar-horse-elephant-crab")
    choose(screen, "Erase")
    screen.put("c1")
    screen.sees("Blue must have one master")
    choose(screen, "Blue master")
    screen.put("b2")
    screen.sees("to move")
    holds(screen, "b2", "blue master")
    choose(screen, "Red")
    screen.sees("Red to move")
    screen.button("Analyse").click()
    screen.page.wait_for_url("**/#table/*")
    holds(screen, "b2", "blue master")


def test_a_diagram_is_pasted_and_rules_are_changed(screen: Screen) -> None:
    edit(screen, "hex:size=3")
    screen.page.get_by_text("As text").click()
    screen.page.get_by_label("Diagram").fill("..B\n.W.\n..B\nWhite to move")
    screen.button("Use this diagram").click()
    holds(screen, "c3", "Black")
    screen.page.get_by_text("Rules", exact=True).click()
    screen.page.get_by_label("Size").fill("4")
    screen.page.get_by_label("Size").blur()
    expect(screen.cell("d4")).to_be_visible()
    holds(screen, "c3", "empty")


def test_a_position_of_a_game_is_edited(screen: Screen) -> None:
    screen.game("gomoku:size=7", "person", "person", moves="d4 e5 c3")
    screen.tab("Share")
    screen.button("Edit this position").click()
    screen.page.wait_for_url("**/#edit/*")
    holds(screen, "e5", "White")
    screen.sees("White to move")


@pytest.mark.parametrize("spec", ["hex:size=11", "gomoku", "onitama"])
def test_the_editor_fits_a_phone_and_is_accessible(phone: Screen, spec: str) -> None:
    edit(phone, spec)
    phone.settle()
    width = phone.page.evaluate("document.documentElement.scrollWidth")
    assert width <= 390
    assert phone.serious() == []
    phone.cell("c3").tap()
    expect(phone.cell("c3")).not_to_have_attribute("aria-label", "c3, empty")


HEAP = '''
from dataclasses import dataclass

import tesuji


@dataclass(frozen=True)
class HeapState:
    stones: int
    player: int = 0

    def moves(self):
        return [take for take in (1, 2) if take <= self.stones]

    def play(self, move):
        return HeapState(self.stones - move, 1 - self.player)

    def scores(self):
        return None if self.stones else (float(self.player), 1.0 - self.player)

    def __str__(self):
        return "o" * self.stones


@tesuji.register_game("heap")
class Heap:
    """Take one or two stones; the last one wins."""

    def __init__(self, stones: int = 7, first: int = 0):
        self.stones, self.first = stones, first

    def start(self):
        return HeapState(self.stones, self.first)

    def set_up(self, diagram, player=None):
        if set(diagram.strip()) != {"o"}:
            raise ValueError("a heap is one o for each stone")
        return Heap(diagram.count("o"), player or 0)
'''


def test_a_game_of_your_own_is_set_up_as_text(browser: Browser, tmp_path: Path) -> None:
    (tmp_path / "heap.py").write_text(HEAP)
    with (
        ServerProcess(tmp_path / "games.db", "--load", str(tmp_path / "heap.py"), "--workers", "1") as server,
        browser.new_context(viewport=DESKTOP) as context,
    ):
        screen = Screen(context.new_page(), server.base)
        edit(screen, "heap")
        screen.page.get_by_label("Diagram").fill("oxo")
        screen.button("Use this diagram").click()
        screen.sees("A heap is one o for each stone")
        screen.page.get_by_label("Diagram").fill("oooo")
        screen.button("Use this diagram").click()
        screen.sees("Player 0 to move")
        choose(screen, "Player 1")
        screen.sees("to move")
        screen.page.wait_for_url("**stones%3D4**first%3D1")
        screen.button("Analyse").click()
        screen.page.wait_for_url("**/#table/*")
        assert screen.script_errors == []
