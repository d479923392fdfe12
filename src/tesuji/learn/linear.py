"""Fitting a linear value to recorded games; `tesuji.models.linear` is the value in play.

Weighted logistic regression (`fit.py`) over all positions in which a player was to move. The label is that
player's final score; the weight is γ^(plies to the last such position), so the last position weighs 1 and the
opening little.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from tesuji import _core
from tesuji.learn.columns import constant_columns, dependent_columns
from tesuji.learn.dataset import Dataset
from tesuji.learn.fit import Fit, Samples, Scaling, fit, fit_path, largest_l1
from tesuji.learn.settings import OPTIONS, Draws, Penalty, check_options, excluded_columns, penalties
from tesuji.learn.solver import Array
from tesuji.learn.validation import (
    Rule,
    Validation,
    accuracy,
    calibration,
    choose,
    cross_validate,
    folds_of,
    penalty_grid,
)
from tesuji.models.linear import TrainedLinearValue
from tesuji.models.linear_file import CODE_UNIT, LARGEST_CODE_WEIGHT, LinearModel, PenaltyResult
from tesuji.records import Record, StoredRecord

TOLERANCE = 1e-8  # slope per unit of weight of the last fit
CODED_TOLERANCE = 1e-4  # the same with codes, whose weights are rounded; 1e-6 takes many times as long


class LinearValue(TrainedLinearValue):
    """A linear value to train: options are stored as given, and learned attributes end in an underscore.

    >>> import tesuji
    >>> from tesuji.arena.playing import Task, play
    >>> games = [
    ...     play(Task(game="hex:size=3", players=("mcts:iterations=50", "random"), seed=seed))
    ...     for seed in range(20)
    ... ]
    >>> value = LinearValue(l1=0.0, l2=1.0).fit(games)
    >>> state = tesuji.replay("hex:size=3", "b2")
    >>> value.value(state, 0) > 0.5, value.value(state, 0) + value.value(state, 1)
    (True, 1.0)

    Args:
        gamma: discount of a position's weight per ply to the game's last non-terminal position.
        l1: λ1 of λ1·‖θ‖₁ + λ2·‖θ‖², added to the sum of weighted losses. Sequences are compared by
            cross-validation; `auto` derives a few candidates from the data.
        l2: λ2, likewise.
        folds: number of folds of the cross-validation, which never splits a game.
        draws: `half` labels a draw ½; `skip` excludes drawn games.
        rule: `best` takes the pair with the lowest loss; `one-standard-error` the simplest model within
            one standard error of it.
        epsilon: ε, added to each standard deviation to avoid division by zero.
        seed: seed of the assignment to folds.
        without: patterns of features to exclude, such as `["card_*"]`: their weight is 0.
    """

    code_statistics_: tuple[Array, Array] | None = None
    """Mean and standard deviation of each code's count, after `fit`; they are not part of the file."""
    accuracy_: float | None = None
    """Share of held-out positions whose winner was predicted, after `fit`; it is not part of the file."""

    def __init__(
        self,
        *,
        gamma: float = 0.97,
        l1: Penalty = "auto",
        l2: Penalty = "auto",
        folds: int = 5,
        draws: Draws = "half",
        rule: Rule = "best",
        epsilon: float = 1e-8,
        seed: int = 1,
        without: Sequence[str] = (),
    ) -> None:
        self.gamma = gamma
        self.l1 = l1
        self.l2 = l2
        self.folds = folds
        self.draws: Draws = draws
        self.rule: Rule = rule
        self.epsilon = epsilon
        self.seed = seed
        self.without = without

    def fit(self, games: Dataset | Iterable[Record | StoredRecord]) -> Self:
        """Choose the penalties by cross-validation, then fit all games with them."""
        check_options(self)
        data = games if isinstance(games, Dataset) else Dataset.read(games)
        samples, rows, bounds = self._samples(data)
        scaling = Scaling.of(samples, self.epsilon)
        grid = penalty_grid(*penalties(self.l1, self.l2, samples, scaling))
        validation = cross_validate(samples, bounds, grid, self.epsilon)
        chosen = choose(validation.rows, self.rule)
        tolerance = TOLERANCE if samples.codes is None else CODED_TOLERANCE
        last = fit(samples, scaling, l1=chosen.l1, l2=chosen.l2, tolerance=tolerance)
        named = len(data.names)
        taken = np.unique(data.games[rows])
        predicted = self._held_out_predictions(validation, chosen, samples, bounds)
        self._set_model(
            LinearModel(
                game=data.game,
                names=data.names,
                version=data.version,
                theta=tuple(map(float, last.theta[:named])),
                bias=last.bias,
                mean=tuple(map(float, scaling.mean)),
                deviation=tuple(map(float, scaling.deviation)),
                epsilon=self.epsilon,
                l1=chosen.l1,
                l2=chosen.l2,
                gamma=self.gamma,
                draws=self.draws,
                rule=self.rule,
                seed=self.seed,
                without=tuple(self.without),
                baseline=validation.baseline.losses,
                losses=tuple(sorted(validation.rows, key=lambda row: (row.l1, row.l2))),
                calibration=tuple(calibration(predicted, samples.labels, samples.weights, data.games[rows])),
                constant=constant_columns(scaling, data.names, excluded_columns(self.without, data.names)),
                dependent=dependent_columns(samples, scaling, data.names),
                codes=tuple(map(int, in_units(last.theta[named:]))),
                data={
                    "games": len(taken),
                    "states": len(rows),
                    "draws": data.draws if self.draws == "half" else 0,
                    "left_out": dict(data.left_out)
                    | ({"draw": data.draws} if self.draws == "skip" and data.draws else {}),
                    "store": data.store,
                },
            )
        )
        self.code_statistics_ = samples.code_statistics()
        self.accuracy_ = accuracy(predicted, samples.labels, samples.weights)
        return self

    def path(
        self, games: Dataset | Iterable[Record | StoredRecord], points: int = 25
    ) -> list[tuple[float, Fit]]:
        """The regularisation path at the chosen λ2, from the λ1 that zeroes all weights to a thousandth."""
        data = games if isinstance(games, Dataset) else Dataset.read(games)
        samples, _, _ = self._samples(data)
        scaling = Scaling.of(samples, self.epsilon)
        steps = [float(l1) for l1 in largest_l1(samples, scaling) * np.geomspace(1.0, 1e-3, points)]
        fits = fit_path(samples, scaling, [(l1, self.l2_) for l1 in steps], tolerance=1e-6)
        return list(zip(steps, fits, strict=True))

    @classmethod
    def _from_model(cls, model: LinearModel) -> Self:
        value = cls(
            gamma=model.gamma,
            l1=model.l1,
            l2=model.l2,
            folds=len(model.baseline),
            draws="half" if model.draws == "half" else "skip",
            rule="best" if model.rule == "best" else "one-standard-error",
            epsilon=model.epsilon,
            seed=model.seed,
            without=model.without,
        )
        value._set_model(model)
        return value

    def __repr__(self) -> str:
        return f"LinearValue({', '.join(f'{name}={getattr(self, name)!r}' for name in OPTIONS)})"

    def _samples(self, data: Dataset) -> tuple[Samples, Any, list[int]]:
        """The training rows ordered by fold, their indices in the dataset, and the bounds of the folds."""
        fold = folds_of(data.keys, self.folds, self.seed)[data.games]
        rows = np.argsort(fold, kind="stable")
        if self.draws == "skip":
            rows = rows[data.scores[rows] != 0.5]
        bounds = [int(place) for place in np.searchsorted(fold[rows], np.arange(self.folds + 1))]
        if any(end == begin for begin, end in zip(bounds, bounds[1:], strict=False)):
            raise ValueError(f"a fold has only drawn games; use fewer than {self.folds} folds, or draws=half")
        weights = self.gamma ** data.remaining[rows].astype(np.float64)
        table = data.table[rows]
        table[:, excluded_columns(self.without, data.names)] = 0.0  # a constant column gets the weight 0
        codes = data.codes and data.codes.take(rows)
        return Samples(table, data.scores[rows], weights, codes=codes), rows, bounds

    def _held_out_predictions(
        self, validation: Validation, chosen: PenaltyResult, samples: Samples, bounds: Sequence[int]
    ) -> Array:
        """The win probability of every position, by the fit without its fold."""
        predicted = np.empty(len(samples.labels))
        fits = validation.fits[validation.rows.index(chosen)]
        for number, (one, scaling) in enumerate(zip(fits, validation.scalings, strict=True)):
            part = slice(bounds[number], bounds[number + 1])
            named = len(scaling.mean)
            theta = one.theta[:named]
            numbers = [list(map(float, each)) for each in (theta, scaling.mean, scaling.deviation)]
            weights = _core.LinearWeights(numbers[0], one.bias, numbers[1], numbers[2], self.epsilon)
            logits = weights.logits(samples.table[part])
            if samples.codes is not None:
                units = in_units(one.theta[named:]).astype(np.float64)
                logits += CODE_UNIT * samples.codes.sums(part.start, part.stop, units)
            with np.errstate(over="ignore"):
                predicted[part] = 1 / (1 + np.exp(-logits))
        return predicted


def in_units(weights: Array) -> NDArray[np.int64]:
    """The weights of codes as the core adds them up: whole numbers of `CODE_UNIT`."""
    return np.clip(np.round(weights / CODE_UNIT), -LARGEST_CODE_WEIGHT, LARGEST_CODE_WEIGHT).astype(np.int64)
