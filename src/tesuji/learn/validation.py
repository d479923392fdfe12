"""Cross-validation over games, to choose the penalties.

Positions of one game are correlated, so all of them are in one fold, and identical games are in the same
fold. For each fold, means, deviations and weights are fitted to the other folds only. The loss of a fold is
its weighted log-loss, Σ w·loss / Σ w.
"""

from __future__ import annotations

import hashlib
import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from tesuji.learn.fit import Fit, Samples, Scaling, fit_path, mean_loss
from tesuji.learn.solver import Array
from tesuji.models.linear_file import PenaltyResult

TOLERANCE = 1e-6
"""Gradient per unit of weight; losses of folds differ by far more than the remaining error."""

Rule = Literal["best", "one-standard-error"]


@dataclass(frozen=True)
class Validation:
    """The results of a grid, the loss with the bias alone, and the fits by row and fold."""

    rows: tuple[PenaltyResult, ...]
    baseline: PenaltyResult
    scalings: tuple[Scaling, ...]
    fits: tuple[tuple[Fit, ...], ...]


def folds_of(keys: Sequence[str], folds: int, seed: int) -> NDArray[np.int64]:
    """The fold of each game: equal keys are in the same fold, and the order of the games does not matter.

    >>> first, _, again, _ = folds_of(["a", "b", "a", "c"], 2, seed=1)
    >>> bool(first == again)
    True
    """
    different = sorted(set(keys), key=lambda key: hashlib.sha256(f"{seed} {key}".encode()).digest())
    if len(different) < folds:
        raise ValueError(f"{folds} folds need at least {folds} different games, not {len(different)}")
    fold = {key: number % folds for number, key in enumerate(different)}
    return np.array([fold[key] for key in keys], dtype=np.int64)


def cross_validate(
    samples: Samples, bounds: Sequence[int], grid: Sequence[tuple[float, float]], epsilon: float
) -> Validation:
    """Fit every pair of penalties without each fold; `bounds` are the limits of the folds in the table."""
    scalings, by_fold, losses, bases = [], [], [], []
    for number in range(len(bounds) - 1):
        inside = slice(bounds[number], bounds[number + 1])
        outside = (slice(0, inside.start), slice(inside.stop, bounds[-1]))
        training, held_out = replace(samples, parts=outside), replace(samples, parts=(inside,))
        scaling = Scaling.of(training, epsilon)
        fits = fit_path(training, scaling, grid, tolerance=TOLERANCE)
        losses.append([mean_loss(held_out, scaling, one.theta, one.bias) for one in fits])
        bases.append(_without_features(training, held_out))
        scalings.append(scaling)
        by_fold.append(fits)
    rows = []
    for place, (l1, l2) in enumerate(grid):
        nonzero = float(np.mean([np.count_nonzero(fits[place].theta) for fits in by_fold]))
        rows.append(PenaltyResult(l1, l2, tuple(fold[place] for fold in losses), nonzero))
    found = tuple(tuple(fits[place] for fits in by_fold) for place in range(len(grid)))
    return Validation(tuple(rows), PenaltyResult(math.inf, 0.0, tuple(bases), 0.0), tuple(scalings), found)


def choose(rows: Sequence[PenaltyResult], rule: Rule) -> PenaltyResult:
    """The result with the lowest mean loss or, within one standard error of it, of the simplest model.

    The simplest model has the fewest non-zero weights, then the largest λ1, then the largest λ2 (the
    one-standard-error rule of Breiman, Friedman, Olshen and Stone 1984).

    >>> grid = [(0, (0.50, 0.54), 8.0), (9, (0.51, 0.55), 3.0), (99, (0.6, 0.7), 1.0)]
    >>> rows = [PenaltyResult(l1, 1, losses, nonzero) for l1, losses, nonzero in grid]
    >>> choose(rows, "best").l1, choose(rows, "one-standard-error").l1
    (0, 9)
    """
    best = min(rows, key=lambda row: (row.mean, -row.l1, -row.l2))
    if rule == "best":
        return best
    near = [row for row in rows if row.mean <= best.mean + best.error]
    return min(near, key=lambda row: (row.nonzero, -row.l1, -row.l2))


def penalty_grid(l1: Sequence[float], l2: Sequence[float]) -> list[tuple[float, float]]:
    """All pairs in an order in which neighbours differ little, so that warm starts help.

    >>> penalty_grid([0, 1], [5, 6])
    [(1, 6), (0, 6), (0, 5), (1, 5)]
    """
    pairs = []
    for number, second in enumerate(sorted(set(l2), reverse=True)):
        pairs += [(first, second) for first in sorted(set(l1), reverse=number % 2 == 0)]
    return pairs


def _without_features(training: Samples, held_out: Samples) -> float:
    """The loss of predicting the mean score of the training folds."""
    won = sum(float(labels @ weights) for _, labels, weights in training.blocks())
    share = min(max(won / training.total, 1e-12), 1 - 1e-12)
    nothing = np.zeros(training.table.shape[1])
    flat = Scaling(nothing, nothing, 1.0)
    return mean_loss(held_out, flat, np.zeros(training.width), math.log(share / (1 - share)))


def accuracy(predicted: Array, scores: Array, weights: Array) -> float:
    """The share of decided positions, by weight, whose winner has a predicted probability above one half.

    >>> accuracy(np.array([0.9, 0.4, 0.7]), np.array([1.0, 1.0, 0.5]), np.ones(3))
    0.5
    """
    decided = scores != 0.5
    right = (predicted > 0.5) == (scores > 0.5)
    return float(weights[decided & right].sum() / max(weights[decided].sum(), 1e-300))


def calibration(
    predicted: Array, scores: Array, weights: Array, games: NDArray[np.int32], bins: int = 10
) -> list[dict[str, float]]:
    """Predicted against observed scores, in bins of about equal weight.

    `error` is the standard error clustered by game, since the positions of a game share its result.

    >>> calibration(np.array([0.5, 0.5]), np.array([1.0, 1.0]), np.ones(2), np.array([0, 0], np.int32))
    [{'predicted': 0.5, 'observed': 1.0, 'error': 0.5, 'states': 2, 'weight': 1.0}]
    """
    order = np.argsort(predicted, kind="stable")
    reached = np.cumsum(weights[order]) / weights.sum()
    ends = np.searchsorted(reached, np.arange(1, bins) / bins, side="left") + 1
    # Equal predictions stay together.
    ends = np.searchsorted(predicted[order], predicted[order][np.minimum(ends, len(order)) - 1], side="right")
    found = []
    for rows in np.split(order, np.unique(ends)):
        if len(rows) == 0:
            continue
        weight, total = weights[rows], float(weights[rows].sum())
        residuals = np.bincount(games[rows], weight * (scores[rows] - predicted[rows]))
        found.append(
            {
                "predicted": float(predicted[rows] @ weight) / total,
                "observed": float(scores[rows] @ weight) / total,
                "error": math.sqrt(float(residuals @ residuals)) / total,
                "states": len(rows),
                "weight": total / float(weights.sum()),
            }
        )
    return found
