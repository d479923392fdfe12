"""Converts Gomoku games of other programs to ours, stone by stone."""

from __future__ import annotations

import re
from functools import cache

from tesuji.clipping import clip
from tesuji.full_game import FullGame
from tesuji.game import game, parse_move
from tesuji.games import coordinates
from tesuji.games.gomoku.notation import SWAP, TWO, cell_text
from tesuji.games.stone_reading import StoneReading
from tesuji.records.sgf_game import board_size
from tesuji.registry import spec_of
from tesuji.spec import Spec

RULES = ("freestyle", "standard", "renju")


class GomokuReading(StoneReading):
    """A game of Gomoku that is being read: `GomokuReading("15", "renju")`."""

    choice = "CH"

    def __init__(self, size: str, rule: str = "freestyle", *, swap2: bool = False) -> None:
        super().__init__(_rules(int(board_size(size)), rule, swap2).start())

    @property
    def colour(self) -> int:
        """Whose stone comes next."""
        return self.state.colour  # type: ignore[no-any-return]

    def seat(self, colour: int) -> int:
        """The player who has this colour, as far as the game has been read."""
        return self.state.black ^ colour  # type: ignore[no-any-return]

    def names(self, black: str, white: str) -> tuple[str, str]:
        """The players' names in the order of their seats."""
        return (black, white) if self.state.black == 0 else (white, black)

    def play(self, word: str) -> None:
        """The next stone: two letters, column and row from the top left, or our own notation."""
        self.check_playing(word)
        if word in (SWAP, TWO):
            raise ValueError(f"{word!r} is not a cell; write the choice as {self.choice}[{word}]")
        self.state = self.state.play(parse_move(self.state, cell_text(self.state.size, self.point(word))))

    def point(self, word: str) -> int:
        """A cell: two letters, column and row from the top left, or our own notation."""
        if re.fullmatch("[a-z][a-z]", word):
            return self._cell(ord(word[0]) - ord("a"), ord(word[1]) - ord("a"))
        return coordinates.parse_cell("Gomoku", self.state.size, word)

    def place(self, column: int, down: int) -> None:
        """The next stone, by column and row from 0 at the top left."""
        self.state = self.state.play(
            parse_move(self.state, cell_text(self.state.size, self._cell(column, down)))
        )

    def _cell(self, column: int, down: int) -> int:
        size: int = self.state.size
        if not (0 <= column < size and 0 <= down < size):
            raise ValueError(f"column {column + 1}, row {down + 1} is not on the {size}×{size} board")
        return (size - 1 - down) * size + column

    def choose(self, word: str) -> None:
        """A choice of swap2."""
        self.check_playing(word)
        if word not in (SWAP, TWO):
            raise ValueError(f"a choice is {SWAP} or {TWO}, not {clip(word)}")
        self.state = self.state.play(parse_move(self.state, word))

    def spec(self) -> str:
        """The spec of the game."""
        return _spec(self.state.game)


@cache
def _rules(size: int, rule: str, swap2: bool) -> FullGame:
    return game(Spec("gomoku", {"size": str(size), "rule": rule, "swap2": "on" if swap2 else "off"}))


@cache
def _spec(rules: FullGame) -> str:
    return spec_of(rules)
