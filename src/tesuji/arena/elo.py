"""How much stronger? The Elo difference that a match of paired games stands for, and how sure it is.

A pair is one opening played twice, seats exchanged. Its two games are not independent (an opening that is
good for the first mover is won once by each), so the pair is what is counted: the pentanomial counts say in
how many pairs the first bot took 0, ½, 1, 1½ and 2 points. With x the pair's points / 2, in [0, 1]:

    Elo             = −400·log10(1/mean(x) − 1)
    normalized Elo  = (mean(x) − ½) / (√2·σ(x)) · 800/ln 10

√2·σ(x) is the standard deviation of one game, were its games independent. Normalized Elo says how fast a
difference shows, whatever the first move is worth and however many games are drawn: N games between close
bots tell it to ±1.96·347/√N (M. Van den Bergh, Comments on Normalized Elo, 2021). Between others the error of
σ(x) counts too. The variance of the ratio t = (mean(x) − ½)/σ(x) is, by the delta method,

    v(t) = (1 − skewness(x)·t + (kurtosis(x) − 1)·t²/4) / pairs

and the interval holds all t0 from which t is at most 1.96·√v(t0) away, as E. B. Wilson's does for a share
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
"""1.96: an interval of so many standard errors to each side holds the truth 95 times in 100."""
NORMALIZED = 800 / math.log(10)
"""Normalized Elo per standard deviation of a game, so that it equals Elo between close bots without draws."""

SHAPE_DOUBT = 0.25
"""Share of the virtual pairs in skewness and kurtosis: all of them would outweigh the few pairs that a far
stronger bot loses. benchmarks/elo_intervals.py chose it among 0, ¼ and 1."""

_PAIR_SCORES = np.arange(5) / 4
_VIRTUAL_PAIR = np.array([0.25, 0, 0.5, 0, 0.25])  # two tosses of a fair coin


class Estimate(NamedTuple):
    """A number with its 95 % interval.

    >>> Estimate(12.0, 4.0, 20.0).margin
    8.0
    """

    value: float
    low: float
    high: float

    @property
    def margin(self) -> float:
        """Half of the interval's width: the number after ±."""
        return (self.high - self.low) / 2


def elo_of(score: float) -> float:
    """The Elo difference at which a bot scores so much on average; infinite at 0 and 1 and beyond.

    >>> round(elo_of(0.75)), elo_of(1.0)
    (191, inf)
    """
    if math.isnan(score):
        raise ValueError("a score is a number from 0 to 1, not nan")
    if score <= 0:
        return -math.inf
    if score >= 1:
        return math.inf
    return 400 * math.log10(score / (1 - score))


def score_of(elo: float) -> float:
    """The mean score of a bot that is so much stronger: the inverse of `elo_of`.

    >>> score_of(0.0), round(score_of(400.0), 3)
    (0.5, 0.909)
    """
    odds = 10 ** (-abs(elo) / 400)
    return odds / (1 + odds) if elo < 0 else 1 / (1 + odds)


def moments(
    counts: NDArray[np.float64], doubt: float = 1.0
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Mean and variance of a pair's score in [0, 1], for many matches at once: the last axis has the counts.

    >>> mean, variance = moments(np.array([[0, 0, 4, 0, 0], [0, 0, 0, 0, 1]]))
    >>> mean.tolist(), variance.tolist()
    ([0.5, 0.75], [0.025, 0.125])
    """
    weights = counts + doubt * _VIRTUAL_PAIR
    total = weights.sum(axis=-1)
    mean = weights @ _PAIR_SCORES / total
    deviations = _PAIR_SCORES - mean[..., np.newaxis]
    return mean, (weights * deviations**2).sum(axis=-1) / total


@dataclass(frozen=True)
class PairCounts:
    """A match so far, from the first bot's side.

    Beside what was played, `doubt` virtual pairs count: each is two tosses of a fair coin (¼ pair lost 0–2,
    ½ pair at 1–1, ¼ pair won 2–0). They move the estimate a little towards even, and above all they leave
    some spread where nothing has been seen of it: after a clean sweep, or where every pair went 1–1. They do
    not count as evidence: the number of pairs in every formula is of those played.

    >>> match = PairCounts.of([2.0, 1.0, 1.5, 1.0, 0.0])
    >>> match.counts, match.points, match.games
    ((1, 0, 2, 1, 1), 5.5, 10)
    >>> estimate = PairCounts((12, 40, 100, 55, 18)).elo()
    >>> f"{estimate.value:.1f} ± {estimate.margin:.1f}"
    '20.8 ± 22.2'
    """

    counts: tuple[int, int, int, int, int] = (0, 0, 0, 0, 0)
    """Pairs in which the first bot took 0, ½, 1, 1½ and 2 points."""
    doubt: float = 1.0
    """Virtual pairs; 0 for the textbook's figures."""

    def __post_init__(self) -> None:
        try:
            counts = tuple(map(operator.index, self.counts))
        except TypeError:
            counts = ()
        if len(counts) != 5 or min(counts) < 0:
            raise ValueError(
                "pairs are counted by five whole numbers from 0 on (for 0, ½, 1, 1½ and 2 points), "
                f"not {self.counts}"
            )
        if not 0 <= self.doubt < math.inf:
            raise ValueError(f"doubt is a number of virtual pairs from 0 on, not {self.doubt}")
        object.__setattr__(self, "counts", counts)

    @classmethod
    def of(cls, pair_points: Iterable[float], *, doubt: float = 1.0) -> PairCounts:
        """Count pairs by the points that the first bot took in each."""
        counts = [0] * 5
        for points in pair_points:
            if points not in (0, 0.5, 1, 1.5, 2):
                raise ValueError(f"a pair is worth 0, 0.5, 1, 1.5 or 2 points, not {points}")
            counts[round(2 * points)] += 1
        lost, worse, even, better, won = counts
        return cls((lost, worse, even, better, won), doubt)

    @property
    def pairs(self) -> int:
        """Pairs played."""
        return sum(self.counts)

    @property
    def games(self) -> int:
        """Games played in pairs."""
        return 2 * self.pairs

    @property
    def points(self) -> float:
        """What the first bot has taken; a game is worth 1."""
        return sum(half_points * count for half_points, count in enumerate(self.counts)) / 2

    @property
    def mean(self) -> float:
        """Mean score per game, in [0, 1], the virtual pair included."""
        return self._moments()[0]

    @property
    def variance(self) -> float:
        """Variance of a pair's score in [0, 1], the virtual pair included."""
        return self._moments()[1]

    def elo(self) -> Estimate:
        """The Elo difference; infinite ends where the interval of the score reaches 0 or 1."""
        mean, variance = self._moments()
        margin = Z95 * math.sqrt(variance / self.pairs) if self.pairs else math.inf
        return Estimate(elo_of(mean), elo_of(mean - margin), elo_of(mean + margin))

    def normalized_elo(self) -> Estimate:
        """The difference in normalized Elo; an end is infinite where too little has spread to bound it."""
        mean, variance = self._moments()
        value = NORMALIZED * _ratio(mean - 0.5, math.sqrt(2 * variance))
        if math.isinf(value):
            return Estimate(value, *((-math.inf, value) if value < 0 else (value, math.inf)))
        low, high = (NORMALIZED / math.sqrt(2) * end for end in self._ratio_interval())
        return Estimate(value, min(low, value), max(value, high))

    def los(self) -> float:
        """Likelihood of superiority: how probable it is that the first bot is the stronger one.

        >>> PairCounts().los(), round(PairCounts((0, 0, 6, 0, 4)).los(), 3)
        (0.5, 0.986)
        """
        mean, variance = self._moments()
        return NormalDist().cdf(_ratio(mean - 0.5, math.sqrt(variance)) * math.sqrt(self.pairs))

    def _ratio_interval(self) -> tuple[float, float]:
        """The interval of t = (mean − ½)/σ."""
        mean, variance = self._moments()
        if not self.pairs or variance == 0:
            return -math.inf, math.inf
        t = (mean - 0.5) / math.sqrt(variance)
        skewness, kurtosis = self._shape()
        unit = Z95**2 / self.pairs
        # (t − t0)² ≤ unit·(1 − skewness·t0 + (kurtosis − 1)·t0²/4), sorted by powers of t0
        return _where_negative(1 - unit * (kurtosis - 1) / 4, unit * skewness - 2 * t, t**2 - unit, t)

    def _shape(self) -> tuple[float, float]:
        """Skewness and kurtosis of a pair's score."""
        doubt = SHAPE_DOUBT * self.doubt
        mean, variance = moments(np.array(self.counts, dtype=np.float64), doubt)
        weights, z = self.counts + doubt * _VIRTUAL_PAIR, (_PAIR_SCORES - mean) / np.sqrt(variance)
        return float(weights @ z**3 / weights.sum()), float(weights @ z**4 / weights.sum())

    def _moments(self) -> tuple[float, float]:
        if self.pairs + self.doubt == 0:
            return 0.5, 0.125  # nothing is known: the virtual pair's own
        mean, variance = moments(np.array(self.counts, dtype=np.float64), self.doubt)
        return float(mean), float(variance)


def _ratio(difference: float, spread: float) -> float:
    """The difference in units of the spread; where nothing has spread at all, 0 or infinite."""
    if spread > 0:
        return difference / spread
    return math.copysign(math.inf, difference) if difference else 0.0


def _where_negative(a: float, b: float, c: float, inside: float) -> tuple[float, float]:
    """The ends of the interval around `inside` in which a·x² + b·x + c ≤ 0."""
    discriminant = b**2 - 4 * a * c
    if discriminant < 0:
        return -math.inf, math.inf
    larger = -(b + math.copysign(math.sqrt(discriminant), b)) / 2  # no difference of near numbers
    roots = [larger / a] if a else []
    roots += [c / larger] if larger else []
    below, above = ([root for root in roots if (root > inside) == side] for side in (False, True))
    return max(below, default=-math.inf), min(above, default=math.inf)
