"""The window: the newest games of self-play, from which training draws its batches.

Games are kept as moves and targets; positions are made again by replay in the core, turned by a random
symmetry. A batch depends on its seed and on the games alone, not on threads. Written to arrays and read back,
a window gives the same batches.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from tesuji import _core
from tesuji.game import Game
from tesuji.learn.zero.boards import Boards
from tesuji.planes import NativePlanes

Numbers: TypeAlias = NDArray[np.float32]


@dataclass(frozen=True)
class Batch:
    """Positions, one row each, and what a network is to say of them. All arrays are float32."""

    planes: Numbers
    """[rows, planes, rows of the board, columns]"""
    policy: Numbers
    """[rows, policy_size]: the search's policy, which adds up to 1; zeros where there is none"""
    policy_weight: Numbers
    """1, or 0 where the position was not searched fully"""
    value: Numbers
    """the player to move's score in the end, 0 to 1"""
    value_weight: Numbers
    """of the value and the moves left: 1, or 0 where nobody knows how the game ends"""
    root_value: Numbers
    """what the search thought that it would be"""
    reply: Numbers
    """[rows, policy_size]: the opponent's policy one move later, as the player to move sees the board"""
    reply_weight: Numbers
    """1, or 0 where that position was not searched fully or there is none"""
    moves_left: Numbers
    """how many moves followed in the game"""

    def joined(self, other: Batch) -> Batch:
        """The rows of both."""
        return Batch(
            *(np.concatenate([getattr(self, each.name), getattr(other, each.name)]) for each in fields(self))
        )


class Window:
    """Keeps the newest games of self-play: `Window(game, planes_of(game), capacity=100_000)`.

    `surprise` is the share of the drawing that goes by how wrong the network's policy was; the rest is even.
    Positions that were searched cheaply are drawn with the weight `cheap`, where a full one has 1.

    >>> import tesuji
    >>> from tesuji.planes import planes_of
    >>> game = tesuji.game("gomoku:size=5")
    >>> window = Window(game, planes_of(game), capacity=1000)
    >>> searches = [(0.5, 0.1, True, {move: 1.0}) for move in range(9)]  # value, surprise, full, policy
    >>> moves = [0, 5, 1, 6, 2, 7, 3, 8, 4]
    >>> window.add([_core.PlayedGame(moves, [1.0, 0.0], 0, searches)])
    >>> batch = window.sample(64, seed=7)
    >>> window.positions, batch.planes.shape, batch.policy.shape
    (9, (64, 8, 5, 5), (64, 25))
    """

    def __init__(
        self,
        game: Game | Boards,
        planes: NativePlanes,
        *,
        capacity: int,
        surprise: float = 0.5,
        cheap: float = 0.0,
    ) -> None:
        boards = game if isinstance(game, Boards) else Boards.of(game)
        self.native = _core.Window(
            boards.starts(planes), planes.native, capacity=capacity, surprise=surprise, cheap=cheap
        )

    @property
    def positions(self) -> int:
        """How many there are to draw."""
        return self.native.positions

    @property
    def games(self) -> int:
        """How many are kept."""
        return self.native.games

    @property
    def capacity(self) -> int:
        """So many positions are kept at most, and always the newest game."""
        return self.native.capacity

    @capacity.setter
    def capacity(self, positions: int) -> None:
        self.native.capacity = positions

    def add(self, games: Sequence[_core.PlayedGame]) -> None:
        """Adds games, all or none; ValueError where one breaks the rules. The oldest make room."""
        self.native.add(list(games))

    def sample(self, count: int, *, seed: int, threads: int = 1) -> Batch:
        """Draws positions, each turned by a random symmetry; other Python threads run meanwhile."""
        drawn: Any = self.native.sample(count, seed, threads)
        return Batch(**drawn)

    def to_arrays(self) -> dict[str, NDArray[Any]]:
        """All games as flat arrays, for a file."""
        arrays: Any = self.native.to_arrays()
        return arrays  # type: ignore[no-any-return]

    def add_arrays(self, arrays: Mapping[str, NDArray[Any]]) -> None:
        """Adds the games of `to_arrays()`; ValueError where they are damaged or another game's."""
        self.native.add_arrays(dict(arrays))


PER_PLY = ("values", "surprises", "full", "target_counts")
PER_TARGET = ("indices", "shares")


def newest(arrays: Mapping[str, NDArray[Any]], room: int) -> dict[str, NDArray[Any]]:
    """Of a window's `to_arrays`, the newest games that fit into so many bytes."""
    moves = arrays["move_counts"].astype(np.int64)
    plies = moves - arrays["openings"]
    ends = np.cumsum(plies)
    targets = np.add.reduceat(
        np.append(arrays["target_counts"].astype(np.int64), 0), np.concatenate([[0], ends])[:-1]
    )
    targets[plies == 0] = 0
    counts = dict.fromkeys(arrays, np.ones_like(moves))
    counts |= {"moves": moves, **dict.fromkeys(PER_PLY, plies), **dict.fromkeys(PER_TARGET, targets)}
    sizes = sum(counts[name] * array.itemsize for name, array in arrays.items())
    kept = int(np.searchsorted(np.cumsum(np.flip(sizes)), room, side="right"))
    return {
        name: array[len(array) - int(counts[name][len(moves) - kept :].sum()) :]
        for name, array in arrays.items()
    }


def joined(one: Batch, other: Batch) -> Batch:
    """The rows of both batches."""
    names = [field.name for field in dataclasses.fields(Batch)]
    return Batch(**{name: np.concatenate([getattr(one, name), getattr(other, name)]) for name in names})
