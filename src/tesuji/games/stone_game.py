"""What games of black and white stones on a square board share: notation, set-up, openings and levels."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping
from dataclasses import replace
from functools import cache, cached_property
from pathlib import Path
from typing import ClassVar, Generic, Self, TypeVar

from tesuji import _core
from tesuji._helpers.atomic_write import write_atomically
from tesuji.games.coordinates import cell_text, parse_cell
from tesuji.games.native import NativeGame, NativeState
from tesuji.games.stone_diagrams import StonePosition, compact_stones, read_stones
from tesuji.models.bundled import has_network
from tesuji.options import OptionError

POSITION = "position to begin from, as written by tesuji.position; off: the empty board"

G = TypeVar("G", bound="StoneGame")
C = TypeVar("C", _core.HexState, _core.GomokuState)


class StoneState(NativeState[G, C], Generic[G, C]):
    """A position of stones. Moves are row · size + column; then come the game's words, such as a swap."""

    __slots__ = ()

    words: ClassVar[Mapping[str, int]]
    """The moves that place no stone, by what people write, numbered from 0; synonyms come last."""

    @property
    def size(self) -> int:
        """Cells along each side."""
        return self.core.size

    def cells(self) -> bytes:
        """One byte per cell from a1, row by row: 0 empty, 1 black, 2 white."""
        return self.core.cells()

    def text(self, move: int) -> str:
        """A move as text: a cell such as `h8`, or one of the game's words."""
        size = self.size
        word = next((word for word, number in self.words.items() if move == size**2 + number), None)
        return word or cell_text(self.game.title, size, move)

    def parse(self, text: str) -> int:
        """Parse a move; ValueError if it is not a cell of this board."""
        number = self.words.get(text.strip().lower())
        return parse_cell(self.game.title, self.size, text) if number is None else self.size**2 + number

    def _repr_svg_(self) -> str | None:
        return self.svg()

    @abstractmethod
    def last_cell(self) -> int | None:
        """The cell of the last stone, None at the start."""

    @abstractmethod
    def winning_line(self) -> list[int]:
        """The cells of the winning chain or row, empty where nobody has won."""

    def board_view(self, viewer: int | None) -> dict[str, object]:
        """The board for the web page: row 1 first, the last move, and the winning line of a won game.

        >>> import tesuji
        >>> tesuji.replay("hex:size=2", "a2").board_view(None)
        {'kind': 'hex', 'size': 2, 'cells': [['.', '.'], ['b', '.']], 'last': 'a2'}
        """
        size, last, line = self.size, self.last_cell(), self.winning_line()
        text = "".join(".bw"[cell] for cell in self.cells())
        view = {
            "kind": self.game.title.lower(),
            "size": size,
            "cells": [list(text[row * size : (row + 1) * size]) for row in range(size)],
            "last": None if last is None else self.text(last),
        }
        return view | ({"winning_line": [self.text(cell) for cell in line]} if line else {})


class StoneGame(NativeGame):
    """Base of a game with the options `size` and `position`."""

    set_up_pieces: ClassVar[dict[str, str]] = {"b": "Black stone", "w": "White stone"}
    """What an editor of positions puts on the board, by symbol."""
    title: ClassVar[str]
    upwards: ClassVar[bool]
    """Whether row 1 is at the bottom of the board."""
    network_levels: ClassVar[Mapping[str, str]]
    """The levels with a network."""
    expert_without_network: ClassVar[str]
    smallest_for_network: ClassVar[int]
    """Board size from which on the network is used."""
    book: ClassVar[Path]
    """The opening book: see `read_openings`."""
    size: int
    position: str | None

    @property
    def default_bot(self) -> str:
        """zero, if its network plays this board; otherwise mcts."""
        return "zero" if self._has_network else "mcts"

    @property
    def levels(self) -> Mapping[str, str]:
        """The specs of easy, medium, hard and expert; expert is zero where that is the default bot."""
        if self._has_network:
            return self.network_levels
        return {**self.network_levels, "expert": self.expert_without_network}

    @property
    def _has_network(self) -> bool:
        return self.size >= self.smallest_for_network and has_network(self)

    @property
    def openings(self) -> tuple[str, ...]:
        """Even openings for matches; none with a swap, which balances the opening itself, or a set-up."""
        key = self.book_key
        return () if key is None or self.position else read_openings(self.book, key)

    @property
    @abstractmethod
    def book_key(self) -> str | None:
        """The board in the opening book; None where the rules balance the opening."""

    def set_up(self, diagram: str, player: int | None = None) -> Self:
        """This game, beginning from a diagram, with this player to move; see `tesuji.position`."""
        stones = self._read(diagram).completed(player)
        text = compact_stones(stones, self.size, upwards=self.upwards)
        return replace(self, position=text)  # type: ignore[type-var]

    @cached_property
    def rules(self) -> Self:
        """This game from the empty board."""
        return self if self.position is None else replace(self, position=None)  # type: ignore[type-var]

    @cached_property
    def set_up_stones(self) -> StonePosition | None:
        """The stones, player and last stone of `position`; None for the empty board."""
        return None if self.position is None else self._read(self.position).completed(None)

    def _read(self, text: str) -> StonePosition:
        return read_stones(text, self.size, upwards=self.upwards, game=self.title)

    def _check_position(self) -> None:
        """Check the option `position` and write it in its usual form."""
        if self.position is None:
            return
        try:
            stones = self._read(self.position).completed(None)
            text = compact_stones(stones, self.size, upwards=self.upwards)
            usual = not any(stones.cells) and stones.player == 0
            object.__setattr__(self, "position", None if usual else text)
            self._set_up_core(stones)
        except ValueError as error:
            raise OptionError(f"position: {error}") from error

    @abstractmethod
    def _set_up_core(self, stones: StonePosition) -> _core.State:
        """The native state; ValueError for an impossible position."""


@cache
def read_openings(path: Path, board: str) -> tuple[str, ...]:
    """The even openings of a book for a board. A line has those of one board: `11: a2 f6, b4 k9 c3`.

    >>> import tesuji
    >>> len(tesuji.game("hex").openings) >= 30, tesuji.game("gomoku:size=6,rule=renju").openings
    (True, ())
    """
    written = _openings(path).get(board)
    return tuple(written.split(", ")) if written else ()


def replace_openings(path: Path, board: str, openings: list[str]) -> None:
    """Replace the openings of a board."""
    lines = {**_openings(path), board: ", ".join(openings)}
    write_atomically(path, "".join(f"{name}: {moves}\n" for name, moves in lines.items()))


def _openings(path: Path) -> dict[str, str]:
    """The openings of each board, as written."""
    return dict(line.split(": ", 1) for line in path.read_text(encoding="utf-8").splitlines())
