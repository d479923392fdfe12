"""SVG elements of Onitama's pictures: pieces, temples, stamps and arrows.

Players differ in more than colour: Blue's pieces are discs, Red's squares; masters are larger and crowned.
"""

from __future__ import annotations

from html import escape
from math import hypot

COLOURS = {
    "blue": "#1d4e89",
    "red": "#c1432e",
    "cell": "#f3e6c8",
    "shade": "#ead9b3",
    "grid": "#b59a6a",
    "frame": "#6b4a2b",
    "card": "#fbf5e6",
    "empty": "#e8dcc0",
    "turn": "#f2b134",
    "mark": "#e08a00",
    "heat": "#00796b",
    "ink": "#2b2118",
}

_NAMES = ("blue", "red")

DEFINITIONS = (
    "<defs>"
    '<radialGradient id="tesuji-onitama-blue" cx="0.36" cy="0.3" r="0.85">'
    '<stop offset="0" stop-color="#4f86c6"/>'
    '<stop offset="0.6" stop-color="#1d4e89"/><stop offset="1" stop-color="#123459"/></radialGradient>'
    '<linearGradient id="tesuji-onitama-red" x1="0" y1="0" x2="0.6" y2="1">'
    '<stop offset="0" stop-color="#e5735c"/>'
    '<stop offset="0.6" stop-color="#c1432e"/><stop offset="1" stop-color="#8f2a1a"/></linearGradient>'
    "</defs>"
)

# Around the middle of a piece of size 1.
_HEAD = '<circle cx="0" cy="-0.22" r="0.2"/><path d="M-0.36,0.42 C-0.36,0.02 0.36,0.02 0.36,0.42 Z"/>'
_CROWN = '<path d="M-0.5,0.4 L-0.58,-0.3 L-0.26,0.02 L0,-0.5 L0.26,0.02 L0.58,-0.3 L0.5,0.4 Z"/>'


def piece(owner: int, master: bool, x: float, y: float) -> str:
    """A piece on its square."""
    radius = 23 if master else 18
    sign = _CROWN if master else _HEAD
    fill = "#ffd873" if master else "#f7f1e1"
    return (
        f'<g transform="translate({x:g} {y:g})">'
        f'<g transform="translate(1.2 2)" opacity="0.25">{_token(owner, radius, "#000000", "none")}</g>'
        f"{_token(owner, radius, f'url(#tesuji-onitama-{_NAMES[owner]})', '#fff6e0')}"
        f'<g transform="scale({radius * 0.92:g})" fill="{fill}">{sign}</g></g>'
    )


def _token(owner: int, radius: float, fill: str, line: str) -> str:
    style = f'fill="{fill}" stroke="{line}" stroke-width="1.5"'
    if owner == 0:
        return f'<circle r="{radius}" {style}/>'
    half = radius * 0.93
    return f'<rect x="{-half:g}" y="{-half:g}" width="{2 * half:g}" height="{2 * half:g}" rx="5" {style}/>'


def temple(owner: int, x: float, y: float) -> str:
    """A gate: two posts, a beam and a roof, upright for Blue and turned for Red."""
    turn = "" if owner == 0 else " rotate(180)"
    gate = (
        "M-24,-17 Q0,-11 24,-17 L22,-10 Q0,-5 -22,-10 Z M-18,-3 H18 V1 H-18 Z "
        "M-15,-7 H-10 V23 H-15 Z M10,-7 H15 V23 H10 Z"
    )
    fill = f'fill="{COLOURS[_NAMES[owner]]}" opacity="0.5"'
    frame = f'x="{x - 28:g}" y="{y - 28:g}" width="56" height="56" fill="none"'
    return (
        f'<rect {frame} stroke="{COLOURS[_NAMES[owner]]}" stroke-width="2" opacity="0.45"/>'
        f'<path transform="translate({x:g} {y:g}){turn}" d="{gate}" {fill}/>'
    )


def stamp(owner: int, x: float, y: float) -> str:
    """The stamp of the player who starts if this is the side card: a small plain piece."""
    fill = COLOURS[_NAMES[owner]]
    if owner == 0:
        return f'<circle cx="{x:g}" cy="{y:g}" r="7" fill="{fill}"/>'
    return f'<rect x="{x - 6.5:g}" y="{y - 6.5:g}" width="13" height="13" rx="2" fill="{fill}"/>'


def arrow(
    start: tuple[float, float], end: tuple[float, float], width: float, opacity: float, name: str
) -> str:
    """An arrow that ends at `end`."""
    length = hypot(end[0] - start[0], end[1] - start[1])
    across, along = (end[0] - start[0]) / length, (end[1] - start[1]) / length
    head = 6 + 1.6 * width
    neck = (end[0] - across * head, end[1] - along * head)
    wing = head * 0.6
    tip = (
        f"{end[0]:.1f},{end[1]:.1f} {neck[0] - along * wing:.1f},{neck[1] + across * wing:.1f} "
        f"{neck[0] + along * wing:.1f},{neck[1] - across * wing:.1f}"
    )
    line = f'x1="{start[0]:.1f}" y1="{start[1]:.1f}" x2="{neck[0]:.1f}" y2="{neck[1]:.1f}"'
    return (
        f'<g role="img" opacity="{opacity:.2f}"><title>{escape(name)}</title>'
        f'<line {line} stroke="{COLOURS["heat"]}" stroke-width="{width:.1f}" stroke-linecap="round"/>'
        f'<polygon points="{tip}" fill="{COLOURS["heat"]}"/></g>'
    )


def label(x: float, y: float, text: str) -> str:
    """A short text in a rounded box."""
    width = 8 + 6.5 * len(text)
    return (
        '<g font-size="11" font-weight="700" text-anchor="middle">'
        f'<rect x="{x - width / 2:.1f}" y="{y - 8:.1f}" '
        f'width="{width:.1f}" height="16" rx="8" fill="#ffffff" stroke="{COLOURS["heat"]}"/>'
        f'<text x="{x:.1f}" y="{y:.1f}" dy="0.36em" fill="{COLOURS["ink"]}">{escape(text)}</text></g>'
    )
