"""Drawing helpers: documents, heat maps, and boards with black and white stones, marks, labels and titles."""

from collections.abc import Callable, Mapping
from html import escape
from math import isfinite

BLACK, WHITE = 1, 2
STONE_NAMES = ("empty", "Black", "White")
# Distinguishable with any colour vision, and in greyscale.
COLOURS = {
    "black": "#1f2937",
    "white": "#f7edd5",
    "cell": "#e9d5a9",
    "grid": "#a98c57",
    "heat": "#00796b",
    "mark": "#e8590c",
    "ink": "#1f2937",
}


def check_board(size: int, cells: bytes) -> None:
    """Raise a ValueError if this is no board of this size."""
    if len(cells) != size * size or any(cell > WHITE for cell in cells):
        raise ValueError(f"a {size}×{size} board has {size * size} cells, each 0, 1 or 2; got {cells!r}")


def check_heat(heat: Mapping[int, float], name: Callable[[int], str]) -> None:
    """Raise a ValueError with the cell's name if its heat is not a number from 0."""
    for cell, value in heat.items():
        if not (isfinite(value) and value >= 0):
            raise ValueError(f"the heat of {name(cell)} must be a number from 0, not {value}")


def put_marks(symbols: list[str], marks: Mapping[int, str], name: Callable[[int], str]) -> None:
    """Replace the symbols of marked cells by their marks, one character each."""
    for cell, mark in marks.items():
        if len(mark) != 1:
            raise ValueError(f"the mark of {name(cell)} must be one character, not {mark!r}")
        symbols[cell] = mark


def bracketed(symbols: list[str], column: int | None) -> str:
    """A row of symbols, with brackets around the one in this column.

    Brackets replace the spaces around the symbol, so that columns stay aligned.

    >>> bracketed(["a", "b", "c"], 1)
    ' a[b]c '
    """
    gaps = [" "] * (len(symbols) + 1)
    if column is not None:
        gaps[column], gaps[column + 1] = "[", "]"
    return "".join(gap + symbol for gap, symbol in zip(gaps, symbols, strict=False)) + gaps[-1]


def heat_opacity(heat: Mapping[int, float], cell: int) -> float:
    """The opacity of a cell's heat: by its share of the largest, 0 for none.

    >>> heat_opacity({4: 0.5, 2: 0.0}, 4), heat_opacity({4: 0.5, 2: 0.0}, 2)
    (0.9, 0.0)
    """
    warmth = heat.get(cell)
    return 0.12 + 0.78 * warmth / max(heat.values()) if warmth else 0.0


def summary(game: str, size: int, cells: bytes, last: str | None) -> str:
    """A description of the picture; `last` is the text of the last move."""
    count = f"{cells.count(BLACK)} black and {cells.count(WHITE)} white stones"
    return f"{game} {size}×{size}, {count}{'' if last is None else f', last move {last}'}"


def title(name: str, stone: int, *, last: bool, warmth: float | None, label: str | None) -> str:
    """A cell's tooltip, also for screen readers."""
    words = [name, STONE_NAMES[stone]]
    if last:
        words.append("last move")
    if warmth is not None:
        words.append(f"heat {warmth:.3g}")
    if label:
        words.append(label)
    return f"<title>{escape(', '.join(words))}</title>"


def svg_document(title: str, view_box: str, width: float, parts: list[str], *, style: str = "") -> str:
    """A standalone SVG that scales with the page, at most `width` pixels wide."""
    shown = escape(title)
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" role="group" aria-label="{shown}" '
            f'viewBox="{view_box}" style="max-width: {width:.0f}px" '
            f'font-family="system-ui, Segoe UI, Helvetica, Arial, sans-serif"{style}>',
            f"<title>{shown}</title>",
            *parts,
            "</svg>",
        ]
    )


def stones_document(
    frame: tuple[float, float, float, float], title: str, parts: list[str], scale: float
) -> str:
    """A picture of stones. The frame is left, top, right and bottom; `scale` limits the width on the page."""
    left, top, right, bottom = frame
    view_box = f"{left:.1f} {top:.1f} {right - left:.1f} {bottom - top:.1f}"
    return svg_document(title, view_box, (right - left) * scale, parts, style=' text-anchor="middle"')


def stone_gradients(game: str) -> str:
    """The gradients of the stones, with ids of this game."""
    return (
        f'<radialGradient id="tesuji-{game}-black" cx="0.36" cy="0.3" r="0.8">'
        '<stop offset="0" stop-color="#5b6675"/><stop offset="0.55" stop-color="#1f2937"/>'
        '<stop offset="1" stop-color="#0b1018"/></radialGradient>'
        f'<radialGradient id="tesuji-{game}-white" cx="0.36" cy="0.3" r="0.85">'
        '<stop offset="0" stop-color="#ffffff"/><stop offset="0.6" stop-color="#faf6ec"/>'
        '<stop offset="1" stop-color="#d3cab6"/></radialGradient>'
    )


def stone(game: str, colour: int, x: float, y: float, radius: float) -> str:
    """A stone and its shadow."""
    name = "black" if colour == BLACK else "white"
    return (
        f'<circle cx="{x + 0.9:.1f}" cy="{y + 1.6:.1f}" r="{radius:.1f}" fill-opacity="0.22"/>'
        f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{radius:.1f}" fill="url(#tesuji-{game}-{name})"/>'
    )


def last_mark(x: float, y: float, radius: float) -> str:
    """The ring on the last move."""
    return (
        f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{radius:.1f}" fill="none" '
        f'stroke="{COLOURS["mark"]}" stroke-width="3"/>'
    )


def label_text(label: str, x: float, y: float, unit: float, *, light: bool) -> str:
    """A label on a cell, scaled to fit; light on a dark ground."""
    font = min(0.58, 2.2 / max(len(label), 1)) * unit
    return (
        f'<text x="{x:.1f}" y="{y:.1f}" dy="0.36em" font-size="{font:.1f}" font-weight="600" '
        f'fill="{"#ffffff" if light else COLOURS["ink"]}">{escape(label)}</text>'
    )
