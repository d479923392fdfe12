"""Cross-validation over games, to choose the penalties, and what it says about a fit.

Positions of one game are correlated, so all of them are in one fold, and identical games are in the same
fold. For each fold, means, deviations and weights are fitted to the other folds only.
"""

from __future__ import annotations

import hashlib
import math
from collections.abc import Callable, Collection, Iterable, Sequence
from typing import Literal, TypeAlias, TypeGuard

import numpy as np
from numpy.typing import NDArray

from tesuji.learn.fit import Array, Fit, Problem, Samples, Scaling, fit_path, largest_l1
from tesuji.models.linear_file import PenaltyResult

Penalty: TypeAlias = float | Sequence[float] | Literal["auto"]
Rule: TypeAlias = Literal["best", "one-standard-error"]

AUTO_L1 = (0.0, 1e-3, 1e-2, 1e-1)
"""Fractions of the smallest λ1 that makes every weight 0."""
AUTO_L2 = (1e-6, 1e-4, 1e-2)
"""Fractions of the total weight; the curvature of the loss is at most a quarter of it."""
AUTO_L2_OF_SPARSE = (1.0, 10.0, 100.0)
"""With sparse features: 1/(2·λ2) is the variance expected of weights, whatever the number of positions."""
EXPLAINED = 1e-9  # residual variance of a column that the others explain exactly


def check_penalty(name: str, penalty: object) -> None:
    """ValueError if it is not a `Penalty`."""
    if isinstance(penalty, str) and penalty == "auto":
        return
    several = penalty if isinstance(penalty, Sequence) and not isinstance(penalty, str) else [penalty]
    if not several or not all(is_number(each) and 0 <= each < math.inf for each in several):
        raise ValueError(
            f"{name} must be auto, a non-negative number, or a sequence of them, not {penalty!r}"
        )


def penalty_option(name: str, text: str) -> Penalty:
    """A penalty on the command line: `auto`, or numbers separated by commas.

    >>> penalty_option("l2", "1,10"), penalty_option("l2", "0.5")
    ([1.0, 10.0], 0.5)
    """
    if text == "auto":
        return "auto"
    try:
        numbers = [float(word) for word in text.split(",")]
    except ValueError:
        raise ValueError(f"--{name} must be auto, or numbers separated by commas, not {text!r}") from None
    return numbers[0] if len(numbers) == 1 else numbers


def is_number(value: object) -> TypeGuard[float]:
    """Whether it is a number, and neither True nor False."""
    return isinstance(value, int | float) and not isinstance(value, bool)


def penalty_grid(
    l1: Penalty, l2: Penalty, problem: Problem, *, sparse: bool = False
) -> list[tuple[float, float]]:
    """The pairs of λ1 and λ2 to compare; with sparse features, `auto` means no λ1, which would be slow."""
    if sparse:
        return pairs(_several(l1, (0.0,), 1.0), _several(l2, AUTO_L2_OF_SPARSE, 1.0))
    largest = largest_l1(problem) if isinstance(l1, str) else 0.0
    return pairs(_several(l1, AUTO_L1, largest), _several(l2, AUTO_L2, problem.total))


def _several(given: Penalty, shares: Sequence[float], unit: float) -> list[float]:
    if isinstance(given, str):
        return [float(f"{share * unit:.2g}") for share in shares]
    return [float(each) for each in (given if isinstance(given, Sequence) else [given])]


def pairs(l1: Sequence[float], l2: Sequence[float]) -> list[tuple[float, float]]:
    """All pairs in an order in which neighbours differ little, so that warm starts help.

    >>> pairs([0, 1], [5, 6])
    [(1, 6), (0, 6), (0, 5), (1, 5)]
    """
    found = []
    for number, second in enumerate(sorted(set(l2), reverse=True)):
        found += [(first, second) for first in sorted(set(l1), reverse=number % 2 == 0)]
    return found


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
    folds: Iterable[tuple[Problem, Callable[[Fit], float]]],
    grid: Sequence[tuple[float, float]],
    *,
    tolerance: float,
) -> tuple[list[PenaltyResult], list[list[Fit]]]:
    """Fit every pair of penalties without each fold; the fits are by pair, then by fold.

    A fold is the loss of the others, and what gives a fit's mean loss in the fold itself.
    """
    losses, by_fold = [], []
    for others, mean_loss in folds:
        fits = fit_path(others, grid, tolerance=tolerance)
        losses.append([mean_loss(one) for one in fits])
        by_fold.append(fits)
    rows = []
    for place, (l1, l2) in enumerate(grid):
        nonzero = float(np.mean([np.count_nonzero(fits[place].theta) for fits in by_fold]))
        rows.append(PenaltyResult(l1, l2, tuple(fold[place] for fold in losses), nonzero))
    return rows, [[fits[place] for fits in by_fold] for place in range(len(grid))]


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


def constant_columns(
    scaling: Scaling, names: Sequence[str], left_out: Collection[int] = ()
) -> tuple[str, ...]:
    """The features with the same value in every position, except for excluded ones.

    >>> scaling = Scaling(np.zeros(2), np.array([1.0, 0.0]), 1e-8)
    >>> constant_columns(scaling, ["a", "b"])
    ('b',)
    """
    constant = [int(place) for place in np.flatnonzero(~scaling.varies) if place not in left_out]
    return tuple(names[place] for place in constant)


def dependent_columns(
    samples: Samples, scaling: Scaling, names: Sequence[str]
) -> tuple[tuple[str, ...], ...]:
    """Features that are linear combinations of earlier ones; each tuple has the feature, then the others.

    >>> table = np.array([[0.0, 1.0, 2.0], [1.0, 0.0, 1.0], [2.0, -1.0, 7.0]])
    >>> samples = Samples(table, np.zeros(3), np.ones(3))
    >>> dependent_columns(samples, Scaling.of(samples, 1e-8), ["a", "b", "c"])
    (('b', 'a'),)
    """
    varying = np.flatnonzero(scaling.varies)
    products = np.zeros((len(varying), len(varying)))
    for table, _, _ in samples.blocks():
        standard = (table[:, varying] - scaling.mean[varying]) / scaling.deviation[varying]
        products += standard.T @ standard
    correlation = products / samples.rows
    kept: list[int] = []
    found = []
    for column in range(len(varying)):
        twins = np.flatnonzero(1.0 - correlation[column, :column] ** 2 < EXPLAINED)
        shares = np.linalg.solve(correlation[np.ix_(kept, kept)], correlation[kept, column])
        if len(twins):
            found.append((column, [int(twins[0])]))
        elif kept and 1.0 - float(shares @ correlation[kept, column]) < EXPLAINED:
            found.append(
                (column, [place for place, share in zip(kept, shares, strict=True) if abs(share) > 1e-6])
            )
        else:
            kept.append(column)
    return tuple(tuple(names[varying[place]] for place in (column, *others)) for column, others in found)
