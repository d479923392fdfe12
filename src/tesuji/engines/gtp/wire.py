"""A position in terms of the protocol: colours, words for moves, and the two conventions for the swap.

Hex programs agree on cells, not on the swap. With *swap-pieces*, as in our rules, the stone is mirrored at
the long diagonal and changes its colour, and Black is to move. With *swap-sides*, the stone stays, the
players exchange colours, and White is to move; in our terms the board is then mirrored and the colours are
exchanged.

    form     the word       the stone
    pieces   swap-pieces    is mirrored (servers, SGF, HexGui)
    sides    swap-sides     stays
    mohex    swap-pieces    stays (MoHex and its referee)

In input, `swap-sides` always means that the stone stays, `swap-pieces` that it is mirrored except with mohex,
and plain `swap` follows the form.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any, Literal, TypeAlias, cast

from tesuji._helpers.clipping import clip
from tesuji.any_game import parse_move
from tesuji.full_game import CHANCE, FullGame, FullState, Move
from tesuji.games.stone_diagrams import StonePosition, compact_stones
from tesuji.games.stone_game import StoneGame
from tesuji.registry import games, spec_of
from tesuji.spec import Spec

SwapForm: TypeAlias = Literal["pieces", "sides", "mohex"]

COLOURS = ("black", "white")
SWAP = "swap-pieces"
"""The swap in our notation."""
SWAP_WORDS: dict[SwapForm, str] = {"pieces": SWAP, "sides": "swap-sides", "mohex": SWAP}
RESIGN_WORD = "resign"

_CELL = re.compile(r"([a-z])([1-9][0-9]?)", re.IGNORECASE)


def mirrored(cell: str) -> str:
    """A cell mirrored at the long diagonal; other words unchanged: `mirrored("c1") == "a3"`."""
    match = _CELL.fullmatch(cell)
    if match is None:
        return cell
    column, row = ord(match[1].lower()) - ord("a") + 1, int(match[2])
    return f"{chr(ord('a') + row - 1)}{column}" if row <= 26 else cell


@dataclass(frozen=True)
class WirePosition:
    """A position and its convention for the swap: `WirePosition(state, "sides").word(move)`.

    >>> import tesuji
    >>> position = WirePosition(tesuji.replay("hex:size=5,swap=on", "c1"), "sides")
    >>> _, position = position.read("swap-sides")
    >>> position.colour, position.word(position.state.parse("a2"))
    ('white', 'b1')
    """

    state: FullState
    form: SwapForm = "pieces"
    turned: bool = False
    """The game was swapped by sides: cells are mirrored and colours exchanged."""

    @property
    def colour(self) -> str:
        """The side to move, in the protocol's colours."""
        return self.colour_of(self.state.player)

    def colour_of(self, player: int) -> str:
        """A player's colour in the protocol."""
        return COLOURS[player ^ self.turned]

    def word(self, move: Move) -> str:
        """The protocol's word for a legal move."""
        text = self.state.text(move)
        if text == SWAP:
            return SWAP_WORDS[self.form]
        return mirrored(text) if self.turned else text

    def play(self, move: Move) -> WirePosition:
        """The position after a move, with a swap in this form."""
        stays = self.form != "pieces" and self.state.text(move) == SWAP
        return replace(self, state=self.state.play(move), turned=self.turned or stays)

    def read(self, word: str) -> tuple[Move, WirePosition]:
        """Parse a word; returns the legal move and the position after it."""
        name = word.lower()
        form: SwapForm = self.form
        if name == "swap-sides":
            form = "sides"
        elif name == SWAP and form == "sides":
            form = "pieces"
        swaps = name in ("swap", SWAP, "swap-sides")
        text = SWAP if swaps else mirrored(word) if self.turned else word
        try:
            move = parse_move(self.state, text)
        except ValueError as error:
            raise ValueError(f"illegal move {word}") from error
        after = replace(self, form=form).play(move)
        return move, replace(after, form=self.form)

    def with_white_stone(self, word: str) -> WirePosition:
        """One white stone on the empty board, Black to move: the position after swap-pieces.

        HexGui sets it up instead of sending the swap. ValueError if the game has no swap.
        """
        first, _ = replace(self, form="pieces", turned=False).read(mirrored(word))
        opened = replace(self, state=self.state.play(first))
        return replace(opened, state=opened.state.play(parse_move(opened.state, SWAP)))

    def stones(self) -> bytes:
        """The cells of a game that can be set up: 0 empty, 1 Black, 2 White; else ValueError."""
        state: Any = self.state
        if not isinstance(state.game, StoneGame):
            raise ValueError(f"it is {self.colour}'s turn")
        cells: bytes = state.cells()
        return cells

    def with_stones(self, stones: Iterable[tuple[str, str]], *, to_move: str | None = None) -> WirePosition:
        """The position with these stones, by colour and cell, and this colour to move.

        Without `to_move`, the side to move is the one that did not put the last stone. ValueError for an
        occupied cell, a finished game, and in games that cannot be set up.
        """
        cells, state, last = bytearray(self.stones()), cast(Any, self.state), None
        if state.scores() is not None:
            raise ValueError("the game is over")
        for colour, word in stones:
            try:
                last = state.parse(mirrored(word) if self.turned else word)
            except ValueError:
                last = len(cells)
            if last >= len(cells) or cells[last]:
                raise ValueError(f"illegal move {clip(word)}")
            player = COLOURS.index(colour) ^ self.turned
            cells[last] = player + 1
            to_move = COLOURS[1 - COLOURS.index(colour)]
        mover = COLOURS.index(to_move or self.colour) ^ self.turned
        return replace(self, state=_set_up(state.game, bytes(cells), mover, last))

    def board(self) -> str:
        """The position as text, in the protocol's colours."""
        if not self.turned:
            return str(self.state)
        # With swap-sides, the board is that of a game without a swap.
        state: Any = self.state
        size, cells, last = state.size, state.cells(), state.last_cell()
        turned = bytes((0, 2, 1)[cells[cell % size * size + cell // size]] for cell in range(size * size))
        last = None if last is None else last % size * size + last // size
        return str(_set_up(replace(state.game, swap=False), turned, 1 - state.player, last))


def _set_up(game: Any, cells: bytes, player: int, last: int | None) -> FullState:
    diagram = compact_stones(StonePosition(cells, player, last), game.size, upwards=game.upwards)
    return cast(FullState, game.set_up(diagram).start())


def check_playable(game: FullGame) -> Spec:
    """The spec of a game that can be played over GTP; ValueError with the reason if it cannot."""
    spec = Spec.parse(spec_of(game))

    def refuse(reason: str) -> ValueError:
        return ValueError(f"{spec.name} cannot be played over GTP: {reason}")

    if "size" not in [option.name for option in games.describe(spec.name)]:
        raise refuse("it has no option size, which boardsize needs")
    if game.players != len(COLOURS):
        raise refuse(f"it has {game.players} players; GTP has black and white")
    first = game.start()
    if first.player == CHANCE or first.offers("chances") or first.hidden:
        raise refuse("GTP has no chance moves or hidden information")
    return spec


def parse_colour(word: str) -> str:
    """Parse a colour: `parse_colour("B") == "black"`."""
    for colour in COLOURS:
        if word.lower() in (colour, colour[0]):
            return colour
    raise ValueError(f"a colour is black, b, white or w, not {word}")
