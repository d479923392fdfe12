"""A linear value, learned from recorded games and used by bots.

    V(s) = θ·(φ(s) − μ)/(σ + ε) + b

is the log-odds that the side to move wins: φ are the game's features from that side. It is fitted by weighted
logistic regression (`fit.py`) to all positions in which a player was to move. The label is that player's
score at the end; the weight is γ^(plies to the last such position), so that the last one weighs 1 and the
opening little.
"""

from __future__ import annotations

import math
import os
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any, Self

import numpy as np

from tesuji import _core
from tesuji.features import Features, features_of
from tesuji.game import Game, State
from tesuji.game import game as as_game
from tesuji.games.native import NativeState, is_position_of
from tesuji.knowledge import Knowledge, Reading
from tesuji.learn.columns import constant_columns, dependent_columns
from tesuji.learn.dataset import Array, Dataset
from tesuji.learn.fit import Fit, Samples, Scaling, fit, fit_path, largest_l1, logits
from tesuji.learn.model import Model, read_model, write_model
from tesuji.learn.settings import OPTIONS, Draws, Penalty, check_options, columns_without, penalties
from tesuji.learn.validation import (
    Row,
    Rule,
    Validation,
    calibration,
    choose,
    cross_validate,
    folds_of,
    snake,
)
from tesuji.records import Record, StoredRecord
from tesuji.registry import spec_of

TOLERANCE = 1e-8  # slope per unit of weight of the last fit


class LinearValue:
    """Options are kept as given; `fit` learns what ends in an underscore.

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
        gamma: weight of a position, for each ply that the game's last non-terminal position lies ahead.
        l1, l2: λ1 and λ2 of λ1·‖θ‖₁ + λ2·‖θ‖², on the sum of all weighted losses; several are compared by
            cross-validation, and `auto` chooses a few by the data.
        folds: of the cross-validation, which is by games.
        draws: `half`, a draw is the label ½; or `skip`, drawn games are left out.
        rule: `best`, the pair of lowest loss; or `one-standard-error`, the simplest as good within that.
        epsilon: ε, which keeps a division by zero away.
        seed: of the division into folds.
        without: patterns of features to leave out, such as `["card_*"]`: their weight is 0.
    """

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
        """Learn from games: compare the penalties by cross-validation, then fit all with the chosen ones."""
        check_options(self)
        data = games if isinstance(games, Dataset) else Dataset.read(games)
        samples, rows, bounds = self._samples(data)
        scaling = Scaling.of(samples, self.epsilon)
        grid = snake(*penalties(self.l1, self.l2, samples, scaling))
        validation = cross_validate(samples, bounds, grid, self.epsilon)
        chosen = choose(validation.rows, self.rule)
        last = fit(samples, scaling, l1=chosen.l1, l2=chosen.l2, tolerance=TOLERANCE)
        taken = np.unique(data.games[rows])
        self._adopt(
            Model(
                game=data.game,
                names=data.names,
                version=data.version,
                theta=tuple(map(float, last.theta)),
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
                calibration=tuple(self._calibration(validation, chosen, samples, bounds, data.games[rows])),
                constant=constant_columns(scaling, data.names, columns_without(self.without, data.names)),
                dependent=dependent_columns(samples, scaling, data.names),
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
        return self

    def path(
        self, games: Dataset | Iterable[Record | StoredRecord], points: int = 25
    ) -> list[tuple[float, Fit]]:
        """The fits along λ1, from where every weight is 0 down to a thousandth of it, at the chosen λ2."""
        data = games if isinstance(games, Dataset) else Dataset.read(games)
        samples, _, _ = self._samples(data)
        scaling = Scaling.of(samples, self.epsilon)
        steps = [float(l1) for l1 in largest_l1(samples, scaling) * np.geomspace(1.0, 1e-3, points)]
        fits = fit_path(samples, scaling, [(l1, self.l2_) for l1 in steps], tolerance=1e-6)
        return list(zip(steps, fits, strict=True))

    def logit(self, state: State) -> float:
        """The log-odds that the side to move wins."""
        self._check_state(state)
        if self.native is not None:
            return self.native.logit(state.core)  # type: ignore[attr-defined]
        row = np.array([list(self._features(state, state.player).values())])
        return float(logits(self._weights, row)[0])

    def value(self, state: State, player: int) -> float:
        """The probability that the player wins, where a draw is half a win."""
        self._check_state(state)
        if self.native is not None:
            return self.native(state.core, player)  # type: ignore[attr-defined]
        mine = _core.win_probability(self.logit(state))
        return mine if player == state.player else 1.0 - mine

    def __call__(self, state: State, player: int) -> dict[str, Reading]:
        """Each feature as the side to move has it, and what one more of it adds to the player's log-odds."""
        self._check_state(state)
        features = self._features(state, state.player)
        sign = 1.0 if player == state.player else -1.0
        slopes = self.theta_ / (self.scale_ + self.epsilon)
        return {
            name: Reading(value, float(sign * slope))
            for (name, value), slope in zip(features.items(), slopes, strict=True)
        }

    def logits(self, table: Array) -> Array:
        """The log-odds for rows of features, by the code that plays: `value.logits(dataset.table)`."""
        return logits(self._weights, table)

    def knowledge(self, game: Game | str | None = None) -> Knowledge:
        """The game's knowledge with this value in place of its objectives: `MCTS(game, knowledge=…)`.

        The search asks it where a playout is cut off, so the bot needs a `playout_depth` as well.
        """
        rules = self._same_game(self.game_ if game is None else game)
        own: Knowledge = getattr(rules, "knowledge", None) or Knowledge()
        return replace(own, objectives=self)

    def objectives(self) -> Any:
        """The game's own objectives with the learned weights, where its features are its objectives.

        Objectives add up to 0.1 + 0.8·(Σ w·a − Σ negative w)/Σ|w|, so with w = θ/(σ + ε) they put positions
        in the same order for the side to move as this value does. They have no bias, and no idea of whose
        turn it is: where these matter, as in a search, use the value itself.
        """
        own = getattr(self._game, "knowledge", None)
        objectives: Any = getattr(own, "objectives", None)
        if tuple(getattr(objectives, "names", ())) != self.names_:
            raise ValueError(f"the features of {self.game_} are not its objectives")
        slopes = self.theta_ / (self.scale_ + self.epsilon)
        return type(objectives)(dict(zip(self.names_, map(float, slopes), strict=True)))

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the model as one JSON file, whole or not at all."""
        write_model(self.model_, path)

    @classmethod
    def load(cls, path: str | os.PathLike[str], *, game: Game | str | None = None) -> Self:
        """Read a model; ValueError where the file is none, or one of another game or of other features."""
        model = read_model(path)
        made = cls(
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
        try:
            made._adopt(model)
            if game is not None:
                made._same_game(game)
        except ValueError as error:
            raise ValueError(f"cannot use {path}: {error}") from error
        return made

    def __repr__(self) -> str:
        return f"LinearValue({', '.join(f'{name}={getattr(self, name)!r}' for name in OPTIONS)})"

    def _adopt(self, model: Model) -> None:
        """Become this model."""
        game = as_game(model.game)
        features = features_of(game)
        _check_features(model, features)
        weights = model.weights
        native = getattr(features, "native", None)
        self.model_ = model
        self._game, self._features, self._weights = game, features, weights
        self.native: _core.LinearValue | None = None if native is None else _core.LinearValue(native, weights)
        self.game_ = model.game
        self.names_ = model.names
        self.version_ = model.version
        self.theta_ = np.array(model.theta)
        self.bias_ = model.bias
        self.mean_ = np.array(model.mean)
        self.scale_ = np.array(model.deviation)
        self.l1_, self.l2_ = model.l1, model.l2
        self.losses_ = model.losses
        self.baseline_ = Row(math.inf, 0.0, model.baseline, 0.0)
        self.calibration_ = model.calibration
        self.constant_ = model.constant
        self.dependent_ = model.dependent
        self.data_ = model.data

    def _samples(self, data: Dataset) -> tuple[Samples, Any, list[int]]:
        """The rows to learn from, fold by fold; which they are, and where each fold begins."""
        fold = folds_of(data.keys, self.folds, self.seed)[data.games]
        rows = np.argsort(fold, kind="stable")
        if self.draws == "skip":
            rows = rows[data.scores[rows] != 0.5]
        bounds = [int(place) for place in np.searchsorted(fold[rows], np.arange(self.folds + 1))]
        if any(end == begin for begin, end in zip(bounds, bounds[1:], strict=False)):
            raise ValueError(f"a fold has no games that were not drawn; {self.folds} folds are too many")
        weights = self.gamma ** data.remaining[rows].astype(np.float64)
        table = data.table[rows]
        table[:, columns_without(self.without, data.names)] = 0.0  # what never varies weighs nothing
        return Samples(table, data.scores[rows], weights), rows, bounds

    def _calibration(
        self, validation: Validation, chosen: Row, samples: Samples, bounds: Sequence[int], games: Any
    ) -> list[dict[str, float]]:
        """By predictions for each fold that were made without it."""
        predicted = np.empty(len(samples.labels))
        fits = validation.fits[validation.rows.index(chosen)]
        for number, (one, scaling) in enumerate(zip(fits, validation.scalings, strict=True)):
            part = slice(bounds[number], bounds[number + 1])
            numbers = [list(map(float, each)) for each in (one.theta, scaling.mean, scaling.deviation)]
            weights = _core.LinearWeights(numbers[0], one.bias, numbers[1], numbers[2], self.epsilon)
            with np.errstate(over="ignore"):
                predicted[part] = 1 / (1 + np.exp(-logits(weights, samples.table[part])))
        return calibration(predicted, samples.labels, samples.weights, games)

    def _same_game(self, game: Game | str) -> Game:
        rules = as_game(game)
        if spec_of(rules) != self.game_ and not (
            type(rules) is type(self._game) and self._is_about(rules.start())
        ):
            raise ValueError(f"this value was learned for {self.game_}, and the game is {spec_of(rules)}")
        return rules

    def _is_about(self, state: State) -> bool:
        if getattr(self._features, "general", False) and isinstance(state, NativeState):
            return type(state.game) is type(self._game)
        return is_position_of(self._game, state)

    def _check_state(self, state: State) -> None:
        if not hasattr(self, "model_"):
            raise ValueError("this value has learned nothing yet: call fit first, or load a model")
        if not self._is_about(state):
            raise ValueError(
                f"this value was learned for {self.game_}, and the position is of another game: {state!r}"
            )


def _check_features(model: Model, features: Features) -> None:
    if features.version != model.version:
        raise ValueError(
            f"it was trained with version {model.version} of the features of {model.game}, and this is "
            f"version {features.version}: train it again"
        )
    if tuple(features.names) != model.names:
        raise ValueError(
            f"it was trained with the features {', '.join(model.names)}, and {model.game} has "
            f"{', '.join(features.names)}"
        )
