"""The metrics of a run: one JSON line per iteration, TensorBoard if it is installed, and plots."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tesuji._helpers.atomic_write import write_atomically
from tesuji.learn.plot import Curve, curves_svg

FILE = "metrics.jsonl"
LOSSES = ("policy_loss", "value_loss", "reply_loss", "moves_left_loss")


@dataclass(frozen=True)
class SelfPlayStats:
    """Counters and time of one iteration's self-play."""

    counters: dict[str, Any]
    seconds: float
    extra: dict[str, float] = field(default_factory=dict)
    """Further values for the metrics."""


class Metrics:
    """The metrics file of a run: `Metrics(folder, iteration=0).add({"iteration": 1})`.

    Rows after `iteration` are dropped: a resumed run computes them again.
    """

    def __init__(self, folder: Path, *, iteration: int) -> None:
        self.folder, self._path = folder, folder / FILE
        rows = read_metrics(folder)
        self.rows = [row for row in rows if row["iteration"] <= iteration]
        if len(rows) != len(self.rows):
            self._write()
        self._tensorboard = _tensorboard(folder)

    def add(self, row: dict[str, object]) -> None:
        """Add a row."""
        self.rows.append(row)
        self._write()
        if self._tensorboard is not None:
            for name, value in row.items():
                if isinstance(value, int | float):
                    self._tensorboard.add_scalar(name, value, row["iteration"])
            self._tensorboard.flush()

    def draw(self, title: str) -> None:
        """Write `loss.svg` and, if the ladder has results, `elo.svg`."""
        write_atomically(self.folder / "loss.svg", loss_svg(self.rows, title))
        if any(result["games"] for row in self.rows for result in row.get("ladder", {}).values()):
            write_atomically(self.folder / "elo.svg", elo_svg(self.rows, title))

    def _write(self) -> None:
        write_atomically(self._path, "".join(json.dumps(row) + "\n" for row in self.rows))


def iteration_metrics(stats: SelfPlayStats, learning_share: float) -> dict[str, object]:
    """Speed, and how games went, from the counters of an iteration."""
    counted, playing = stats.counters, max(stats.seconds, 1e-9)
    games, plies, full = (max(counted[key], 1) for key in ("games", "plies", "full"))
    return {
        **stats.extra,
        "games_per_second": counted["games"] / playing,
        "evaluations_per_second": counted["evaluations"] / playing,
        "waiting_share": counted["waiting"] / max(counted["seconds"], 1e-9),
        "learning_share": learning_share,
        "length": plies / games,
        "first_player_wins": counted["first_player_wins"] / games,
        "draws": counted["draws"] / games,
        "distant": counted["distant"] / max(counted["placed"], 1),
        "border": counted["border"] / max(counted["placed"], 1),
        "top_share": counted["top_share"] / full,
        "proven": counted["proven"] / plies,
        "refuted": counted["refuted"] / plies,
        "starts": counted["starts"] / games,
        "resigned": counted["resigned"] / games,
        "wrongly_resigned": counted["control_wrong"] / max(counted["control"], 1),
    }


def read_metrics(folder: Path) -> list[dict[str, Any]]:
    """The rows of a run so far, up to a truncated last line."""
    try:
        lines = (folder / FILE).read_text(encoding="utf-8").splitlines()
    except FileNotFoundError:
        return []
    rows = []
    for line in lines:
        try:
            rows.append(json.loads(line))
        except json.JSONDecodeError:
            break
    return rows


def loss_svg(rows: list[dict[str, Any]], title: str) -> str:
    """Plot the losses over the positions searched.

    >>> loss_svg([{"positions": 10, "value_loss": 0.7}, {"positions": 20, "value_loss": 0.6}], "Hex")[:4]
    '<svg'
    """
    curves = []
    for name in LOSSES:
        points = [(row["positions"], row[name]) for row in rows if name in row]
        if points:
            curves.append(Curve(name.removesuffix("_loss").replace("_", " "), points))
    return curves_svg(curves, f"{title}: losses", "positions searched")


def elo_svg(rows: list[dict[str, Any]], title: str) -> str:
    """Plot Elo against each opponent of the ladder, with 95 % intervals, over the positions searched."""
    curves: dict[str, Curve] = {}
    for row in rows:
        for opponent, result in row.get("ladder", {}).items():
            curve = curves.setdefault(opponent, Curve(opponent, [], []))
            if None not in (result["elo"], result["low"], result["high"]):
                curve.points.append((row["positions"], result["elo"]))
                curve.ranges.append((result["low"], result["high"]))
    return curves_svg(list(curves.values()), f"{title}: Elo against the ladder", "positions searched")


def _tensorboard(folder: Path) -> Any:
    try:
        from torch.utils.tensorboard import SummaryWriter
    except ImportError:
        return None
    return SummaryWriter(str(folder / "tensorboard"))
