"""The replay window: the newest self-play games, from which training samples its batches.

Games are stored as moves and targets; the core replays them to sampled positions and applies a random
symmetry. A batch depends only on its seed and the games, not on threads. A window restored from its arrays
gives the same batches. Games in progress are stored in checkpoints, and finished ones sent between machines,
as arrays of the same form.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from tesuji import _core
from tesuji.full_game import FullGame
from tesuji.learn.zero.boards import Boards
from tesuji.models.tensor_file import Arrays
from tesuji.planes import NativePlanes

Numbers: TypeAlias = NDArray[np.float32]

UNLIMITED = 2**62  # positions


@dataclass(frozen=True)
class Batch:
    """Positions and training targets, one row each. All arrays are float32."""

    planes: Numbers
    """[rows, planes, rows of the board, columns]"""
    policy: Numbers
    """[rows, policy_size]: the search's policy, which sums to 1; zeros without a full search"""
    policy_weight: Numbers
    """1, or 0 without a full search"""
    value: Numbers
    """the final score of the side to move, in [0, 1]"""
    value_weight: Numbers
    """weight of the value and the moves left: 1, or 0 if the result is unknown"""
    root_value: Numbers
    """the search's estimate of the value"""
    reply: Numbers
    """[rows, policy_size]: the policy of the next position, in the orientation of this one"""
    reply_weight: Numbers
    """1, or 0 if the next position does not exist or had no full search"""
    moves_left: Numbers
    """moves to the end of the game"""

    def concatenate(self, other: Batch) -> Batch:
        """The rows of both batches."""
        theirs = vars(other)
        return Batch(**{name: np.concatenate([mine, theirs[name]]) for name, mine in vars(self).items()})


class Window:
    """A window of self-play games: `Window(game, planes_of(game), capacity=100_000)`.

    `surprise` is the share of the sampling weight that is proportional to the policy surprise KL(search ‖
    network); the rest is uniform. Positions without a full search have the weight `fast_search_weight`
    instead of 1.

    >>> import tesuji
    >>> from tesuji.planes import planes_of
    >>> game = tesuji.game("gomoku:size=5")
    >>> window = Window(game, planes_of(game), capacity=1000)
    >>> searches = [(0.5, 0.1, True, {move: 1.0}) for move in range(9)]  # value, surprise, full, policy
    >>> moves = [0, 5, 1, 6, 2, 7, 3, 8, 4]
    >>> window.add([_core.PlayedGame(moves, [1.0, 0.0], 0, searches)])
    >>> batch = window.sample(64, seed=7)
    >>> window.positions, batch.planes.shape, batch.policy.shape
    (9, (64, 17, 5, 5), (64, 25))
    """

    def __init__(
        self,
        game: FullGame | Boards,
        planes: NativePlanes,
        *,
        capacity: int,
        surprise: float = 0.5,
        fast_search_weight: float = 0.0,
    ) -> None:
        boards = game if isinstance(game, Boards) else Boards.of(game)
        self.native = _core.Window(
            boards.starts(planes),
            planes.native,
            capacity=capacity,
            surprise=surprise,
            fast_search_weight=fast_search_weight,
        )

    @property
    def positions(self) -> int:
        """Positions that can be sampled."""
        return self.native.positions

    @property
    def games(self) -> int:
        """Games in the window."""
        return self.native.games

    @property
    def capacity(self) -> int:
        """The maximum number of positions; the newest game is always kept."""
        return self.native.capacity

    @capacity.setter
    def capacity(self, positions: int) -> None:
        self.native.capacity = positions

    def add(self, games: Sequence[_core.PlayedGame]) -> None:
        """Add games, evicting the oldest; ValueError, and no change, if one has an illegal move."""
        self.native.add(list(games))

    def sample(self, count: int, *, seed: int, threads: int = 1) -> Batch:
        """Sample positions, each in a random symmetry; releases the interpreter's lock."""
        return Batch(**self.native.sample(count, seed, threads))

    def to_arrays(self) -> dict[str, NDArray[np.generic]]:
        """All games as flat arrays."""
        return self.native.to_arrays()

    def add_arrays(self, arrays: Arrays) -> None:
        """Add the games of `to_arrays()`; ValueError if they are damaged or of another game."""
        self.native.add_arrays(dict(arrays))


def encode_games(
    boards: Boards, planes: NativePlanes, games: Sequence[_core.PlayedGame]
) -> dict[str, NDArray[np.generic]]:
    """Games, finished or in progress, one array per column, as `Window.add_arrays` takes them."""
    window = Window(boards, planes, capacity=UNLIMITED)
    window.native.add_unchecked(list(games))  # whoever reads the arrays replays the games
    return window.to_arrays()


def decode_games(boards: Boards, planes: NativePlanes, arrays: Arrays) -> list[_core.PlayedGame]:
    """The games of `encode_games`; ValueError if they are damaged."""
    window = Window(boards, planes, capacity=UNLIMITED)
    window.add_arrays(arrays)
    return window.native.played()


PER_PLY = ("values", "surprises", "full", "target_counts")
PER_TARGET = ("indices", "shares")


def newest_games(arrays: Arrays, max_bytes: int) -> dict[str, NDArray[np.generic]]:
    """The newest games of a window's arrays that fit into `max_bytes`."""
    moves = arrays["move_counts"].astype(np.int64)
    plies = moves - arrays["openings"].astype(np.int64)
    ends = np.cumsum(plies)
    targets = np.add.reduceat(
        np.append(arrays["target_counts"].astype(np.int64), 0), np.concatenate([[0], ends])[:-1]
    )
    targets[plies == 0] = 0
    counts = dict.fromkeys(arrays, np.ones_like(moves))
    counts |= {"moves": moves, **dict.fromkeys(PER_PLY, plies), **dict.fromkeys(PER_TARGET, targets)}
    sizes = sum(counts[name] * array.itemsize for name, array in arrays.items())
    kept = int(np.searchsorted(np.cumsum(np.flip(sizes)), max_bytes, side="right"))
    return {
        name: array[len(array) - int(counts[name][len(moves) - kept :].sum()) :]
        for name, array in arrays.items()
    }
