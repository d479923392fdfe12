"""Sequential probability ratio test (SPRT) of normalized Elo.

The test (A. Wald, Sequential Tests of Statistical Hypotheses, 1945) compares the hypotheses "the difference
is elo0" (H0) and "it is elo1" (H1) after each pair of games. The generalized log-likelihood ratio of
normalized Elo, for N pairs with the ratio t = (mean − ½)/σ of the pair score, is

    LLR = ½·N·ln( (1 + (t − t0)²) / (1 + (t − t1)²) ),      t0 = √2·elo0·ln 10/800, t1 likewise

(M. Van den Bergh, Comments on Normalized Elo, 2021: a normal distribution whose variance is unknown). H0 is
accepted at LLR ≤ ln(β/(1 − α)), H1 at LLR ≥ ln((1 − β)/α); α and β bound the two error rates.

Two corrections for short and one-sided matches: the virtual pair of `PairCounts` keeps the variance positive,
and t is clipped where the formula peaks, about 1 from the middle of t0 and t1. Beyond the peak a better
result would count as less evidence, because scores in [0, 1] are far from normally distributed.
`benchmarks/sprt.py` measures the error rates; docs/statistics.md has its tables.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from tesuji.arena.elo import NORMALIZED, PairCounts

Decision: TypeAlias = Literal["H0", "H1"]


@dataclass(frozen=True)
class SPRT:
    """A test of elo0 against elo1, in normalized Elo.

    >>> test = SPRT(0, 20)
    >>> lower, upper = test.bounds
    >>> match = PairCounts((60, 190, 400, 220, 80))
    >>> f"LLR {test.llr(match):.2f} ({lower:.2f}, {upper:.2f})", test.decision(match)
    ('LLR 2.49 (-2.94, 2.94)', None)
    """

    elo0: float
    """H0: no better than this."""
    elo1: float
    """H1: at least this much better."""
    alpha: float = 0.05
    """Probability of accepting H1 if the difference is elo0."""
    beta: float = 0.05
    """Probability of accepting H0 if the difference is elo1."""

    def __post_init__(self) -> None:
        if not -math.inf < self.elo0 < self.elo1 < math.inf:
            raise ValueError(f"elo0 must be less than elo1, not {self.elo0} and {self.elo1}")
        for name, rate in (("alpha", self.alpha), ("beta", self.beta)):
            if not 0 < rate < 0.5:
                raise ValueError(f"{name} must be between 0 and 0.5, not {rate}")

    @property
    def bounds(self) -> tuple[float, float]:
        """The log-likelihood ratios at which H0 and H1 are accepted."""
        return math.log(self.beta / (1 - self.alpha)), math.log((1 - self.beta) / self.alpha)

    def llr(self, counts: PairCounts) -> float:
        """The log-likelihood ratio: positive values favour H1."""
        ratio = math.sqrt(2) * counts.normalized_elo().value / NORMALIZED
        return float(self.llrs(counts.pairs, np.array(ratio)))

    def llrs(self, pairs: int, ratios: NDArray[np.float64]) -> NDArray[np.float64]:
        """Vectorized over matches with the same number of pairs, from their t = (mean − ½)/σ."""
        t0, t1 = (math.sqrt(2) * elo / NORMALIZED for elo in (self.elo0, self.elo1))
        middle, reach = (t0 + t1) / 2, math.hypot(1, (t1 - t0) / 2)
        t = np.clip(ratios, middle - reach, middle + reach)
        return pairs / 2 * np.log((1 + (t - t0) ** 2) / (1 + (t - t1) ** 2))

    def decision(self, counts: PairCounts) -> Decision | None:
        """The accepted hypothesis; None while the test is undecided.

        >>> SPRT(0, 20).decision(PairCounts((0, 0, 0, 0, 100)))
        'H1'
        """
        (lower, upper), llr = self.bounds, self.llr(counts)
        if llr >= upper:
            return "H1"
        return "H0" if llr <= lower else None
