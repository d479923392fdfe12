"""Fitting linear models: losses of values and priors, and the optimiser.

    minimise  loss(θ, b) + λ2·‖θ‖² + λ1·‖θ‖₁

by L-BFGS-B (Byrd, Lu, Nocedal and Zhu 1995) on θ = u − v with u, v ≥ 0, which makes ‖θ‖₁ = Σ(u + v) smooth,
and zeros exact. b has no penalty. Features differ in frequency by orders of magnitude, which makes the
problem badly scaled; so the solver sees each weight in units of 1/√(its curvature).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from tesuji import scale
from tesuji._helpers.extras import require
from tesuji.learn.dataset import MoveDataset
from tesuji.learn.sparse import SparseFeatures

Array: TypeAlias = NDArray[np.float64]
Gradient: TypeAlias = tuple[float, Array, Array]
"""A loss, and its derivatives by θ and by the free parameters."""

BLOCK = 4096  # rows: 1.6 MB with 50 features, which fits into a cache
SMALLEST_CURVATURE = 1e-9  # of a sparse feature, relative to a standardised one
MAX_ITERATIONS = 2000
MEMORY = 20  # correction pairs of L-BFGS; correlated features need more than the usual 10


class Fit(NamedTuple):
    """Where an objective is lowest."""

    theta: Array
    free: Array
    """The parameters without a penalty."""
    objective: float
    evaluations: int

    @property
    def bias(self) -> float:
        """The free parameter of a logistic regression."""
        return float(self.free[0])


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
    sparse: SparseFeatures | None = None

    @property
    def width(self) -> int:
        """The number of weights: one for each named feature, then one for each sparse feature."""
        return int(self.table.shape[1]) + (self.sparse.count if self.sparse else 0)

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

    @property
    def log_odds(self) -> float:
        """The log-odds of the mean label of the selected rows."""
        won = sum(float(labels @ weights) for _, labels, weights in self.blocks())
        share = min(max(won / self.total, 1e-6), 1 - 1e-6)
        return float(np.log(share / (1 - share)))

    def sparse_statistics(self) -> tuple[Array, Array] | None:
        """Mean and deviation of each sparse feature's count in the selected rows, without weights."""
        if self.sparse is None:
            return None
        sums = np.zeros(self.sparse.count)
        for first, last in self.ranges:
            begin, end = self.sparse.offsets[[first, last]]
            sums += np.bincount(self.sparse.indices[begin:end], minlength=self.sparse.count)
        mean, squares = sums / self.rows, self.sparse_squares(np.ones(len(self.labels)))
        return mean, np.sqrt(np.maximum(squares / self.rows - mean**2, 0.0))

    def sparse_squares(self, weights: Array) -> Array:
        """For each sparse feature, the sum of weight · count² over the selected rows."""
        found = np.zeros(self.sparse.count if self.sparse else 0)
        for first, last in self.ranges:
            if self.sparse is not None:
                found += self.sparse.native.squares(first, last, weights[first:last], scale.cores())
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
class Logistic:
    """Weighted logistic regression, the loss of a value.

        Σ w·(log(1 + eᶻ) − y·z),   z = θ·(φ − μ)/(σ + ε) + b

    φ are the named features and the counts of the sparse ones, with μ = 0 and σ + ε = 1 for these. y is
    from 0 to 1 (a draw is ½).

    One evaluation is one pass over the table, in blocks that fit into the cache and give both loss and
    gradient. Standardisation is folded into the weights, (φ − μ)/s·θ = φ·(θ/s) − μ·(θ/s), so the folds of a
    cross-validation, which differ in μ and σ, share one table. The core adds up sparse features, in threads.
    """

    samples: Samples
    scaling: Scaling

    @property
    def width(self) -> int:
        """One weight for each feature."""
        return self.samples.width

    @cached_property
    def total(self) -> float:
        """The sum of the weights of the rows."""
        return self.samples.total

    @cached_property
    def varies(self) -> NDArray[np.bool_]:
        """All but constant named features."""
        return np.append(self.scaling.varies, np.ones(self.width - len(self.scaling.varies), bool))

    @property
    def free(self) -> Array:
        """The bias: the log-odds of the mean label."""
        return np.array([self.samples.log_odds])

    def loss(self, theta: Array, free: Array) -> Gradient:
        """Σ w·loss and its derivatives by θ and b, in one pass over the table."""
        samples, scaling = self.samples, self.scaling
        named = samples.table.shape[1]
        units = scaling.deviation + scaling.epsilon
        slope = np.where(scaling.varies, theta[:named] / units, 0.0)
        shift = float(free[0]) - float(scaling.mean @ slope)
        if samples.sparse is None:
            loss, gradient, errors = _named_loss(samples, slope, shift)
            rest = np.empty(0)
        else:
            loss, gradient, errors, rest = _sparse_loss(samples, samples.sparse, slope, shift, theta[named:])
        by_name = np.where(scaling.varies, (gradient - scaling.mean * errors) / units, 0.0)
        return loss, np.concatenate([by_name, rest]), np.array([errors])

    def units(self, l2: float) -> Array:
        """1 for named features, which are standardised; for others relative to their curvature."""
        units, samples = np.ones(self.width), self.samples
        if samples.sparse is not None:
            curvature = (samples.sparse_squares(samples.weights) + 8 * l2) / self.total
            units[samples.table.shape[1] :] = 1 / np.sqrt(np.maximum(curvature, SMALLEST_CURVATURE))
        return units

    def mean_loss(self, found: Fit) -> float:
        """Σ w·loss / Σ w: the weighted log-loss of a fit, without penalties."""
        return self.loss(found.theta, found.free)[0] / self.total


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


def _sparse_loss(
    samples: Samples, sparse: SparseFeatures, slope: Array, shift: float, weights: Array
) -> tuple[float, Array, float, Array]:
    """The same with sparse features, and the derivatives by their weights."""
    loss = errors = 0.0
    gradient, rest = np.zeros(len(slope)), np.zeros(sparse.count)
    for first, last in samples.ranges:
        base = samples.table[first:last] @ slope + shift
        labels, row_weights = samples.labels[first:last], samples.weights[first:last]
        part, changes, error = sparse.native.loss(
            first, last, base, labels, row_weights, weights, scale.cores()
        )
        loss += part
        rest += changes
        gradient += error @ samples.table[first:last]
        errors += float(error.sum())
    return loss, gradient, errors, rest


@dataclass(frozen=True)
class ConditionalLogistic:
    """Conditional logistic regression (McFadden 1974), the loss of a prior.

        Σ −w·log P(move played),   P(m) ∝ exp(Σ θ[i] over the sparse features i of m)

    `weights` are those of the positions.
    """

    data: MoveDataset
    weights: Array

    @property
    def width(self) -> int:
        """One weight for each sparse feature."""
        return self.data.sparse.count

    @cached_property
    def total(self) -> float:
        """The sum of the weights of the positions."""
        return float(self.weights.sum())

    @property
    def varies(self) -> NDArray[np.bool_]:
        """All."""
        return np.ones(self.width, bool)

    @property
    def free(self) -> Array:
        """There are none."""
        return np.empty(0)

    def loss(self, theta: Array, free: Array) -> Gradient:
        """The loss of all positions, by the core."""
        data, native = self.data, self.data.sparse.native
        value, gradient = native.choice_loss(
            data.ends, data.chosen, self.weights, 0, data.positions, theta, scale.cores()
        )
        return float(value), gradient, free

    def units(self, l2: float) -> Array:
        """By the variance of each feature's count over the moves, here under equal weights."""
        data = self.data
        counts = np.diff(np.append(0, data.ends))
        rows = np.repeat(self.weights / counts, counts)
        squares = data.sparse.native.squares(0, data.sparse.rows, rows, scale.cores())
        curvature: Array = (squares + 2 * l2) / self.total
        return np.divide(1, np.sqrt(np.maximum(curvature, SMALLEST_CURVATURE)))

    def mean_loss(self, found: Fit) -> float:
        """The mean of −log P(move played)."""
        return self.loss(found.theta, found.free)[0] / max(self.total, 1.0)


Problem: TypeAlias = Logistic | ConditionalLogistic


def fit(problem: Problem, *, l1: float, l2: float, start: Fit | None = None, tolerance: float = 1e-7) -> Fit:
    """Minimise the loss and its penalties, starting from `start` if given.

    `tolerance` is the bound on the gradient, per unit of weight and of `total`, at which the solver stops.

    >>> samples = Samples(np.array([[0.0], [1.0], [2.0]]), np.array([0.0, 1.0, 1.0]), np.ones(3))
    >>> found = fit(Logistic(samples, Scaling.of(samples, 1e-8)), l1=0.0, l2=0.5)
    >>> print(f"{found.theta[0]:.4f} {found.bias:.4f}")
    0.7567 0.7876
    """
    count, split, total, units = problem.width, l1 > 0, problem.total, problem.units(l2)
    ends = 2 * count if split else count

    def weights(point: Array) -> Array:
        return units * (point[:count] - point[count:ends] if split else point[:count])

    def evaluate(point: Array) -> tuple[float, Array]:
        at = weights(point)
        value, gradient, free_gradient = problem.loss(at, point[ends:])
        gradient += 2 * l2 * at
        gradient *= units
        value += l2 * float(at @ at)
        if not split:
            return value / total, np.concatenate([gradient, free_gradient]) / total
        value += l1 * float(np.concatenate([units, units]) @ point[:ends])
        slopes = [l1 * units + gradient, l1 * units - gradient, free_gradient]
        return value / total, np.concatenate(slopes) / total

    theta, free = (np.zeros(count), problem.free) if start is None else (start.theta, start.free)
    first = theta / units
    if split:
        first = np.concatenate([np.maximum(first, 0), np.maximum(-first, 0)])
    with _libraries().limit(limits=1):  # more threads are slower for such small matrices
        found = _scipy_minimize()(
            evaluate,
            np.concatenate([first, free]),
            jac=True,
            method="L-BFGS-B",
            bounds=[(0, None)] * ends + [(None, None)] * len(free) if split else None,
            options={"maxiter": MAX_ITERATIONS, "maxcor": MEMORY, "ftol": 1e-14, "gtol": tolerance},
        )
    theta = np.where(problem.varies, weights(found.x), 0.0)
    return Fit(theta, found.x[ends:], float(found.fun) * total, int(found.nfev))


def fit_path(
    problem: Problem, penalties: Sequence[tuple[float, float]], *, tolerance: float = 1e-7
) -> list[Fit]:
    """A fit for each (λ1, λ2) in this order, each starting from the previous one."""
    found: list[Fit] = []
    for l1, l2 in penalties:
        start = found[-1] if found else None
        found.append(fit(problem, l1=l1, l2=l2, start=start, tolerance=tolerance))
    return found


def largest_l1(problem: Problem) -> float:
    """The smallest λ1 that makes every weight 0: the largest gradient at θ = 0."""
    _, gradient, _ = problem.loss(np.zeros(problem.width), problem.free)
    return float(np.abs(gradient).max(initial=0.0))


@cache
def _scipy_minimize() -> Any:
    """The function `minimize` of scipy, which is slow to import."""
    require("learn", "fitting a linear model")
    from scipy.optimize import minimize

    return minimize


@cache
def _libraries() -> Any:
    """The loaded numerical libraries; finding them is slow."""
    from threadpoolctl import ThreadpoolController

    return ThreadpoolController()
