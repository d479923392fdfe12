"""Onitama moves as text: `boar:a1a2` moves from a1 to a2 with the Boar, `boar:pass` only gives it away.

Squares are a letter and a number from Blue's view: a1 is at Blue's left, e5 at Red's left. A move's
number is place · 625 + from · 25 + to, where `place` is the card's place in the deal (0 and 1 Blue's, 2 and 3
Red's, 4 the side card) and squares count from a1 to e1, then a2 and so on; a pass is place · 625.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from tesuji._helpers.clipping import clip
from tesuji.games.onitama.cards import NUMBERS, TABLE

WIDTH = 5
SQUARES = WIDTH * WIDTH
PER_CARD = SQUARES * SQUARES
PASS = "pass"

_MOVE = re.compile("([a-z]+):(?:([a-e])([1-5])([a-e])([1-5])|pass)")


class Turn(NamedTuple):
    """A decoded move: the card's place in the deal, and two squares; None for a pass."""

    place: int
    squares: tuple[int, int] | None


def turn_of(move: int) -> Turn:
    """Decode a move's number.

    >>> turn_of(630), turn_of(625)
    (Turn(place=1, squares=(0, 5)), Turn(place=1, squares=None))
    """
    place, way = divmod(move, PER_CARD)
    return Turn(place, divmod(way, SQUARES) if way else None)


def square_text(square: int) -> str:
    """Name a square: `square_text(0) == "a1"`, `square_text(24) == "e5"`."""
    return f"{'abcde'[square % WIDTH]}{square // WIDTH + 1}"


def move_text(deal: Sequence[int], move: int) -> str:
    """Write a move; `deal` holds the numbers of the cards.

    >>> move_text([6, 11, 14, 9, 1], 630), move_text([6, 11, 14, 9, 1], 625)
    ('boar:a1a2', 'boar:pass')
    """
    turn = turn_of(move)
    if not 0 <= turn.place < len(deal):
        raise ValueError(f"{move} is not a move of Onitama; moves run from 0 to {len(deal) * PER_CARD - 1}")
    way = PASS if turn.squares is None else "".join(map(square_text, turn.squares))
    return f"{TABLE[deal[turn.place]].word}:{way}"


def parse_move_text(deal: Sequence[int], text: str) -> int:
    """Read a move, in upper or lower case.

    >>> parse_move_text([6, 11, 14, 9, 1], "boar:a1a2")
    630
    >>> parse_move_text([6, 11, 14, 9, 1], "tiger:a1a3")
    Traceback (most recent call last):
        ...
    ValueError: 'tiger:a1a3' uses a card that is not in this game (ox, boar, horse, elephant, crab)
    """
    found = _MOVE.fullmatch(text.strip().lower())
    if found is None:
        raise ValueError(f"{clip(text)} is not a move such as boar:a1a2 or boar:pass")
    number = NUMBERS.get(found[1], -1)
    if number not in deal:
        words = ", ".join(TABLE[card].word for card in deal)
        raise ValueError(f"{clip(text)} uses a card that is not in this game ({words})")
    start = list(deal).index(number) * PER_CARD
    if found[2] is None:
        return start
    columns, rows = (["abcde".index(found[i]) for i in (2, 4)], [int(found[i]) - 1 for i in (3, 5)])
    source, target = (row * WIDTH + column for row, column in zip(rows, columns, strict=True))
    if source == target:
        raise ValueError(f"{clip(text)} moves nothing; a pass is written {found[1]}:{PASS}")
    return start + source * SQUARES + target
