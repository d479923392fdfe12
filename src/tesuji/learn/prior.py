"""Fitting a linear prior to recorded games; `tesuji.models.prior` is the prior in play.

Conditional logistic regression (McFadden 1974): the move played is drawn from a softmax over the legal moves,

    minimise  Σ −log P(move played) + λ2·‖w‖²,   P(m) ∝ exp(Σ w[code] over the codes of m).

λ2 is chosen by cross-validation over games.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any, Self

import numpy as np

from tesuji import scale
from tesuji.learn.choices import Array, Choices
from tesuji.learn.linear import in_units
from tesuji.learn.settings import Penalty, check_penalty
from tesuji.learn.solver import minimise
from tesuji.learn.validation import folds_of
from tesuji.models.prior import TrainedLinearPrior
from tesuji.models.prior_file import PriorModel, PriorQuality
from tesuji.records import Record, StoredRecord

AUTO_L2 = (1.0, 10.0, 100.0)
TOLERANCE = 3e-4  # slope per unit of weight and position; the loss is within 1e-4 of the lowest
BLOCK = 20_000  # positions whose moves are judged at once


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

    def __init__(self, *, l2: Penalty = "auto", folds: int = 5, seed: int = 1) -> None:
        self.l2 = l2
        self.folds = folds
        self.seed = seed

    def fit(self, games: Choices | Iterable[Record | StoredRecord]) -> Self:
        """Choose λ2 by cross-validation, then fit all games with it."""
        check_penalty("l2", self.l2)
        given = games if isinstance(games, Choices) else Choices.read(games)
        # A code that never occurs keeps the weight 0; of the many of a native game, few games have few.
        codes, occurring = given.codes.renumbered()
        data = replace(given, codes=codes)
        several = AUTO_L2 if isinstance(self.l2, str) else self.l2
        penalties = sorted(
            {float(each) for each in (several if isinstance(several, Sequence) else [several])}
        )
        fold = folds_of(data.keys, self.folds, self.seed)[data.games]
        rows = _cross_validate(data, fold, self.folds, penalties[::-1])
        best = min(rows, key=lambda row: (math.fsum(row.losses), -row.l2))
        last = np.zeros(given.codes.count)
        last[occurring] = fit_choices(data, np.ones(data.positions), l2=best.l2, start=best.fits[0])
        self._set_model(
            PriorModel(
                game=data.game,
                version=data.version,
                names=data.names,
                weights=tuple(map(int, in_units(last))),
                l2=best.l2,
                seed=self.seed,
                losses=tuple((row.l2, tuple(row.losses)) for row in sorted(rows, key=lambda row: row.l2)),
                held_out=_held_out(data, fold, best.fits),
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

    def __repr__(self) -> str:
        return f"LinearPrior(l2={self.l2!r}, folds={self.folds}, seed={self.seed})"


def fit_choices(data: Choices, weights: Array, *, l2: float, start: Array | None = None) -> Array:
    """The weights of the codes that minimise the objective; `weights` are those of the positions."""
    native = data.codes.native

    def loss(theta: Array, free: Array) -> tuple[float, Array, Array]:
        value, gradient = native.choice_loss(
            data.ends, data.chosen, weights, 0, data.positions, theta, scale.cores()
        )
        return value, gradient, free

    # The curvature by a code's weight is the variance of its count over the moves, here under equal weights.
    counts = np.diff(np.append(0, data.ends))
    squares = native.squares(0, data.codes.rows, np.repeat(weights / counts, counts), scale.cores())
    total = float(weights.sum())
    curvature = (squares + 2 * l2) / total
    found = minimise(
        loss,
        np.zeros(data.codes.count) if start is None else start,
        np.empty(0),
        l1=0.0,
        l2=l2,
        units=1 / np.sqrt(np.maximum(curvature, 1e-9)),
        total=total,
        tolerance=TOLERANCE,
    )
    return found.theta


@dataclass(frozen=True)
class _Row:
    """The cross-validation of one λ2."""

    l2: float
    losses: list[float]
    fits: list[Array]


def _cross_validate(data: Choices, fold: Any, folds: int, penalties: Sequence[float]) -> list[_Row]:
    rows = [_Row(l2, [], []) for l2 in penalties]
    native = data.codes.native
    for number in range(folds):
        start = None
        inside = (fold == number).astype(np.float64)
        for row in rows:
            start = fit_choices(data, 1.0 - inside, l2=row.l2, start=start)
            loss, _ = native.choice_loss(
                data.ends, data.chosen, inside, 0, data.positions, start, scale.cores()
            )
            row.losses.append(float(loss) / max(float(inside.sum()), 1.0))
            row.fits.append(start)
    return rows


def _held_out(data: Choices, fold: Any, fits: Sequence[Array]) -> dict[str, PriorQuality]:
    """How well each position's move is predicted by the fit without its fold, and by others."""
    weights = [in_units(one) / 65536 for one in fits]
    prior, ordering, flat = [], [], []
    for first in range(0, data.positions, BLOCK):
        part = slice(first, min(first + BLOCK, data.positions))
        begins, ends = data.begins[part], data.ends[part]
        low, high = int(begins[0]), int(ends[-1])
        place = begins - low, data.chosen[part]
        logits = np.empty(high - low)
        of_row = np.repeat(fold[part], ends - begins)
        for number in np.unique(fold[part]):
            sums = data.codes.sums(low, high, weights[number])
            logits[of_row == number] = sums[of_row == number]
        prior.append(_judge(logits, *place))
        flat.append(_judge(np.zeros(high - low), *place))
        if data.ordering is not None:
            given = np.log(np.maximum(data.ordering[low:high].astype(np.float64), 1e-30))
            ordering.append(_judge(given, *place))
    found = {"prior": _mean(prior), "uniform": _mean(flat)}
    return found | ({"ordering": _mean(ordering)} if ordering else {})


def _judge(logits: Array, begins: Any, chosen: Any) -> tuple[Array, Array, Array]:
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
