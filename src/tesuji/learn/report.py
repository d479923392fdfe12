"""Reports of a fit: tables of losses and weights, calibration, and remarks about features.

Losses are weighted log-losses, Σ w·loss / Σ w. They are comparable only under the same weighting, so reports
state it.
"""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from tesuji._helpers.atomic_write import write_files
from tesuji.learn.dataset import Dataset
from tesuji.learn.linear import LinearValue
from tesuji.learn.plot import calibration_svg, path_svg
from tesuji.models.linear_file import as_dict

CODES_SHOWN = 40
"""Rows of the table of weights for codes."""


class Coefficient(NamedTuple):
    """The weight of a feature and its effect."""

    name: str
    theta: float
    """Change of the log-odds per standard deviation."""
    effect: float
    """Change of the win probability per standard deviation, from an even position."""
    mean: float
    deviation: float


def coefficients(value: LinearValue) -> list[Coefficient]:
    """The features by decreasing absolute weight."""
    rows = [
        Coefficient(name, theta, 1 / (1 + math.exp(-theta)) - 0.5, mean, deviation)
        for name, theta, mean, deviation in zip(
            value.names_,
            value.theta_.tolist(),
            value.mean_.tolist(),
            value.scale_.tolist(),
            strict=True,
        )
    ]
    return sorted(rows + _strongest_codes(value), key=lambda row: -abs(row.theta))


def _strongest_codes(value: LinearValue) -> list[Coefficient]:
    """The codes with the largest effect per standard deviation, as rows of the same table."""
    if value.code_statistics_ is None:
        return []
    mean, deviation = value.code_statistics_
    effects = value.codes_ * deviation
    return [
        Coefficient(
            value.code_source.code_name(code),
            effect := float(effects[code]),
            1 / (1 + math.exp(-effect)) - 0.5,
            float(mean[code]),
            float(deviation[code]),
        )
        for code in map(int, np.argsort(-np.abs(effects), kind="stable")[:CODES_SHOWN])
    ]


def weighting(value: LinearValue) -> str:
    """The weighting of positions, in words."""
    draws = "draws count half" if value.draws == "half" else "drawn games are excluded"
    return f"positions are weighted by {value.gamma:g}^(plies to the last position before the end); {draws}"


def calibration_error(value: LinearValue) -> float:
    """The mean absolute difference of predicted and observed scores over all bins, by weight."""
    return sum(each["weight"] * abs(each["predicted"] - each["observed"]) for each in value.calibration_)


def held_out(value: LinearValue) -> str:
    """How well the value predicts games that it was not fitted to, in words."""
    error = f"the mean error of predicted win probabilities is {calibration_error(value):.1%}"
    if value.accuracy_ is None:
        return error
    return f"the winner is predicted in {value.accuracy_:.1%} of positions (by weight), {error}"


def loss_table(value: LinearValue) -> list[list[str]]:
    """Cross-validation: a mark for the chosen pair, λ1, λ2, loss ± standard error, non-zero weights."""
    base = value.baseline_
    rows = [["", "–", "–", f"{base.mean:.5f} ± {base.error:.5f}", "0"]]
    for row in value.losses_:
        mark = "→" if (row.l1, row.l2) == (value.l1_, value.l2_) else ""
        shown = f"{row.mean:.5f} ± {row.error:.5f}"
        rows.append([mark, f"{row.l1:g}", f"{row.l2:g}", shown, f"{row.nonzero:g}"])
    return rows


LOSS_COLUMNS = ("", "λ1", "λ2", "weighted log-loss", "weights ≠ 0")
WEIGHT_COLUMNS = ("feature", "weight per σ", "win probability", "mean", "σ")


def weight_table(value: LinearValue) -> list[list[str]]:
    """The features: weight and effect per standard deviation, mean, standard deviation."""
    return [
        [row.name, f"{row.theta:+.4f}", f"{row.effect:+.1%}", f"{row.mean:.4g}", f"{row.deviation:.4g}"]
        for row in coefficients(value)
    ]


def remarks(value: LinearValue) -> list[str]:
    """Warnings about redundant features and useless models."""
    lines = []
    if len(value.codes_):
        used = int(np.count_nonzero(value.codes_))
        lines.append(
            f"{used:,} of {len(value.codes_):,} codes have a weight; the {min(used, CODES_SHOWN)} with the "
            "largest effect are listed."
        )
    if value.constant_:
        lines.append(f"Constant features, with weight 0: {', '.join(value.constant_)}.")
    for name, *others in value.dependent_:
        lines.append(
            f"{name} is a linear combination of {', '.join(others)}: only their joint effect is determined."
        )
    best = min(value.losses_, key=lambda row: row.mean)
    if best.mean > value.baseline_.mean - best.error:
        lines.append("No better than predicting the mean score: the features explain nothing.")
    return lines


def summary(value: LinearValue) -> str:
    """The training data: `hex:size=5: 200 games, 4,321 positions, 0 draws`."""
    data = value.data_
    left = ", ".join(f"{number} {reason}" for reason, number in data["left_out"].items())
    text = f"{value.game_}: {data['games']:,} games, {data['states']:,} positions, {data['draws']:,} draws"
    return f"{text}; excluded: {left}" if left else text


def facts(value: LinearValue) -> dict[str, Any]:
    """The model and the report as plain data for JSON."""
    return as_dict(value.model_) | {
        "coefficients": [row._asdict() for row in coefficients(value)],
        "mean_losses": [
            {"l1": row.l1, "l2": row.l2, "mean": row.mean, "error": row.error} for row in value.losses_
        ],
        "baseline": {"mean": value.baseline_.mean, "error": value.baseline_.error},
        "calibration_error": calibration_error(value),
        "accuracy": value.accuracy_,
        "remarks": remarks(value),
    }


def write_report(value: LinearValue, data: Dataset, folder: Path) -> list[Path]:
    """Write report.md, calibration.svg and, without codes, path.svg to the directory; returns their paths."""
    chosen = next(row for row in value.losses_ if (row.l1, row.l2) == (value.l1_, value.l2_))
    notes = [
        f"loss        {chosen.mean:.4f} ± {chosen.error:.4f}",
        f"no features {value.baseline_.mean:.4f} ± {value.baseline_.error:.4f}",
        f"off by {calibration_error(value):.1%} on average",
        "",
        f"weights: {value.gamma:g}^(plies to end)",
    ]
    files = {
        "report.md": markdown(value),
        "calibration.svg": calibration_svg(value.calibration_, f"Calibration: {value.game_}", notes),
    }
    if not len(value.codes_):
        path = value.path(data)
        steps, fits = [step for step, _ in path], [fit.theta.tolist() for _, fit in path]
        title = f"Weights along λ1: {value.game_}"
        files["path.svg"] = path_svg(steps, fits, value.names_, value.l1_, title)
    contents = {folder / name: text for name, text in files.items()}
    write_files(contents)
    return list(contents)


def markdown(value: LinearValue) -> str:
    """The report as Markdown, with links to the plots."""
    lines = [
        f"# A linear value of {value.game_}",
        "",
        f"{summary(value)}.",
        "",
        "## Cross-validation",
        "",
        f"{len(value.baseline_.losses)} folds over games; the rule “{value.rule}” chose the penalties (→). "
        f"In the losses {weighting(value)}. ± is one standard error over the folds; "
        "the first row uses the bias alone.",
        "",
        *_table(LOSS_COLUMNS, loss_table(value)),
        "",
        "## Weights",
        "",
        f"The bias is {value.bias_:+.4f}. A weight is the change of the log-odds of the side to move per "
        "standard deviation; the next column is the change of the win probability of an even position.",
        "",
        *_table(WEIGHT_COLUMNS, weight_table(value)),
        "",
        *(f"- {line}" for line in remarks(value)),
        "",
        *([] if len(value.codes_) else ["![Weights along λ1](path.svg)", ""]),
        "## Calibration",
        "",
        f"Predictions for held-out games against results: {held_out(value)}.",
        "",
        "![Calibration](calibration.svg)",
    ]
    return "\n".join(lines) + "\n"


def _table(columns: tuple[str, ...], rows: list[list[str]]) -> list[str]:
    return [f"| {' | '.join(row)} |" for row in [list(columns), ["---"] * len(columns), *rows]]
