"""SVG plots of training: calibration, regularisation paths, and curves over time.

The output is deterministic. The background is transparent, and the colours follow the light or dark setting
of the viewer. Lines are labelled, and dashed where colours repeat.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from html import escape
from typing import TypeAlias

Scale: TypeAlias = Callable[[float], float]
"""From a value to a coordinate."""

WIDTH = 720
_EDGE, _TOP = 16, 56
_LETTER = 7.25  # width of a character of the 12 px monospace font, in px
_LINE = 16  # height of a line of text, in px
_LETTERS = 30  # maximum length of labels
_LIGHT = ("#1d5f99", "#b4501e", "#2f7d4f", "#7a4fa3", "#a8870b", "#a33a5b", "#2b8c9e", "#6b6f1c")
_DARK = ("#8cc4f2", "#f2a278", "#84d3a2", "#c9a6ea", "#e6c95c", "#f08fae", "#7fd3e2", "#c7cc6a")

_COLOURS = "\n".join(f".c{n} {{ stroke: {c} }} .t{n} {{ fill: {c} }}" for n, c in enumerate(_LIGHT))
_DARK_COLOURS = "\n".join(f"  .c{n} {{ stroke: {c} }} .t{n} {{ fill: {c} }}" for n, c in enumerate(_DARK))
_STYLE = f"""
text {{ font: 12px ui-monospace, Menlo, Consolas, "DejaVu Sans Mono", monospace; fill: #3b4252 }}
.title {{ font: 600 15px system-ui, -apple-system, "Segoe UI", "DejaVu Sans", sans-serif; fill: #1f2937 }}
.quiet {{ fill: #6b7280 }}
.grid {{ stroke: #e5e7eb }}
.zero {{ stroke: #9ca3af }}
.even {{ stroke: #9ca3af; stroke-dasharray: 5 4 }}
.range {{ stroke: #7aa5c9; stroke-width: 2.5; stroke-linecap: round }}
.dot {{ fill: #1d5f99 }}
.line {{ fill: none; stroke-width: 2; stroke-linejoin: round }}
.dashed {{ stroke-dasharray: 6 3 }}
{_COLOURS}
@media (prefers-color-scheme: dark) {{
  text {{ fill: #d1d5db }}
  .title {{ fill: #f3f4f6 }}
  .quiet {{ fill: #9ca3af }}
  .grid {{ stroke: #374151 }}
  .zero, .even {{ stroke: #6b7280 }}
  .range {{ stroke: #4f7ea6 }}
  .dot {{ fill: #8cc4f2 }}
{_DARK_COLOURS}
}}
"""


def calibration_svg(bins: Sequence[Mapping[str, float]], title: str, notes: Sequence[str] = ()) -> str:
    """Observed against predicted win probability.

    >>> bins = [{"predicted": 0.3, "observed": 0.25, "error": 0.05, "states": 90, "weight": 1.0}]
    >>> calibration_svg(bins, "Hex").startswith('<svg xmlns="http://www.w3.org/2000/svg" width="720"')
    True
    """
    left, side = 56.0, 380.0
    bottom = _TOP + side

    def x(share: float) -> float:
        return round(left + side * min(max(share, 0.0), 1.0), 1)

    def y(share: float) -> float:
        return round(bottom - side * min(max(share, 0.0), 1.0), 1)

    lines = []
    for tenth in range(0, 11, 2):
        at, text = tenth / 10, f"{tenth * 10} %"
        lines.append(f'<line class="grid" x1="{x(at)}" x2="{x(at)}" y1="{y(0)}" y2="{y(1)}"/>')
        lines.append(f'<line class="grid" x1="{x(0)}" x2="{x(1)}" y1="{y(at)}" y2="{y(at)}"/>')
        lines.append(_x_label(x(at), bottom, text))
        lines.append(f'<text class="quiet" x="{left - 8}" y="{y(at) + 4}" text-anchor="end">{text}</text>')
    lines.append(f'<line class="even" x1="{x(0)}" x2="{x(1)}" y1="{y(0)}" y2="{y(1)}"/>')
    for each in bins:
        low, high = each["observed"] - 1.96 * each["error"], each["observed"] + 1.96 * each["error"]
        at, shown = (
            x(each["predicted"]),
            f"{each['predicted']:.1%} predicted, {each['observed']:.1%} observed",
        )
        lines.append(f"<g><title>{shown}, {each['states']:.0f} positions</title>")
        lines.append(f'<line class="range" x1="{at}" x2="{at}" y1="{y(low)}" y2="{y(high)}"/>')
        lines.append(f'<circle class="dot" cx="{at}" cy="{y(each["observed"])}" r="4.5"/></g>')
    lines.append(
        f'<text x="{x(0.5)}" y="{bottom + 40}" text-anchor="middle">predicted for the side to move</text>'
    )
    notes_x = left + side + 28
    legend = ["dots: observed score", "bars: 95 % interval", "dashed: perfect calibration", "", *notes]
    for number, note in enumerate(legend):
        lines.append(
            f'<text class="quiet" x="{notes_x}" y="{_TOP + 12 + _LINE * number}">{_text(note)}</text>'
        )
    return _svg(lines, bottom + 54, title)


def path_svg(
    steps: Sequence[float],
    weights: Sequence[Sequence[float]],
    names: Sequence[str],
    chosen: float,
    title: str,
) -> str:
    """The regularisation path: weights as λ1 decreases from left to right, with a row of `weights` per step.

    >>> "<svg" in path_svg([2.0, 1.0], [[0.0], [0.5]], ["advantage"], chosen=1.0, title="Hex")
    True
    """
    logs = [math.log10(step) for step in steps]
    inside = steps[-1] <= chosen <= steps[0]

    def marks(x: Scale, bottom: float) -> Iterator[str]:
        for power in range(math.ceil(logs[-1]), math.floor(logs[0]) + 1):
            at = x(-power)
            yield f'<line class="grid" x1="{at}" x2="{at}" y1="{_TOP}" y2="{bottom}"/>'
            yield _x_label(at, bottom, f"{10.0**power:g}")
        if inside:
            at = x(-math.log10(chosen))
            yield f'<line class="even" x1="{at}" x2="{at}" y1="{_TOP}" y2="{bottom}"/>'

    curves = [
        Curve(name, [(-log, row[number]) for log, row in zip(logs, weights, strict=True)])
        for number, name in enumerate(names)
    ]
    caption = f"λ1, chosen: {chosen:g}" + (" (dashed)" if inside else "")
    return _plot(curves, title, caption, marks, height=max(300.0, _LINE * len(names)), ys=[0.0])


@dataclass
class Curve:
    """A line of a plot: `Curve("value", [(0, 0.69), (1000, 0.6)])`; `ranges` are the ends of error bars."""

    label: str
    points: list[tuple[float, float]]
    ranges: list[tuple[float, float]] = field(default_factory=list)


def curves_svg(curves: Sequence[Curve], title: str, along: str) -> str:
    """Plot curves; `along` labels the x axis.

    >>> "<svg" in curves_svg([Curve("value", [(0, 0.69), (1000, 0.6)])], "Hex", "positions")
    True
    """
    curves = [curve for curve in curves if curve.points]
    xs = [x for curve in curves for x, _ in curve.points] or [0.0]

    def marks(x: Scale, bottom: float) -> Iterator[str]:
        return (_x_label(x(at), bottom, f"{at:,.0f}") for at in (min(xs), max(xs)))

    return _plot(curves, title, along, marks)


def _plot(
    curves: Sequence[Curve],
    title: str,
    along: str,
    marks: Callable[[Scale, float], Iterable[str]],
    *,
    height: float = 300.0,
    ys: Sequence[float] = (),
) -> str:
    """Labelled curves; `marks` draws the x axis, and the y axis includes `ys`."""
    labels = [one.label if len(one.label) <= _LETTERS else f"{one.label[: _LETTERS - 1]}…" for one in curves]
    right = WIDTH - _EDGE - 14 - _LETTER * max((len(label) for label in labels), default=0)
    left, bottom = 64.0, _TOP + height
    xs = [x for curve in curves for x, _ in curve.points] or [0.0]
    ys = [*ys, *(y for curve in curves for _, y in curve.points)]
    ys += [end for curve in curves for both in curve.ranges for end in both]
    low, high = min(ys, default=0.0), max(ys, default=1.0)
    room = max(0.05 * (high - low), 1e-6)
    low, high = low - room, high + room
    span = max(max(xs) - min(xs), 1e-9)

    def x(value: float) -> float:
        return round(left + (right - left) * (value - min(xs)) / span, 1)

    def y(value: float) -> float:
        return round(bottom - height * (value - low) / (high - low), 1)

    lines = [*_levels(low, high, left, right, y), *marks(x, bottom)]
    places = _spread_labels([y(curve.points[-1][1]) for curve in curves], _TOP, bottom)
    for number, (curve, label) in enumerate(zip(curves, labels, strict=True)):
        kind, dashed = number % len(_LIGHT), " dashed" if number >= len(_LIGHT) else ""
        points = " ".join(f"{x(a)},{y(b)}" for a, b in curve.points)
        lines.append(f'<polyline class="line c{kind}{dashed}" points="{points}"/>')
        for (a, _), (least, most) in zip(curve.points, curve.ranges, strict=False):
            lines.append(f'<line class="c{kind}" x1="{x(a)}" x2="{x(a)}" y1="{y(least)}" y2="{y(most)}"/>')
        lines.append(
            f'<text class="t{kind}" x="{right + 10:.1f}" y="{places[number] + 4:.1f}">{_text(label)}</text>'
        )
    middle = (left + right) / 2
    lines.append(f'<text x="{middle:.1f}" y="{bottom + 40}" text-anchor="middle">{_text(along)}</text>')
    return _svg(lines, bottom + 54, title)


def _x_label(at: float, bottom: float, text: str) -> str:
    return f'<text class="quiet" x="{at}" y="{bottom + 18}" text-anchor="middle">{text}</text>'


def _levels(low: float, high: float, left: float, right: float, y: Scale) -> Iterator[str]:
    """Horizontal grid lines at round numbers."""
    rough = (high - low) / 6
    power = 10 ** math.floor(math.log10(rough))
    step = next(factor * power for factor in (1, 2, 5, 10) if factor * power >= rough)
    for number in range(math.ceil(low / step), math.floor(high / step) + 1):
        at = y(number * step)
        kind = "zero" if number == 0 else "grid"
        yield f'<line class="{kind}" x1="{left}" x2="{right:.1f}" y1="{at}" y2="{at}"/>'
        shown = f"{number * step:.6g}".replace("-", "−")
        yield f'<text class="quiet" x="{left - 8}" y="{at + 4:.1f}" text-anchor="end">{shown}</text>'


def _spread_labels(wanted: Sequence[float], top: float, bottom: float) -> list[float]:
    """Positions for labels near the wanted ones, at least a line apart."""
    order = sorted(range(len(wanted)), key=lambda number: wanted[number])
    places = [0.0] * len(wanted)
    at = top
    for number in order:
        places[number] = at = max(at, wanted[number])
        at += _LINE
    at = bottom
    for number in reversed(order):
        places[number] = at = min(at, places[number])
        at -= _LINE
    return places


def _svg(lines: Sequence[str], height: float, title: str) -> str:
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{height:g}" '
        f'viewBox="0 0 {WIDTH} {height:g}" role="img" aria-label="{_text(title)}">'
    )
    shown = f'<text class="title" x="{_EDGE}" y="30">{_text(title)}</text>'
    return "\n".join([head, f"<style>{_STYLE}</style>", shown, *lines, "</svg>\n"])


def _text(text: str) -> str:
    """Escaped for XML, with unprintable characters replaced."""
    return escape("".join(letter if letter.isprintable() else "\ufffd" for letter in text))
