"""How a run goes: one line of JSON an iteration, TensorBoard where it is installed, and pictures."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tesuji.learn.plot import Curve, curves_svg
from tesuji.learn.zero.files import write_whole

FILE = "metrics.jsonl"
LOSSES = ("policy_loss", "value_loss", "reply_loss", "moves_left_loss")


@dataclass(frozen=True)
class Played:
    """What self-play did in an iteration."""

    counters: dict[str, Any]
    seconds: float
    more: dict[str, float] = field(default_factory=dict)
    """For the metrics, beside what follows from the counters."""


class Metrics:
    """The lines of a run in a folder: `Metrics(folder, iteration=0).add({"iteration": 1})`."""

    def __init__(self, folder: Path, *, iteration: int) -> None:
        self.folder, self._path = folder, folder / FILE
        rows = read_metrics(folder)
        self.rows = [row for row in rows if row["iteration"] <= iteration]
        if len(rows) != len(self.rows):  # what came after the checkpoint is done again
            write_whole(self._path, "".join(json.dumps(row) + "\n" for row in self.rows).encode())
        self._board = _tensorboard(folder)

    def add(self, row: dict[str, Any]) -> None:
        """Keep the numbers of an iteration."""
        self.rows.append(row)
        with open(self._path, "a", encoding="utf-8") as file:
            file.write(json.dumps(row) + "\n")
        if self._board is not None:
            for name, value in row.items():
                if isinstance(value, int | float):
                    self._board.add_scalar(name, value, row["iteration"])
            self._board.flush()

    def draw(self, title: str) -> None:
        """Write `loss.svg`, and `elo.svg` where games of the ladder were over."""
        write_whole(self.folder / "loss.svg", loss_svg(self.rows, title).encode())
        if any(rung["games"] for row in self.rows for rung in row.get("ladder", {}).values()):
            write_whole(self.folder / "elo.svg", elo_svg(self.rows, title).encode())


def measured(played: Played, learning_share: float) -> dict[str, Any]:
    """What the counters of an iteration say: speed, and how games go."""
    counted, playing = played.counters, max(played.seconds, 1e-9)
    games, plies, full = (max(counted[key], 1) for key in ("games", "plies", "full"))
    return {
        **played.more,
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
        "starts": counted["starts"] / games,
        "resigned": counted["resigned"] / games,
        "wrongly_resigned": counted["control_wrong"] / max(counted["control"], 1),
    }


def read_metrics(folder: Path) -> list[dict[str, Any]]:
    """The lines of a run so far; a line that was cut off is none."""
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
    """The losses (upwards) over the positions searched.

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
    """Elo against each opponent of the ladder (upwards, bars of 95 %) over the positions searched."""
    curves: dict[str, Curve] = {}
    for row in rows:
        for opponent, rung in row.get("ladder", {}).items():
            curve = curves.setdefault(opponent, Curve(opponent, [], []))
            if None not in (rung["elo"], rung["low"], rung["high"]):
                curve.points.append((row["positions"], rung["elo"]))
                curve.ranges.append((rung["low"], rung["high"]))
    return curves_svg(list(curves.values()), f"{title}: Elo against the ladder", "positions searched")


def _tensorboard(folder: Path) -> Any:
    try:
        from torch.utils.tensorboard import SummaryWriter
    except ImportError:
        return None
    return SummaryWriter(str(folder / "tensorboard"))
