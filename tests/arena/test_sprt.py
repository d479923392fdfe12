"""The SPRT: its formula by hand and against the exact likelihood; its error rates by simulation."""

from __future__ import annotations

import importlib
import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmarks import sprt as benchmark
from tesuji.arena.elo import PairCounts
from tesuji.arena.sprt import SPRT

COUNTS = (12, 40, 100, 55, 18)
T_20 = math.sqrt(2) * 20 * math.log(10) / 800  # 0.0814087


def test_the_bounds_are_walds() -> None:
    lower, upper = SPRT(0, 5).bounds
    assert (lower, upper) == pytest.approx((-math.log(19), math.log(19)))
    assert SPRT(0, 5, alpha=0.01, beta=0.2).bounds == pytest.approx((math.log(0.2 / 0.99), math.log(80)))


def test_the_ratio_computed_by_hand() -> None:
    # Mean 0.53 and variance 0.0588222 (see test_elo.py): t = 0.1236945, t² = 0.0153003.
    # t − t1 = 0.0422859, squared 0.0017881. ½·225·(ln 1.0153003 − ln 1.0017881) = 1.50727.
    assert SPRT(0, 20).llr(PairCounts(COUNTS, prior=0)) == pytest.approx(1.50727, abs=1e-5)
    # With the virtual pair, 226: mean (119¼ + ½)/226 = 0.5298673, squares (76 7/16 + ⅜)/226 = 0.3398783;
    # variance 0.0591190, t = 0.1228377, squared 0.0150891; t − t1 = 0.0414290, squared 0.0017164.
    # ½·225·(0.0149764 − 0.0017149) = 1.49192: the virtual pair is no evidence, so N stays 225.
    assert SPRT(0, 20).llr(PairCounts(COUNTS)) == pytest.approx(1.49192, abs=1e-5)


def test_even_pairs_favour_the_hypothesis_nearer_to_0() -> None:
    # t = 0: ½·N·ln(1/(1 + t1²)).
    even = PairCounts((0, 0, 100, 0, 0))
    assert SPRT(0, 20).llr(even) == pytest.approx(-50 * math.log(1 + T_20**2))
    assert SPRT(-20, 0).llr(even) == pytest.approx(50 * math.log(1 + T_20**2))
    assert SPRT(-10, 10).llr(even) == pytest.approx(0, abs=1e-12)
    assert SPRT(0, 20).decision(PairCounts((0, 0, 900, 0, 0))) == "H0"
    assert SPRT(0, 20).decision(PairCounts((0, 0, 900, 0, 0), prior=0)) == "H0"


@pytest.mark.parametrize("prior", [0, 1])
def test_without_pairs_nothing_is_decided(prior: float) -> None:
    nothing = PairCounts(prior=prior)
    assert SPRT(0, 20).llr(nothing) == 0
    assert SPRT(0, 20).decision(nothing) is None


@pytest.mark.parametrize("prior", [0, 1])
def test_a_clean_sweep_decides_and_no_weaker_result_decides_sooner(prior: float) -> None:
    # The formula peaks at t = t1/2 + √(1 + t1²/4) = 1.041532: ½·ln(2.084790/1.921838) = 0.0406931 a pair.
    test = SPRT(0, 20)
    assert test.llr(PairCounts((0, 0, 0, 0, 60), prior)) == pytest.approx(60 * 0.0406931, abs=1e-4)
    assert test.decision(PairCounts((0, 0, 0, 0, 72), prior)) is None
    assert test.decision(PairCounts((0, 0, 0, 0, 73), prior)) == "H1"
    assert test.decision(PairCounts((73, 0, 0, 0, 0), prior)) == "H0"
    weaker = [test.llr(PairCounts((0, 0, lost, 0, 60 - lost), prior)) for lost in range(61)]
    assert weaker == sorted(weaker, reverse=True)


@given(st.tuples(*[st.integers(0, 60)] * 5), st.floats(-60, 60), st.floats(1, 80))
def test_the_other_bots_test_is_symmetric(
    counts: tuple[int, int, int, int, int], elo0: float, width: float
) -> None:
    lost, worse, even, better, won = counts
    ours = SPRT(elo0, elo0 + width).llr(PairCounts(counts))
    theirs = SPRT(-elo0 - width, -elo0).llr(PairCounts((won, better, even, worse, lost)))
    assert ours == pytest.approx(-theirs, abs=1e-9)


def exact_llr(counts: tuple[int, ...], elo0: float, elo1: float) -> float:
    """The generalized likelihood ratio of the multinomial distribution, without the normal approximation."""
    optimize: Any = importlib.import_module("scipy.optimize")
    shares, scores = np.array(counts) / sum(counts), np.arange(5) / 4

    def best(elo: float) -> float:
        t = math.sqrt(2) * elo * math.log(10) / 800

        def surplus(chances: Any) -> float:
            mean = chances @ scores
            return float(mean - 0.5 - t * np.sqrt(chances @ (scores - mean) ** 2))

        rules = [{"type": "eq", "fun": surplus}, {"type": "eq", "fun": lambda chances: chances.sum() - 1}]
        found = optimize.minimize(
            lambda chances: -(shares @ np.log(chances)),
            shares,
            bounds=[(1e-9, 1)] * 5,
            constraints=rules,
            options={"ftol": 1e-14, "maxiter": 500},
        )
        assert found.success
        return -float(found.fun)

    return sum(counts) * (best(elo1) - best(elo0))


@pytest.mark.parametrize(
    "counts", [COUNTS, (60, 190, 400, 220, 80), (80, 5, 300, 5, 90), (3, 60, 500, 70, 4)]
)
@pytest.mark.parametrize("elos", [(0, 20), (-10, 10), (0, 5)])
def test_the_closed_form_is_close_to_the_exact_likelihood(
    counts: tuple[int, int, int, int, int], elos: tuple[float, float]
) -> None:
    closed = SPRT(*elos).llr(PairCounts(counts, prior=0))
    assert closed == pytest.approx(exact_llr(counts, *elos), rel=0.02, abs=0.01)


def test_the_error_rates_are_at_most_alpha_and_beta() -> None:
    """1,000 matches at each hypothesis, where the first mover wins 81 %; benchmarks/sprt.py has more."""
    matches = 1_000
    rng = np.random.default_rng(7)
    test = SPRT(0, 50)
    null, other = benchmark.simulate_hypotheses(test, benchmark.GameModel(0.81), matches, rng)
    assert null.accepted <= benchmark.bound(test.alpha, matches)
    assert 1 - other.accepted <= benchmark.bound(test.beta, matches)
    assert 200 < null.games < 400


def test_the_benchmark_plays_what_it_says() -> None:
    even, drawn = benchmark.GameModel(0.81), benchmark.GameModel(0.7, drawn=0.4)
    # Between equals the first mover wins 81 %: both pairs of wins have .81·.19.
    assert even.pair(0.0) == pytest.approx([0.1539, 0, 0.81**2 + 0.19**2, 0, 0.1539])
    assert drawn.game(0.0, first=True) == pytest.approx([0.18, 0.4, 0.42])
    apart = benchmark.difference_of(even.normalized, 20)
    chances = even.pair(apart)
    mean = chances @ np.arange(5) / 4
    spread = math.sqrt(chances @ (np.arange(5) / 4 - mean) ** 2)
    assert (mean - 0.5) / spread == pytest.approx(T_20)


def test_the_benchmark_prints_its_tables(capsys: pytest.CaptureFixture[str]) -> None:
    assert benchmark.main(["--matches", "20"]) in (0, 1)  # so few matches say nothing about the rates
    shown = capsys.readouterr().out
    assert "| [0, 200] | 70 %, 40 % drawn |" in shown
    assert "20 Elo: pairs" in shown


@pytest.mark.parametrize(
    "elos", [(5, 5), (10, 0), (math.nan, 5), (0, math.nan), (-math.inf, 0), (0, math.inf)]
)
def test_invalid_hypotheses_are_refused(elos: tuple[float, float]) -> None:
    with pytest.raises(ValueError, match=f"not {elos[0]} and {elos[1]}$"):
        SPRT(*elos)


@pytest.mark.parametrize("rate", [0, 0.5, 1, -0.1, math.nan])
@pytest.mark.parametrize("name", ["alpha", "beta"])
def test_invalid_error_rates_are_refused(name: str, rate: float) -> None:
    with pytest.raises(ValueError, match=f"^{name} .*not {rate}$"):
        SPRT(0, 20, **{name: rate})
