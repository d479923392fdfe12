"""Sparse features, and the optimiser on them."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.sparse import csr_matrix, hstack
from sklearn.linear_model import LogisticRegression

from tests.learn.slopes import check_slopes, standardised
from tesuji.learn.fit import Fit, Samples, fit
from tesuji.learn.sparse import SparseFeatures

WIDE = 1 << 17  # more features than two bytes can number


def random_features(rows: int, count: int, seed: int = 0) -> SparseFeatures:
    """Rows of up to 30 features with falling frequencies; some occur twice, and some rows are empty."""
    rng = np.random.default_rng(seed)
    lists = [(count * rng.random(rng.integers(0, 30)) ** 3).astype(int).tolist() for _ in range(rows)]
    return SparseFeatures.of(lists, count)


def samples(rows: int = 800, count: int = 40, named: int = 3, seed: int = 0) -> Samples:
    rng = np.random.default_rng(seed)
    table = rng.standard_normal((rows, named)) * 4 + 1
    sparse = random_features(rows, count, seed)
    strength = table @ rng.standard_normal(named) * 0.3 + sparse.sums(
        0, rows, 0.3 * rng.standard_normal(count)
    )
    labels = (rng.random(rows) < 1 / (1 + np.exp(-strength))).astype(np.float64)
    return Samples(table, labels, rng.uniform(0.1, 1.0, rows), sparse=sparse)


def matrix(sparse: SparseFeatures) -> csr_matrix:
    ones = np.ones(len(sparse.indices))
    return csr_matrix((ones, sparse.indices.astype(int), sparse.offsets), (sparse.rows, sparse.count))


@pytest.mark.parametrize("count", [40, WIDE])
def test_rows_are_taken_and_joined_like_those_of_a_matrix(count: int) -> None:
    sparse = random_features(300, count)
    assert sparse.indices.dtype == (np.uint16 if count <= 1 << 16 else np.uint32)
    order = np.random.default_rng(1).permutation(300)[:200]
    assert (matrix(sparse.take(order)) != matrix(sparse)[order]).nnz == 0
    chosen = np.arange(300) % 3 == 0
    assert (matrix(sparse.take(chosen)) != matrix(sparse)[chosen]).nnz == 0
    again = SparseFeatures.join(
        [sparse.take(slice(0, 100)), sparse.take(slice(100, 100)), sparse.take(slice(100, 300))]
    )
    assert again.indices.tobytes() == sparse.indices.tobytes()
    assert again.offsets.tobytes() == sparse.offsets.tobytes()


@pytest.mark.parametrize("count", [40, WIDE])
def test_sums_and_squares_are_those_of_a_matrix(count: int) -> None:
    given = samples(count=count)
    assert given.sparse is not None
    plain = matrix(given.sparse)
    weights = np.random.default_rng(2).standard_normal(count)
    assert given.sparse.sums(100, 700, weights) == pytest.approx(plain[100:700] @ weights)
    plain.sum_duplicates()
    assert given.sparse_squares(given.weights) == pytest.approx(given.weights @ plain.power(2))
    mean, deviation = given.sparse_statistics() or (None, None)
    dense = plain.toarray() if count < WIDE else plain[:, :50].toarray()
    assert mean is not None and mean[: dense.shape[1]] == pytest.approx(dense.mean(axis=0))
    assert deviation is not None and deviation[: dense.shape[1]] == pytest.approx(dense.std(axis=0), abs=1e-9)


def test_the_gradient_is_the_slope_of_the_loss() -> None:
    check_slopes(samples(), 3)


@pytest.mark.parametrize(("l1", "l2"), [(0.0, 3.0), (2.0, 0.5), (0.0, 0.01)])
def test_weights_and_objective_are_those_of_scikit_learn(l1: float, l2: float) -> None:
    given = samples()
    assert given.sparse is not None
    found = fit(standardised(given), l1=l1, l2=l2, tolerance=1e-9)
    named = (given.table - given.table.mean(axis=0)) / (given.table.std(axis=0) + 1e-8)
    table = hstack([named, matrix(given.sparse)]).tocsr()
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
    assert given.sparse is not None
    rows = np.r_[0:100, 500:800]
    some = Samples(given.table, given.labels, given.weights, (slice(0, 100), slice(500, 800)), given.sparse)
    alone = Samples(
        given.table[rows], given.labels[rows], given.weights[rows], sparse=given.sparse.take(rows)
    )
    found = Fit(0.1 * np.ones(given.width), np.array([0.3]), 0.0, 0)
    one, other = (standardised(each).mean_loss(found) for each in (some, alone))
    assert one == pytest.approx(other, rel=1e-12)


def test_results_do_not_depend_on_the_number_of_threads() -> None:
    given = samples(rows=3000)
    assert given.sparse is not None
    weights, base = np.random.default_rng(3).standard_normal(40), np.zeros(3000)
    arguments = (0, 3000, base, given.labels, given.weights, weights)
    one, *gradients = given.sparse.native.loss(*arguments, 1)
    other, *again = given.sparse.native.loss(*arguments, 3)
    assert one == other
    assert [each.tobytes() for each in gradients] == [each.tobytes() for each in again]


def test_a_feature_that_never_occurs_gets_no_weight() -> None:
    given = samples(count=40)
    assert given.sparse is not None
    wider = Samples(
        given.table,
        given.labels,
        given.weights,
        sparse=SparseFeatures(given.sparse.offsets, given.sparse.indices, 50),
    )
    for l2 in (0.0, 1.0):
        assert not fit(standardised(wider), l1=0.0, l2=l2).theta[-10:].any()


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
    sparse = SparseFeatures(np.array(offsets, dtype=np.int64), np.array(indices, dtype=np.uint16), 7)
    with pytest.raises(ValueError, match=message):
        sparse.native.rows  # noqa: B018
