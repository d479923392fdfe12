"""Positions of Onitama as text: diagrams, and the compact form in which the game's spec holds one.

A diagram is a table as `str(state)` draws it, or simpler: one line per row from the top with `b`, `B` (Blue's
student and master), `r`, `R` (Red's) and `.`; a line `Blue to move`; and the five cards as in the option
`cards`: Blue's two, Red's two, the side card.

The compact form has the rows from the top with numbers for empty squares, then who moves and, unless they are
those of the deal, the cards: `rrRrr/5/5/5/bbBbb-b-ox-crab-boar-elephant-horse`.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from tesuji._helpers.clipping import clip
from tesuji.games.onitama.cards import CARDS, DEAL, deal_text, parse_deal
from tesuji.games.onitama.notation import SQUARES, WIDTH

START = bytes([1, 1, 2, 1, 1, *[0] * 15, 3, 3, 4, 3, 3])
NAMES = ("Blue", "Red")

_SYMBOLS = {".": 0, "·": 0, "⌂": 0, "b": 1, "B": 2, "r": 3, "R": 4}
_ROWS = re.compile(r"([^-\s/]+(?:/[^-\s/]+)+)(?:[-\s]+([a-z]+))?(?:[-\s]+(.+))?", re.IGNORECASE)
_TO_MOVE = re.compile(r"(blue|red)\s+\(?to\s+(?:move|play)", re.IGNORECASE)
_DEAL = re.compile(r"(?:cards?\s*[:=]?\s*)?([a-z]+(?:-[a-z]+){4})", re.IGNORECASE)
_ROW = re.compile(r"(?:([1-5])(?!\S))?((?:[\s\[\]]*[^\s\[\]]){5})[\s\[\]]*((?:\s[\s·●◆]*)?)")
_CARD_NAMES = re.compile(
    "|".join(sorted((re.escape(card.name) for card in CARDS.values()), key=len, reverse=True)), re.IGNORECASE
)


class TablePosition(NamedTuple):
    """The squares, who moves (None: not said), and the cards' numbers as held (None: as dealt)."""

    cells: bytes
    player: int | None = None
    held: tuple[int, ...] | None = None

    def completed(self, player: int | None) -> TablePosition:
        """With this player to move, or else the one who is named; ValueError if there is none."""
        player = self.player if player is None else player
        if player not in (0, 1):
            given = "" if player is None else f", not {player!r}"
            raise ValueError(
                "who moves? Add a line 'Blue to move' or 'Red to move', or give player=0 (Blue) or 1 "
                f"(Red){given}"
            )
        return self._replace(player=player)


def read_table(text: str) -> TablePosition:
    """Read a diagram or a compact position.

    >>> read_table("rrRrr/5/5/5/bbBbb-b").cells == START
    True
    """
    found = _ROWS.fullmatch(text.strip())
    if found is None:
        return _read_diagram(text)
    rows = [re.sub("[1-5]", lambda run: "." * int(run[0]), row) for row in found[1].split("/")]
    player = None
    if found[2] is not None:
        player = next(
            (seat for seat, name in enumerate(NAMES) if name.lower().startswith(found[2].lower())), None
        )
        if player is None:
            raise ValueError(f"who moves must be b (Blue) or r (Red), not {clip(found[2])}")
    held = None if found[3] is None else parse_deal(found[3])
    return TablePosition(_joined(rows), player, held)


def compact_table(position: TablePosition, deal: Sequence[int]) -> str:
    """The compact form of a position with a player to move.

    >>> compact_table(TablePosition(START, 1), [])
    'rrRrr/5/5/5/bbBbb-r'
    """
    rows = []
    for row in reversed(range(WIDTH)):
        text = "".join(".bBrR"[cell] for cell in position.cells[row * WIDTH : (row + 1) * WIDTH])
        rows.append(re.sub(r"\.+", lambda run: str(len(run[0])), text))
    cards = "" if position.held in (None, tuple(deal)) else f"-{deal_text(position.held or ())}"
    return f"{'/'.join(rows)}-{'br'[position.player or 0]}{cards}"


def sorted_hands(held: Sequence[int], deal: Sequence[int]) -> tuple[int, ...]:
    """The cards with each hand in the order of the deal, which is that of `OnitamaState.held()`."""
    order = list(deal).index
    return (*sorted(held[:2], key=order), *sorted(held[2:4], key=order), held[4])


def _joined(rows: Sequence[str]) -> bytes:
    """The squares of rows from the top."""
    wrong = next((row for row in rows if len(row) != WIDTH), None)
    if len(rows) != WIDTH or wrong is not None:
        shape = f"{len(rows)} rows" if wrong is None else f"the row {clip(wrong)}"
        raise ValueError(f"a board of Onitama has {WIDTH} rows of {WIDTH} squares, not {shape}")
    for symbol in "".join(rows):
        if symbol not in _SYMBOLS:
            raise ValueError(
                f"{clip(symbol)} is not a square: use . for empty, b and B for Blue's students and master, "
                "r and R for Red's"
            )
    return bytes(_SYMBOLS[symbol] for row in reversed(rows) for symbol in row)


def _read_diagram(text: str) -> TablePosition:
    player: int | None = None
    held: tuple[int, ...] | None = None
    rows: dict[int, str] = {}
    for line in text.splitlines():
        said, body = _TO_MOVE.search(line), line.strip()
        names = _CARD_NAMES.findall(body)
        if said:
            player = NAMES.index(said[1].title())
        elif deal := _DEAL.fullmatch(body):
            held = parse_deal(deal[1])
        elif len(names) == DEAL:
            held = parse_deal("-".join(name.lower().replace(" ", "") for name in names))
        elif re.fullmatch(r"a\s+b\s+c\s+d\s+e", body) or not body:
            continue
        elif found := _ROW.fullmatch(body):
            row = int(found[1]) if found[1] else WIDTH - len(rows)
            if row in rows:
                raise ValueError(f"the diagram has row {row} twice")
            rows[row] = re.sub(r"[\s\[\]]", "", found[2])
        elif not re.fullmatch(r"[\s\w]*side", body):  # the heading of the cards
            raise ValueError(f"{clip(body)} is not a row of five squares, the cards or who moves")
    return TablePosition(_joined([rows[row] for row in sorted(rows, reverse=True)]), player, held)


def boards(cells: bytes) -> tuple[list[int], list[int]]:
    """Each player's pieces as a bit board, and each master's square; ValueError where there is not one."""
    pieces, masters = [0, 0], []
    for player, name in enumerate(NAMES):
        student, master = 2 * player + 1, 2 * player + 2
        for square in range(SQUARES):
            pieces[player] |= (cells[square] in (student, master)) << square
        if cells.count(master) != 1:
            raise ValueError(f"{name} must have one master, not {cells.count(master)}")
        masters.append(cells.index(master))
    return pieces, masters
