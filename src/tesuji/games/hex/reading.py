"""Converts Hex games of other programs to ours, move by move; `formats` explains the two swaps."""

from __future__ import annotations

from functools import cache

from tesuji.full_game import FullGame
from tesuji.game import game, parse_move
from tesuji.games.hex.notation import cell_text, parse_cell
from tesuji.games.stone_reading import StoneReading
from tesuji.records.sgf_game import board_size
from tesuji.registry import spec_of
from tesuji.spec import Spec

SWAP = "swap-pieces"


class HexReading(StoneReading):
    """A game of Hex that is being read: `HexReading("11")`."""

    def __init__(self, size: str, *, swap: bool = False) -> None:
        # Texts rarely say whether the swap was allowed, so it is; it changes nothing unless played.
        super().__init__(_rules(int(board_size(size)), True).start())
        self.swap = swap
        self.mirrored = False

    @property
    def colour(self) -> int:
        """Who is to move, as the text calls it."""
        return self.seat(self.state.player)  # the exchange is its own inverse

    def seat(self, colour: int) -> int:
        """The player that the text calls by a colour."""
        return colour ^ self.mirrored

    def play(self, word: str) -> None:
        """The next move: a cell, or one of the special words of SGF."""
        self.check_playing(word)
        meant = SWAP if word in ("swap-sides", "swap") else word
        if self.mirrored and meant != SWAP:
            row, column = divmod(parse_cell(self.state.size, meant), self.state.size)
            meant = cell_text(self.state.size, column * self.state.size + row)
        self.state = self.state.play(parse_move(self.state, meant))
        self.mirrored |= word == "swap-sides"

    def point(self, word: str) -> int:
        """A cell of the set-up position."""
        return parse_cell(self.state.size, word)

    def spec(self) -> str:
        """The spec of the game that has been read: with the swap where it was allowed, or happened."""
        swap = self.swap or self.state.size**2 in self.state.history
        return _spec(self.state.size, swap, self.state.game.position)


@cache
def _rules(size: int, swap: bool) -> FullGame:
    return game(Spec("hex", {"size": str(size), "swap": "on" if swap else "off"}))


@cache
def _spec(size: int, swap: bool, position: str | None) -> str:
    spec = Spec.parse(spec_of(_rules(size, swap)))
    return str(spec if position is None else spec.with_options({"position": position}))
