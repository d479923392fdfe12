"""Fitting linear values and priors to recorded games; `tesuji.models.linear` has them in play.

A value is fitted by weighted logistic regression over all positions in which a player was to move. The label
is that player's final score; the weight is γ^(plies to the last such position), so the last position weighs 1
and the opening little. A prior is fitted to the moves played, by conditional logistic regression. Penalties
are chosen by cross-validation over games.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from fnmatch import fnmatchcase
from typing import Literal, Self, TypeAlias

import numpy as np
from numpy.typing import NDArray

from tesuji import _core
from tesuji.learn.dataset import Dataset, MoveDataset
from tesuji.learn.fit import (
    Array,
    ConditionalLogistic,
    Fit,
    Logistic,
    Samples,
    Scaling,
    fit,
    fit_path,
    largest_l1,
)
from tesuji.learn.validation import (
    Penalty,
    Rule,
    accuracy,
    calibration,
    check_penalty,
    choose,
    constant_columns,
    cross_validate,
    dependent_columns,
    folds_of,
    is_number,
    penalty_grid,
)
from tesuji.models.linear import TrainedLinearPrior, TrainedLinearValue
from tesuji.models.linear_file import (
    DRAWS,
    LARGEST_SPARSE_WEIGHT,
    RULES,
    SPARSE_UNIT,
    LinearModel,
    PriorModel,
    PriorQuality,
)
from tesuji.options import unknown
from tesuji.records import Record, StoredRecord

Draws: TypeAlias = Literal["half", "skip"]

TOLERANCE = 1e-8  # slope per unit of weight of the last fit of a value
SPARSE_TOLERANCE = 1e-4  # with sparse features, whose weights are rounded; 1e-6 takes many times as long
FOLD_TOLERANCE = 1e-6  # losses of folds differ by far more than the remaining error
PRIOR_TOLERANCE = 3e-4  # the loss is within 1e-4 of the lowest
BLOCK = 20_000  # positions whose moves are judged at once


@dataclass(kw_only=True, eq=False)
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

    gamma: float = 0.97
    l1: Penalty = "auto"
    l2: Penalty = "auto"
    folds: int = 5
    draws: Draws = "half"
    rule: Rule = "best"
    epsilon: float = 1e-8
    seed: int = 1
    without: Sequence[str] = ()

    sparse_statistics_: tuple[Array, Array] | None = field(default=None, init=False, repr=False)
    """Mean and deviation of each sparse feature's count, after `fit`; they are not part of the file."""
    accuracy_: float | None = field(default=None, init=False, repr=False)
    """Share of held-out positions whose winner was predicted, after `fit`; it is not part of the file."""

    def fit(self, games: Dataset | Iterable[Record | StoredRecord]) -> Self:
        """Choose the penalties by cross-validation, then fit all games with them."""
        self.check_options()
        data = games if isinstance(games, Dataset) else Dataset.read(games)
        samples, rows, bounds = self._samples(data)
        problem, sparse = self._problem(samples), samples.sparse is not None
        parts = [slice(*ends) for ends in zip(bounds, bounds[1:], strict=False)]
        others = [self._problem(samples, slice(part.start), slice(part.stop, None)) for part in parts]
        inside = [
            Logistic(replace(samples, parts=(part,)), other.scaling)
            for part, other in zip(parts, others, strict=True)
        ]
        results, fits = cross_validate(
            [(other, held_out.mean_loss) for other, held_out in zip(others, inside, strict=True)],
            penalty_grid(self.l1, self.l2, problem, sparse=sparse),
            tolerance=FOLD_TOLERANCE,
        )
        chosen = choose(results, self.rule)
        last = fit(problem, l1=chosen.l1, l2=chosen.l2, tolerance=SPARSE_TOLERANCE if sparse else TOLERANCE)
        named = len(data.names)
        predicted = np.concatenate(
            [
                _predictions(held_out, one)
                for held_out, one in zip(inside, fits[results.index(chosen)], strict=True)
            ]
        )
        self._set_model(
            LinearModel(
                game=data.game,
                names=data.names,
                version=data.version,
                theta=tuple(map(float, last.theta[:named])),
                bias=last.bias,
                mean=tuple(map(float, problem.scaling.mean)),
                deviation=tuple(map(float, problem.scaling.deviation)),
                epsilon=self.epsilon,
                l1=chosen.l1,
                l2=chosen.l2,
                gamma=self.gamma,
                draws=self.draws,
                rule=self.rule,
                seed=self.seed,
                without=tuple(self.without),
                baseline=tuple(map(_baseline, others, inside)),
                losses=tuple(sorted(results, key=lambda row: (row.l1, row.l2))),
                calibration=tuple(calibration(predicted, samples.labels, samples.weights, data.games[rows])),
                constant=constant_columns(
                    problem.scaling, data.names, excluded_columns(self.without, data.names)
                ),
                dependent=dependent_columns(samples, problem.scaling, data.names),
                sparse=tuple(map(int, in_units(last.theta[named:]))),
                data={
                    "games": len(np.unique(data.games[rows])),
                    "states": len(rows),
                    "draws": data.draws if self.draws == "half" else 0,
                    "left_out": dict(data.left_out)
                    | ({"draw": data.draws} if self.draws == "skip" and data.draws else {}),
                    "store": data.store,
                },
            )
        )
        self.sparse_statistics_ = samples.sparse_statistics()
        self.accuracy_ = accuracy(predicted, samples.labels, samples.weights)
        return self

    def path(
        self, games: Dataset | Iterable[Record | StoredRecord], points: int = 25
    ) -> list[tuple[float, Fit]]:
        """The regularisation path at the chosen λ2, from the λ1 that zeroes all weights to a thousandth."""
        data = games if isinstance(games, Dataset) else Dataset.read(games)
        problem = self._problem(self._samples(data)[0])
        steps = [float(l1) for l1 in largest_l1(problem) * np.geomspace(1.0, 1e-3, points)]
        fits = fit_path(problem, [(l1, self.l2_) for l1 in steps], tolerance=1e-6)
        return list(zip(steps, fits, strict=True))

    def check_options(self) -> None:
        """ValueError if an option is invalid."""
        for name, number in (("gamma", self.gamma), ("epsilon", self.epsilon)):
            if not is_number(number) or not 0 < number <= 1:
                raise ValueError(f"{name} must be greater than 0 and at most 1, not {number!r}")
        for name, number, least in (("folds", self.folds, 2), ("seed", self.seed, 0)):
            if type(number) is not int or number < least:
                raise ValueError(f"{name} must be an integer of at least {least}, not {number!r}")
        for name, word, words in (("draws", self.draws, DRAWS), ("rule", self.rule, RULES)):
            if word not in words:
                raise ValueError(f"{name} must be one of {', '.join(words)}, not {word!r}")
        check_penalty("l1", self.l1)
        check_penalty("l2", self.l2)

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

    def _samples(self, data: Dataset) -> tuple[Samples, NDArray[np.int64], list[int]]:
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
        sparse = data.sparse and data.sparse.take(rows)
        return Samples(table, data.scores[rows], weights, sparse=sparse), rows, bounds

    def _problem(self, samples: Samples, *parts: slice) -> Logistic:
        """The loss of these parts of the samples, standardised by themselves."""
        selected = replace(samples, parts=parts) if parts else samples
        return Logistic(selected, Scaling.of(selected, self.epsilon))


def _baseline(training: Logistic, held_out: Logistic) -> float:
    """The loss of predicting the mean score of the training folds."""
    samples = training.samples
    won = sum(float(labels @ weights) for _, labels, weights in samples.blocks())
    share = min(max(won / samples.total, 1e-12), 1 - 1e-12)
    nothing = np.zeros(samples.table.shape[1])
    flat = Logistic(held_out.samples, Scaling(nothing, nothing, 1.0))
    return flat.loss(np.zeros(samples.width), np.array([math.log(share / (1 - share))]))[0] / flat.total


def _predictions(held_out: Logistic, found: Fit) -> Array:
    """The win probability of every position of a fold, as computed in play."""
    samples, scaling, named = held_out.samples, held_out.scaling, len(held_out.scaling.mean)
    (part,) = samples.parts
    theta, mean, deviation = (
        list(map(float, each)) for each in (found.theta[:named], scaling.mean, scaling.deviation)
    )
    weights = _core.LinearWeights(theta, found.bias, mean, deviation, scaling.epsilon)
    logits = weights.logits(samples.table[part])
    if samples.sparse is not None:
        units = in_units(found.theta[named:]).astype(np.float64)
        logits += SPARSE_UNIT * samples.sparse.sums(part.start, part.stop, units)
    with np.errstate(over="ignore"):
        return 1 / (1 + np.exp(-logits))


def excluded_columns(patterns: Sequence[str], names: Sequence[str]) -> list[int]:
    """The indices of features that match a pattern, such as `card_*`; ValueError if a pattern matches none.

    >>> excluded_columns(["card_*"], ["moves", "card_ox", "card_eel"])
    [1, 2]
    """
    if isinstance(patterns, str):
        raise ValueError(f"without must be a list of patterns, not {patterns!r}")
    for pattern in patterns:
        if not any(fnmatchcase(name, pattern) for name in names):
            raise ValueError(unknown(f"feature {pattern!r}", pattern, names))
    left_out = [place for place, name in enumerate(names) if any(fnmatchcase(name, p) for p in patterns)]
    if left_out and len(left_out) == len(names):
        raise ValueError(f"without={','.join(patterns)} excludes every feature")
    return left_out


def in_units(weights: Array) -> NDArray[np.int64]:
    """The weights of sparse features as the core adds them up: whole numbers of `SPARSE_UNIT`."""
    limit = LARGEST_SPARSE_WEIGHT
    return np.clip(np.round(weights / SPARSE_UNIT), -limit, limit).astype(np.int64)


@dataclass(kw_only=True, eq=False)
class LinearPrior(TrainedLinearPrior):
    """A linear prior to train: options are stored as given, and learned attributes end in an underscore.

    >>> from tesuji.arena.playing import Task, play
    >>> players = ("mcts:iterations=50,move_ordering=off",) * 2
    >>> games = [play(Task(game="hex:size=4", players=players, seed=seed)) for seed in range(20)]
    >>> prior = LinearPrior(l2=1.0, folds=3).fit(games)
    >>> prior.held_out_["prior"].log_loss < prior.held_out_["uniform"].log_loss
    True

    Args:
        l2: λ2 of λ2·‖w‖². A sequence is compared by cross-validation; `auto` means 1, 10 and 100.
        folds: number of folds of the cross-validation, which never splits a game.
        seed: seed of the assignment to folds.
    """

    l2: Penalty = "auto"
    folds: int = 5
    seed: int = 1

    def fit(self, games: MoveDataset | Iterable[Record | StoredRecord]) -> Self:
        """Choose λ2 by cross-validation, then fit all games with it."""
        check_penalty("l2", self.l2)
        given = games if isinstance(games, MoveDataset) else MoveDataset.read(games)
        # A feature that never occurs keeps the weight 0; of the many of a native game, few games have few.
        sparse, occurring = given.sparse.renumbered()
        data = replace(given, sparse=sparse)
        fold = folds_of(data.keys, self.folds, self.seed)[data.games]
        problem = ConditionalLogistic(data, np.ones(data.positions))
        results, fits = cross_validate(
            _folds_of_moves(data, fold, self.folds),
            penalty_grid(0.0, self.l2, problem, sparse=True),
            tolerance=PRIOR_TOLERANCE,
        )
        best = choose(results, "best")
        by_fold = fits[results.index(best)]
        theta = np.zeros(given.sparse.count)
        theta[occurring] = fit(problem, l1=0.0, l2=best.l2, start=by_fold[0], tolerance=PRIOR_TOLERANCE).theta
        self._set_model(
            PriorModel(
                game=data.game,
                version=data.version,
                names=data.names,
                sparse=tuple(map(int, in_units(theta))),
                l2=best.l2,
                seed=self.seed,
                losses=tuple(sorted((row.l2, row.losses) for row in results)),
                held_out=_held_out(data, fold, [one.theta for one in by_fold]),
                data={
                    "games": len(np.unique(data.games)),
                    "positions": data.positions,
                    "left_out": dict(data.left_out),
                    "store": data.store,
                },
            )
        )
        return self

    @classmethod
    def _from_model(cls, model: PriorModel) -> Self:
        prior = cls(
            l2=model.l2, folds=max(2, len(model.losses[0][1])) if model.losses else 5, seed=model.seed
        )
        prior._set_model(model)
        return prior


def _folds_of_moves(
    data: MoveDataset, fold: NDArray[np.int64], folds: int
) -> Iterator[tuple[ConditionalLogistic, Callable[[Fit], float]]]:
    for number in range(folds):
        inside = (fold == number).astype(np.float64)
        yield ConditionalLogistic(data, 1.0 - inside), ConditionalLogistic(data, inside).mean_loss


def _held_out(data: MoveDataset, fold: NDArray[np.int64], fits: Sequence[Array]) -> dict[str, PriorQuality]:
    """How well each position's move is predicted by the fit without its fold, and by others."""
    weights = [SPARSE_UNIT * in_units(one) for one in fits]
    prior, ordering, flat = [], [], []
    for first in range(0, data.positions, BLOCK):
        part = slice(first, min(first + BLOCK, data.positions))
        begins, ends = data.begins[part], data.ends[part]
        low, high = int(begins[0]), int(ends[-1])
        place = begins - low, data.chosen[part]
        logits = np.empty(high - low)
        of_row = np.repeat(fold[part], ends - begins)
        for number in np.unique(fold[part]):
            sums = data.sparse.sums(low, high, weights[number])
            logits[of_row == number] = sums[of_row == number]
        prior.append(_judge(logits, *place))
        flat.append(_judge(np.zeros(high - low), *place))
        if data.ordering is not None:
            given = np.log(np.maximum(data.ordering[low:high].astype(np.float64), 1e-30))
            ordering.append(_judge(given, *place))
    found = {"prior": _mean(prior), "uniform": _mean(flat)}
    return found | ({"ordering": _mean(ordering)} if ordering else {})


def _judge(logits: Array, begins: NDArray[np.int64], chosen: NDArray[np.int32]) -> tuple[Array, Array, Array]:
    """For each position −log P(move played), and whether it is the first, and among the first five.

    Among equal weights the order is random.

    >>> loss, first, five = _judge(np.log([0.5, 0.5, 0.25, 0.75]), np.array([0, 2]), np.array([0, 0]))
    >>> first, five, loss.round(4)
    (array([0.5, 0. ]), array([1., 1.]), array([0.6931, 1.3863]))
    """
    counts = np.diff(np.append(begins, len(logits)))
    most = np.maximum.reduceat(logits, begins)
    total = np.add.reduceat(np.exp(logits - np.repeat(most, counts)), begins)
    own = logits[begins + chosen]
    better = np.add.reduceat((logits > np.repeat(own, counts)).astype(np.int64), begins)
    equal = np.add.reduceat((logits == np.repeat(own, counts)).astype(np.int64), begins)
    first, five = (np.clip((most_places - better) / equal, 0.0, 1.0) for most_places in (1, 5))
    return np.log(total) + most - own, first, five


def _mean(parts: Sequence[tuple[Array, Array, Array]]) -> PriorQuality:
    loss, first, five = (np.concatenate(column) for column in zip(*parts, strict=True))
    return PriorQuality(float(loss.mean()), float(first.mean()), float(five.mean()))
