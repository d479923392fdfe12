"""Positions of black and white stones as text: diagrams, and the compact form for a game's spec.

A diagram is a board as `str(state)` draws it, or simpler: one line per row, `.` for an empty cell, `B` or `X`
for Black, `W` or `O` for White. Row numbers, column letters, edges and legends may be left out. Brackets
surround the last stone, and a line such as `White to move` says who moves.

The compact form has the rows from the top, separated by `/`, with numbers for empty cells; then who moves
and, if known, the last stone: `5/5/2bw1/5/5-b-d3`.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from tesuji._helpers.clipping import clip
from tesuji.games.coordinates import cell_text, parse_cell

EMPTY, BLACK, WHITE = 0, 1, 2
COLOURS = ("Black", "White")

_SYMBOLS = dict.fromkeys(".·+_×", EMPTY) | dict.fromkeys("BXbx●", BLACK) | dict.fromkeys("WOwo○", WHITE)
_COMPACT = re.compile(r"([^-\s/]+(?:/[^-\s/]+)+)(?:[-\s]+([a-z]+))?(?:[-\s]+([a-z][0-9]+))?", re.IGNORECASE)
_RUN = re.compile(r"[0-9]+|.")
_TO_MOVE = re.compile(r"(black|white)\s+to\s+(?:move|play)\W*", re.IGNORECASE)
_LEGEND = re.compile(r"(\S)\s+=\s+(\w+)")
_EDGE = re.compile(r"[-━─+\s]*[-━─][-━─+\s]*")
_COLUMNS = re.compile(r"a(?:\s+[a-z])+", re.IGNORECASE)
_ROW = re.compile(r"(?:(\d{1,2})(?!\S))?(.*?)(?:\s(\d{1,2}))?")


class StonePosition(NamedTuple):
    """The stones of a board, who moves (None: not said), and the cell of the last stone, if known."""

    cells: bytes
    """One byte per cell, by row · size + column: 0 empty, 1 Black, 2 White."""
    player: int | None = None
    last: int | None = None

    def completed(self, player: int | None) -> StonePosition:
        """With this player to move, or else the one who is named or implied; ValueError if there is none."""
        player = self.player if player is None else player
        player = implied_player(self.cells) if player is None else player
        if player not in (0, 1):
            black, white = self.cells.count(BLACK), self.cells.count(WHITE)
            given = "" if player is None else f", not {player!r}"
            raise ValueError(
                f"who moves with {black} black and {white} white stones? Add a line 'Black to move' or "
                f"'White to move', or give player=0 (Black) or 1 (White){given}"
            )
        moved = self.last is not None and self.cells[self.last] == 2 - player
        return StonePosition(self.cells, player, self.last if moved else None)


def implied_player(cells: bytes) -> int | None:
    """Who moves if the colours alternate, Black first; None where the numbers differ by more than one.

    >>> implied_player(bytes([1, 2, 0])), implied_player(bytes([1, 0, 0])), implied_player(bytes([1, 1, 0]))
    (0, 1, None)
    """
    more = cells.count(BLACK) - cells.count(WHITE)
    return None if abs(more) > 1 else int(more > 0)


def to_move_line(cells: bytes, player: int) -> str:
    """The line of a drawing that says who moves, after a line break; '' where the stones imply it."""
    return "" if implied_player(cells) == player else f"\n{COLOURS[player]} to move"


def read_stones(text: str, size: int, *, upwards: bool, game: str) -> StonePosition:
    r"""Read a diagram or a compact position; `upwards`: row 1 is at the bottom. `game` is for messages.

    >>> read_stones("..B\n.W.\n...", 3, upwards=False, game="Hex").cells.hex()
    '000001000200000000'
    >>> read_stones("3/1w1/2b-w", 3, upwards=False, game="Hex").player
    1
    """
    compact = _COMPACT.fullmatch(text.strip())
    if compact is None:
        return _read_diagram(text, size, upwards, game)
    rows = [_run_lengths(row) for row in compact[1].split("/")]
    player = None if compact[2] is None else _player(compact[2])
    cells = _joined(rows, size, upwards, game)
    last = None if compact[3] is None else parse_cell(game, size, compact[3])
    if last is not None and cells[last] == EMPTY:
        raise ValueError(f"the last stone, {compact[3]}, is an empty cell")
    return StonePosition(cells, player, last)


def compact_stones(position: StonePosition, size: int, *, upwards: bool) -> str:
    """The compact form of a position with a player to move.

    >>> compact_stones(StonePosition(bytes([0, 0, 1, 0, 2, 0, 0, 0, 0]), 0, 4), 3, upwards=False)
    '2b/1w1/3-b-b2'
    """
    rows = []
    for row in reversed(range(size)) if upwards else range(size):
        text = "".join(".bw"[cell] for cell in position.cells[row * size : (row + 1) * size])
        rows.append(re.sub(r"\.+", lambda run: str(len(run[0])), text))
    last = "" if position.last is None else f"-{cell_text('', size, position.last)}"
    return f"{'/'.join(rows)}-{'bw'[position.player or 0]}{last}"


def _run_lengths(row: str) -> list[int]:
    cells: list[int] = []
    for item in _RUN.findall(row):
        if item.isascii() and item.isdigit():
            cells += [EMPTY] * min(int(item[:3]), 100)
        else:
            cells.append(_cell(item, row))
    return cells


def _cell(symbol: str, line: str) -> int:
    if symbol not in _SYMBOLS:
        raise ValueError(
            f"{clip(symbol)} in {clip(line)} is not a cell: use . for empty, B or X for Black, "
            "W or O for White"
        )
    return _SYMBOLS[symbol]


def _player(word: str) -> int:
    names = [number for number, name in enumerate(COLOURS) if name.lower().startswith(word.lower())]
    if not names:
        raise ValueError(f"who moves must be b (Black) or w (White), not {clip(word)}")
    return names[0]


def _joined(rows: list[list[int]], size: int, upwards: bool, game: str) -> bytes:
    """The cells of rows from the top."""
    lengths = {len(row) for row in rows}
    if len(rows) != size or lengths != {size}:
        square = lengths == {len(rows)}
        wrong = next((number for number, row in enumerate(rows, 1) if len(row) != size), 0)
        shape = (
            f"row {wrong} has {len(rows[wrong - 1])} cells" if wrong and not square else f"{len(rows)} rows"
        )
        hint = f"; its size is {len(rows)}" if square else ""
        raise ValueError(
            f"a board of {size}×{size} {game} has {size} rows of {size} cells, not {shape}{hint}"
        )
    return bytes(cell for row in (reversed(rows) if upwards else rows) for cell in row)


def _read_diagram(text: str, size: int, upwards: bool, game: str) -> StonePosition:
    player: int | None = None
    rows: list[tuple[int | None, list[int]]] = []
    last: tuple[int, int] | None = None  # row and column in the diagram
    crosses = any(symbol == "x" for symbol, word in _LEGEND.findall(text) if word == "forbidden")
    for line in text.splitlines():
        if said := _TO_MOVE.search(line):
            player = _player(said[1])
            line = line.replace(said[0], " ")
        body = re.sub(r"[\\╲/|]", " ", _LEGEND.sub(" ", line)).strip()
        if not body or _EDGE.fullmatch(body) or _COLUMNS.fullmatch(body):
            continue
        label, cells, column = _read_row(body, line, crosses)
        if column is not None:
            if last is not None:
                raise ValueError("the diagram has two stones in brackets; only the last stone has them")
            last = len(rows), column
        rows.append((label, cells))
    order = _order([label for label, _ in rows], size, upwards)
    cells_of = _joined([rows[place][1] for place in order], size, upwards, game)
    if last is None:
        return StonePosition(cells_of, player)
    down = order.index(last[0])
    cell = (size - 1 - down if upwards else down) * size + last[1]
    if cells_of[cell] == EMPTY:
        raise ValueError(f"the cell in brackets, {cell_text(game, size, cell)}, is empty")
    return StonePosition(cells_of, player, cell)


def _read_row(body: str, line: str, crosses: bool) -> tuple[int | None, list[int], int | None]:
    """A row's number, its cells, and the column in brackets, if any."""
    found = _ROW.fullmatch(body)
    label, symbols = (found[1], found[2]) if found else (None, body)
    cells: list[int] = []
    column = None
    for symbol in symbols:
        if symbol == "[":
            column = len(cells)
        elif symbol != "]" and not symbol.isspace():
            cells.append(EMPTY if symbol == "x" and crosses else _cell(symbol, line.strip()))
    if column is not None and column >= len(cells):
        raise ValueError(f"the brackets in {clip(line.strip())} are empty")
    return None if label is None else int(label), cells, column


def _order(labels: list[int | None], size: int, upwards: bool) -> list[int]:
    """The rows of the diagram from the top: by their numbers, if they have any."""
    if all(label is None for label in labels):
        return list(range(len(labels)))
    if len(labels) == size and set(labels) != set(range(1, size + 1)):
        shown = ", ".join("none" if label is None else str(label) for label in labels)
        raise ValueError(f"the rows must be numbered from 1 to {size}, or not at all; got {shown}")
    return sorted(range(len(labels)), key=lambda place: labels[place] or 0, reverse=upwards)
