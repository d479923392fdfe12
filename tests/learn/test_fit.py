"""The optimiser, compared with scikit-learn and finite differences."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression

from tests.learn.slopes import check_slopes, standardised
from tesuji.learn.fit import Array, Fit, Logistic, Samples, Scaling, fit, fit_path, largest_l1

PENALTIES = [(0.0, 0.0), (0.0, 3.0), (2.0, 0.0), (5.0, 1.0), (20.0, 0.5)]


def samples(rows: int = 600, columns: int = 6, seed: int = 0) -> Samples:
    """Correlated columns on several scales, soft labels, uneven weights."""
    rng = np.random.default_rng(seed)
    table = rng.standard_normal((rows, columns)) @ (
        np.eye(columns) + 0.4 * rng.standard_normal((columns, columns))
    )
    strength = table @ rng.standard_normal(columns)
    labels = (rng.random(rows) < 1 / (1 + np.exp(-strength))).astype(np.float64)
    labels[rng.random(rows) < 0.15] = 0.5
    table = table * 10.0 ** rng.integers(-2, 3, columns) + rng.standard_normal(columns) * 5
    return Samples(table, labels, rng.uniform(0.1, 1.0, rows))


def standard(given: Samples) -> Array:
    return np.asarray((given.table - given.table.mean(axis=0)) / (given.table.std(axis=0) + 1e-8))


def objective(given: Samples, theta: Array, bias: float, l1: float, l2: float) -> float:
    """Written down once more, plainly."""
    z = standard(given) @ theta + bias
    loss = np.logaddexp(0, z) - given.labels * z
    return float(given.weights @ loss + l2 * theta @ theta + l1 * np.abs(theta).sum())


@pytest.mark.parametrize(("l1", "l2"), PENALTIES)
def test_weights_and_objective_are_those_of_scikit_learn(l1: float, l2: float) -> None:
    given = samples()
    ours = fit(standardised(given), l1=l1, l2=l2, tolerance=1e-9)
    # It knows no soft labels: each row twice, once won and once lost, with the weights w·y and w·(1 − y). Its
    # penalty is ½‖θ‖², so that 1/C = λ1 + 2·λ2.
    table = np.vstack([standard(given)] * 2)
    labels = np.repeat([1, 0], len(given.labels))
    weights = np.concatenate([given.weights * given.labels, given.weights * (1 - given.labels)])
    total = l1 + 2 * l2
    oracle = LogisticRegression(
        solver="saga" if total else "lbfgs",
        C=1 / total if total else np.inf,
        l1_ratio=l1 / total if total else 0.0,
        tol=1e-9,
        max_iter=20_000,
        random_state=0,
    ).fit(table, labels, weights)
    theta, bias = oracle.coef_[0], float(oracle.intercept_[0])
    theirs = objective(given, theta, bias, l1, l2)
    assert ours.objective == pytest.approx(objective(given, ours.theta, ours.bias, l1, l2), rel=1e-12)
    assert ours.objective <= theirs * (1 + 1e-9)
    assert ours.objective == pytest.approx(theirs, rel=1e-6)
    assert ours.theta == pytest.approx(theta, abs=2e-4)
    assert ours.bias == pytest.approx(bias, abs=2e-4)


def test_the_gradient_is_the_slope_of_the_loss() -> None:
    check_slopes(samples(rows=5000), 5)  # more than one block


def test_only_the_selected_parts_are_fitted() -> None:
    given = samples(rows=9000)
    parts = (slice(0, 100), slice(4500, 9000))
    some = Samples(given.table, given.labels, given.weights, parts)
    rows = np.r_[parts]
    alone = Samples(given.table[rows], given.labels[rows], given.weights[rows])
    one, other = (Scaling.of(each, 1e-8) for each in (some, alone))
    assert one.mean == pytest.approx(other.mean, rel=1e-12)
    assert one.deviation == pytest.approx(alone.table.std(axis=0), rel=1e-12)
    assert some.rows == 4600
    assert some.total == pytest.approx(alone.total)
    found = Fit(np.ones(6), np.array([0.3]), 0.0, 0)
    expected = Logistic(alone, other).mean_loss(found)
    assert Logistic(some, one).mean_loss(found) == pytest.approx(expected, rel=1e-12)


def test_a_large_l1_makes_every_weight_zero_and_a_little_less_does_not() -> None:
    given = samples()
    problem = standardised(given)
    edge = largest_l1(problem)
    assert np.count_nonzero(fit(problem, l1=edge * 1.001, l2=0.0).theta) == 0
    assert np.count_nonzero(fit(problem, l1=edge * 0.95, l2=0.0).theta) == 1


def test_warm_starts_do_not_change_the_optimum() -> None:
    given = samples()
    problem = standardised(given)
    path = fit_path(problem, PENALTIES, tolerance=1e-9)
    for (l1, l2), found in zip(PENALTIES, path, strict=True):
        assert found.objective == pytest.approx(fit(problem, l1=l1, l2=l2).objective, rel=1e-8)


def test_the_bias_has_no_penalty() -> None:
    given = samples()
    won = float(given.labels @ given.weights) / given.total
    found = fit(standardised(given), l1=1e6, l2=1e6)
    assert 1 / (1 + np.exp(-found.bias)) == pytest.approx(won, abs=1e-6)


def test_a_constant_column_gets_no_weight_even_without_penalties() -> None:
    given = samples()
    given.table[:, 2] = 0.1  # whose mean, computed by adding up, is not 0.1
    problem = standardised(given)
    scaling = problem.scaling
    assert (scaling.mean[2], scaling.deviation[2], scaling.varies[2]) == (0.1, 0.0, False)
    assert fit(problem, l1=0.0, l2=0.0).theta[2] == 0.0


def test_extreme_predictions_have_a_finite_loss() -> None:
    given = Samples(np.array([[1e6], [-1e6]]), np.array([0.0, 1.0]), np.ones(2))
    problem = Logistic(given, Scaling(np.zeros(1), np.ones(1), 1e-8))
    loss, slope, _ = problem.loss(np.array([1e3]), np.zeros(1))
    assert loss == pytest.approx(2e9, rel=1e-6)
    assert np.isfinite(slope).all()
