"""The optimiser: weighted logistic regression with elastic net.

    minimise  Σ w·loss(z, y) + λ2·‖θ‖² + λ1·‖θ‖₁,   z = θ·(φ − μ)/(σ + ε) + b,   loss = log(1 + eᶻ) − y·z

with y from 0 to 1 (a draw is ½) and b without a penalty. It is solved by L-BFGS-B (Byrd, Lu, Nocedal and Zhu
1995) on θ = u − v with u, v ≥ 0, which makes ‖θ‖₁ = Σ(u + v) smooth, and zeros exact.

One evaluation is one pass over the table, in blocks that fit into the cache and give both loss and gradient.
Standardisation is folded into the weights, (φ − μ)/s·θ = φ·(θ/s) − μ·(θ/s), so the folds of a cross-
validation, which differ in μ and σ, share one table.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from tesuji.extras import require

Array: TypeAlias = NDArray[np.float64]

BLOCK = 4096  # rows: 1.6 MB with 50 features, which fits into a cache
MAX_ITERATIONS = 2000
MEMORY = 20  # correction pairs of L-BFGS; correlated features need more than the usual 10


@dataclass(frozen=True)
class Samples:
    """A table of features with a label and a weight per row; `parts` selects the rows to use.

    >>> samples = Samples(np.array([[1.0], [3.0]]), np.array([0.0, 1.0]), np.ones(2))
    >>> samples.rows, samples.total
    (2, 2.0)
    """

    table: Array
    labels: Array
    weights: Array
    parts: tuple[slice, ...] = (slice(None),)

    @property
    def rows(self) -> int:
        """The number of selected rows."""
        return sum(len(self.labels[part]) for part in self.parts)

    @property
    def total(self) -> float:
        """The sum of the weights of the selected rows."""
        return float(sum(self.weights[part].sum() for part in self.parts))

    def blocks(self) -> Iterator[tuple[Array, Array, Array]]:
        """Features, labels and weights of the selected rows, in blocks."""
        for part in self.parts:
            first, last, _ = part.indices(len(self.labels))
            for start in range(first, last, BLOCK):
                rows = slice(start, min(start + BLOCK, last))
                yield self.table[rows], self.labels[rows], self.weights[rows]


@dataclass(frozen=True)
class Scaling:
    """Standardisation of the features: mean, standard deviation and ε."""

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
    scale = scaling.deviation + scaling.epsilon
    slope = np.where(scaling.varies, theta / scale, 0.0)
    shift = bias - float(scaling.mean @ slope)
    loss = errors = 0.0
    gradient = np.zeros(len(theta))
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
    return loss, np.where(scaling.varies, (gradient - scaling.mean * errors) / scale, 0.0), errors


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
    count = samples.table.shape[1]
    total = samples.total  # scale to unit weight, so that the solver's tolerances do not depend on the data
    split = l1 > 0

    def evaluate(point: Array) -> tuple[float, Array]:
        theta = point[:count] - point[count:-1] if split else point[:-1]
        loss, gradient, errors = loss_and_gradient(samples, scaling, theta, float(point[-1]))
        gradient += 2 * l2 * theta
        value = loss + l2 * float(theta @ theta)
        if not split:
            return value / total, np.append(gradient, errors) / total
        value += l1 * float(point[:-1].sum())
        return value / total, np.concatenate([gradient + l1, l1 - gradient, [errors]]) / total

    theta = np.zeros(count) if start is None else start.theta
    bias = _log_odds(samples) if start is None else start.bias
    first = np.concatenate([np.maximum(theta, 0), np.maximum(-theta, 0)]) if split else theta
    minimize = _solver()
    with _libraries().limit(limits=1):  # more threads are slower for such small matrices
        found = minimize(
            evaluate,
            np.append(first, bias),
            jac=True,
            method="L-BFGS-B",
            bounds=[(0, None)] * (2 * count) + [(None, None)] if split else None,
            options={"maxiter": MAX_ITERATIONS, "maxcor": MEMORY, "ftol": 1e-14, "gtol": tolerance},
        )
    theta = found.x[:count] - found.x[count:-1] if split else found.x[:-1]
    theta = np.where(scaling.varies, theta, 0.0)
    return Fit(theta, float(found.x[-1]), float(found.fun) * total, int(found.nfev))


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
    zero = np.zeros(samples.table.shape[1])
    _, gradient, _ = loss_and_gradient(samples, scaling, zero, _log_odds(samples))
    return float(np.abs(gradient).max(initial=0.0))


@cache
def _solver() -> Any:
    """The function `minimize` of scipy, which is slow to import."""
    require("learn", "fitting a linear value")
    from scipy.optimize import minimize

    return minimize


@cache
def _libraries() -> Any:
    """The loaded numerical libraries; finding them is slow."""
    from threadpoolctl import ThreadpoolController

    return ThreadpoolController()


def _log_odds(samples: Samples) -> float:
    """The best bias if every weight is 0."""
    won = sum(float(labels @ weights) for _, labels, weights in samples.blocks())
    share = min(max(won / samples.total, 1e-6), 1 - 1e-6)
    return float(np.log(share / (1 - share)))
