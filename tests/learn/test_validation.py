"""Cross-validation by games: no game in two folds, and nothing of a fold in the fit that it judges."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from tests.learn.games import synthetic
from tesuji.learn.fit import Array, Logistic, Samples, Scaling, fit
from tesuji.learn.linear import LinearValue
from tesuji.learn.validation import calibration, choose, folds_of, pairs
from tesuji.models.linear_file import PenaltyResult


def test_no_game_is_in_two_folds_and_folds_are_of_equal_size() -> None:
    keys = [f"{number % 30}" for number in range(60)]  # each played twice
    folds = folds_of(keys, 5, seed=1)
    assert (folds[:30] == folds[30:]).all()
    assert np.bincount(folds).tolist() == [12] * 5
    assert (folds_of(keys, 5, seed=2) != folds).any()
    assert (folds_of(keys[::-1], 5, seed=1)[::-1] == folds).all()


def test_too_few_games_for_the_folds_is_an_error() -> None:
    with pytest.raises(ValueError, match="^5 folds .* 5 different games, not 2$"):
        folds_of(["a", "b", "a", "b", "a", "b"], 5, seed=1)


def plain_losses(table: Array, labels: Array, weights: Array, fold: Array, *, leak: bool) -> list[float]:
    """Cross-validation written down plainly; with `leak`, the statistics come from all rows."""
    losses = []
    for number in range(5):
        inside = fold == number
        source = table if leak else table[~inside]
        mean, scale = source.mean(axis=0), source.std(axis=0) + 1e-8
        training = Samples((table[~inside] - mean) / scale, labels[~inside], weights[~inside])
        found = fit(Logistic(training, Scaling(np.zeros(8), np.ones(8), 1e-12)), l1=1.0, l2=2.0)
        z = (table[inside] - mean) / scale @ found.theta + found.bias
        loss = np.logaddexp(0, z) - labels[inside] * z
        losses.append(float(loss @ weights[inside] / weights[inside].sum()))
    return losses


def test_means_and_deviations_come_from_the_training_folds_alone() -> None:
    data = synthetic()
    data.table[data.games == 7] *= 40  # one game unlike all others: its fold must not know it
    value = LinearValue(l1=1.0, l2=2.0, gamma=0.9).fit(data)
    fold = folds_of(data.keys, 5, seed=1)[data.games].astype(np.float64)
    arguments = (data.table, data.scores, 0.9 ** data.remaining.astype(float), fold)
    ours = value.losses_[0].losses
    assert ours == pytest.approx(plain_losses(*arguments, leak=False), rel=1e-4)
    leaked = plain_losses(*arguments, leak=True)
    assert abs(np.array(leaked) - ours).max() > 0.01


def test_the_loss_without_features_is_that_of_the_training_folds_mean() -> None:
    data = synthetic()
    value = LinearValue(l1=0.0, l2=1.0, gamma=1.0).fit(data)
    fold = folds_of(data.keys, 5, seed=1)[data.games]
    for number, loss in enumerate(value.baseline_.losses):
        share, scores = data.scores[fold != number].mean(), data.scores[fold == number]
        expected = -(scores * np.log(share) + (1 - scores) * np.log(1 - share)).mean()
        assert loss == pytest.approx(expected, rel=1e-9)


def test_the_rules_choose_the_best_or_the_simplest_that_is_as_good() -> None:
    rows = [
        PenaltyResult(0.0, 1.0, (0.50, 0.54), 8.0),
        PenaltyResult(5.0, 1.0, (0.51, 0.55), 3.0),
        PenaltyResult(5.0, 9.0, (0.515, 0.555), 3.0),
        PenaltyResult(50.0, 1.0, (0.70, 0.71), 1.0),
    ]
    assert choose(rows, "best") is rows[0]
    assert choose(rows, "one-standard-error") is rows[2]
    assert rows[0].error == pytest.approx(0.02)


def test_neighbours_in_the_penalty_grid_differ_in_one_penalty() -> None:
    grid = pairs([0, 3, 1], [2, 1])
    assert sorted(grid) == [(0, 1), (0, 2), (1, 1), (1, 2), (3, 1), (3, 2)]
    assert all(
        (one[0] == other[0]) != (one[1] == other[1]) for one, other in zip(grid, grid[1:], strict=False)
    )


def test_calibration_bins_hold_everything_once() -> None:
    rng = np.random.default_rng(3)
    predicted = np.round(rng.random(5000), 2)  # many are equal
    scores = (rng.random(5000) < predicted).astype(float)
    weights = rng.uniform(0.2, 1, 5000)
    bins = calibration(predicted, scores, weights, np.arange(5000, dtype=np.int32))
    assert sum(each["states"] for each in bins) == 5000
    assert sum(each["weight"] for each in bins) == pytest.approx(1)
    assert all(0.08 < each["weight"] < 0.12 for each in bins)
    assert all(abs(each["predicted"] - each["observed"]) < 4 * each["error"] for each in bins)
    together = sum(each["weight"] * each["observed"] for each in bins)
    assert together == pytest.approx(float(scores @ weights / weights.sum()))


def test_one_game_is_one_observation_for_the_error() -> None:
    predicted, scores = np.full(100, 0.5), np.repeat([0.0, 1.0], 50)
    apart = calibration(predicted, scores, np.ones(100), np.arange(100, dtype=np.int32))
    alike = calibration(predicted, scores, np.ones(100), np.repeat(np.arange(2, dtype=np.int32), 50))
    assert apart[0]["error"] == pytest.approx(0.05)
    assert alike[0]["error"] == pytest.approx(np.sqrt(1 / 8))


def test_drawn_games_can_be_left_out() -> None:
    data = synthetic()
    value = LinearValue(l1=0.0, l2=1.0, draws="skip").fit(data)
    decided = data.scores != 0.5
    rest = replace(
        data,
        table=data.table[decided],
        scores=data.scores[decided],
        games=data.games[decided],
        remaining=data.remaining[decided],
    )
    assert value.theta_.tolist() == LinearValue(l1=0.0, l2=1.0).fit(rest).theta_.tolist()
    assert value.data_["states"] == int(decided.sum())
