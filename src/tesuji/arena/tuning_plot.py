"""A tuning as an SVG plot: a panel for each parameter, with its path and the mean that is the result."""

from __future__ import annotations

from collections.abc import Iterator

from tesuji.arena.plot import STYLE, WIDTH, escaped
from tesuji.arena.spsa import Parameter, Spsa

LEFT, RIGHT, TOP, PANEL, GAP = 70, WIDTH - 110, 44, 110, 26
POINTS = 400
"""Most points of a path."""
_PATH = """
.path { fill: none; stroke: #1d5f99; stroke-width: 1.5 }
.mean { stroke: #1d5f99; stroke-dasharray: 4 4 }
@media (prefers-color-scheme: dark) { .path, .mean { stroke: #8cc4f2 } }
"""


def tuning_svg(spsa: Spsa, title: str) -> str:
    """Plot the parameters over the games.

    >>> picture = tuning_svg(Spsa([Parameter("exploration", 0.1, 1.5)], [0.3], iterations=50), "hex")
    >>> picture.startswith('<svg xmlns="http://www.w3.org/2000/svg" width="720" ')
    True
    """
    height = TOP + (PANEL + GAP) * len(spsa.parameters)
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{height}" '
        f'viewBox="0 0 {WIDTH} {height}" role="img" aria-label="{escaped(title)}">',
        f"<style>{STYLE}{_PATH}</style>",
        f'<text class="title" x="16" y="28">{escaped(title)}</text>',
    ]
    for number, parameter in enumerate(spsa.parameters):
        path = [places[number] for places in spsa.path]
        lines += _panel(parameter, path, spsa.mean()[number], spsa, TOP + (PANEL + GAP) * number)
    return "\n".join([*lines, "</svg>"])


def _panel(parameter: Parameter, path: list[float], mean: float, spsa: Spsa, top: float) -> Iterator[str]:
    def y(place: float) -> float:
        return round(top + 16 + (PANEL - 16) * (1 - place), 1)

    yield f'<text x="{LEFT}" y="{top + 8}">{escaped(parameter.name)}</text>'
    for place in (0.0, 0.5, 1.0):
        yield f'<line class="grid" x1="{LEFT}" x2="{RIGHT}" y1="{y(place)}" y2="{y(place)}"/>'
        label = f"{parameter.value(place):.3g}"
        yield f'<text class="quiet" x="{LEFT - 8}" y="{y(place) + 4}" text-anchor="end">{label}</text>'
    every = len(path) // POINTS + 1
    width = (RIGHT - LEFT) / max(spsa.iterations, 1)
    points = " ".join(f"{LEFT + width * at:.1f},{y(path[at])}" for at in range(0, len(path), every))
    yield f'<polyline class="path" points="{points}"/>'
    yield f'<line class="mean" x1="{LEFT}" x2="{RIGHT}" y1="{y(mean)}" y2="{y(mean)}"/>'
    yield f'<text x="{RIGHT + 8}" y="{y(mean) + 4}">{parameter.text(mean)}</text>'
    games = f"{2 * spsa.counted} games"
    yield f'<text class="quiet" x="{RIGHT}" y="{top + PANEL + 14}" text-anchor="end">{games}</text>'
