"""Hex records in formats of other programs: SGF for Hex (GM[11]) and HexWorld's links.

SGF: https://www.red-bean.com/sgf/hex.html. Points are `a1`, Black moves first and joins top and bottom;
AB, AW and PL set up the position to begin from.
HexWorld: `https://hexworld.org/board/#11c1,a10d4:rw`, which is the size, options of the display, a comma and
the moves (`:s` swap-pieces, `:S` swap-sides, `:p` pass, `:rb` `:rw` resign, `:fb` `:fw` forfeit); a second
comma marks the position on show.

**swap-pieces** is our own swap: the stone is mirrored and changes its colour; the players keep theirs.
**swap-sides** leaves the stone in place, and the players exchange colours; the one who opened is now White
and to move. It is the same game mirrored. So it is read as our swap, and all later cells are mirrored and
colours exchanged: a White stone at a3 becomes a Black stone at c1, and `RE[B+]`, a win of the player who
swapped, becomes a win of our White. PB is the player who opened, in both forms.
"""

from __future__ import annotations

import re
from functools import cache

from tesuji._helpers.clipping import clip
from tesuji.any_game import game, parse_move
from tesuji.full_game import FullGame
from tesuji.games.coordinates import cell_text, parse_cell
from tesuji.games.stone_sgf import StoneReading, check_from_the_start, set_up_properties
from tesuji.records import sgf
from tesuji.records.formats import Format, last_state, read_lines
from tesuji.records.record import PERSON, UNDATED, Record
from tesuji.records.sgf_game import board_size, loser_of, read_games, write_game
from tesuji.registry import spec_of
from tesuji.spec import Spec

SWAP = "swap-pieces"
HEX = "11"  # SGF's number for the game
BOARD = "https://hexworld.org/board/"

_LINK = re.compile(r"(?:[^#,\s]*#([0-9]*)|([0-9]+))(?:x([0-9]+))?([a-z][a-z0-9]*)?(?:,(.*))?", re.ASCII)
_WORD = re.compile(r"([a-z]+[0-9]+)|:(s|S|p|rb|rw|fb|fw)|,", re.ASCII)


class HexReading(StoneReading):
    """A game of another program, converted to ours move by move: `HexReading("11")`."""

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
            row, column = divmod(parse_cell("Hex", self.state.size, meant), self.state.size)
            meant = cell_text("Hex", self.state.size, column * self.state.size + row)
        self.state = self.state.play(parse_move(self.state, meant))
        self.mirrored |= word == "swap-sides"

    def point(self, word: str) -> int:
        """A cell of the set-up position."""
        return parse_cell("Hex", self.state.size, word)

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


def write_sgf(record: Record) -> str:
    """Write SGF: players, result, date and moves, with evaluations as comments.

    >>> print(write_sgf(Record(game="hex:size=3", players=("mcts", "random"), moves=("b2",), when=UNDATED)))
    (;FF[4]GM[11]CA[UTF-8]AP[Tesuji]SZ[3]GN[hex:size=3]PB[mcts]PW[random]RE[Void]
    ;B[b2])
    <BLANKLINE>
    """
    state = last_state(record, "hex", "Hex")
    rules, first = state.game, state.game.start().player
    nodes = [("BW"[(first + number) % 2], state.text(move)) for number, move in enumerate(state.history)]
    set_up = set_up_properties(rules, state.text)
    return write_game(record, HEX, rules.size, nodes, rules="swap" if rules.swap else "", set_up=set_up)


def read_sgf(text: str) -> list[Record]:
    """Read SGF, main lines only.

    >>> read_sgf("(;GM[11]SZ[5]PB[Ann]PW[Bob];B[a3];W[swap-sides];W[d2];B[resign])")[0]
    Record(game='hex:size=5,swap=on', players=('Ann', 'Bob'), ...
      moves=('a3', 'swap-pieces', 'b4'), notes=(), opening=0, scores=(1.0, 0.0), ending='resigned', ...)
    """
    return read_games(text, HEX, _begin)


def write_hexworld(record: Record) -> str:
    r"""Write a link to HexWorld's board: the moves, and who resigned.

    >>> write_hexworld(Record(game="hex:size=5", players=("mcts", "random"), moves=("c3", "d2")))
    'https://hexworld.org/board/#5,c3d2\n'
    """
    state = last_state(record, "hex", "Hex")
    rules, moves = state.game, map(state.text, state.history)
    check_from_the_start(rules, "HexWorld's link")
    end, loser = "", loser_of(record)
    if record.ending not in ("played", "limit") and loser is not None:
        end = f":{'r' if record.ending == 'resigned' else 'f'}{'bw'[loser]}"
    return f"{BOARD}#{rules.size},{''.join(':s' if move == SWAP else move for move in moves)}{end}\n"


def read_hexworld(text: str) -> list[Record]:
    """Read HexWorld links, one per line; the part before # may be missing.

    >>> read_hexworld("https://hexworld.org/board/#5r9c1,a3:sb4,c2:rb")[0].moves
    ('a3', 'swap-pieces', 'b4', 'c2')
    """
    return read_lines(text, lambda line: _read_link(line.strip()))


FORMATS = {
    "sgf": Format("sgf", ".sgf", write_sgf, read_sgf, "SGF"),
    "hexworld": Format("hexworld", ".hexworld", write_hexworld, read_hexworld, "HexWorld link"),
}


def _begin(nodes: list[sgf.Node]) -> HexReading:
    root = nodes[0]
    return HexReading(root.get("SZ") or "11", swap=(root.get("RU") or "").strip().lower() == "swap")


def _read_link(link: str) -> Record:
    found = _LINK.fullmatch(link)
    if found is None:
        raise ValueError(f"{clip(link)} is not a HexWorld link, such as {BOARD}#11,a10d4")
    columns, bare, rows, _options, moves = found.groups()
    size = columns or bare or "11"
    reading = HexReading(f"{size}:{rows or size}")
    at, moves = 0, moves or ""
    while at < len(moves):
        number = len(reading.state.history) + 1
        word = _WORD.match(moves, at)
        if word is None:
            raise ValueError(
                f"move {number}: expected a cell or one of :s :S :p :rb :rw, not {clip(moves[at : at + 8])}"
            )
        cell, special = word.groups()
        try:
            if special and special[0] in "rf":
                reading.resign("bw".index(special[1]))
            elif cell or special:
                reading.play(cell or {"s": SWAP, "S": "swap-sides", "p": "pass"}[special])
        except ValueError as error:
            raise ValueError(f"move {number}: {error}") from error
        at = word.end()
    return reading.record((PERSON, PERSON), when=UNDATED)
