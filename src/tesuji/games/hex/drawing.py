"""Pictures of a Hex board: slanted text for the terminal, SVG for notebooks and the browser.

Both are pure functions of the board: its size and its cells, row by row, 0 empty, 1 Black, 2 White (what
`HexState.cells()` gives). Each row stands half a cell to the right of the row above, so that the six
neighbours of a cell touch it. Black joins top and bottom, White left and right.
"""

from collections.abc import Iterable, Mapping
from html import escape
from math import sqrt

from tesuji.games import drawing
from tesuji.games.coordinates import cell_text, column_text
from tesuji.games.drawing import BLACK, COLOURS


def draw_text(
    size: int,
    cells: bytes,
    *,
    last_move: int | None = None,
    marks: Mapping[int, str] | None = None,
    ascii: bool = False,
) -> str:
    r"""Draw a board as text.

    Brackets surround the cell of the last move; `marks` are one character each.

    >>> print(draw_text(3, bytes([0, 0, 1, 0, 2, 0, 0, 0, 0]), last_move=4, ascii=True))
       a b c
        ------- B = Black
     1 \ . . B \ 1
      2 \ .[W]. \ 2  W = White
       3 \ . . . \ 3
          -------
            a b c
    """
    _check_board(size, cells, last_move)
    empty, black, white, bar, slash = ".BW-\\" if ascii else "·●○━╲"
    symbols = [(empty, black, white)[cell] for cell in cells]
    drawing.put_marks(symbols, marks or {}, lambda cell: cell_text("Hex", size, cell))

    letters = " ".join(map(column_text, range(size)))
    edge = bar * (2 * size + 1)
    lines = [f"   {letters}", f"    {edge} {black} = Black"]
    for row in range(size):
        column = last_move % size if last_move is not None and last_move // size == row else None
        body = drawing.bracketed(symbols[row * size : (row + 1) * size], column)
        side = f"  {white} = White" if row == size // 2 else ""
        lines.append(f"{' ' * row}{row + 1:>2} {slash}{body}{slash} {row + 1}{side}")
    lines += [f"{' ' * (size + 3)}{edge}", f"{' ' * (size + 6)}{letters}"]
    return "\n".join(lines)


# One unit is the radius of a cell, from its centre to a corner.
_HALF = sqrt(3) / 2
_UNIT = 24
_BAND = 1.2


def draw_svg(
    size: int,
    cells: bytes,
    *,
    last_move: int | None = None,
    heat: Mapping[int, float] | None = None,
    labels: Mapping[int, str] | None = None,
) -> str:
    """Draw a board as a standalone SVG that scales with the page.

    `heat` colours cells by their share of the largest value given (say, of visits); `labels` are short texts
    on cells. Every cell has a title, as a tooltip and for screen readers.

    >>> draw_svg(3, bytes(9), heat={4: 0.7, 2: 0.3}, labels={4: "70%"}).startswith("<svg ")
    True
    """
    _check_board(size, cells, last_move)
    heat = heat or {}
    drawing.check_heat(heat, lambda cell: cell_text("Hex", size, cell))
    parts = [_defs(), *_bands(size), *_coordinates(size)]
    for cell, colour in enumerate(cells):
        opacity = drawing.heat_opacity(heat, cell)
        label = labels.get(cell) if labels else None
        parts.append(_cell(size, cell, colour, cell == last_move, heat.get(cell), opacity, label))
    last = None if last_move is None else cell_text("Hex", size, last_move)
    return drawing.stones_document(_frame(size), drawing.summary("Hex", size, cells, last), parts, 1.5)


def _check_board(size: int, cells: bytes, last_move: int | None) -> None:
    drawing.check_board(size, cells)
    if last_move is not None:
        cell_text("Hex", size, last_move)  # raises where there is no such cell


def _centre(row: float, column: float) -> tuple[float, float]:
    return 2 * _HALF * _UNIT * (column + row / 2), 1.5 * _UNIT * row


def _points(points: Iterable[tuple[float, float]]) -> str:
    return " ".join(f"{x:.1f},{y:.1f}" for x, y in points)


def _hexagon(x: float, y: float, radius: float) -> str:
    half = _HALF * radius
    upper, lower = y - radius / 2, y + radius / 2
    corners = [(x, y - radius), (x + half, upper), (x + half, lower)]
    return _points([*corners, (x, y + radius), (x - half, lower), (x - half, upper)])


def _corners(size: int, out: float) -> list[tuple[float, float]]:
    """The rhombus that runs `out` rows and columns outside the outermost cells' centres, clockwise."""
    near, far = -out, size - 1 + out
    return [_centre(near, near), _centre(near, far), _centre(far, far), _centre(far, near)]


def _frame(size: int) -> tuple[float, float, float, float]:
    xs, ys = zip(*_corners(size, _BAND), strict=True)
    margin = 0.9 * _UNIT
    return min(xs) - margin, min(ys) - margin, max(xs) + margin, max(ys) + margin


def _defs() -> str:
    """The shading of the stones and the stripes of White's sides, a second sign beside the colour."""
    return (
        f"<defs>{drawing.stone_gradients('hex')}"
        '<pattern id="tesuji-hex-stripes" width="6" height="6" patternUnits="userSpaceOnUse" '
        f'patternTransform="rotate(60)"><rect width="6" height="6" fill="{COLOURS["white"]}"/>'
        '<rect width="6" height="1.2" fill="#e9d9b0"/></pattern>'
        "</defs>"
    )


def _bands(size: int) -> list[str]:
    """The four coloured sides, mitred at the corners; the cells cover their inner parts."""
    outer, inner = _corners(size, _BAND), _corners(size, 0)
    sides = []
    for side, (name, fill) in enumerate(
        [
            ("top, Black's", COLOURS["black"]),
            ("right, White's", "url(#tesuji-hex-stripes)"),
            ("bottom, Black's", COLOURS["black"]),
            ("left, White's", "url(#tesuji-hex-stripes)"),
        ]
    ):
        other = (side + 1) % 4
        shape = _points([outer[side], outer[other], inner[other], inner[side]])
        sides.append(f'<polygon points="{shape}" fill="{fill}"><title>{escape(name)} side</title></polygon>')
    line = f'fill="none" stroke="{COLOURS["grid"]}" stroke-width="1.5"'
    return [*sides, f'<polygon points="{_points(outer)}" {line}/>']


def _coordinates(size: int) -> list[str]:
    """Letters on Black's sides and numbers on White's."""
    names = []
    out = (_BAND + 0.5) / 2
    for index in range(size):
        for row in (-out, size - 1 + out):
            names.append((*_centre(row, index), COLOURS["white"], column_text(index)))
        for column in (-out, size - 1 + out):
            names.append((*_centre(index, column), COLOURS["ink"], str(index + 1)))
    style = f'font-size="{0.46 * _UNIT:.0f}" font-weight="600" aria-hidden="true"'
    return [
        f"<g {style}>",
        *(
            f'<text x="{x:.1f}" y="{y:.1f}" dy="0.36em" fill="{ink}">{name}</text>'
            for x, y, ink, name in names
        ),
        "</g>",
    ]


def _cell(
    size: int, cell: int, colour: int, last: bool, warmth: float | None, opacity: float, label: str | None
) -> str:
    x, y = _centre(*divmod(cell, size))
    title = drawing.title(cell_text("Hex", size, cell), colour, last=last, warmth=warmth, label=label)
    parts = [
        f'<g role="img" data-cell="{cell}">{title}',
        f'<polygon points="{_hexagon(x, y, _UNIT)}" fill="{COLOURS["cell"]}" '
        f'stroke="{COLOURS["grid"]}" stroke-width="1.2"/>',
    ]
    if opacity:
        parts.append(
            f'<polygon points="{_hexagon(x, y, 0.93 * _UNIT)}" fill="{COLOURS["heat"]}" '
            f'fill-opacity="{opacity:.2f}"/>'
        )
    if colour:
        parts.append(drawing.stone("hex", colour, x, y, 0.68 * _UNIT))
    if last:
        parts.append(drawing.last_mark(x, y, (0.58 if label else 0.3) * _UNIT))
    if label:
        parts.append(drawing.label_text(label, x, y, _UNIT, light=colour == BLACK or opacity > 0.7))
    return "".join([*parts, "</g>"])
