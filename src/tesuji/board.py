"""How a board looks: `state.board()` returns a `Board`, which the web page draws and makes clickable.

>>> board = Board(squares(3, 3), pieces={"b2": Piece("black")})
>>> len(board.layout.cells), board.pieces["b2"].description
(9, 'black')

A `Layout` is the part that never changes during a game: cells, lines and labels. Create it once; `squares`,
`points` and `hexagons` make the common ones. A state says how its moves are clicked: `clicks(move)`.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import MISSING, dataclass, field, fields
from functools import cached_property
from math import isfinite, sqrt
from string import ascii_lowercase
from typing import Any, Literal, get_args

from tesuji._helpers.clipping import clip

CellShape = Literal["square", "hexagon", "circle", "point", "card"]
PieceShape = Literal[
    "disc", "square", "triangle", "diamond", "ring", "cross", "pawn", "king", "card", "back", "text"
]
Colour = Literal["black", "white", "red", "blue", "green", "yellow", "orange", "purple", "grey"]
Surface = Literal["wood", "green", "blue", "grey"]
Mark = Literal["win", "dot", "cross", "ring"]

SHADES = 3  # of cells
ROW_HEIGHT = sqrt(3) / 2  # of hexagons, in units of their width
LABEL_GAP = 0.78  # from the centre of the outermost cells to the coordinates


@dataclass(frozen=True, slots=True)
class Cell:
    """A place on the board: `Cell("a1", 0, 0)`. The unit is the width of a cell; y grows downwards."""

    name: str
    """Unique; read out by screen readers, and used by `clicks`."""
    x: float
    y: float
    shape: CellShape = "square"
    """A point is an intersection of lines; a hexagon has a corner at its top."""
    shade: int = 0
    """0, 1 or 2, for chequered boards."""
    colour: Colour | None = None
    """A tint, for goals and homes."""
    text: str = ""
    """Printed on the empty cell."""

    def __post_init__(self) -> None:
        _name(self.name, "a cell")
        if not (isfinite(self.x) and isfinite(self.y)):
            raise ValueError(f"the place of cell {clip(self.name)} must be finite, not {self.x}, {self.y}")
        _one_of(self.shape, CellShape, f"the shape of cell {clip(self.name)}")
        _one_of(self.colour, Colour, f"the colour of cell {clip(self.name)}", none=True)
        if self.shade not in range(SHADES):
            raise ValueError(f"the shade of cell {clip(self.name)} must be 0, 1 or 2, not {self.shade!r}")


@dataclass(frozen=True, slots=True)
class Label:
    """A text beside the cells, such as a coordinate: `Label("a", 0, 8)`."""

    text: str
    x: float
    y: float


@dataclass(frozen=True)
class Layout:
    """The part of a board that does not change: `squares(8, 8)`, or `Layout([Cell("a", 0, 0), …])`."""

    cells: Sequence[Cell]
    lines: Sequence[Sequence[str]] = ()
    """Lines to draw, each through the cells of these names."""
    labels: Sequence[Label] = ()

    def __post_init__(self) -> None:
        if not self.cells:
            raise ValueError("a layout needs at least one cell")
        names = [cell.name for cell in self.cells]
        if len(set(names)) < len(names):
            twice = next(name for name in names if names.count(name) > 1)
            raise ValueError(f"two cells are called {clip(twice)}; names must be unique")
        _known((name for line in self.lines for name in line), self.names, "a line")

    @cached_property
    def names(self) -> frozenset[str]:
        """The names of all cells."""
        return frozenset(cell.name for cell in self.cells)

    @cached_property
    def as_dict(self) -> dict[str, object]:
        """The layout as plain data, for JSON."""
        parts = {"cells": self.cells, "lines": self.lines, "labels": self.labels}
        return {name: _plain(part) for name, part in parts.items() if part}


@dataclass(frozen=True, slots=True)
class Piece:
    """A piece, a card or a number: `Piece("white", "king")`, `Piece("red", "card", text="7♥")`."""

    colour: Colour = "black"
    shape: PieceShape = "disc"
    """`back` is a face-down card, `text` only the text."""
    text: str = ""
    """Printed on the piece."""
    label: str = ""
    """For screen readers; defaults to colour, shape and text."""
    count: int = 1
    """How many there are, in a hand."""

    def __post_init__(self) -> None:
        _one_of(self.colour, Colour, "the colour of a piece")
        _one_of(self.shape, PieceShape, "the shape of a piece")
        if self.count < 0:
            raise ValueError(f"the count of a piece must be from 0, not {self.count}")

    @property
    def description(self) -> str:
        """The label, or a default one: `Piece("white", "king").description == "white king"`."""
        named = {
            "back": "face-down card",
            "text": self.text,
            "card": self.text or "card",
            "disc": self.colour,
        }
        default = named.get(self.shape) or f"{self.colour} {self.shape}"
        printed = "" if self.shape in ("text", "card") or not self.text else f" {self.text}"
        return self.label or default + printed


@dataclass(frozen=True, slots=True)
class Hand:
    """Pieces or cards beside the board: `Hand("White's hand", {"P": Piece("white", "pawn", count=2)})`."""

    title: str
    pieces: Mapping[str, Piece]
    """By a name for `clicks`, different from those of all cells."""
    player: int | None = None
    """Whose hand it is, which decides its side of the board."""


@dataclass(frozen=True)
class Board:
    """A position as the page draws it; see the fields."""

    layout: Layout
    pieces: Mapping[str, Piece] = field(default_factory=dict)
    """By the name of the cell."""
    marks: Mapping[str, Mark] = field(default_factory=dict)
    """By the name of the cell. `win` marks a winning line. The last move is marked anyway."""
    hands: Sequence[Hand] = ()
    players: Sequence[Colour] = ("black", "white")
    """The players' colours."""
    placing: Piece | None = None
    """The piece that a move on an empty cell puts there: shown under the pointer."""
    surface: Surface = "wood"
    flips: bool = False
    """Whether player 1 sits at the bottom if they play against a bot, as in chess."""

    def __post_init__(self) -> None:
        _known(self.pieces, self.layout.names, "a piece")
        _known(self.marks, self.layout.names, "a mark")
        for name, mark in self.marks.items():
            _one_of(mark, Mark, f"the mark of cell {clip(name)}")
        for colour in self.players:
            _one_of(colour, Colour, "the colour of a player")
        _one_of(self.surface, Surface, "the surface")
        taken = set(self.layout.names)
        for name in (name for hand in self.hands for name in hand.pieces):
            _name(name, "a piece in hand")
            if name in taken:
                raise ValueError(f"two cells or pieces in hand are called {clip(name)}; names must be unique")
            taken.add(name)

    @property
    def names(self) -> frozenset[str]:
        """Everything that can be clicked: cells, and pieces in hand."""
        return self.layout.names.union(name for hand in self.hands for name in hand.pieces)

    def as_dict(self) -> dict[str, object]:
        """The board as plain data, for JSON; what has its default value is left out."""
        return {
            **self.layout.as_dict,
            "pieces": {name: _piece(piece) for name, piece in self.pieces.items()},
            "marks": dict(self.marks),
            "hands": [
                {
                    "title": hand.title,
                    "player": hand.player,
                    "pieces": {name: _piece(piece) for name, piece in hand.pieces.items()},
                }
                for hand in self.hands
            ],
            "seat_colours": list(self.players),
            "placing": None if self.placing is None else _piece(self.placing),
            "surface": self.surface,
            "flips": self.flips,
        }


def squares(columns: int, rows: int, *, chequered: bool = False, from_top: bool = False) -> Layout:
    """Squares with coordinates, row 1 at the bottom or the top: `squares(8, 8, chequered=True)`."""
    cells = [
        Cell(name, column, _height(row, rows, from_top), shade=(row + column + 1) % 2 if chequered else 0)
        for name, row, column in _grid(columns, rows)
    ]
    return Layout(cells, labels=_coordinates(columns, rows, from_top))


def points(columns: int, rows: int, *, from_top: bool = False) -> Layout:
    """The intersections of a grid with coordinates, row 1 at the bottom or the top: `points(9, 9)`."""
    grid = _grid(columns, rows)
    along = [[name for name, at, _ in grid if at == row] for row in range(rows)]
    across = [[name for name, _, at in grid if at == column] for column in range(columns)]
    cells = [Cell(name, column, _height(row, rows, from_top), "point") for name, row, column in grid]
    return Layout(cells, [*along, *across], _coordinates(columns, rows, from_top))


def hexagons(side: int) -> Layout:
    """A hexagon of hexagons: `hexagons(5)` has 61. Rows are letters from the bottom, columns numbers.

    >>> [cell.name for cell in hexagons(2).cells]
    ['a1', 'a2', 'b1', 'b2', 'b3', 'c1', 'c2']
    """
    if not 1 <= side <= 13:
        raise ValueError(f"the side must be from 1 to 13, not {side}")
    rows, cells, labels = 2 * side - 1, [], []
    for row in range(rows):
        length = rows - abs(row - side + 1)
        left, y = -(length - 1) / 2, round((rows - 1 - row) * ROW_HEIGHT, 4)
        labels.append(Label(ascii_lowercase[row], left - LABEL_GAP, y))
        for column in range(length):
            name = f"{ascii_lowercase[row]}{column + 1}"
            cells.append(Cell(name, left + column, y, "hexagon"))
    return Layout(cells, labels=labels)


def _grid(columns: int, rows: int) -> list[tuple[str, int, int]]:
    """Names, rows and columns, from a1."""
    if not 1 <= columns <= 26 or not 1 <= rows <= 99:
        raise ValueError(f"a grid has 1 to 26 columns and 1 to 99 rows, not {columns} and {rows}")
    names = [(row, column) for row in range(rows) for column in range(columns)]
    return [(f"{ascii_lowercase[column]}{row + 1}", row, column) for row, column in names]


def _height(row: int, rows: int, from_top: bool) -> int:
    return row if from_top else rows - 1 - row


def _coordinates(columns: int, rows: int, from_top: bool) -> list[Label]:
    """Letters above and below, numbers left and right."""
    beyond = (-LABEL_GAP, rows - 1 + LABEL_GAP)
    letters = [Label(ascii_lowercase[x], x, y) for x in range(columns) for y in beyond]
    beside = (-LABEL_GAP, columns - 1 + LABEL_GAP)
    numbers = [Label(str(row + 1), x, _height(row, rows, from_top)) for row in range(rows) for x in beside]
    return [*letters, *numbers]


def _name(name: object, what: str) -> None:
    if not isinstance(name, str) or not name:
        raise ValueError(f"the name of {what} must be a text, not {clip(name)}")


def _known(names: Iterable[str], cells: Collection[str], what: str) -> None:
    for name in names:
        if name not in cells:
            raise ValueError(f"{what} is on {clip(str(name))}, which is not a cell of the layout")


def _one_of(value: object, allowed: object, what: str, *, none: bool = False) -> None:
    if value not in get_args(allowed) and not (none and value is None):
        raise ValueError(f"{what} must be one of {', '.join(get_args(allowed))}, not {value!r}")


def _piece(piece: Piece) -> dict[str, object]:
    return {**_plain(piece), "label": piece.description}


def _plain(value: Any) -> Any:
    """A dataclass as a dictionary without fields that have their default values; sequences as lists."""
    if isinstance(value, str | int | float) or value is None:
        return value
    if isinstance(value, Sequence):
        return [_plain(one) for one in value]
    found = {one.name: (one.default, getattr(value, one.name)) for one in fields(value)}
    return {
        name: _plain(now) for name, (default, now) in found.items() if default is MISSING or now != default
    }
