"""Pictures of a Hex board: slanted text for the terminal, SVG for notebooks and the browser.

Both are pure functions of the board: its size and its cells, row by row, 0 empty, 1 Black, 2 White (what
`HexState.cells()` gives). Each row stands half a cell to the right of the row above, so that the six
neighbours of a cell touch it. Black joins top and bottom, White left and right.
"""

from collections.abc import Iterable, Mapping
from html import escape
from math import isfinite, sqrt

from tesuji.games.hex.notation import cell_text, column_text

_BLACK, _WHITE = 1, 2
_STONE_NAMES = {0: "empty", _BLACK: "Black", _WHITE: "White"}


def draw_text(
    size: int,
    cells: bytes,
    *,
    last_move: int | None = None,
    marks: Mapping[int, str] | None = None,
    ascii: bool = False,
) -> str:
    r"""Draw a board as text.

    Brackets surround the cell of the last move; `marks` (one character each) stand upon their cells.

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
    for cell, mark in (marks or {}).items():
        if len(mark) != 1:
            raise ValueError(f"the mark of {cell_text(size, cell)} must be one character, not {mark!r}")
        symbols[cell] = mark

    letters = " ".join(map(column_text, range(size)))
    edge = bar * (2 * size + 1)
    lines = [f"   {letters}", f"    {edge} {black} = Black"]
    for row in range(size):
        # One gap before each cell and one after the last: brackets need no room of their own.
        gaps = [" "] * (size + 1)
        if last_move is not None and last_move // size == row:
            gaps[last_move % size], gaps[last_move % size + 1] = "[", "]"
        stones = symbols[row * size : (row + 1) * size]
        body = "".join(gap + stone for gap, stone in zip(gaps, stones, strict=False)) + gaps[-1]
        side = f"  {white} = White" if row == size // 2 else ""
        lines.append(f"{' ' * row}{row + 1:>2} {slash}{body}{slash} {row + 1}{side}")
    lines += [f"{' ' * (size + 3)}{edge}", f"{' ' * (size + 6)}{letters}"]
    return "\n".join(lines)


# One unit is the radius of a cell, from its centre to a corner.
_HALF = sqrt(3) / 2
_UNIT = 24
_BAND = 1.2
# Blue-black against warm ivory, orange and teal on top: told apart with any colour vision, and in grey.
_COLOURS = {
    "black": "#1f2937",
    "white": "#f7edd5",
    "cell": "#e9d5a9",
    "grid": "#a98c57",
    "heat": "#00796b",
    "mark": "#e8590c",
    "ink": "#1f2937",
}


def draw_svg(
    size: int,
    cells: bytes,
    *,
    last_move: int | None = None,
    heat: Mapping[int, float] | None = None,
    labels: Mapping[int, str] | None = None,
) -> str:
    """Draw a board as SVG, complete in itself; its size is that of the page around it.

    `heat` colours cells by their share of the largest value given (say, of visits); `labels` are short texts
    upon cells. Every cell has a title, which browsers show and screen readers read.

    >>> draw_svg(3, bytes(9), heat={4: 0.7, 2: 0.3}, labels={4: "70%"}).startswith("<svg ")
    True
    """
    _check_board(size, cells, last_move)
    _check_heat(size, heat or {})
    warmest = max((heat or {}).values(), default=0.0)
    parts = [_defs(), *_bands(size), *_coordinates(size)]
    for cell, colour in enumerate(cells):
        warmth = heat.get(cell) if heat else None
        opacity = 0.0 if not warmth else 0.12 + 0.78 * warmth / warmest
        label = labels.get(cell) if labels else None
        parts.append(_cell(size, cell, colour, cell == last_move, warmth, opacity, label))

    left, top, right, bottom = _frame(size)
    title = _summary(size, cells, last_move)
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" role="group" aria-label="{title}" '
            f'viewBox="{left:.1f} {top:.1f} {right - left:.1f} {bottom - top:.1f}" '
            f'style="max-width: {(right - left) * 1.5:.0f}px" '
            'font-family="system-ui, Segoe UI, Helvetica, Arial, sans-serif" text-anchor="middle">',
            f"<title>{title}</title>",
            *parts,
            "</svg>",
        ]
    )


def _check_board(size: int, cells: bytes, last_move: int | None) -> None:
    if len(cells) != size * size or any(cell > _WHITE for cell in cells):
        raise ValueError(f"a {size}×{size} board has {size * size} cells, each 0, 1 or 2; got {cells!r}")
    if last_move is not None:
        cell_text(size, last_move)  # raises where there is no such cell


def _check_heat(size: int, heat: Mapping[int, float]) -> None:
    for cell, value in heat.items():
        if not (isfinite(value) and value >= 0):
            raise ValueError(f"the heat of {cell_text(size, cell)} must be a number from 0, not {value}")


def _summary(size: int, cells: bytes, last_move: int | None) -> str:
    count = f"{cells.count(_BLACK)} black and {cells.count(_WHITE)} white stones"
    last = "" if last_move is None else f", last move {cell_text(size, last_move)}"
    return f"Hex {size}×{size}, {count}{last}"


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
    """Give the rhombus that runs `out` rows and columns outside the outermost cells' centres, clockwise."""
    near, far = -out, size - 1 + out
    return [_centre(near, near), _centre(near, far), _centre(far, far), _centre(far, near)]


def _frame(size: int) -> tuple[float, float, float, float]:
    xs, ys = zip(*_corners(size, _BAND), strict=True)
    margin = 0.9 * _UNIT
    return min(xs) - margin, min(ys) - margin, max(xs) + margin, max(ys) + margin


def _defs() -> str:
    """Give the shading of the stones and the stripes of White's sides, a second sign beside the colour."""
    return (
        "<defs>"
        '<radialGradient id="tesuji-hex-black" cx="0.36" cy="0.3" r="0.8">'
        '<stop offset="0" stop-color="#5b6675"/><stop offset="0.55" stop-color="#1f2937"/>'
        '<stop offset="1" stop-color="#0b1018"/></radialGradient>'
        '<radialGradient id="tesuji-hex-white" cx="0.36" cy="0.3" r="0.85">'
        '<stop offset="0" stop-color="#ffffff"/><stop offset="0.6" stop-color="#faf6ec"/>'
        '<stop offset="1" stop-color="#d3cab6"/></radialGradient>'
        '<pattern id="tesuji-hex-stripes" width="6" height="6" patternUnits="userSpaceOnUse" '
        f'patternTransform="rotate(60)"><rect width="6" height="6" fill="{_COLOURS["white"]}"/>'
        '<rect width="6" height="1.2" fill="#e9d9b0"/></pattern>'
        "</defs>"
    )


def _bands(size: int) -> list[str]:
    """Give the four coloured sides, mitred at the corners; the cells cover their inner parts."""
    outer, inner = _corners(size, _BAND), _corners(size, 0)
    sides = []
    for side, (name, fill) in enumerate(
        [
            ("top, Black's", _COLOURS["black"]),
            ("right, White's", "url(#tesuji-hex-stripes)"),
            ("bottom, Black's", _COLOURS["black"]),
            ("left, White's", "url(#tesuji-hex-stripes)"),
        ]
    ):
        other = (side + 1) % 4
        shape = _points([outer[side], outer[other], inner[other], inner[side]])
        sides.append(f'<polygon points="{shape}" fill="{fill}"><title>{escape(name)} side</title></polygon>')
    line = f'fill="none" stroke="{_COLOURS["grid"]}" stroke-width="1.5"'
    return [*sides, f'<polygon points="{_points(outer)}" {line}/>']


def _coordinates(size: int) -> list[str]:
    """Give letters on Black's sides and numbers on White's."""
    names = []
    out = (_BAND + 0.5) / 2
    for index in range(size):
        for row in (-out, size - 1 + out):
            names.append((*_centre(row, index), _COLOURS["white"], column_text(index)))
        for column in (-out, size - 1 + out):
            names.append((*_centre(index, column), _COLOURS["ink"], str(index + 1)))
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
    words = [cell_text(size, cell), _STONE_NAMES[colour]]
    if last:
        words.append("last move")
    if warmth is not None:
        words.append(f"heat {warmth:.3g}")
    if label:
        words.append(label)
    parts = [
        f'<g role="img" data-cell="{cell}"><title>{escape(", ".join(words))}</title>',
        f'<polygon points="{_hexagon(x, y, _UNIT)}" fill="{_COLOURS["cell"]}" '
        f'stroke="{_COLOURS["grid"]}" stroke-width="1.2"/>',
    ]
    if opacity:
        parts.append(
            f'<polygon points="{_hexagon(x, y, 0.93 * _UNIT)}" fill="{_COLOURS["heat"]}" '
            f'fill-opacity="{opacity:.2f}"/>'
        )
    if colour:
        name = "black" if colour == _BLACK else "white"
        shadow = f'<circle cx="{x + 0.9:.1f}" cy="{y + 1.6:.1f}" r="{0.68 * _UNIT:.1f}" fill-opacity="0.22"/>'
        stone = f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{0.68 * _UNIT:.1f}" fill="url(#tesuji-hex-{name})"/>'
        parts += [shadow, stone]
    if last:
        parts.append(
            f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{(0.58 if label else 0.3) * _UNIT:.1f}" fill="none" '
            f'stroke="{_COLOURS["mark"]}" stroke-width="3"/>'
        )
    if label:
        light = colour == _BLACK or opacity > 0.7
        ink = "#ffffff" if light else _COLOURS["ink"]
        # Short enough for its cell, whatever its length.
        font = min(0.58, 2.2 / max(len(label), 1)) * _UNIT
        parts.append(
            f'<text x="{x:.1f}" y="{y:.1f}" dy="0.36em" font-size="{font:.1f}" font-weight="600" '
            f'fill="{ink}">{escape(label)}</text>'
        )
    return "".join([*parts, "</g>"])
