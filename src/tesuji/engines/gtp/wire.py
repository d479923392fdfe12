"""A position as the other side of the wire sees it: colours, words for moves, and the two forms of the swap.

Hex programs agree on cells, not on the swap. Where it *mirrors*, as in our rules, the stone goes to the other
side of the long diagonal, changes its colour, and Black moves. Where the stone *stays*, the two programs
exchange their colours instead, and White moves; to us the board is then turned: mirrored, colours exchanged.

    form     the word       what the stone does
    pieces   swap-pieces    mirrors (servers, SGF, HexGui)
    sides    swap-sides     stays
    mohex    swap-pieces    stays (MoHex and its referee)

Whatever the form, a `swap-sides` that is read means the stone that stays, and `swap-pieces` the one that
mirrors but for mohex; the bare word `swap` means what the form does.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import Any, Literal, TypeAlias

from tesuji.game import CHANCE, Game, Move, State, parse_move, players_of, replay, start, text_of
from tesuji.registry import games, spec_of
from tesuji.spec import Spec

SwapForm: TypeAlias = Literal["pieces", "sides", "mohex"]

COLOURS = ("black", "white")
SWAP = "swap-pieces"
"""How our rules call the swap."""
SWAP_WORDS: dict[SwapForm, str] = {"pieces": SWAP, "sides": "swap-sides", "mohex": SWAP}
RESIGN_WORD = "resign"

_CELL = re.compile(r"([a-z])([1-9][0-9]?)", re.IGNORECASE)


def mirrored(cell: str) -> str:
    """The cell on the other side of the long diagonal; other words stay: `mirrored("c1") == "a3"`."""
    match = _CELL.fullmatch(cell)
    if match is None:
        return cell
    column, row = ord(match[1].lower()) - ord("a") + 1, int(match[2])
    return f"{chr(ord('a') + row - 1)}{column}" if row <= 26 else cell


@dataclass(frozen=True)
class WirePosition:
    """A position and how it is spoken of: `WirePosition(state, "sides").word(move)`.

    >>> import tesuji
    >>> position = WirePosition(tesuji.replay("hex:size=5,swap=on", "c1"), "sides")
    >>> _, position = position.read("swap-sides")
    >>> position.colour, position.word(position.state.parse("a2"))
    ('white', 'b1')
    """

    state: State
    form: SwapForm = "pieces"
    turned: bool = False
    """The stone stayed at the swap."""

    @property
    def colour(self) -> str:
        """Who moves, as the other side says it."""
        return self.colour_of(self.state.player)

    def colour_of(self, player: int) -> str:
        """A player's colour there."""
        return COLOURS[player ^ self.turned]

    def word(self, move: Move) -> str:
        """A legal move as the other side says it."""
        text = text_of(self.state, move)
        if text == SWAP:
            return SWAP_WORDS[self.form]
        return mirrored(text) if self.turned else text

    def play(self, move: Move) -> WirePosition:
        """The position after a move that was said in our form."""
        stays = self.form != "pieces" and text_of(self.state, move) == SWAP
        return replace(self, state=self.state.play(move), turned=self.turned or stays)

    def read(self, word: str) -> tuple[Move, WirePosition]:
        """The legal move that a word means, and the position after it; ValueError where it means none."""
        said = word.lower()
        form: SwapForm = self.form
        if said == "swap-sides":
            form = "sides"
        elif said == SWAP and form == "sides":
            form = "pieces"
        swaps = said in ("swap", SWAP, "swap-sides")
        text = SWAP if swaps else mirrored(word) if self.turned else word
        try:
            move = parse_move(self.state, text)
        except ValueError as error:
            raise ValueError(f"illegal move {word}") from error
        after = replace(self, form=form).play(move)
        return move, replace(after, form=self.form)

    def with_white_stone(self, word: str) -> WirePosition:
        """The empty board with one white stone and Black to move: what a swap that mirrors leaves.

        HexGui does not send the swap; it sets up what is there afterwards. ValueError where there is no swap.
        """
        first, _ = replace(self, form="pieces", turned=False).read(mirrored(word))
        opened = replace(self, state=self.state.play(first))
        return replace(opened, state=opened.state.play(parse_move(opened.state, SWAP)))

    def board(self) -> str:
        """The position as the other side would draw it."""
        if not self.turned:
            return str(self.state)
        # The stone stayed, so this is the board of a game that knows no swap.
        state: Any = self.state
        first, _, *others = state.history
        words = [state.text(first), *(mirrored(state.text(move)) for move in others)]
        return str(replay(replace(state.game, swap=False), " ".join(words)))


def check_playable(game: Game) -> Spec:
    """The spec of a game that two programs can play over GTP; ValueError with the reason for any other."""
    spec = Spec.parse(spec_of(game))

    def refuse(reason: str) -> ValueError:
        return ValueError(f"{spec.name} cannot be played over GTP: {reason}")

    if "size" not in [option.name for option in games.describe(spec.name)]:
        raise refuse("it has no option size for the command boardsize")
    if players_of(game) != len(COLOURS):
        raise refuse(f"it has {players_of(game)} players, and GTP knows black and white")
    first = start(game)
    if first.player == CHANCE or hasattr(first, "chances") or hasattr(first, "determinize"):
        raise refuse("it has chance or hidden parts, and GTP knows neither")
    return spec


def parse_colour(word: str) -> str:
    """A colour in full: `parse_colour("B") == "black"`; ValueError for any other word."""
    for colour in COLOURS:
        if word.lower() in (colour, colour[0]):
            return colour
    raise ValueError(f"a colour is black, b, white or w, not {word}")
