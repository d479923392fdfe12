"""Comparisons with ties: the likelihood of Davidson's model, its minimum, and what the minimum is worth.

A comparison has a difference d of parameters, positive where the first of the two is favoured, and

    P(worse) : P(equal) : P(better) = e^(−d/2) : ν : e^(d/2)

(R. R. Davidson, On Extending the Bradley–Terry Model to Accommodate Ties, 1970; without ν it is Bradley and
Terry's). The negative log-likelihood is a sum of log-sum-exp functions of (the parameters, ln ν), so it is
convex: Newton's method with a step control finds the one minimum there is.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

Floats: TypeAlias = NDArray[np.float64]

_STEPS = 100  # Newton needs about ten; where there is no minimum, each step goes on by one unit or so
_CLOSE = 1e-4  # steps this small are taken whole: rounding hides what they gain
_PRECISE = 1e-10  # the last step: after it the error is of the order of its square
_SINGULAR = 1e12  # the condition number from which on a direction counts as undetermined


class NoMinimum(ValueError):
    """The likelihood goes on growing in some direction, or does not change along it."""


@dataclass(frozen=True)
class Comparisons:
    """Rows of comparisons, alike ones together. Row r compares by d = Σ_k signs[r, k]·x[columns[r, k]].

    The last parameter is ln ν.
    """

    columns: NDArray[np.intp]
    signs: Floats
    counts: Floats
    """Columns 0, 1, 2: how often the first of the two was worse, equal, better."""
    ties: bool | NDArray[np.bool_]
    """Whether ν stands in a row's formula."""

    def derivatives(self, x: Floats) -> tuple[float, Floats, Floats]:
        """The negative log-likelihood, its gradient and its second derivatives.

        >>> one = Comparisons(np.array([[0, 1]]), np.array([[1.0, -1.0]]), np.array([[1.0, 0.0, 3.0]]), False)
        >>> value, gradient, hessian = one.derivatives(np.zeros(3))
        >>> value / np.log(2), gradient.tolist(), hessian[0].tolist()
        (np.float64(4.0), [-1.0, 1.0, 0.0], [1.0, -1.0, 0.0])
        """
        d = (self.signs * x[self.columns]).sum(axis=1)
        terms = np.stack([-d / 2, np.where(self.ties, x[-1], np.full_like(d, -np.inf)), d / 2])
        highest = terms.max(axis=0)
        weights = np.exp(terms - highest)
        worse, equal, better = weights / weights.sum(axis=0)  # chances
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


def minimum(parts: Sequence[Comparisons], pins: Floats) -> tuple[Floats, Floats]:
    """Where the sum of the parts is smallest, and its second derivatives there, with the pins added.

    `pins` is a positive semidefinite matrix that holds the directions along which nothing changes (all
    ratings up together): the search starts at 0 and stays at 0 there.
    """

    def total(x: Floats) -> tuple[float, Floats, Floats]:
        values, gradients, hessians = zip(*(part.derivatives(x) for part in parts), strict=True)
        return sum(values), sum(gradients), sum(hessians) + pins

    x = np.zeros(len(pins))
    value, gradient, hessian = total(x)
    for _ in range(_STEPS):
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
    raise NoMinimum("the likelihood has no single maximum")


def inverse(hessian: Floats) -> Floats:
    """The covariance of the minimum where all comparisons are independent."""
    return np.linalg.inv(hessian).astype(np.float64)


def jackknife(
    x: Floats, hessian: Floats, rounds: Iterable[tuple[Comparisons, int]], virtual: Comparisons
) -> Floats:
    """The covariance of the minimum where only whole rounds are independent of each other.

    Each round (given with how many rounds are exactly like it) is left out in turn; one Newton step,
    (H − H_r)⁻¹·g_r, says how far this moves the minimum, and the squares of these moves add up. This is the
    sandwich H⁻¹·J·H⁻¹ clustered by round, corrected for each round's own pull (CR3: R. M. Bell and D. F.
    McCaffrey, Bias Reduction in Standard Errors, 2002). The virtual games add what the model says of them.
    """
    covariance: Floats = inverse(hessian) @ virtual.derivatives(x)[2] @ inverse(hessian)
    for comparisons, times in rounds:
        _, gradient, own = comparisons.derivatives(x)
        others = hessian - own
        if np.linalg.cond(others) > _SINGULAR:  # all that is known of something comes from this round
            return np.full_like(hessian, np.inf)
        move = np.linalg.solve(others, gradient)
        covariance = covariance + times * np.outer(move, move)
    return covariance
