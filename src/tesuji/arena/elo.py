"""The Elo difference of a match of game pairs, with its confidence interval.

A pair is one opening played twice, seats exchanged. Its two games are not independent (in an opening that
favours the first mover, each bot wins once), so pairs are counted: the pentanomial counts say in how many
pairs the first bot scored 0, ½, 1, 1½ and 2 points. With x the pair's points / 2, in [0, 1]:

    Elo             = −400·log10(1/mean(x) − 1)
    normalized Elo  = (mean(x) − ½) / (√2·σ(x)) · 800/ln 10

√2·σ(x) would be the standard deviation of one game if games were independent. Normalized Elo measures how
many games it takes to show a difference, whatever the value of the first move and the draw rate: between
close bots, N games give it to ±1.96·347/√N (M. Van den Bergh, Comments on Normalized Elo, 2021). Otherwise
the error of σ(x) matters too. The variance of the ratio t = (mean(x) − ½)/σ(x) is, by the delta method,

    v(t) = (1 − skewness(x)·t + (kurtosis(x) − 1)·t²/4) / pairs

and the interval contains all t0 with |t − t0| ≤ 1.96·√v(t0), like E. B. Wilson's interval for a proportion
(1927). See docs/statistics.md.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Iterable
from dataclasses import dataclass
from statistics import NormalDist
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Z95 = NormalDist().inv_cdf(0.975)
"""1.96: the half-width of a 95 % confidence interval, in standard errors."""
NORMALIZED = 800 / math.log(10)
"""Normalized Elo per standard deviation of a game, so that it equals Elo between close bots without draws."""

SHAPE_PRIOR = 0.25
"""Weight of the virtual pairs in skewness and kurtosis: the full weight would outweigh the few pairs that a
far stronger bot loses. Chosen among 0, ¼ and 1 by simulation, with the same model of games as in
benchmarks/elo_intervals.py: the coverage measured there is not independent evidence for it."""

_PAIR_SCORES = np.arange(5) / 4
_VIRTUAL_PAIR = np.array([0.25, 0, 0.5, 0, 0.25])  # two tosses of a fair coin


class Estimate(NamedTuple):
    """A value with its 95 % confidence interval.

    >>> Estimate(12.0, 4.0, 20.0).margin
    8.0
    """

    value: float
    low: float
    high: float

    @property
    def margin(self) -> float:
        """Half the width of the interval: the number after ±."""
        return (self.high - self.low) / 2

    def text(self, form: str = "+z.0f", *, margin: bool = False) -> str:
        """The value with its interval; `over +620` without an upper bound.

        >>> Estimate(12.0, 4.0, 20.0).text(), Estimate(12.0, 4.0, 20.0).text(".1f", margin=True)
        ('+12 [+4, +20]', '12.0 +/- 8.0 [4.0, 20.0]')
        """
        if math.isinf(self.low) and math.isinf(self.high):
            return "unknown"
        if math.isinf(self.high):
            return f"over {self.low:{form}}"
        if math.isinf(self.low):
            return f"under {self.high:{form}}"
        half = f" +/- {self.margin:{form}}" if margin else ""
        return f"{self.value:{form}}{half} [{self.low:{form}}, {self.high:{form}}]"


def elo_of(score: float) -> float:
    """The Elo difference for a mean score; infinite at and beyond 0 and 1.

    >>> round(elo_of(0.75)), elo_of(1.0)
    (191, inf)
    """
    if math.isnan(score):
        raise ValueError("score must be a number from 0 to 1, not nan")
    if score <= 0:
        return -math.inf
    if score >= 1:
        return math.inf
    return 400 * math.log10(score / (1 - score))


def score_of(elo: float) -> float:
    """The expected score for an Elo difference: the inverse of `elo_of`.

    >>> score_of(0.0), round(score_of(400.0), 3)
    (0.5, 0.909)
    """
    odds = 10 ** (-abs(elo) / 400)
    return odds / (1 + odds) if elo < 0 else 1 / (1 + odds)


def moments(
    counts: NDArray[np.float64], prior: float = 1.0
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Mean and variance of the pair score in [0, 1]; vectorized, with the five counts on the last axis.

    >>> mean, variance = moments(np.array([[0, 0, 4, 0, 0], [0, 0, 0, 0, 1]]))
    >>> mean.tolist(), variance.tolist()
    ([0.5, 0.75], [0.025, 0.125])
    """
    weights = counts + prior * _VIRTUAL_PAIR
    total = weights.sum(axis=-1)
    mean = weights @ _PAIR_SCORES / total
    deviations = _PAIR_SCORES - mean[..., np.newaxis]
    return mean, (weights * deviations**2).sum(axis=-1) / total


@dataclass(frozen=True)
class PairCounts:
    """Pentanomial counts of a match, from the first bot's point of view.

    `prior` virtual pairs are added, each two tosses of a fair coin (¼ pair lost 0–2, ½ pair 1–1, ¼ pair won
    2–0). They pull the estimate slightly towards 0, and above all keep the variance positive after a clean
    sweep or if every pair ended 1–1. The number of pairs in every formula is that of the pairs played.

    >>> match = PairCounts.of([2.0, 1.0, 1.5, 1.0, 0.0])
    >>> match.counts, match.points, match.games
    ((1, 0, 2, 1, 1), 5.5, 10)
    >>> estimate = PairCounts((12, 40, 100, 55, 18)).elo()
    >>> f"{estimate.value:.1f} ± {estimate.margin:.1f}"
    '20.8 ± 22.2'
    """

    counts: tuple[int, int, int, int, int] = (0, 0, 0, 0, 0)
    """Pairs in which the first bot scored 0, ½, 1, 1½ and 2 points."""
    prior: float = 1.0
    """Virtual pairs; 0 gives the textbook formulas."""

    def __post_init__(self) -> None:
        try:
            counts = tuple(map(operator.index, self.counts))
        except TypeError:
            counts = ()
        if len(counts) != 5 or min(counts) < 0:
            raise ValueError(
                f"counts must be five integers >= 0 (pairs with 0, ½, 1, 1½ and 2 points), not {self.counts}"
            )
        if not 0 <= self.prior < math.inf:
            raise ValueError(f"prior must be a number of virtual pairs >= 0, not {self.prior}")
        object.__setattr__(self, "counts", counts)

    @classmethod
    def of(cls, pair_points: Iterable[float], *, prior: float = 1.0) -> PairCounts:
        """Count pairs by the first bot's points in each."""
        counts = [0] * 5
        for points in pair_points:
            if points not in (0, 0.5, 1, 1.5, 2):
                raise ValueError(f"a pair scores 0, 0.5, 1, 1.5 or 2 points, not {points}")
            counts[round(2 * points)] += 1
        lost, worse, even, better, won = counts
        return cls((lost, worse, even, better, won), prior)

    @property
    def pairs(self) -> int:
        """Pairs played."""
        return sum(self.counts)

    @property
    def games(self) -> int:
        """Games played in complete pairs."""
        return 2 * self.pairs

    @property
    def points(self) -> float:
        """The first bot's points; a won game is 1."""
        return sum(half_points * count for half_points, count in enumerate(self.counts)) / 2

    @property
    def mean(self) -> float:
        """Mean score per game in [0, 1], including the virtual pairs."""
        return self._moments()[0]

    @property
    def variance(self) -> float:
        """Variance of the pair score in [0, 1], including the virtual pairs."""
        return self._moments()[1]

    def elo(self) -> Estimate:
        """The Elo difference; a bound is infinite if the interval of the score reaches 0 or 1."""
        mean, variance = self._moments()
        margin = Z95 * math.sqrt(variance / self.pairs) if self.pairs else math.inf
        return Estimate(elo_of(mean), elo_of(mean - margin), elo_of(mean + margin))

    def normalized_elo(self) -> Estimate:
        """The difference in normalized Elo; a bound that the variance does not determine is infinite."""
        mean, variance = self._moments()
        value = NORMALIZED * _ratio(mean - 0.5, math.sqrt(2 * variance))
        if math.isinf(value):
            return Estimate(value, *((-math.inf, value) if value < 0 else (value, math.inf)))
        low, high = (NORMALIZED / math.sqrt(2) * end for end in self._ratio_interval())
        return Estimate(value, min(low, value), max(value, high))

    def los(self) -> float:
        """Likelihood of superiority: the probability that the first bot is stronger.

        >>> PairCounts().los(), round(PairCounts((0, 0, 6, 0, 4)).los(), 3)
        (0.5, 0.986)
        """
        mean, variance = self._moments()
        return NormalDist().cdf(_ratio(mean - 0.5, math.sqrt(variance)) * math.sqrt(self.pairs))

    def _ratio_interval(self) -> tuple[float, float]:
        """The 95 % interval of t = (mean − ½)/σ."""
        mean, variance = self._moments()
        if not self.pairs or variance == 0:
            return -math.inf, math.inf
        t = (mean - 0.5) / math.sqrt(variance)
        skewness, kurtosis = self._shape()
        unit = Z95**2 / self.pairs
        # (t − t0)² ≤ unit·(1 − skewness·t0 + (kurtosis − 1)·t0²/4), sorted by powers of t0
        return _where_negative(1 - unit * (kurtosis - 1) / 4, unit * skewness - 2 * t, t**2 - unit, t)

    def _shape(self) -> tuple[float, float]:
        """Skewness and kurtosis of the pair score."""
        prior = SHAPE_PRIOR * self.prior
        mean, variance = moments(np.array(self.counts, dtype=np.float64), prior)
        weights, z = self.counts + prior * _VIRTUAL_PAIR, (_PAIR_SCORES - mean) / np.sqrt(variance)
        return float(weights @ z**3 / weights.sum()), float(weights @ z**4 / weights.sum())

    def _moments(self) -> tuple[float, float]:
        if self.pairs + self.prior == 0:
            return 0.5, 0.125  # those of a virtual pair
        mean, variance = moments(np.array(self.counts, dtype=np.float64), self.prior)
        return float(mean), float(variance)


def _ratio(difference: float, spread: float) -> float:
    """Difference / spread; 0 or ±inf if the spread is 0."""
    if spread > 0:
        return difference / spread
    return math.copysign(math.inf, difference) if difference else 0.0


def _where_negative(a: float, b: float, c: float, inside: float) -> tuple[float, float]:
    """The bounds of the interval around `inside` in which a·x² + b·x + c ≤ 0."""
    discriminant = b**2 - 4 * a * c
    if discriminant < 0:
        return -math.inf, math.inf
    larger = -(b + math.copysign(math.sqrt(discriminant), b)) / 2  # avoids cancellation
    roots = [larger / a] if a else []
    roots += [c / larger] if larger else []
    below, above = ([root for root in roots if (root > inside) == side] for side in (False, True))
    return max(below, default=-math.inf), min(above, default=math.inf)
