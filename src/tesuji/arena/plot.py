"""Ratings as an SVG plot: a dot for each bot, its 95 % interval as a line, Elo on the x axis.

Deterministic, with a transparent background and colours that follow the reader's light or dark setting. Long
names are shortened in the middle, because specs differ at their ends; the tooltip has the full name.
"""

from __future__ import annotations

import math
import unicodedata
from collections.abc import Iterator, Sequence
from html import escape

from tesuji.arena.ratings import Rating, Ratings

WIDTH = 720
_EDGE, _GAP = 16, 14
_NUMBERS = 130  # width of "+1234 ± 567" at the right
_ROW, _TOP, _BOTTOM, _NOTE = 26, 20, 46, 18
_TITLE, _TITLE_LETTERS = 34, 72
_LETTER = 7.25  # width of one letter of the fixed-width 12 px face
_LETTERS = 40  # maximum length of a name
_FARTHEST = 4.0  # intervals are cut off this many times the spread of the dots away

STYLE = """
text { font: 12px ui-monospace, Menlo, Consolas, "DejaVu Sans Mono", monospace; fill: #3b4252 }
.title { font: 600 15px system-ui, -apple-system, "Segoe UI", "DejaVu Sans", sans-serif; fill: #1f2937 }
.quiet { fill: #6b7280 }
.grid { stroke: #e5e7eb }
.zero { stroke: #9ca3af }
.range { stroke: #7aa5c9; stroke-width: 2.5; stroke-linecap: round }
.more { fill: #7aa5c9 }
.dot { fill: #1d5f99 }
@media (prefers-color-scheme: dark) {
  text { fill: #d1d5db }
  .title { fill: #f3f4f6 }
  .quiet { fill: #9ca3af }
  .grid { stroke: #374151 }
  .zero { stroke: #6b7280 }
  .range { stroke: #4f7ea6 }
  .more { fill: #4f7ea6 }
  .dot { fill: #8cc4f2 }
}
"""


def ratings_svg(ratings: Ratings, title: str = "") -> str:
    """Plot the rating list as SVG.

    >>> from tesuji.arena.ratings import Result, fit_ratings
    >>> picture = ratings_svg(fit_ratings([Result(("a", "b"), (1.0, 0.0))]), "Two bots")
    >>> picture.startswith('<svg xmlns="http://www.w3.org/2000/svg" width="720" ')
    True
    """
    rows = ratings.table
    top = _TOP + (_TITLE if title else 0)
    bottom = top + _ROW * max(len(rows), 1)
    notes = _notes(ratings)
    height = bottom + _BOTTOM + _NOTE * len(notes)
    axis = _Axis(rows)
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{height}" '
        f'viewBox="0 0 {WIDTH} {height}" role="img" aria-label="{escaped(title or "Ratings")}">',
        f"<style>{STYLE}</style>",
    ]
    if title:
        shown = escaped(shortened(title, _TITLE_LETTERS))
        lines.append(f'<text class="title" x="{_EDGE}" y="30">{shown}<title>{escaped(title)}</title></text>')
    if rows:
        lines += axis.draw(top - 6, bottom + 2)
    else:
        lines.append(f'<text class="quiet" x="{_EDGE}" y="{top + 16}">no games</text>')
    for number, row in enumerate(rows):
        lines += _draw_row(row, axis, top + _ROW * number + _ROW / 2)
    for number, note in enumerate(notes):
        y = bottom + _BOTTOM + _NOTE * number
        lines.append(f'<text class="quiet" x="{_EDGE}" y="{y}">{escaped(note)}</text>')
    return "\n".join([*lines, "</svg>"])


def shortened(text: str, letters: int) -> str:
    """The text, shortened with … in the middle to at most this many letters.

    >>> shortened("mcts:iterations=20000,rave=off", 20)
    'mcts:iter…0,rave=off'
    """
    if _width(text) <= letters:
        return text
    head, tail = list(text[: len(text) // 2]), list(text[len(text) // 2 :])
    while head and tail and _width("".join(head + tail)) > letters - 1:
        if _width("".join(head)) >= _width("".join(tail)):
            head.pop()
        else:
            tail.pop(0)
    return f"{''.join(head)}…{''.join(tail)}"


class _Axis:
    """The x axis: covers all dots, and their intervals up to _FARTHEST."""

    def __init__(self, rows: Sequence[Rating]) -> None:
        dots = [row.elo for row in rows if math.isfinite(row.elo)] or [0.0]
        nearest, farthest = min(dots), max(dots)
        reach = _FARTHEST * max(farthest - nearest, 100.0)
        low = max(min([nearest, *(row.low for row in rows)]), nearest - reach)
        high = min(max([farthest, *(row.high for row in rows)]), farthest + reach)
        room = max(0.04 * (high - low), 10.0)
        self.low, self.high = low - room, high + room
        self.left = _EDGE + _GAP + _LETTER * min(max((_width(row.name) for row in rows), default=0), _LETTERS)

    def x(self, elo: float) -> float:
        """The x coordinate of a rating, clipped to the plot."""
        share = (min(max(elo, self.low), self.high) - self.low) / (self.high - self.low)
        return round(self.left + share * (WIDTH - _NUMBERS - self.left), 1)

    def draw(self, top: float, bottom: float) -> Iterator[str]:
        """Grid lines and labels."""
        step = _round_step((self.high - self.low) / 6)
        for number in range(math.ceil(self.low / step), math.floor(self.high / step) + 1):
            elo = number * step
            x, kind = self.x(elo), "zero" if elo == 0 else "grid"
            yield f'<line class="{kind}" x1="{x}" x2="{x}" y1="{top}" y2="{bottom}"/>'
            yield f'<text class="quiet" x="{x}" y="{bottom + 17}" text-anchor="middle">{_signed(elo)}</text>'
        yield f'<text class="quiet" x="{WIDTH - _EDGE}" y="{bottom + 17}" text-anchor="end">Elo</text>'


def _draw_row(row: Rating, axis: _Axis, y: float) -> Iterator[str]:
    baseline = y + 4
    yield f"<g><title>{escaped(row.name)}: {_label(row)}, {row.points:g} of {row.games}</title>"
    name = escaped(shortened(row.name, _LETTERS))
    yield f'<text x="{axis.left - _GAP:.1f}" y="{baseline}" text-anchor="end">{name}</text>'
    left, right = axis.x(row.low), axis.x(row.high)
    yield f'<line class="range" x1="{left}" x2="{right}" y1="{y}" y2="{y}"/>'
    if row.low < axis.low:
        yield f'<path class="more" d="M{left - 5} {y}l8 -4.5v9z"/>'
    if row.high > axis.high:
        yield f'<path class="more" d="M{right + 5} {y}l-8 -4.5v9z"/>'
    yield f'<circle class="dot" cx="{axis.x(row.elo)}" cy="{y}" r="4.5"/>'
    yield f'<text class="quiet" x="{WIDTH - _EDGE}" y="{baseline}" text-anchor="end">{_label(row)}</text></g>'


def _notes(ratings: Ratings) -> list[str]:
    notes = []
    if ratings.first_move is not None:
        notes.append(
            f"first move {_signed(ratings.first_move.value)} ± {_number(ratings.first_move.margin)} Elo"
        )
    if ratings.seats:
        notes.append("seats " + ", ".join(_signed(seat.value) for seat in ratings.seats) + " Elo")
    if ratings.draw_share is not None:
        notes.append(f"draws between equals {ratings.draw_share.value:.0%}".replace("%", " %"))
    together = [" · ".join(notes)] if notes else []
    if not ratings.connected:
        together.append(f"{len(ratings.groups)} groups never met: ratings are comparable only within a group")
    return together


def _label(row: Rating) -> str:
    return f"{_signed(row.elo)} ± {_number((row.high - row.low) / 2)}"


def _signed(elo: float) -> str:
    whole = _number(abs(elo))
    return whole if whole == "0" else f"{'+' if elo > 0 else '−'}{whole}"


def _number(value: float) -> str:
    return "∞" if math.isinf(value) else "?" if math.isnan(value) else f"{value:.0f}"


def _round_step(rough: float) -> float:
    """Round up to 1, 2, 2.5 or 5 times a power of ten."""
    power = 10 ** math.floor(math.log10(rough))
    return next((float(factor * power) for factor in (1, 2, 2.5, 5) if factor * power >= rough), 10.0 * power)


def _width(text: str) -> int:
    """Width in letters; East Asian ones count twice."""
    return sum(2 if unicodedata.east_asian_width(letter) in "WF" else 1 for letter in text)


def escaped(text: str) -> str:
    """Escape for XML, and replace characters that it forbids."""
    return escape("".join(letter if letter.isprintable() else "\ufffd" for letter in text))
