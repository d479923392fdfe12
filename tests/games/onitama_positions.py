"""Positions of Onitama for the tests, from squares as people write them."""

from tesuji import _core
from tesuji.games import Onitama
from tesuji.games.onitama import OnitamaState
from tesuji.games.onitama.cards import NUMBERS

OX = "ox-boar-horse-elephant-crab"
RABBIT = "rabbit-cobra-rooster-tiger-frog"


def bits(squares: str) -> int:
    return sum(1 << "abcde".index(word[0]) + 5 * (int(word[1]) - 1) for word in squares.split())


def index(square: str) -> int:
    return bits(square).bit_length() - 1


def set_up(cards: str, player: int, blue: str, red: str, **limits: int) -> OnitamaState:
    """A position; the first square of each side is its master's."""
    core = _core.OnitamaState.set_up(
        [NUMBERS[word] for word in cards.split("-")],
        player,
        (bits(blue), bits(red)),
        (index(blue.split()[0]), index(red.split()[0])),
        **limits,
    )
    return Onitama(cards=cards, ply_limit=None).wrap(core)


def texts(state: OnitamaState) -> list[str]:
    return [state.text(move) for move in state.moves()]
