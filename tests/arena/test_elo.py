"""Elo of paired matches: figures computed by hand, with exact fractions, and by fastchess."""

from __future__ import annotations

import math
import re
from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmarks.elo_intervals import coverage
from benchmarks.sprt import GameModel, difference_of
from tesuji.arena.elo import Estimate, PairCounts, elo_of, moments, score_of

COUNTS = (12, 40, 100, 55, 18)
pentanomials = st.tuples(*[st.integers(0, 50)] * 5)


def exact(counts: tuple[int, ...], prior: int) -> tuple[Fraction, Fraction]:
    """Mean and variance of x = 0, ¼, ½, ¾, 1, with ¼, ½, ¼ pairs of prior at 0, ½, 1."""
    virtual = [Fraction(prior, 4), Fraction(0), Fraction(prior, 2), Fraction(0), Fraction(prior, 4)]
    weights = [count + more for count, more in zip(counts, virtual, strict=True)]
    scores = [Fraction(quarter, 4) for quarter in range(5)]
    mean = sum((w * x for w, x in zip(weights, scores, strict=True)), Fraction()) / sum(weights)
    square = sum((w * x * x for w, x in zip(weights, scores, strict=True)), Fraction()) / sum(weights)
    return mean, square - mean**2


def test_elo_of_a_score_and_back() -> None:
    assert elo_of(0.5) == 0
    assert elo_of(10 / 11) == pytest.approx(400)  # odds of ten to one
    assert elo_of(0.75) == pytest.approx(400 * math.log10(3))
    assert score_of(-400) == pytest.approx(1 / 11)
    assert [elo_of(score) for score in (0, -0.1, 1, 1.1)] == [-math.inf, -math.inf, math.inf, math.inf]
    assert (score_of(math.inf), score_of(-math.inf)) == (1, 0)
    assert (score_of(1e6), score_of(-1e6)) == (1, 0)
    for elo in (-700, -20, 0, 3.5, 1200):
        assert elo_of(score_of(elo)) == pytest.approx(elo)


def test_the_pentanomial_of_the_textbook() -> None:
    match = PairCounts(COUNTS, prior=0)
    assert (match.pairs, match.games, match.points) == (225, 450, 238.5)
    # 40 + 2·100 + 3·55 + 4·18 = 477 quarters in 225 pairs: 0.53.
    # Squares: 40 + 4·100 + 9·55 + 16·18 = 1223 sixteenths.
    assert exact(COUNTS, 0) == (Fraction(53, 100), Fraction(1223, 3600) - Fraction(53, 100) ** 2)
    assert match.mean == pytest.approx(0.53)
    assert match.variance == pytest.approx(0.0588222, abs=1e-7)
    # σ = 0.242533; t = 0.03/σ = 0.1236945; per game /√2 = 0.0874653; ·800/ln 10 = 30.3885.
    normalized = match.normalized_elo()
    assert normalized.value == pytest.approx(30.3885, abs=1e-4)
    # Skewness −0.0663100, kurtosis 2.8258835, 1.959964²/225 = 0.0170731: the interval of t ends where
    # 0.9922066·t² − 0.2485212·t − 0.0017728 = 0, at −0.0069411 and 0.2574143; ·347.43559/√2.
    assert normalized.low == pytest.approx(-1.7052, abs=1e-3)
    assert normalized.high == pytest.approx(63.2400, abs=1e-3)
    # The score's margin is 1.959964·0.242533/15 = 0.0316904.
    elo = match.elo()
    assert elo.value == pytest.approx(400 * math.log10(0.53 / 0.47))
    assert elo.low == pytest.approx(400 * math.log10(0.4983096 / 0.5016904), abs=1e-3)
    assert elo.high == pytest.approx(400 * math.log10(0.5616904 / 0.4383096), abs=1e-3)
    # 0.03/(0.242533/15) = 1.855418 standard errors: Φ = 0.96823.
    assert match.los() == pytest.approx(0.96823, abs=1e-5)


def test_fastchess_gives_the_same_figures() -> None:
    """Its test suite has this match: LL 34, LD 54, WL 31 and DD 32, WD 64, WW 75."""
    match = PairCounts((34, 54, 31 + 32, 64, 75), prior=0)
    elo, normalized = match.elo(), match.normalized_elo()
    assert (round(elo.value, 2), round(elo.margin, 2)) == (55.58, 27.65)
    assert round(normalized.value, 2) == 57.94
    assert round(normalized.margin, 2) == 29.28  # its own is 28.28, as between equal bots
    assert f"{match.los():.2%}" == "100.00%"


@pytest.mark.parametrize("counts", [COUNTS, (0, 0, 0, 0, 7), (3, 0, 5, 0, 4), (0, 0, 9, 0, 0)])
def test_the_virtual_pair_is_two_tosses_of_a_coin(counts: tuple[int, int, int, int, int]) -> None:
    mean, variance = exact(counts, 1)
    match = PairCounts(counts)
    assert match.mean == pytest.approx(float(mean))
    assert match.variance == pytest.approx(float(variance))


def test_pairs_without_draws_have_three_outcomes() -> None:
    # 3 lost, 5 even, 4 won; 13 with the virtual pair. Σx = 4¼ + ½·5½ = 7, Σx² = 4¼ + ¼·5½ = 5.625,
    # variance 5.625/13 − (7/13)² = 0.1427515.
    match = PairCounts((3, 0, 5, 0, 4))
    assert match.mean == pytest.approx(7 / 13)
    assert match.variance == pytest.approx(0.1427515, abs=1e-7)
    # margin 1.959964·√(0.1427515/12) = 0.2137708: from 0.3246907 to 0.7522323.
    assert match.elo().low == pytest.approx(400 * math.log10(0.3246907 / 0.6753093), abs=1e-3)
    assert match.elo().high == pytest.approx(400 * math.log10(0.7522323 / 0.2477677), abs=1e-3)


def test_a_clean_sweep_has_a_finite_estimate() -> None:
    sweep = PairCounts((0, 0, 0, 0, 10))
    # Mean 10½/11, so 21 to 1: 400·log10(21).
    assert sweep.elo().value == pytest.approx(400 * math.log10(21))
    assert 200 < sweep.elo().low < sweep.elo().value
    assert sweep.elo().high == math.inf
    assert 0.99 < sweep.los() < 1
    longer = PairCounts((0, 0, 0, 0, 100)).elo()
    assert longer.low > sweep.elo().low
    assert 0 < sweep.normalized_elo().low < PairCounts((0, 0, 0, 0, 100)).normalized_elo().low
    assert sweep.normalized_elo().high == math.inf
    textbook = PairCounts((0, 0, 0, 0, 10), prior=0)
    assert textbook.elo() == Estimate(math.inf, math.inf, math.inf)
    assert textbook.normalized_elo().value == math.inf
    assert textbook.los() == 1


def test_pairs_that_all_ended_even_have_a_positive_variance() -> None:
    even = PairCounts((0, 0, 10, 0, 0))
    # Only the virtual pair varies: ½·¼ of 11.
    assert even.variance == pytest.approx(1 / 88)
    margin = 1.959964 * math.sqrt(1 / 880)
    assert even.elo().high == pytest.approx(400 * math.log10((0.5 + margin) / (0.5 - margin)), abs=1e-3)
    assert even.elo().value == pytest.approx(0, abs=1e-12)
    assert even.los() == pytest.approx(0.5)
    textbook = PairCounts((0, 0, 10, 0, 0), prior=0)
    assert textbook.elo().margin == 0
    assert textbook.normalized_elo().value == 0
    assert textbook.los() == 0.5


@pytest.mark.parametrize("prior", [0, 1])
def test_without_pairs_the_interval_is_unbounded(prior: float) -> None:
    nothing = PairCounts(prior=prior)
    assert nothing.elo() == Estimate(0, -math.inf, math.inf)
    assert nothing.normalized_elo() == Estimate(0, -math.inf, math.inf)
    assert nothing.los() == 0.5
    assert (nothing.pairs, nothing.games, nothing.points, nothing.mean) == (0, 0, 0, 0.5)


@pytest.mark.parametrize("model", [GameModel(0.5), GameModel(0.7), GameModel(0.7, drawn=0.4)], ids=str)
@pytest.mark.parametrize("elo", [0, 100, 200, 400])
def test_the_intervals_cover_95_percent_at_any_difference(model: GameModel, elo: float) -> None:
    """2,000 matches of 200 pairs; benchmarks/elo_intervals.py has more."""
    apart = difference_of(model.score, score_of(elo))
    rng = np.random.default_rng(1)
    for share in coverage(model.pair(apart), elo, model.normalized(apart), pairs=200, matches=2000, rng=rng):
        assert 0.93 <= share <= 0.97


@given(pentanomials)
def test_the_other_bots_estimate_is_the_negative(counts: tuple[int, int, int, int, int]) -> None:
    ours = PairCounts(counts)
    lost, worse, even, better, won = counts
    theirs = PairCounts((won, better, even, worse, lost))
    assert ours.points + theirs.points == ours.games
    assert ours.los() + theirs.los() == pytest.approx(1)
    for one, other in ((ours.elo(), theirs.elo()), (ours.normalized_elo(), theirs.normalized_elo())):
        assert one == pytest.approx((-other.value, -other.high, -other.low), abs=1e-6)


@given(pentanomials)
def test_both_intervals_exclude_0_for_the_same_matches(counts: tuple[int, int, int, int, int]) -> None:
    match = PairCounts(counts)
    elo, normalized = match.elo(), match.normalized_elo()
    if abs(elo.low) > 1e-6 and abs(elo.high) > 1e-6:
        assert (elo.low > 0, elo.high < 0) == (normalized.low > 0, normalized.high < 0)


@given(pentanomials)
def test_the_value_lies_in_its_interval(counts: tuple[int, int, int, int, int]) -> None:
    for prior in (0.0, 1.0, 2.5):
        match = PairCounts(counts, prior)
        for estimate in (match.elo(), match.normalized_elo()):
            assert estimate.low <= estimate.value <= estimate.high
        assert 0 <= match.los() <= 1


def test_moments_are_vectorized() -> None:
    matches = list(product(range(3), repeat=5))
    means, variances = moments(np.array(matches, dtype=float))
    for counts, mean, variance in zip(matches, means, variances, strict=True):
        assert (mean, variance) == pytest.approx(tuple(map(float, exact(counts, 1))))


def test_the_interval_covers_95_percent_in_short_matches_too() -> None:
    """Exact, over all outcomes of 10 pairs: coin tosses, and a first mover who wins 81 %."""
    outcomes = [
        (lost, 10 - lost - won, won, PairCounts((lost, 0, 10 - lost - won, 0, won)).elo())
        for lost in range(11)
        for won in range(11 - lost)
    ]
    for chances, least in (((0.25, 0.5, 0.25), 0.93), ((0.154, 0.692, 0.154), 0.95)):
        covered = 0.0
        for lost, even, won, (_, low, high) in outcomes:
            ways = math.factorial(10) // math.prod(map(math.factorial, (lost, even, won)))
            chance = ways * chances[0] ** lost * chances[1] ** even * chances[2] ** won
            covered += chance * (low <= 0 <= high)
        assert covered > least


def test_pairs_are_counted_by_their_points() -> None:
    assert PairCounts.of([0, 0.5, 1, 1.5, 2, 2, 1.0]).counts == (1, 1, 2, 1, 2)
    assert PairCounts.of([]).counts == (0, 0, 0, 0, 0)
    assert PairCounts.of([2], prior=0).prior == 0
    with pytest.raises(ValueError, match=r"not 0\.75$"):
        PairCounts.of([1, 0.75])
    with pytest.raises(ValueError, match="not nan"):
        PairCounts.of([math.nan])


@pytest.mark.parametrize("counts", [(1, 2, 3), (0, 0, 0, 0, -1), (0, 0, 1.5, 0, 0), (0,) * 6])
def test_invalid_counts_are_refused(counts: tuple[int, int, int, int, int]) -> None:
    with pytest.raises(ValueError, match=rf"not {re.escape(str(counts))}$"):
        PairCounts(counts)


@pytest.mark.parametrize("prior", [-1, math.nan, math.inf])
def test_an_invalid_prior_is_refused(prior: float) -> None:
    with pytest.raises(ValueError, match=f"prior .*not {prior}$"):
        PairCounts(COUNTS, prior)


def test_a_nan_score_is_refused() -> None:
    with pytest.raises(ValueError, match="not nan"):
        elo_of(math.nan)
