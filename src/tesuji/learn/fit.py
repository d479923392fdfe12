"""The optimiser: weighted logistic regression with elastic net.

    minimise  Σ w·loss(z, y) + λ2·‖θ‖² + λ1·‖θ‖₁,   z = θ·(φ − μ)/(σ + ε) + b,   loss = log(1 + eᶻ) − y·z

where φ are the named features and the counts of the codes, with μ = 0 and σ + ε = 1 for codes. y is from 0
to 1 (a draw is ½), and b has no penalty.

One evaluation is one pass over the table, in blocks that fit into the cache and give both loss and gradient.
Standardisation is folded into the weights, (φ − μ)/s·θ = φ·(θ/s) − μ·(θ/s), so the folds of a cross-
validation, which differ in μ and σ, share one table. Codes are added up by the core, in threads.

Codes differ in frequency by orders of magnitude, which makes the problem badly scaled. The solver therefore
sees each weight in units of 1/√(its curvature).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from tesuji import scale
from tesuji.learn.codes import Codes
from tesuji.learn.solver import Array, minimise

BLOCK = 4096  # rows: 1.6 MB with 50 features, which fits into a cache
SMALLEST_CURVATURE = 1e-9  # of a code, relative to a standardised feature


@dataclass(frozen=True)
class Samples:
    """Features with a label and a weight per row; `parts` selects the rows to use.

    >>> samples = Samples(np.array([[1.0], [3.0]]), np.array([0.0, 1.0]), np.ones(2))
    >>> samples.rows, samples.total
    (2, 2.0)
    """

    table: Array
    labels: Array
    weights: Array
    parts: tuple[slice, ...] = (slice(None),)
    codes: Codes | None = None

    @property
    def width(self) -> int:
        """The number of weights: one for each named feature, then one for each code."""
        return int(self.table.shape[1]) + (self.codes.count if self.codes else 0)

    @property
    def ranges(self) -> list[tuple[int, int]]:
        """The first row and the end of each part."""
        return [part.indices(len(self.labels))[:2] for part in self.parts]

    @property
    def rows(self) -> int:
        """The number of selected rows."""
        return sum(len(self.labels[part]) for part in self.parts)

    @property
    def total(self) -> float:
        """The sum of the weights of the selected rows."""
        return float(sum(self.weights[part].sum() for part in self.parts))

    def code_statistics(self) -> tuple[Array, Array] | None:
        """Mean and standard deviation of the count of each code in the selected rows, without weights."""
        if self.codes is None:
            return None
        ones = np.ones(len(self.labels))
        sums = np.zeros(self.codes.count)
        for first, last in self.ranges:
            begin, end = self.codes.offsets[[first, last]]
            sums += np.bincount(self.codes.indices[begin:end], minlength=self.codes.count)
        mean = sums / self.rows
        return mean, np.sqrt(np.maximum(self.code_squares(ones) / self.rows - mean**2, 0.0))

    def code_squares(self, weights: Array) -> Array:
        """For each code, the sum of weight · count² over the selected rows."""
        found = np.zeros(self.codes.count if self.codes else 0)
        for first, last in self.ranges:
            if self.codes is not None:
                found += self.codes.native.squares(first, last, weights[first:last], scale.cores())
        return found

    def blocks(self) -> Iterator[tuple[Array, Array, Array]]:
        """Features, labels and weights of the selected rows, in blocks."""
        for first, last in self.ranges:
            for start in range(first, last, BLOCK):
                rows = slice(start, min(start + BLOCK, last))
                yield self.table[rows], self.labels[rows], self.weights[rows]


@dataclass(frozen=True)
class Scaling:
    """Standardisation of the named features: mean, standard deviation and ε."""

    mean: Array
    deviation: Array
    epsilon: float

    @classmethod
    def of(cls, samples: Samples, epsilon: float) -> Scaling:
        """The statistics of the selected rows, without their weights.

        >>> Scaling.of(Samples(np.array([[1.0, 5.0], [3.0, 5.0]]), np.zeros(2), np.ones(2)), 1e-8).mean
        array([2., 5.])
        """
        mean = sum(table.sum(axis=0) for table, _, _ in samples.blocks()) / samples.rows
        squares = sum(((table - mean) ** 2).sum(axis=0) for table, _, _ in samples.blocks())
        low = np.min([table.min(axis=0) for table, _, _ in samples.blocks()], axis=0)
        high = np.max([table.max(axis=0) for table, _, _ in samples.blocks()], axis=0)
        # Rounding of the mean must not make a constant column vary.
        return cls(np.where(low == high, low, mean), np.sqrt(squares / samples.rows) * (low < high), epsilon)

    @property
    def varies(self) -> NDArray[np.bool_]:
        """Which features are not constant; constant ones get the weight 0."""
        return self.deviation > 0


@dataclass(frozen=True)
class Fit:
    """The result of a fit: weights, bias and objective."""

    theta: Array
    bias: float
    objective: float
    evaluations: int


def loss_and_gradient(
    samples: Samples, scaling: Scaling, theta: Array, bias: float
) -> tuple[float, Array, float]:
    """Σ w·loss and its derivatives by θ and b, in one pass over the table."""
    named = samples.table.shape[1]
    units = scaling.deviation + scaling.epsilon
    slope = np.where(scaling.varies, theta[:named] / units, 0.0)
    shift = bias - float(scaling.mean @ slope)
    if samples.codes is None:
        loss, gradient, errors = _named_loss(samples, slope, shift)
        by_code = np.empty(0)
    else:
        loss, gradient, errors, by_code = _coded_loss(samples, samples.codes, slope, shift, theta[named:])
    by_name = np.where(scaling.varies, (gradient - scaling.mean * errors) / units, 0.0)
    return loss, np.concatenate([by_name, by_code]) if len(by_code) else by_name, errors


def _named_loss(samples: Samples, slope: Array, shift: float) -> tuple[float, Array, float]:
    """Σ w·loss, and its derivatives by the slopes and the shift."""
    loss = errors = 0.0
    gradient = np.zeros(len(slope))
    for table, labels, weights in samples.blocks():
        z = table @ slope
        z += shift
        small = np.exp(-np.abs(z))  # never overflows
        above = 1.0 + small
        part = np.log(above)
        part += np.maximum(z, 0.0)
        part -= labels * z
        loss += float(part @ weights)
        error = np.where(z >= 0, 1.0, small)
        error /= above  # now the probability
        error -= labels
        error *= weights
        gradient += error @ table
        errors += float(error.sum())
    return loss, gradient, errors


def _coded_loss(
    samples: Samples, codes: Codes, slope: Array, shift: float, weights: Array
) -> tuple[float, Array, float, Array]:
    """The same with codes, and the derivatives by their weights."""
    loss = errors = 0.0
    gradient, by_code = np.zeros(len(slope)), np.zeros(codes.count)
    for first, last in samples.ranges:
        base = samples.table[first:last] @ slope + shift
        labels, row_weights = samples.labels[first:last], samples.weights[first:last]
        part, changes, error = codes.native.loss(
            first, last, base, labels, row_weights, weights, scale.cores()
        )
        loss += part
        by_code += changes
        gradient += error @ samples.table[first:last]
        errors += float(error.sum())
    return loss, gradient, errors, by_code


def mean_loss(samples: Samples, scaling: Scaling, theta: Array, bias: float) -> float:
    """Σ w·loss / Σ w: the weighted log-loss, without penalties."""
    return loss_and_gradient(samples, scaling, theta, bias)[0] / samples.total


def fit(
    samples: Samples,
    scaling: Scaling,
    *,
    l1: float,
    l2: float,
    start: Fit | None = None,
    tolerance: float = 1e-7,
) -> Fit:
    """Minimise the objective, starting from `start` if given.

    `tolerance` is the bound on the gradient, per unit of weight, at which the solver stops.

    >>> samples = Samples(np.array([[0.0], [1.0], [2.0]]), np.array([0.0, 1.0, 1.0]), np.ones(3))
    >>> found = fit(samples, Scaling.of(samples, 1e-8), l1=0.0, l2=0.5)
    >>> print(f"{found.theta[0]:.4f} {found.bias:.4f}")
    0.7567 0.7876
    """

    def loss(theta: Array, free: Array) -> tuple[float, Array, Array]:
        value, gradient, errors = loss_and_gradient(samples, scaling, theta, float(free[0]))
        return value, gradient, np.array([errors])

    found = minimise(
        loss,
        np.zeros(samples.width) if start is None else start.theta,
        np.array([_log_odds(samples) if start is None else start.bias]),
        l1=l1,
        l2=l2,
        units=_units(samples, l2),
        total=samples.total,
        tolerance=tolerance,
    )
    named = len(scaling.varies)
    theta = found.theta.copy()
    theta[:named] = np.where(scaling.varies, theta[:named], 0.0)
    return Fit(theta, float(found.free[0]), found.objective, found.evaluations)


def _units(samples: Samples, l2: float) -> Array:
    """The unit in which the solver sees each weight: 1 for named features, which are standardised.

    For a code, 1/√(its curvature), relative to that of a standardised feature.
    """
    units = np.ones(samples.width)
    if samples.codes is not None:
        curvature = (samples.code_squares(samples.weights) + 8 * l2) / samples.total
        units[samples.table.shape[1] :] = 1 / np.sqrt(np.maximum(curvature, SMALLEST_CURVATURE))
    return units


def fit_path(
    samples: Samples, scaling: Scaling, penalties: Sequence[tuple[float, float]], *, tolerance: float = 1e-7
) -> list[Fit]:
    """A fit for each (λ1, λ2) in this order, each starting from the previous one."""
    found: list[Fit] = []
    for l1, l2 in penalties:
        start = found[-1] if found else None
        found.append(fit(samples, scaling, l1=l1, l2=l2, start=start, tolerance=tolerance))
    return found


def largest_l1(samples: Samples, scaling: Scaling) -> float:
    """The smallest λ1 that makes every weight 0: the largest gradient at θ = 0."""
    zero = np.zeros(samples.width)
    _, gradient, _ = loss_and_gradient(samples, scaling, zero, _log_odds(samples))
    return float(np.abs(gradient).max(initial=0.0))


def _log_odds(samples: Samples) -> float:
    """The best bias if every weight is 0."""
    won = sum(float(labels @ weights) for _, labels, weights in samples.blocks())
    share = min(max(won / samples.total, 1e-6), 1 - 1e-6)
    return float(np.log(share / (1 - share)))
