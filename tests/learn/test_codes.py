"""Codes: rows of sparse features, and the optimiser on them."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.sparse import csr_matrix, hstack
from sklearn.linear_model import LogisticRegression

from tests.learn.slopes import check_slopes
from tesuji.learn.codes import Codes
from tesuji.learn.fit import Samples, Scaling, fit, mean_loss

WIDE = 1 << 17  # more codes than two bytes can number


def random_codes(rows: int, count: int, seed: int = 0) -> Codes:
    """Rows of up to 30 codes with falling frequencies; some occur twice, and some rows are empty."""
    rng = np.random.default_rng(seed)
    lists = [(count * rng.random(rng.integers(0, 30)) ** 3).astype(int).tolist() for _ in range(rows)]
    return Codes.of(lists, count)


def samples(rows: int = 800, count: int = 40, named: int = 3, seed: int = 0) -> Samples:
    rng = np.random.default_rng(seed)
    table = rng.standard_normal((rows, named)) * 4 + 1
    codes = random_codes(rows, count, seed)
    strength = table @ rng.standard_normal(named) * 0.3 + codes.sums(
        0, rows, 0.3 * rng.standard_normal(count)
    )
    labels = (rng.random(rows) < 1 / (1 + np.exp(-strength))).astype(np.float64)
    return Samples(table, labels, rng.uniform(0.1, 1.0, rows), codes=codes)


def matrix(codes: Codes) -> csr_matrix:
    ones = np.ones(len(codes.indices))
    return csr_matrix((ones, codes.indices.astype(int), codes.offsets), (codes.rows, codes.count))


@pytest.mark.parametrize("count", [40, WIDE])
def test_rows_are_taken_and_joined_like_those_of_a_matrix(count: int) -> None:
    codes = random_codes(300, count)
    assert codes.indices.dtype == (np.uint16 if count <= 1 << 16 else np.uint32)
    order = np.random.default_rng(1).permutation(300)[:200]
    assert (matrix(codes.take(order)) != matrix(codes)[order]).nnz == 0
    chosen = np.arange(300) % 3 == 0
    assert (matrix(codes.take(chosen)) != matrix(codes)[chosen]).nnz == 0
    again = Codes.join([codes.take(slice(0, 100)), codes.take(slice(100, 100)), codes.take(slice(100, 300))])
    assert again.indices.tobytes() == codes.indices.tobytes()
    assert again.offsets.tobytes() == codes.offsets.tobytes()


@pytest.mark.parametrize("count", [40, WIDE])
def test_sums_and_squares_are_those_of_a_matrix(count: int) -> None:
    given = samples(count=count)
    assert given.codes is not None
    plain = matrix(given.codes)
    weights = np.random.default_rng(2).standard_normal(count)
    assert given.codes.sums(100, 700, weights) == pytest.approx(plain[100:700] @ weights)
    plain.sum_duplicates()
    assert given.code_squares(given.weights) == pytest.approx(given.weights @ plain.power(2))
    mean, deviation = given.code_statistics() or (None, None)
    dense = plain.toarray() if count < WIDE else plain[:, :50].toarray()
    assert mean is not None and mean[: dense.shape[1]] == pytest.approx(dense.mean(axis=0))
    assert deviation is not None and deviation[: dense.shape[1]] == pytest.approx(dense.std(axis=0), abs=1e-9)


def test_the_gradient_is_the_slope_of_the_loss() -> None:
    check_slopes(samples(), 3)


@pytest.mark.parametrize(("l1", "l2"), [(0.0, 3.0), (2.0, 0.5), (0.0, 0.01)])
def test_weights_and_objective_are_those_of_scikit_learn(l1: float, l2: float) -> None:
    given = samples()
    assert given.codes is not None
    found = fit(given, Scaling.of(given, 1e-8), l1=l1, l2=l2, tolerance=1e-9)
    named = (given.table - given.table.mean(axis=0)) / (given.table.std(axis=0) + 1e-8)
    table = hstack([named, matrix(given.codes)]).tocsr()
    total = l1 + 2 * l2  # its penalty is ½‖θ‖²
    oracle = LogisticRegression(
        solver="saga", C=1 / total, l1_ratio=l1 / total, tol=1e-9, max_iter=20_000, random_state=0
    ).fit(table, given.labels, given.weights)
    theta, bias = oracle.coef_[0], float(oracle.intercept_[0])
    z = table @ theta + bias
    theirs = float(given.weights @ (np.logaddexp(0, z) - given.labels * z)) + l2 * theta @ theta
    theirs += l1 * np.abs(theta).sum()
    assert found.objective == pytest.approx(theirs, rel=1e-6)
    assert found.theta == pytest.approx(theta, abs=2e-3)


def test_only_the_selected_parts_are_fitted() -> None:
    given = samples()
    assert given.codes is not None
    rows = np.r_[0:100, 500:800]
    some = Samples(given.table, given.labels, given.weights, (slice(0, 100), slice(500, 800)), given.codes)
    alone = Samples(given.table[rows], given.labels[rows], given.weights[rows], codes=given.codes.take(rows))
    theta = 0.1 * np.ones(given.width)
    one, other = (mean_loss(each, Scaling.of(each, 1e-8), theta, 0.3) for each in (some, alone))
    assert one == pytest.approx(other, rel=1e-12)


def test_results_do_not_depend_on_the_number_of_threads() -> None:
    given = samples(rows=3000)
    assert given.codes is not None
    weights, base = np.random.default_rng(3).standard_normal(40), np.zeros(3000)
    arguments = (0, 3000, base, given.labels, given.weights, weights)
    one, *gradients = given.codes.native.loss(*arguments, 1)
    other, *again = given.codes.native.loss(*arguments, 3)
    assert one == other
    assert [each.tobytes() for each in gradients] == [each.tobytes() for each in again]


def test_a_code_that_never_occurs_gets_no_weight() -> None:
    given = samples(count=40)
    assert given.codes is not None
    wider = Samples(
        given.table, given.labels, given.weights, codes=Codes(given.codes.offsets, given.codes.indices, 50)
    )
    for l2 in (0.0, 1.0):
        assert not fit(wider, Scaling.of(wider, 1e-8), l1=0.0, l2=l2).theta[-10:].any()


@pytest.mark.parametrize(
    ("offsets", "indices", "message"),
    [
        ([0, 2], [1], "offsets exceed"),
        ([0, 1, 0], [1], "must not decrease"),
        ([-1, 1], [1], "at least 0"),
        ([0, 1], [7], "not below"),
    ],
)
def test_arrays_that_would_be_read_out_of_bounds_are_refused(
    offsets: list[int], indices: list[int], message: str
) -> None:
    codes = Codes(np.array(offsets, dtype=np.int64), np.array(indices, dtype=np.uint16), 7)
    with pytest.raises(ValueError, match=message):
        codes.native.rows  # noqa: B018
