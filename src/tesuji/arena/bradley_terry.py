"""The Bradley–Terry model with ties after Davidson: likelihood, maximum-likelihood fit and covariance.

For a comparison with difference d of parameters, positive if the first of the two is favoured,

    P(worse) : P(equal) : P(better) = e^(−d/2) : ν : e^(d/2)

(R. R. Davidson, On Extending the Bradley–Terry Model to Accommodate Ties, 1970; ν = 0 is Bradley–Terry). The
negative log-likelihood is a sum of log-sum-exp functions of (the parameters, ln ν), hence convex: Newton's
method with a line search finds its only minimum.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

Floats: TypeAlias = NDArray[np.float64]

_MAX_STEPS = 100  # Newton needs about ten; without a minimum it diverges slowly
_CLOSE = 1e-4  # steps this small skip the line search: rounding hides their gain
_PRECISE = 1e-10  # size of the last step; the error is of the order of its square
_SINGULAR = 1e12  # condition number from which on a direction counts as undetermined


class NoMinimum(ValueError):
    """The likelihood has no unique maximum: it grows without bound, or is flat, in some direction."""


@dataclass(frozen=True)
class Comparisons:
    """Comparisons, identical ones in one row. Row r has d = Σ_k signs[r, k]·x[columns[r, k]].

    The last parameter is ln ν.
    """

    columns: NDArray[np.intp]
    signs: Floats
    counts: Floats
    """How often the first of the two was worse, equal, better (columns 0, 1, 2)."""
    ties: bool | NDArray[np.bool_]
    """Whether a row's formula includes ν."""

    def derivatives(self, x: Floats) -> tuple[float, Floats, Floats]:
        """The negative log-likelihood, its gradient and its Hessian.

        >>> one = Comparisons(np.array([[0, 1]]), np.array([[1.0, -1.0]]), np.array([[1.0, 0.0, 3.0]]), False)
        >>> value, gradient, hessian = one.derivatives(np.zeros(3))
        >>> value / np.log(2), gradient.tolist(), hessian[0].tolist()
        (np.float64(4.0), [-1.0, 1.0, 0.0], [1.0, -1.0, 0.0])
        """
        d = (self.signs * x[self.columns]).sum(axis=1)
        terms = np.stack([-d / 2, np.where(self.ties, x[-1], np.full_like(d, -np.inf)), d / 2])
        highest = terms.max(axis=0)
        weights = np.exp(terms - highest)
        worse, equal, better = weights / weights.sum(axis=0)  # probabilities
        lost, drawn, won = self.counts.T
        times = lost + drawn + won
        log_sums = highest + np.log(weights.sum(axis=0))
        value = (times * log_sums).sum() - ((won - lost) * d / 2).sum() - drawn.sum() * x[-1]

        gradient, hessian = np.zeros(len(x)), np.zeros((len(x), len(x)))
        tilt = better - worse
        slopes = (times * tilt - (won - lost)) / 2
        np.add.at(gradient, self.columns, self.signs * slopes[:, np.newaxis])
        gradient[-1] += (times * equal - drawn).sum()
        bends = times * (better + worse - tilt**2) / 4
        products = self.signs[:, :, np.newaxis] * self.signs[:, np.newaxis, :]
        places = self.columns[:, :, np.newaxis], self.columns[:, np.newaxis, :]
        np.add.at(hessian, places, products * bends[:, np.newaxis, np.newaxis])
        mixed = self.signs * (-times * tilt * equal / 2)[:, np.newaxis]
        np.add.at(hessian[-1], self.columns, mixed)
        np.add.at(hessian[:, -1], self.columns, mixed)
        hessian[-1, -1] += (times * equal * (1 - equal)).sum()
        return float(value), gradient, hessian


def minimize(parts: Sequence[Comparisons], constraints: Floats) -> tuple[Floats, Floats]:
    """The minimum of the sum of the parts, and its Hessian there plus `constraints`.

    `constraints` is a positive semidefinite matrix over the directions in which the likelihood is flat (such
    as raising all ratings together): the parameters start at 0 and stay at 0 in these directions.
    """

    def total(x: Floats) -> tuple[float, Floats, Floats]:
        values, gradients, hessians = zip(*(part.derivatives(x) for part in parts), strict=True)
        return sum(values), sum(gradients), sum(hessians) + constraints

    x = np.zeros(len(constraints))
    value, gradient, hessian = total(x)
    for _ in range(_MAX_STEPS):
        if np.linalg.cond(hessian) > _SINGULAR:
            break
        step = -np.linalg.solve(hessian, gradient)
        size, length = 1.0, float(np.abs(step).max())
        there = total(x + step)
        while length > _CLOSE and size > _PRECISE and there[0] > value + 1e-4 * size * float(gradient @ step):
            size /= 2
            there = total(x + size * step)
        x = x + size * step
        value, gradient, hessian = there
        if length < _PRECISE:
            return x, hessian
    raise NoMinimum("the likelihood has no unique maximum")


def covariance(hessian: Floats) -> Floats:
    """The covariance of the estimate if all comparisons are independent."""
    return np.linalg.inv(hessian).astype(np.float64)


def jackknife(
    x: Floats, hessian: Floats, rounds: Iterable[tuple[Comparisons, int]], virtual: Comparisons
) -> Floats:
    """The covariance of the estimate if only whole rounds are independent.

    Each round (given with the number of rounds identical to it) is left out in turn; one Newton step, (H −
    H_r)⁻¹·g_r, approximates how far this moves the estimate, and the outer products of these moves are
    summed. This is the sandwich estimator H⁻¹·J·H⁻¹ clustered by round with a leverage correction (CR3: R. M.
    Bell and D. F. McCaffrey, Bias Reduction in Standard Errors, 2002). Virtual games contribute their model
    covariance.
    """
    total: Floats = covariance(hessian) @ virtual.derivatives(x)[2] @ covariance(hessian)
    for comparisons, times in rounds:
        _, gradient, own = comparisons.derivatives(x)
        others = hessian - own
        if np.linalg.cond(others) > _SINGULAR:  # a parameter is determined by this round alone
            return np.full_like(hessian, np.inf)
        move = np.linalg.solve(others, gradient)
        total = total + times * np.outer(move, move)
    return total
