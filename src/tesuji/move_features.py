"""Features of moves, from which a prior can be learned: what a move looks like to the player who makes it.

A native game provides them as `game.move_features`: codes, small numbers with one weight each. A game written
in Python may define `move_features(move)` on its states instead. It returns a mapping from names to numbers,
or a list of codes, each any hashable value, which counts one. Names and codes need not be the same in every
position; one that was not seen in training has the weight 0.

The version increases when features are added, removed or redefined; Python games set `features_version`. A
learned prior stores the version it was trained with, and refuses others.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Hashable, Iterable, Mapping, Sequence
from typing import Any

from tesuji import _core
from tesuji.adapter import full_game
from tesuji.features import FeaturesError
from tesuji.full_game import FullGame, Move
from tesuji.game import Game


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

    def codes(self, state: Any, moves: Sequence[int]) -> list[list[int]]:
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

    def __call__(self, state: Any, move: Move) -> dict[str, float]:
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
        return {_name(name): _number(name, number) for name, number in found.items()}
    if isinstance(found, str) or not isinstance(found, Iterable):
        raise FeaturesError(f"move_features() must return a mapping or a list of codes, not {found!r}")
    codes = list(found)
    for code in codes:
        if not isinstance(code, Hashable):
            raise FeaturesError(f"move_features(): the code {code!r} is not hashable")
    return {_name(code): float(count) for code, count in Counter(codes).items()}


def _name(code: Hashable) -> str:
    return code if isinstance(code, str) else repr(code)


def _number(name: object, number: Any) -> float:
    try:
        found = float(number)
    except (TypeError, ValueError, OverflowError):
        raise FeaturesError(f"move feature {name!r} is {number!r}; it must be a number") from None
    if not math.isfinite(found):
        raise FeaturesError(f"move feature {name!r} is {number}; it must be a finite number")
    return found
