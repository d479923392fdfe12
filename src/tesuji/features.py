"""Features: named numbers of a position from one player's view, to learn a value; and of moves.

A game provides them as `game.features`, an object with `names`, `version` and, for native ones, `native`; a
call `features(state, player)` returns a number for each name. Native features may also have codes: sparse
features with a weight each, of which a position has a few. A game written in Python may define
`features(player)` on its states instead, and `features_version` on the game once they have changed.

The version increases when a feature is added, removed or redefined. A learned model stores the names and the
version it was trained with, and refuses others.

Features of moves, from which a prior can be learned, say what a move looks like to the player who makes it. A
native game provides them as `game.move_features`: codes, small numbers with one weight each. A game written
in Python may define `move_features(move)` on its states instead. It returns a mapping from names to numbers,
or a list of codes, each any hashable value, which counts one. Names and codes need not be the same in every
position; one that was not seen in training has the weight 0.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Hashable, Iterable, Mapping, Sequence
from typing import Protocol

from tesuji import _core
from tesuji.adapter import full_game
from tesuji.any_game import Game, evaluated_seat
from tesuji.full_game import FullGame, Move, OwnState
from tesuji.knowledge import Reading
from tesuji.options import unknown


class FeaturesError(ValueError):
    """Unusable output of a game's `features(player)`."""


class Features(Protocol):
    """The features of a game."""

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the features."""

    @property
    def version(self) -> int:
        """Increases when features change."""

    @property
    def native(self) -> _core.Features | None:
        """The same features natively."""

    @property
    def general(self) -> bool:
        """Whether they have the same meaning for all options of the game, so that one value serves all."""

    @property
    def code_count(self) -> int:
        """The number of codes."""

    def __call__(self, state: OwnState, player: int, /) -> dict[str, float]:
        """The features of a position, from this player's view."""


class NativeFeatures:
    """Features computed by the core: `NativeFeatures(_core.HexFeatures())`.

    >>> import tesuji
    >>> game = tesuji.game("hex:size=5")
    >>> game.features(game.start(), 0)["path-distance-advantage"]
    0.5
    """

    def __init__(self, native: _core.Features, *, general: bool = False) -> None:
        """`general`: they have the same meaning for all options of the game, so that one value serves all."""
        self.native = native
        self.general = general
        self.names = tuple(native.names)
        self.version = int(native.version)
        self.code_count = int(native.code_count)

    def __call__(self, state: OwnState, player: int) -> dict[str, float]:
        """The features of a position, from this player's view."""
        return dict(zip(self.names, self.native(state.core, player), strict=True))

    def codes(self, state: OwnState, player: int) -> list[int]:
        """The codes of a position, from this player's view."""
        return list(self.native.codes(state.core, player))

    def __repr__(self) -> str:
        codes = f" and {self.code_count} codes" if self.code_count else ""
        return f"<{len(self.names)} features{codes}, version {self.version}: {', '.join(self.names)}>"


class WeightedFeatures:
    """A value of a native game with hand-chosen weights: `WeightedFeatures(features, {"name": 0.5})`.

    The weighted sum is the log-odds of the side to move, as in a learned value; other features have weight 0.

    >>> import tesuji
    >>> state = tesuji.replay("hex:size=5", "c3")
    >>> value = WeightedFeatures(state.game.features, {"path-distance-advantage": 4.0}, bias=-2.0)
    >>> round(value.value(state, 0), 2), value.value(state, 0) + value.value(state, 1)
    (0.6, 1.0)
    """

    def __init__(self, features: NativeFeatures, weights: Mapping[str, float], bias: float = 0.0) -> None:
        for name in weights:
            if name not in features.names:
                raise ValueError(unknown(f"feature {name!r}", name, features.names))
        self.weights = {name: float(weights.get(name, 0.0)) for name in features.names}
        self.bias = bias
        self._features = features
        count = len(features.names)
        numbers = _core.LinearWeights(list(self.weights.values()), bias, [0.0] * count, [1.0] * count, 0.0)
        self.native = _core.LinearValue(features.native, numbers)

    def __call__(self, state: OwnState, player: int) -> dict[str, Reading]:
        """Each feature for the side to move, with its weight in the player's log-odds."""
        seat = evaluated_seat(state)
        sign = 1.0 if player == seat else -1.0
        found = self._features(state, seat)
        return {name: Reading(found[name], sign * weight) for name, weight in self.weights.items()}

    def value(self, state: OwnState, player: int) -> float:
        """The probability that the player wins."""
        return self.native(state.core, player)


class StateFeatures:
    """The features of a game whose states have `features(player)`; the first position defines the names."""

    native = None
    general = False
    code_count = 0

    def __init__(self, game: FullGame) -> None:
        first = game.start()
        self.version = game.features_version
        self.names = tuple(_checked(first.features(evaluated_seat(first))))
        if not self.names:
            raise FeaturesError(f"features() of {game.display_name} is empty in the first position")

    def __call__(self, state: OwnState, player: int) -> dict[str, float]:
        """The features of a position; FeaturesError if the names differ from the first position's."""
        found = _checked(state.features(player))
        if tuple(found) != self.names:
            has = ", ".join(found) or "none"
            raise FeaturesError(
                f"features() must return {', '.join(self.names)} in every position, in this order, not {has}"
            )
        return found


def features_of(game: Game) -> Features:
    """The features of a game; ValueError if it has none.

    >>> import tesuji
    >>> features_of(tesuji.game("hex")).version
    1
    """
    game = full_game(game)
    if game.features is not None:
        return game.features
    if not game.start().offers("features"):
        raise ValueError(f"{game.display_name} has no features: its states define no features(player)")
    return StateFeatures(game)


def _checked(numbers: object) -> dict[str, float]:
    if not isinstance(numbers, Mapping):
        raise FeaturesError(f"features() must map names to numbers, not {numbers!r}")
    return {str(name): _number("feature", name, number) for name, number in numbers.items()}


class NativeMoveFeatures:
    """Codes of moves computed by the core.

    >>> import tesuji
    >>> game = tesuji.game("hex:size=5")
    >>> features = game.move_features
    >>> len(features.codes(game.start(), [12])) == 1
    True
    """

    def __init__(self, native: _core.MoveFeatures, *, general: bool = False) -> None:
        """`general`: they have the same meaning for all options of the game, so that one prior serves all."""
        self.native = native
        self.general = general
        self.version = int(native.version)
        self.code_count = int(native.code_count)

    def codes(self, state: OwnState, moves: Sequence[int]) -> list[list[int]]:
        """The codes of each move."""
        return [list(codes) for codes in self.native.codes(state.core, list(moves))]

    def __repr__(self) -> str:
        return f"<{self.code_count} codes of moves, version {self.version}>"


class StateMoveFeatures:
    """The features of the moves of a game whose states have `move_features(move)`."""

    native = None
    general = False

    def __init__(self, game: FullGame) -> None:
        self.version = game.features_version

    def __call__(self, state: OwnState, move: Move) -> dict[str, float]:
        """The features of a move; FeaturesError if they are unusable."""
        return checked_move_features(state.move_features(move))


def move_features_of(game: Game) -> NativeMoveFeatures | StateMoveFeatures:
    """The features of a game's moves; ValueError if it has none."""
    game = full_game(game)
    if isinstance(game.move_features, NativeMoveFeatures):
        return game.move_features
    if not game.start().offers("move_features"):
        raise ValueError(
            f"{game.display_name} has no features of moves: its states define no move_features(move)"
        )
    return StateMoveFeatures(game)


def checked_move_features(found: object) -> dict[str, float]:
    """What `move_features` returned, as numbers by name.

    >>> checked_move_features([("corner", 3), "jump", "jump"])
    {"('corner', 3)": 1.0, 'jump': 2.0}
    """
    if isinstance(found, Mapping):
        return {_name(name): _number("move feature", name, number) for name, number in found.items()}
    if isinstance(found, str) or not isinstance(found, Iterable):
        raise FeaturesError(f"move_features() must return a mapping or a list of codes, not {found!r}")
    codes = list(found)
    for code in codes:
        if not isinstance(code, Hashable):
            raise FeaturesError(f"move_features(): the code {code!r} is not hashable")
    return {_name(code): float(count) for code, count in Counter(codes).items()}


def _name(code: Hashable) -> str:
    return code if isinstance(code, str) else repr(code)


def _number(what: str, name: object, number: str | float) -> float:
    try:
        found = float(number)
    except (TypeError, ValueError, OverflowError):
        raise FeaturesError(f"{what} {name!r} is {number!r}; it must be a number") from None
    if not math.isfinite(found):
        raise FeaturesError(f"{what} {name!r} is {number}; it must be a finite number")
    return found
