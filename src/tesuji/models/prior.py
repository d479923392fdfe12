"""A trained linear prior in play.

    P(m) ∝ exp(Σ w[code])

over the legal moves, where the sum is over the codes of the move m. It orders moves and gives them priors;
drawn from, it is a playout policy. `tesuji.learn.prior` fits one.
"""

from __future__ import annotations

import math
import os
import random
from collections.abc import Sequence
from typing import Any, Self

import numpy as np

from tesuji import _core
from tesuji.any_game import Game, is_position_of, received_game
from tesuji.any_game import game as as_game
from tesuji.features import NativeMoveFeatures, StateMoveFeatures, move_features_of
from tesuji.full_game import FullGame, FullState, Move
from tesuji.models.linear_file import CODE_UNIT
from tesuji.models.prior_file import PriorModel, read_prior, write_prior
from tesuji.registry import spec_of


class TrainedLinearPrior:
    """A linear prior from a file, which can be a bot's `move_ordering`: `MCTS(game, move_ordering=prior)`."""

    prior_weight: float | None = None
    """As a game's own move ordering: the `prior_weight` of `mcts` that measured best with it."""

    def __init__(self, model: PriorModel) -> None:
        self._set_model(model)

    @classmethod
    def load(cls, path: str | os.PathLike[str], *, game: Game | str | None = None) -> Self:
        """Read a model file; ValueError if it is invalid, or for another game or other features."""
        model = read_prior(path)
        try:
            prior = cls._from_model(model)
            if game is not None:
                prior._check_game(as_game(game))
        except ValueError as error:
            raise ValueError(f"cannot use {path}: {error}") from error
        return prior

    @classmethod
    def _from_model(cls, model: PriorModel) -> Self:
        return cls(model)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the model to a JSON file, atomically."""
        write_prior(self.model_, path)

    def logits(self, state: Any, moves: Sequence[Move]) -> list[float]:
        """The sum of the weights of each move's codes."""
        if isinstance(self._features, NativeMoveFeatures):
            found = self._features.codes(state, list(moves))
            return [CODE_UNIT * sum(self.model_.weights[code] for code in codes) for codes in found]
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

    def name_of(self, code: int) -> str:
        """A code in words."""
        if isinstance(self._features, NativeMoveFeatures):
            return self._features.native.code_name(code)
        return self.model_.names[code]

    def terms(self, state: Any, move: Move) -> dict[str, float]:
        """What each kind of code, or each feature, adds to the logit of a move."""
        if isinstance(self._features, NativeMoveFeatures):
            native, found = self._features.native, dict[str, float]()
            for code in self._features.codes(state, [move])[0]:
                name = native.code_group(code)
                found[name] = found.get(name, 0.0) + float(self.weights_[code])
            return found
        features = self._features(state, move)
        return {name: self._by_name.get(name, 0.0) * number for name, number in features.items()}

    def _set_model(self, model: PriorModel) -> None:
        game = received_game(model.game)
        features = move_features_of(game)
        _check_features(model, features)
        self.model_ = model
        self.game_ = model.game
        self.weights_ = CODE_UNIT * np.array(model.weights, dtype=np.float64)
        self.l2_ = model.l2
        self.losses_ = model.losses
        self.held_out_ = model.held_out
        self.data_ = model.data
        self._game, self._features = game, features
        self._by_name = dict(zip(model.names, map(float, self.weights_), strict=False))
        self.native: _core.LinearPrior | None = None
        if features.native is not None:
            self.native = _core.LinearPrior(features.native, self.weights_.tolist())

    def _check_game(self, game: FullGame) -> None:
        general = self._features.general and type(game.own) is type(self._game.own)
        if spec_of(game) == self.game_ or general:
            return
        if type(game.own) is not type(self._game.own) or not is_position_of(self._game, game.start()):
            raise ValueError(f"this prior was trained for {self.game_}, not for {spec_of(game)}")


class PriorPolicy:
    """A playout policy that draws moves from a prior."""

    def __init__(self, prior: TrainedLinearPrior) -> None:
        self._prior = prior
        self.native = None if prior.native is None else _core.PriorPolicy(prior.native)

    def __call__(self, state: FullState, player: int, moves: Sequence[Move], rng: random.Random) -> Move:
        """One of the moves."""
        weights = self._prior(state, player, moves)
        return rng.choices(list(weights), list(weights.values()))[0]


SMALLEST_LOGIT = math.log(1e-6)
"""Relative to the largest: every move keeps a positive weight."""


def _check_features(model: PriorModel, features: NativeMoveFeatures | StateMoveFeatures) -> None:
    if features.version != model.version:
        raise ValueError(
            f"it was trained with version {model.version} of the features of {model.game}; the current "
            f"version is {features.version}: train it again"
        )
    native = isinstance(features, NativeMoveFeatures)
    if native == bool(model.names) or (native and features.code_count != len(model.weights)):  # type: ignore[union-attr]
        raise ValueError(f"it was trained with other features than the moves of {model.game} have")
