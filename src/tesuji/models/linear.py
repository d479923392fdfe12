"""Trained linear values and priors in play.

A value,

    V(s) = θ·(φ(s) − μ)/(σ + ε) + Σ w[i] + b,

is the log-odds that the side to move wins, where φ are the game's features from that side, and the sum is
over the position's sparse features, if the game has any. A prior,

    P(m) ∝ exp(Σ w[i])

over the legal moves, where the sum is over the sparse features of the move m, orders moves and gives them
priors; drawn from, it is a playout policy. `tesuji.learn.linear` fits both.
"""

from __future__ import annotations

import math
import os
import random
from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import replace
from typing import Any, ClassVar, Generic, Self, TypeAlias

import numpy as np
from numpy.typing import NDArray

from tesuji import _core
from tesuji.adapter import full_state
from tesuji.any_game import Game, State, evaluated_seat, is_position_of, received_game
from tesuji.any_game import game as as_game
from tesuji.features import Features, NativeMoveFeatures, StateMoveFeatures, features_of, move_features_of
from tesuji.full_game import FullGame, FullState, Move
from tesuji.knowledge import Knowledge, Reading
from tesuji.models.linear_file import SPARSE_UNIT, LinearModel, Model, PenaltyResult, PriorModel, read_model
from tesuji.registry import spec_of

Array: TypeAlias = NDArray[np.float64]

SMALLEST_LOGIT = math.log(1e-6)
"""Of a move, relative to the largest: every move keeps a positive weight."""


class _Trained(ABC, Generic[Model]):
    """What a value and a prior have in common. The names of what was learned end in an underscore."""

    _thing: ClassVar[str]
    _kind: ClassVar[type[Any]]
    _features: Features | NativeMoveFeatures | StateMoveFeatures
    _game: FullGame
    model_: Model

    def __init__(self, model: Model) -> None:
        self._set_model(model)

    @classmethod
    def load(cls, path: str | os.PathLike[str], *, game: Game | str | None = None) -> Self:
        """Read a model file; ValueError if it is invalid, or for another game or other features."""
        model = read_model(path, cls._kind)
        try:
            trained = cls._from_model(model)
            if game is not None:
                trained._same_game(game)
        except ValueError as error:
            raise ValueError(f"cannot use {path}: {error}") from error
        return trained

    @classmethod
    def _from_model(cls, model: Model) -> Self:
        return cls(model)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the model to a JSON file, atomically."""
        self.model_.write(path)

    def _set_model(self, model: Model) -> None:
        game = received_game(model.game)
        features = self._features_of(game)
        if features.version != model.version:
            raise ValueError(
                f"it was trained with version {model.version} of the features of {model.game}; the current "
                f"version is {features.version}: train it again"
            )
        self._check_features(model, features)
        self._game, self._features = game, features
        self.model_ = model
        self.game_ = model.game
        self.l2_ = model.l2
        self.data_ = model.data

    @abstractmethod
    def _features_of(self, game: FullGame) -> Features | NativeMoveFeatures | StateMoveFeatures:
        """What the model's features are computed by."""

    @abstractmethod
    def _check_features(self, model: Model, features: Any) -> None:
        """ValueError if the model was trained with other features."""

    def _same_game(self, game: Game | str) -> FullGame:
        rules = as_game(game)
        if spec_of(rules) != self.game_ and not (
            type(rules.own) is type(self._game.own) and self._accepts(rules.start())
        ):
            raise ValueError(f"this {self._thing} was trained for {self.game_}, not for {spec_of(rules)}")
        return rules

    def _accepts(self, state: FullState) -> bool:
        if self._features.general and state.core is not None:
            return type(state.game.own) is type(self._game.own)
        return is_position_of(self._game, state)


class TrainedLinearValue(_Trained[LinearModel]):
    """A linear value from a file: `TrainedLinearValue.load("model.json").value(state, 0)`."""

    _thing, _kind = "value", LinearModel
    _features: Features

    def logit(self, state: State) -> float:
        """The log-odds that the side to move wins; at a chance node, player 0."""
        state = self._checked(state)
        if self.native is not None:
            return self.native.logit(state.root)
        row = np.array([list(self._features(state, evaluated_seat(state)).values())])
        return float(self._weights.logits(row)[0])

    def value(self, state: State, player: int) -> float:
        """The player's expected score: the probability of a win, a draw being half a win."""
        state = self._checked(state)
        if self.native is not None:
            return self.native(state.root, player)
        mine = _core.win_probability(self.logit(state))
        return mine if player == evaluated_seat(state) else 1.0 - mine

    def __call__(self, state: State, player: int) -> dict[str, Reading]:
        """Each feature for the side to move, and its weight in the player's log-odds.

        Sparse features are added up by kind: the reading is their number, its weight their mean weight.
        """
        state = self._checked(state)
        seat = evaluated_seat(state)
        features = self._features(state, seat)
        sign = 1.0 if player == seat else -1.0
        slopes = self.theta_ / (self.scale_ + self.model_.epsilon)
        named = {
            name: Reading(value, float(sign * slope))
            for (name, value), slope in zip(features.items(), slopes, strict=True)
        }
        return named | self._by_kind(state, sign)

    def _by_kind(self, state: FullState, sign: float) -> dict[str, Reading]:
        if not self.model_.sparse:
            return {}
        sums: dict[str, list[float]] = {}
        for number in self.native_features.codes(state.core, evaluated_seat(state)):
            kind = self.native_features.code_group(number)
            sums.setdefault(kind, []).append(sign * float(self.sparse_weights_[number]))
        return {kind: Reading(float(len(each)), math.fsum(each) / len(each)) for kind, each in sums.items()}

    def logits(self, table: Array, sparse: Any = None) -> Array:
        """The log-odds for rows, as computed in play: `value.logits(dataset.table, dataset.sparse)`."""
        found = self._weights.logits(table)
        if sparse is not None and self.model_.sparse:
            found += SPARSE_UNIT * sparse.sums(0, sparse.rows, np.array(self.model_.sparse, dtype=np.float64))
        return found

    @property
    def native_features(self) -> Any:
        """What names sparse features: `value.native_features.code_name(7)`; None for a game in Python."""
        return self._features.native

    def knowledge(self, game: Game | str | None = None) -> Knowledge:
        """The game's knowledge with this value instead of its objectives: `MCTS(game, knowledge=…)`.

        The search evaluates where a playout is cut off, so the bot needs a `playout_depth` as well.
        """
        rules = self._same_game(self.game_ if game is None else game)
        return replace(rules.knowledge, objectives=self)

    def objectives(self) -> Any:
        """The game's own objectives with the learned weights, if its features are its objectives.

        Objectives sum to 0.1 + 0.8·(Σ w·a − Σ negative w)/Σ|w|, so with w = θ/(σ + ε) they rank positions
        as this value does for the same side to move. They have no bias and ignore whose turn it is; where
        that matters, as in a search, use the value itself.
        """
        objectives: Any = self._game.knowledge.objectives
        if tuple(getattr(objectives, "names", ())) != self.names_ or self.model_.sparse:
            raise ValueError(f"the features of {self.game_} are not its objectives")
        slopes = self.theta_ / (self.scale_ + self.model_.epsilon)
        return objectives.of_features(dict(zip(self.names_, map(float, slopes), strict=True)))

    def _set_model(self, model: LinearModel) -> None:
        super()._set_model(model)
        self._weights, native = model.weights, self._features.native
        self.native = None if native is None else _core.LinearValue(native, self._weights)
        self.names_ = model.names
        self.version_ = model.version
        self.theta_ = np.array(model.theta)
        self.bias_ = model.bias
        self.mean_ = np.array(model.mean)
        self.scale_ = np.array(model.deviation)
        self.sparse_weights_ = SPARSE_UNIT * np.array(model.sparse, dtype=np.float64)
        self.l1_ = model.l1
        self.losses_ = model.losses
        self.baseline_ = PenaltyResult(math.inf, 0.0, model.baseline, 0.0)
        self.calibration_ = model.calibration
        self.constant_ = model.constant
        self.dependent_ = model.dependent

    def _features_of(self, game: FullGame) -> Features:
        return features_of(game)

    def _check_features(self, model: LinearModel, features: Features) -> None:
        if tuple(features.names) != model.names:
            raise ValueError(
                f"it was trained with the features {', '.join(model.names)}, but {model.game} has "
                f"{', '.join(features.names)}"
            )
        count = features.code_count
        if model.sparse and len(model.sparse) != count:
            raise ValueError(
                f"it was trained with {len(model.sparse)} sparse features, but {model.game} has {count}"
            )

    def _checked(self, given: State) -> FullState:
        """The position with all optional members; ValueError where it is of another game."""
        if not hasattr(self, "model_"):
            raise ValueError("this value is not trained: call fit, or load a model")
        state = full_state(given)
        if not self._accepts(state):
            raise ValueError(f"this value was trained for {self.game_}, not for the game of {state!r}")
        return state


class TrainedLinearPrior(_Trained[PriorModel]):
    """A linear prior from a file, which can be a bot's `move_ordering`: `MCTS(game, move_ordering=prior)`."""

    _thing, _kind = "prior", PriorModel
    _features: NativeMoveFeatures | StateMoveFeatures

    prior_weight: float | None = None
    """As a game's own move ordering: the `prior_weight` of `mcts` that measured best with it."""

    def logits(self, state: FullState, moves: Sequence[Move]) -> list[float]:
        """The sum of the weights of each move's features."""
        if isinstance(self._features, NativeMoveFeatures):
            weights = self.model_.sparse
            found = self._features.codes(state, list(moves))
            return [SPARSE_UNIT * sum(weights[number] for number in numbers) for numbers in found]
        return [
            math.fsum(self._by_name.get(name, 0.0) * number for name, number in features.items())
            for features in (self._features(state, move) for move in moves)
        ]

    def __call__(self, state: FullState, player: int, moves: Sequence[Move]) -> dict[Move, float]:
        """The probability of each move, largest first: a move ordering."""
        logits = self.logits(state, moves)
        most = max(logits)
        weights = [math.exp(max(logit - most, SMALLEST_LOGIT)) for logit in logits]
        total = math.fsum(weights)
        pairs = zip(moves, weights, strict=True)
        return {move: weight / total for move, weight in sorted(pairs, key=lambda pair: -pair[1])}

    @property
    def playout_policy(self) -> PriorPolicy:
        """Playouts whose moves are drawn from the prior."""
        return PriorPolicy(self)

    def name_of(self, number: int) -> str:
        """A feature in words."""
        if isinstance(self._features, NativeMoveFeatures):
            return self._features.native.code_name(number)
        return self.model_.names[number]

    def terms(self, state: FullState, move: Move) -> dict[str, float]:
        """What each feature, or each kind of sparse features, adds to the logit of a move."""
        if isinstance(self._features, NativeMoveFeatures):
            native, found = self._features.native, dict[str, float]()
            for number in self._features.codes(state, [move])[0]:
                name = native.code_group(number)
                found[name] = found.get(name, 0.0) + float(self.weights_[number])
            return found
        features = self._features(state, move)
        return {name: self._by_name.get(name, 0.0) * number for name, number in features.items()}

    def _set_model(self, model: PriorModel) -> None:
        super()._set_model(model)
        self.weights_ = SPARSE_UNIT * np.array(model.sparse, dtype=np.float64)
        self.losses_ = model.losses
        self.held_out_ = model.held_out
        self._by_name = dict(zip(model.names, map(float, self.weights_), strict=False))
        native = self._features.native
        self.native = None if native is None else _core.LinearPrior(native, self.weights_.tolist())

    def _features_of(self, game: FullGame) -> NativeMoveFeatures | StateMoveFeatures:
        return move_features_of(game)

    def _check_features(self, model: PriorModel, features: NativeMoveFeatures | StateMoveFeatures) -> None:
        if isinstance(features, NativeMoveFeatures):
            fits = not model.names and features.code_count == len(model.sparse)
        else:
            fits = bool(model.names)
        if not fits:
            raise ValueError(f"it was trained with other features than the moves of {model.game} have")


class PriorPolicy:
    """A playout policy that draws moves from a prior."""

    def __init__(self, prior: TrainedLinearPrior) -> None:
        self._prior = prior
        self.native = None if prior.native is None else _core.PriorPolicy(prior.native)

    def __call__(self, state: FullState, player: int, moves: Sequence[Move], rng: random.Random) -> Move:
        """One of the moves."""
        weights = self._prior(state, player, moves)
        return rng.choices(list(weights), list(weights.values()))[0]
