"""Pictures of a Gomoku board: text for the terminal, SVG for notebooks and the browser.

Both are pure functions of the board: its size and its cells, row by row from the bottom, 0 empty, 1 Black,
2 White (what `GomokuState.cells()` gives).
"""

from collections.abc import Collection, Mapping

from tesuji.games import drawing
from tesuji.games.coordinates import cell_text, column_text
from tesuji.games.drawing import BLACK, COLOURS


def draw_text(
    size: int,
    cells: bytes,
    *,
    last_move: int | None = None,
    forbidden: Collection[int] = (),
    ascii: bool = False,
) -> str:
    """Draw a board as text: brackets around the last move, crosses where Black may not play.

    >>> board = bytes(6) + bytes([1, 2]) + bytes(17)
    >>> print(draw_text(5, board, last_move=7, forbidden=[12], ascii=True))
     5  . . . . .   B = Black
     4  . . . . .   W = White
     3  . . x . .   x = forbidden
     2  . B[W]. .
     1  . . . . .
        a b c d e
    """
    drawing.check_board(size, cells)
    empty, black, white, cross = ".BWx" if ascii else "·●○×"
    symbols = [(empty, black, white)[cell] for cell in cells]
    marks = dict.fromkeys(forbidden, cross)
    drawing.put_marks(symbols, marks, lambda cell: cell_text("Gomoku", size, cell))
    legend = [f"  {black} = Black", f"  {white} = White"] + [f"  {cross} = forbidden"] * bool(forbidden)
    lines = []
    for row in reversed(range(size)):
        column = last_move % size if last_move is not None and last_move // size == row else None
        side = legend.pop(0) if legend else ""
        body = drawing.bracketed(symbols[row * size : (row + 1) * size], column)
        lines.append(f"{row + 1:>2} {body}{side}".rstrip())
    return "\n".join([*lines, f"    {' '.join(map(column_text, range(size)))}"])


_UNIT = 40.0  # between two lines
_MARGIN = 1.2 * _UNIT  # from the outermost lines to the edge of the picture
_LINE = "#8a6d3b"


def draw_svg(
    size: int,
    cells: bytes,
    *,
    last_move: int | None = None,
    forbidden: Collection[int] = (),
    heat: Mapping[int, float] | None = None,
    labels: Mapping[int, str] | None = None,
) -> str:
    """Draw a board as a standalone SVG that scales with the page.

    `heat` colours cells by their share of the largest value given (say, of visits); `labels` are short texts
    on cells, and `forbidden` ones get a cross. Every cell has a title, as a tooltip and for screen
    readers.

    >>> draw_svg(5, bytes(25), heat={4: 0.7, 2: 0.3}, labels={4: "70%"}).startswith("<svg ")
    True
    """
    drawing.check_board(size, cells)
    heat, labels = heat or {}, labels or {}
    drawing.check_heat(heat, lambda cell: cell_text("Gomoku", size, cell))
    last = None if last_move is None else cell_text("Gomoku", size, last_move)
    parts = [f"<defs>{drawing.stone_gradients('gomoku')}</defs>", *_board(size), _coordinates(size)]
    for cell, colour in enumerate(cells):
        title = drawing.title(
            cell_text("Gomoku", size, cell),
            colour,
            last=cell == last_move,
            warmth=heat.get(cell),
            label=", ".join(["forbidden"] * (cell in forbidden) + [labels.get(cell, "")]).strip(", "),
        )
        shapes = _shapes(size, cell, colour, drawing.heat_opacity(heat, cell), labels.get(cell))
        if cell in forbidden:
            shapes.append(_cross(*_centre(size, cell)))
        if cell == last_move:
            shapes.append(
                drawing.last_mark(*_centre(size, cell), (0.36 if labels.get(cell) else 0.18) * _UNIT)
            )
        parts.append(f'<g role="img" data-cell="{cell}">{title}{"".join(shapes)}</g>')
    far = (size - 1) * _UNIT + _MARGIN
    return drawing.stones_document(
        (-_MARGIN, -_MARGIN, far, far), drawing.summary("Gomoku", size, cells, last), parts, 1.2
    )


def _centre(size: int, cell: int) -> tuple[float, float]:
    row, column = divmod(cell, size)
    return column * _UNIT, (size - 1 - row) * _UNIT


def _board(size: int) -> list[str]:
    """The wood, the lines, and the points that help the eye: the centre, and one near each corner."""
    far = (size - 1) * _UNIT
    edge = far + 2 * _MARGIN
    lines = "".join(f"M0 {at * _UNIT:g}H{far:g}M{at * _UNIT:g} 0V{far:g}" for at in range(size))
    corners = (3, size - 4) if size >= 11 else ()
    points = [(row, column) for row in corners for column in corners]
    points += [(size // 2, size // 2)] if size % 2 else []
    return [
        f'<rect x="{-_MARGIN:g}" y="{-_MARGIN:g}" width="{edge:g}" height="{edge:g}" rx="8" '
        f'fill="{COLOURS["cell"]}"/>',
        f'<path d="{lines}" stroke="{_LINE}" stroke-width="1.2" stroke-linecap="square" fill="none"/>',
        *(
            f'<circle cx="{column * _UNIT:g}" cy="{row * _UNIT:g}" r="3.5" fill="{_LINE}"/>'
            for row, column in points
        ),
    ]


def _coordinates(size: int) -> str:
    """Letters below and above, numbers left and right."""
    out, far = 0.8 * _UNIT, (size - 1) * _UNIT
    names: list[tuple[float, float, str]] = []
    for index in range(size):
        at, up = index * _UNIT, far - index * _UNIT
        names += [(at, -out, column_text(index)), (at, far + out, column_text(index))]
        names += [(-out, up, str(index + 1)), (far + out, up, str(index + 1))]
    texts = "".join(f'<text x="{x:g}" y="{y:g}" dy="0.36em">{name}</text>' for x, y, name in names)
    return f'<g font-size="13" font-weight="600" aria-hidden="true" fill="{COLOURS["ink"]}">{texts}</g>'


def _shapes(size: int, cell: int, colour: int, opacity: float, label: str | None) -> list[str]:
    """A cell's ground, which catches the pointer, its stone and its label."""
    x, y = _centre(size, cell)
    half = _UNIT / 2
    square = f'<rect x="{x - half:g}" y="{y - half:g}" width="{_UNIT:g}" height="{_UNIT:g}" rx="6"'
    shapes = [f'{square} fill="{COLOURS["heat"]}" fill-opacity="{opacity:.2f}"/>']
    if label and not colour:  # the lines would run through it
        shapes.insert(0, f'{square} fill="{COLOURS["cell"]}"/>')
    if colour:
        shapes.append(drawing.stone("gomoku", colour, x, y, 0.45 * _UNIT))
    if label:
        light = colour == BLACK or not colour and opacity > 0.7
        shapes.append(drawing.label_text(label, x, y, 0.6 * _UNIT, light=light))
    return shapes


def _cross(x: float, y: float) -> str:
    arm = 0.16 * _UNIT
    way = f"M{x - arm:g} {y - arm:g}l{2 * arm:g} {2 * arm:g}M{x + arm:g} {y - arm:g}l{-2 * arm:g} {2 * arm:g}"
    return f'<path d="{way}" stroke="{COLOURS["mark"]}" stroke-width="3" stroke-linecap="round" fill="none"/>'
