"""Domain knowledge of a game, as hooks that the searches call.

An objective is a feature in [0, 1] with a weight; together they give a value, used where a playout is cut:

    value = 0.1 + 0.8 · (Σ w·a − Σ negative w) / Σ|w|

so that only a finished game reaches 0 or 1. `boolean()` gives the same objectives rounded to 0 or 1. The
other hooks concern moves: answers to threats, the playout policy, the move ordering, the exploration
constant, proximity and a prover.
"""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol, TypeAlias

from tesuji.full_game import FullState, Move, OwnState

if TYPE_CHECKING:
    from tesuji import _core


@dataclass(frozen=True)
class Objective:
    """A named feature: `Objective(lambda state, player: state.stones(player) / 9, weight=2)`.

    `measure(state, player)` returns a number from 0 (not achieved) to 1 (achieved); a negative weight makes
    achieving it bad. `achieved(state, player)` is the same as True or False, for `Objectives.boolean()`;
    it defaults to a measure above ½, so that an even position is not an achievement.
    """

    measure: Callable[[OwnState, int], float]
    weight: float
    achieved: Callable[[OwnState, int], bool] | None = None


class Reading(NamedTuple):
    """The reading of one objective: `Reading(value=0.5, weight=10.0)`."""

    value: float
    weight: float


def combine(readings: Mapping[str, Reading]) -> float:
    """The combined value of objectives, in [0.1, 0.9]; 0.5 if there are none."""
    scale = sum(abs(reading.weight) for reading in readings.values())
    if scale == 0:
        return 0.5
    achieved = sum(reading.weight * reading.value for reading in readings.values())
    worst = sum(min(0.0, reading.weight) for reading in readings.values())
    return 0.1 + 0.8 * (achieved - worst) / scale


def shares(readings: Mapping[str, Reading]) -> dict[str, float]:
    """Each objective's share of the value: `combine` is 0.5 + Σ share · (a − 0.5).

    >>> shares({"ahead": Reading(1.0, 2.0), "alone": Reading(0.0, -2.0)})
    {'ahead': 0.4, 'alone': -0.4}
    """
    scale = sum(abs(reading.weight) for reading in readings.values()) or 1.0
    return {name: 0.8 * reading.weight / scale for name, reading in readings.items()}


class Objectives:
    """Objectives by name: call them to read a position, or `value` for their combined value.

    With `boolean=True` each reads 1 or 0.

    >>> ahead = Objectives({"ahead": Objective(lambda state, player: 0.75, weight=2.0)})
    >>> ahead(None, 0)
    {'ahead': Reading(value=0.75, weight=2.0)}
    >>> round(ahead.value(None, 0), 3)
    0.7
    >>> ahead.boolean()(None, 0)
    {'ahead': Reading(value=1.0, weight=2.0)}
    """

    def __init__(self, objectives: Mapping[str, Objective], *, boolean: bool = False) -> None:
        for name, objective in objectives.items():
            if not isinstance(objective, Objective):
                raise ValueError(
                    f"objective {name!r} is {objective!r}; it must be an Objective(measure, weight)"
                )
            if not math.isfinite(objective.weight):
                raise ValueError(f"objective {name!r} has the weight {objective.weight}; it must be a number")
        self.objectives = dict(objectives)
        self._boolean = boolean

    def __call__(self, state: FullState | None, player: int) -> dict[str, Reading]:
        """Each objective's value and weight."""
        read = _answer if self._boolean else _measure
        return {
            name: Reading(read(name, objective, state, player), float(objective.weight))
            for name, objective in self.objectives.items()
        }

    def value(self, state: FullState | None, player: int) -> float:
        """How good the position is for the player, in [0.1, 0.9]."""
        return combine(self(state, player))

    def boolean(self) -> Objectives:
        """The same objectives, each rounded to 1 or 0."""
        return Objectives(self.objectives, boolean=True)


def _measure(name: str, objective: Objective, state: FullState | None, player: int) -> float:
    value = objective.measure(state, player)
    if not 0.0 <= value <= 1.0:  # also false for NaN
        raise ValueError(f"objective {name!r} returned {value!r}; it must be from 0 to 1")
    return float(value)


def _answer(name: str, objective: Objective, state: FullState | None, player: int) -> float:
    if objective.achieved is None:
        return float(_measure(name, objective, state, player) > 0.5)
    answer = objective.achieved(state, player)
    if answer not in (True, False):
        raise ValueError(f"objective {name!r}: achieved returned {answer!r}; it must be True or False")
    return float(answer)


@dataclass(frozen=True)
class Threat:
    """Moves that answer a threat: `Threat(moves=[5], urgent=True)`.

    Urgent: only these are searched (an immediate win of one's own still comes first). Otherwise they are
    tried first.
    """

    moves: Sequence[Move]
    urgent: bool = False


def native_form(hook: object) -> object:
    """The native form of a hook or value where it has one, otherwise itself: `native_form(None) is None`."""
    return getattr(hook, "native", None) or hook


@dataclass(frozen=True)
class Deferred:
    """A hook that is loaded when it is first read: `Knowledge(objectives=Deferred(learned_value))`."""

    load: Callable[[], object]


class ReadsObjectives(Protocol):
    """The type of `Knowledge.objectives`.

    A method `boolean()`, which rounds them to 0 or 1, is needed for `mcts:value=boolean`.
    """

    def __call__(self, state: OwnState, player: int, /) -> dict[str, Reading]:
        """Each objective's value and weight."""

    def value(self, state: OwnState, player: int, /) -> float:
        """How good the position is for the player."""


ThreatResponse: TypeAlias = Callable[[OwnState, int], Threat | None]
"""(state, player) -> the answers to a threat, or None."""
PlayoutPolicy: TypeAlias = Callable[[OwnState, int, list[Move], random.Random], Move]
"""(state, player, moves, rng) -> one of the moves."""
MoveOrdering: TypeAlias = Callable[[OwnState, int, list[Move]], Sequence[Move] | Mapping[Move, float]]
"""(state, player, moves) -> the moves best first, or a weight for each. Omitted moves come last."""
Proximity: TypeAlias = Callable[[OwnState, int, list[Move], bool], Sequence[float]]
"""(state, player, moves, hard) -> a weight from 0 to 1 for each move; with hard, 0 skips the move."""
Exploration: TypeAlias = Callable[[OwnState, int], float]
"""(state, player) -> the exploration constant for this position."""


@dataclass(frozen=True, kw_only=True)
class Knowledge:
    """Knowledge of one game; every part is optional. A `Deferred` hook is loaded when it is first read.

    >>> knowledge = Knowledge(
    ...     objectives={"ahead": Objective(lambda state, player: 0.5, weight=1)},
    ...     move_ordering=lambda state, player, moves: sorted(moves),
    ... )
    >>> knowledge.objectives(None, 0)
    {'ahead': Reading(value=0.5, weight=1.0)}
    """

    objectives: ReadsObjectives | None
    threat_response: ThreatResponse | None
    playout_policy: PlayoutPolicy | None
    move_ordering: MoveOrdering | None
    exploration: Exploration | float | None
    proximity: Proximity | None
    prover: Any
    """A native search for forced wins; Gomoku has one."""
    settings: Mapping[str, object]
    """Search options that measured best with this knowledge: `{"rave": "node"}`. They replace the defaults of
    `MCTSOptions` and `AlphaBetaOptions`; a spec or a call overrides them. Options of one search alone stand
    under its name: `{"alphabeta": {"history": False}}`."""

    def __init__(
        self,
        *,
        objectives: ReadsObjectives | Mapping[str, Objective] | Deferred | None = None,
        threat_response: ThreatResponse | None = None,
        playout_policy: PlayoutPolicy | Deferred | None = None,
        move_ordering: MoveOrdering | Deferred | None = None,
        exploration: Exploration | float | None = None,
        proximity: Proximity | None = None,
        prover: Any = None,
        settings: Mapping[str, object] | None = None,
    ) -> None:
        """Objectives may be given as a plain mapping from name to `Objective`."""
        if isinstance(objectives, Mapping):
            objectives = Objectives(objectives)
        hooks = {
            "objectives": objectives,
            "threat_response": threat_response,
            "playout_policy": playout_policy,
            "move_ordering": move_ordering,
            "exploration": exploration,
            "proximity": proximity,
            "prover": prover,
        }
        deferred = {name: hook for name, hook in hooks.items() if isinstance(hook, Deferred)}
        ready = {name: hook for name, hook in hooks.items() if name not in deferred}
        self.__dict__.update(ready, settings=dict(settings or {}), _deferred=deferred)

    if not TYPE_CHECKING:  # a type checker would believe any attribute

        def __getattr__(self, name: str) -> object:
            """Load a deferred hook; the next look finds it in its place."""
            deferred = self.__dict__.get("_deferred", {}).get(name)
            if deferred is None:
                raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")
            return self.__dict__.setdefault(name, deferred.load())


class SearchRandom(random.Random):
    """The search's own random numbers with the interface of `random.Random`.

    A playout policy that draws from it keeps the search reproducible by its seed.
    """

    def __new__(cls, source: _core.BorrowedRandom) -> SearchRandom:
        """Create without the seeding of `random.Random`."""
        return super().__new__(cls)

    def __init__(self, source: _core.BorrowedRandom) -> None:
        """`source` gives uniform numbers and 64 random bits."""
        self._source = source

    def random(self) -> float:
        """Uniform in [0, 1)."""
        return self._source.uniform()

    def getrandbits(self, k: int, /) -> int:
        """A whole number of k random bits."""
        bits = 0
        for _ in range(0, k, 64):
            bits = bits << 64 | self._source.bits()
        return bits >> (-k % 64)

    def seed(self, *args: object, **kwargs: object) -> None:
        """Do nothing: the search has its own seed."""
