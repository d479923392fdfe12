"""Positions of Onitama for the tests, from squares as people write them."""

from dataclasses import replace
from typing import Any

from tesuji import _core
from tesuji.games import Onitama
from tesuji.games.onitama import OnitamaState
from tesuji.games.onitama.cards import NUMBERS, deal_text

OX = "ox-boar-horse-elephant-crab"
RABBIT = "rabbit-cobra-rooster-tiger-frog"


def bits(squares: str) -> int:
    return sum(1 << "abcde".index(word[0]) + 5 * (int(word[1]) - 1) for word in squares.split())


def index(square: str) -> int:
    return bits(square).bit_length() - 1


def set_up(cards: str, player: int, blue: str, red: str, **limits: Any) -> OnitamaState:
    """A position; the first square of each side is its master's."""
    core = _core.OnitamaState.set_up(
        [NUMBERS[word] for word in cards.split("-")],
        player,
        (bits(blue), bits(red)),
        (index(blue.split()[0]), index(red.split()[0])),
        **limits,
    )
    return Onitama(cards=cards, ply_limit=None).from_core(core)


def texts(state: OnitamaState) -> list[str]:
    return [state.text(move) for move in state.moves()]


def turned(state: OnitamaState) -> OnitamaState:
    """The same position with the colours exchanged: the board turned, the other player to move."""
    cells = state.cells()[::-1]
    boards = [sum(1 << at for at, cell in enumerate(cells) if cell in pieces) for pieces in ((3, 4), (1, 2))]
    held = state.core.held()
    core = _core.OnitamaState.set_up(
        [*held[2:4], *held[:2], held[4]],
        1 - state.player,
        (boards[0], boards[1]),
        (cells.index(4), cells.index(2)),
        ply_limit=state.game.ply_limit or 0,
        repetition_limit=state.game.repetition_limit or 0,
    )
    return replace(state.game, cards=deal_text(core.deal)).from_core(core)
