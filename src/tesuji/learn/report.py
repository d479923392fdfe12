"""Reports of a fit: tables of losses and weights, calibration, and notes about features.

Losses of values are weighted log-losses, Σ w·loss / Σ w. They are comparable only under the same weighting,
so reports state it.
"""

from __future__ import annotations

import math
from pathlib import Path
from typing import NamedTuple

import numpy as np

from tesuji._helpers.atomic_write import write_files
from tesuji.learn.dataset import Dataset
from tesuji.learn.linear import LinearPrior, LinearValue
from tesuji.learn.plot import calibration_svg, path_svg

SPARSE_SHOWN = 40
"""Rows of the table of a value's weights for sparse features."""
PRIOR_SHOWN = 15
"""Rows at either end of the table of a prior's weights."""
LOSS_COLUMNS = ("", "λ1", "λ2", "weighted log-loss", "weights ≠ 0")
WEIGHT_COLUMNS = ("feature", "weight per σ", "win probability", "mean", "σ")
QUALITY_COLUMNS = ("moves ordered by", "log-loss", "first choice", "first five")
PRIOR_WEIGHT_COLUMNS = ("feature", "weight")
ORDERINGS = {"prior": "this prior", "uniform": "equal weights", "ordering": "the game's own ordering"}


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
    """The features by decreasing absolute weight; of the sparse ones, those with the largest effect."""
    rows = list(zip(value.names_, value.theta_, value.mean_, value.scale_, strict=True))
    if value.sparse_statistics_ is not None:
        mean, deviation = value.sparse_statistics_
        effects = value.sparse_weights_ * deviation
        rows += [
            (value.native_features.code_name(number), effects[number], mean[number], deviation[number])
            for number in map(int, np.argsort(-np.abs(effects), kind="stable")[:SPARSE_SHOWN])
        ]
    found = [
        Coefficient(name, theta, 1 / (1 + math.exp(-theta)) - 0.5, mean, deviation)
        for name, *numbers in rows
        for theta, mean, deviation in [map(float, numbers)]
    ]
    return sorted(found, key=lambda row: -abs(row.theta))


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


def weight_table(value: LinearValue) -> list[list[str]]:
    """The features: weight and effect per standard deviation, mean, standard deviation."""
    return [
        [row.name, f"{row.theta:+.4f}", f"{row.effect:+.1%}", f"{row.mean:.4g}", f"{row.deviation:.4g}"]
        for row in coefficients(value)
    ]


def notes(value: LinearValue) -> list[str]:
    """Warnings about redundant features and useless models."""
    lines = []
    if len(value.sparse_weights_):
        used = int(np.count_nonzero(value.sparse_weights_))
        lines.append(
            f"{used:,} of {len(value.sparse_weights_):,} sparse features have a weight; the "
            f"{min(used, SPARSE_SHOWN)} with the largest effect are listed."
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


def quality_table(prior: LinearPrior) -> list[list[str]]:
    """On held-out games: −log P(move played), and how often it is the first, or one of the first five."""
    return [
        [
            ORDERINGS[name],
            "–" if quality.log_loss is None else f"{quality.log_loss:.4f}",
            f"{quality.top1:.1%}",
            f"{quality.top5:.1%}",
        ]
        for name, quality in prior.held_out_.items()
    ]


def prior_loss_lines(prior: LinearPrior) -> list[str]:
    """The log-loss of each λ2 in the cross-validation; the chosen one is marked."""
    return [
        f"{'→' if l2 == prior.l2_ else ' '} λ2 = {l2:g}: {np.mean(losses):.4f}"
        for l2, losses in prior.losses_
    ]


def prior_weight_table(prior: LinearPrior) -> list[list[str]]:
    """The largest and the smallest weights."""
    order = np.argsort(-prior.weights_, kind="stable")
    used = [int(number) for number in order if prior.weights_[number] != 0]
    listed = used if len(used) <= 2 * PRIOR_SHOWN else used[:PRIOR_SHOWN] + used[-PRIOR_SHOWN:]
    return [[prior.name_of(number), f"{prior.weights_[number]:+.3f}"] for number in listed]


def summary(model: LinearValue | LinearPrior) -> str:
    """The training data: `hex:size=5: 200 games, 4,321 positions, 0 draws`."""
    data = model.data_
    text = f"{model.game_}: {data['games']:,} games"
    if isinstance(model, LinearPrior):
        text += f", {data['positions']:,} positions"
    else:
        text += f", {data['states']:,} positions, {data['draws']:,} draws"
    left = ", ".join(f"{number} {reason}" for reason, number in data["left_out"].items())
    return f"{text}; excluded: {left}" if left else text


def facts(model: LinearValue | LinearPrior) -> dict[str, object]:
    """The model and the report as plain data for JSON."""
    found = model.model_.as_dict()
    if isinstance(model, LinearPrior):
        weights = prior_weight_table(model)
        return found | {"strongest": [{"feature": name, "weight": float(weight)} for name, weight in weights]}
    return found | {
        "coefficients": [row._asdict() for row in coefficients(model)],
        "mean_losses": [
            {"l1": row.l1, "l2": row.l2, "mean": row.mean, "error": row.error} for row in model.losses_
        ],
        "baseline": {"mean": model.baseline_.mean, "error": model.baseline_.error},
        "calibration_error": calibration_error(model),
        "accuracy": model.accuracy_,
        "remarks": notes(model),
    }


def write_report(value: LinearValue, data: Dataset, folder: Path) -> list[Path]:
    """Write report.md, calibration.svg and, without sparse features, path.svg; returns their paths."""
    chosen = next(row for row in value.losses_ if (row.l1, row.l2) == (value.l1_, value.l2_))
    legend = [
        f"loss        {chosen.mean:.4f} ± {chosen.error:.4f}",
        f"no features {value.baseline_.mean:.4f} ± {value.baseline_.error:.4f}",
        f"off by {calibration_error(value):.1%} on average",
        "",
        f"weights: {value.gamma:g}^(plies to end)",
    ]
    files = {
        "report.md": markdown(value),
        "calibration.svg": calibration_svg(value.calibration_, f"Calibration: {value.game_}", legend),
    }
    if not len(value.sparse_weights_):
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
        *(f"- {line}" for line in notes(value)),
        "",
        *([] if len(value.sparse_weights_) else ["![Weights along λ1](path.svg)", ""]),
        "## Calibration",
        "",
        f"Predictions for held-out games against results: {held_out(value)}.",
        "",
        "![Calibration](calibration.svg)",
    ]
    return "\n".join(lines) + "\n"


def _table(columns: tuple[str, ...], rows: list[list[str]]) -> list[str]:
    return [f"| {' | '.join(row)} |" for row in [list(columns), ["---"] * len(columns), *rows]]
