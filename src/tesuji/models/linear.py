"""A trained linear value in play.

    V(s) = θ·(φ(s) − μ)/(σ + ε) + Σ w[code] + b

is the log-odds that the side to move wins, where φ are the game's features from that side, and the sum is
over the position's codes, if the game has any. `tesuji.learn.linear` fits one.
"""

from __future__ import annotations

import math
import os
from dataclasses import replace
from typing import Any, Self, TypeAlias

import numpy as np
from numpy.typing import NDArray

from tesuji import _core
from tesuji.adapter import full_state
from tesuji.features import Features, features_of
from tesuji.full_game import FullGame, FullState
from tesuji.game import Game, State, evaluated_seat, is_position_of, received_game
from tesuji.game import game as as_game
from tesuji.knowledge import Knowledge, Reading
from tesuji.models.linear_file import CODE_UNIT, LinearModel, PenaltyResult, read_model, write_model
from tesuji.registry import spec_of

Array: TypeAlias = NDArray[np.float64]


class TrainedLinearValue:
    """A linear value from a file: `TrainedLinearValue.load("model.json").value(state, 0)`.

    The names of what was learned end in an underscore.
    """

    def __init__(self, model: LinearModel) -> None:
        self._set_model(model)

    @classmethod
    def load(cls, path: str | os.PathLike[str], *, game: Game | str | None = None) -> Self:
        """Read a model file; ValueError if it is invalid, or for another game or other features."""
        model = read_model(path)
        try:
            value = cls._from_model(model)
            if game is not None:
                value._same_game(game)
        except ValueError as error:
            raise ValueError(f"cannot use {path}: {error}") from error
        return value

    @classmethod
    def _from_model(cls, model: LinearModel) -> Self:
        return cls(model)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the model to a JSON file, atomically."""
        write_model(self.model_, path)

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

        Codes are added up by kind: the reading is their number, and its weight their mean weight.
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
        return named | self._kinds_of_codes(state, sign)

    def _kinds_of_codes(self, state: Any, sign: float) -> dict[str, Reading]:
        if not self.model_.codes:
            return {}
        sums: dict[str, list[float]] = {}
        for code in self.code_source.codes(state.core, evaluated_seat(state)):
            kind = self.code_source.code_group(code)
            sums.setdefault(kind, []).append(sign * float(self.codes_[code]))
        return {kind: Reading(float(len(each)), math.fsum(each) / len(each)) for kind, each in sums.items()}

    def logits(self, table: Array, codes: Any = None) -> Array:
        """The log-odds for rows, as computed in play: `value.logits(dataset.table, dataset.codes)`."""
        found = self._weights.logits(table)
        if codes is not None and self.model_.codes:
            found += CODE_UNIT * codes.sums(0, codes.rows, np.array(self.model_.codes, dtype=np.float64))
        return found

    @property
    def code_source(self) -> Any:
        """What names the codes: `value.code_source.code_name(7)`; None for a game written in Python."""
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
        if tuple(getattr(objectives, "names", ())) != self.names_ or self.model_.codes:
            raise ValueError(f"the features of {self.game_} are not its objectives")
        slopes = self.theta_ / (self.scale_ + self.model_.epsilon)
        return objectives.of_features(dict(zip(self.names_, map(float, slopes), strict=True)))

    def _set_model(self, model: LinearModel) -> None:
        game = received_game(model.game)
        features = features_of(game)
        _check_features(model, features)
        weights = model.weights
        native = features.native
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
        self.codes_ = CODE_UNIT * np.array(model.codes, dtype=np.float64)
        self.l1_, self.l2_ = model.l1, model.l2
        self.losses_ = model.losses
        self.baseline_ = PenaltyResult(math.inf, 0.0, model.baseline, 0.0)
        self.calibration_ = model.calibration
        self.constant_ = model.constant
        self.dependent_ = model.dependent
        self.data_ = model.data

    def _same_game(self, game: Game | str) -> FullGame:
        rules = as_game(game)
        if spec_of(rules) != self.game_ and not (
            type(rules.own) is type(self._game.own) and self._accepts(rules.start())
        ):
            raise ValueError(f"this value was trained for {self.game_}, not for {spec_of(rules)}")
        return rules

    def _accepts(self, state: FullState) -> bool:
        if self._features.general and state.core is not None:
            return type(state.game.own) is type(self._game.own)
        return is_position_of(self._game, state)

    def _checked(self, given: State) -> FullState:
        """The position with all optional members; ValueError where it is of another game."""
        if not hasattr(self, "model_"):
            raise ValueError("this value is not trained: call fit, or load a model")
        state = full_state(given)
        if not self._accepts(state):
            raise ValueError(f"this value was trained for {self.game_}, not for the game of {state!r}")
        return state


def _check_features(model: LinearModel, features: Features) -> None:
    if features.version != model.version:
        raise ValueError(
            f"it was trained with version {model.version} of the features of {model.game}; the current "
            f"version is {features.version}: train it again"
        )
    if tuple(features.names) != model.names:
        raise ValueError(
            f"it was trained with the features {', '.join(model.names)}, but {model.game} has "
            f"{', '.join(features.names)}"
        )
    codes = features.code_count
    if model.codes and len(model.codes) != codes:
        raise ValueError(f"it was trained with {len(model.codes)} codes, but {model.game} has {codes}")
