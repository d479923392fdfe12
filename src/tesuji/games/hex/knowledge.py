"""Knowledge of Hex: native hooks, callable from Python.

Each has an attribute `native`, which the searches use.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Literal, TypeAlias, get_args

from tesuji import _core
from tesuji.features import NativeFeatures, NativeMoveFeatures
from tesuji.games.native import NativeOrdering, NativePolicy, NativeThreats
from tesuji.knowledge import Deferred, Knowledge, Reading, combine

if TYPE_CHECKING:
    from tesuji.games.hex.game import HexState
    from tesuji.models.linear import TrainedLinearPrior

Form: TypeAlias = Literal["gradient", "boolean", "stepped"]

URGENT_DISTANCE = 2
"""A threat is urgent if the opponent needs at most this many stones to connect."""

SETTINGS = {
    "rave": "node",
    "first_play": 0.5,
    "exploration": 0.3,
    "expand_after": 10,
    "alphabeta": {"move_ordering": "neighbours"},  # the learned prior costs it more than it gains
    "threat_response": "off",  # shortens proofs, but costs strength: −19 ± 24 Elo at equal time
}
"""Best on 11×11 at equal time; the matches are in docs/games/hex.md."""


PRIOR_WEIGHT = 12.0
"""`prior_weight` of `mcts` with the learned prior; other orderings have none."""


class HexObjectives:
    """The eight objectives of Hex, by distance to a connection and by groups; weights may be replaced.

    As a `gradient` each is a degree from 0 to 1, as a `boolean` 1 or 0. `stepped` is the form of the
    features: as a gradient, but each near-win is 0 beyond its own distance.

    >>> import tesuji
    >>> state = tesuji.game("hex:size=5").start()
    >>> HexObjectives()(state, 0)["path-distance-advantage"]
    Reading(value=0.5, weight=10.0)
    >>> HexObjectives().boolean()(state, 0)["path-distance-advantage"]
    Reading(value=0.0, weight=10.0)
    """

    names: tuple[str, ...] = _core.HEX_OBJECTIVE_NAMES

    def __init__(self, weights: Mapping[str, float] | None = None, *, form: Form = "gradient") -> None:
        self.weights = dict(zip(self.names, _core.HEX_OBJECTIVE_WEIGHTS, strict=True))
        for name, weight in (weights or {}).items():
            if name not in self.weights:
                raise ValueError(f"unknown objective {name!r} ({', '.join(self.names)})")
            if not math.isfinite(weight):
                raise ValueError(f"objective {name!r} has the weight {weight}; it must be a number")
            self.weights[name] = float(weight)
        if form not in get_args(Form):
            raise ValueError(f"unknown form {form!r} of objectives ({', '.join(get_args(Form))})")
        self.form: Form = form
        self._form = _core.HexObjectiveForm[form]
        self.native = _core.HexObjectiveValue(list(self.weights.values()), self._form)

    def __call__(self, state: HexState, player: int) -> dict[str, Reading]:
        """Each objective's value and weight."""
        values = _core.hex_objectives(state.core, player, self._form)
        return {
            name: Reading(value, weight)
            for value, (name, weight) in zip(values, self.weights.items(), strict=True)
        }

    def value(self, state: HexState, player: int) -> float:
        """The combined value."""
        return combine(self(state, player))

    def boolean(self) -> HexObjectives:
        """The same objectives and weights in boolean form."""
        return HexObjectives(self.weights, form="boolean")

    @classmethod
    def of_features(cls, weights: Mapping[str, float]) -> HexObjectives:
        """The objectives in the form of the features, with learned weights."""
        return cls(weights, form="stepped")

    def __repr__(self) -> str:
        return f"HexObjectives({self.weights}{'' if self.form == 'gradient' else f', form={self.form!r}'})"


class HexThreatResponse(NativeThreats):
    """The cells on the opponent's shortest paths; urgent when it needs few stones. An own win comes first."""

    def __init__(self, urgent_distance: int = URGENT_DISTANCE) -> None:
        super().__init__(_core.HexPathThreats(urgent_distance))


class HexMoveOrdering(NativeOrdering):
    """Neighbours of the opponent's last stone first, then of other stones, then the centre."""

    def __init__(self) -> None:
        super().__init__(_core.HexNeighbourOrdering())


@cache
def learned_prior() -> TrainedLinearPrior:
    """A prior of moves learned from self-play of the network; see docs/games/hex.md.

    >>> import tesuji
    >>> state = tesuji.replay("hex", "f6")
    >>> weights = learned_prior()(state, 1, state.moves())
    >>> len(weights), round(sum(weights.values()), 6)
    (120, 1.0)
    """
    from tesuji.models.linear import TrainedLinearPrior  # here: numpy is slow to import

    prior = TrainedLinearPrior.load(Path(__file__).with_name("prior.json.gz"))
    prior.prior_weight = PRIOR_WEIGHT
    return prior


class HexPlayoutPolicy(NativePolicy):
    """Saves a bridge that the opponent's last move intruded on; otherwise draws a cell by weight.

    The weight is exp(neighbours · own neighbours + centre · nearness to the centre): a softmax. 0 and 0, the
    default, draw uniformly.
    """

    def __init__(self, neighbours: float = 0.0, centre: float = 0.0) -> None:
        super().__init__(_core.HexBridgePolicy(neighbours, centre))


class HexExploration:
    """By how full the board is: under 30 % 1.4, under 60 % √2, else 1.0."""

    def __init__(self) -> None:
        self.native = _core.HexFullnessExploration()

    def __call__(self, state: HexState, player: int) -> float:
        """The exploration constant for this position."""
        return self.native(state.core)


class HexProver:
    """The exact solver in the searches: at the root, and at nodes with many visits."""

    def __init__(self) -> None:
        self.native = _core.HexConnectionProver()


@cache
def hex_knowledge() -> Knowledge:
    """All hooks of Hex, and the settings that measured best with them."""
    return Knowledge(
        objectives=HexObjectives(),
        threat_response=HexThreatResponse(),
        playout_policy=HexPlayoutPolicy(),
        move_ordering=Deferred(learned_prior),
        exploration=HexExploration(),
        prover=HexProver(),
        settings=SETTINGS,
    )


@cache
def hex_features() -> NativeFeatures:
    """The eight objectives in their stepped form, for learning a value: `hex_features().names`."""
    return NativeFeatures(_core.HexFeatures())


@cache
def hex_move_features() -> NativeMoveFeatures:
    """The codes of Hex moves, the same on boards of all sizes."""
    return NativeMoveFeatures(_core.HexMoveCodes(), general=True)
