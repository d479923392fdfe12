"""Planes: how a position looks to a network, and where each move stands in the network's policy.

A game offers them as `game.planes(**options)`. A game written in Python may have `planes()` on its states
instead, which gives an array [planes, rows, columns], and `move_space` on the game: all moves there can be.

The version grows whenever a plane or an index changes its meaning. A network knows the names, the shape and
the version that it was trained with, and refuses others.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from tesuji import _core
from tesuji.game import Game


class NativePlanes:
    """Planes that the core makes: `NativePlanes(_core.GomokuPlanes(start))`.

    >>> import tesuji
    >>> game = tesuji.game("gomoku:size=9")
    >>> planes = planes_of(game)
    >>> planes.names[:3], planes(game.start()).shape
    (('own', 'other', 'board'), (8, 9, 9))
    """

    def __init__(self, native: _core.Planes) -> None:
        self.native = native
        self.names = tuple(native.names)
        self.version = int(native.version)

    @property
    def shape(self) -> tuple[int, int, int]:
        """Planes, rows and columns."""
        return len(self.names), self.native.rows, self.native.columns

    @property
    def policy_size(self) -> int:
        """How many numbers the policy has: `policy_planes` for each cell, then the extras."""
        return self.native.policy_size

    def __call__(self, state: Any) -> NDArray[np.float32]:
        """The planes of a position, seen by the player to move."""
        planes: Any = self.native(state.core)
        return planes  # type: ignore[no-any-return]

    def index(self, state: Any, move: int) -> int:
        """Where a legal move stands in the policy."""
        return self.native.index(state.core, move)

    def __repr__(self) -> str:
        return f"<{len(self.names)} planes, version {self.version}: {', '.join(self.names)}>"


def planes_of(game: Game, **options: bool) -> NativePlanes:
    """How positions of a game look to a network; ValueError where the game does not say.

    >>> import tesuji
    >>> planes_of(tesuji.game("gomoku:size=9"), patterns=False, proximity=False)
    <5 planes, version 1: own, other, board, black, last_move>
    """
    offered: Any = getattr(game, "planes", None)
    if offered is None:
        raise ValueError(f"{game!r} offers nothing for a network to look at: it has no planes")
    planes: NativePlanes = offered(**options)
    return planes
