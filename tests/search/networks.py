"""Networks that are plain functions, and small games as a network sees them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

import tesuji
from tests.search.small_games import Rules
from tesuji import _core
from tesuji.adapter import full_state
from tesuji.games.native import NativeState
from tesuji.planes import planes_of
from tesuji.search.analysis import Analysis, Candidate

Array = NDArray[np.float32]
Network = Callable[[Array], tuple[Array, Array]]


def even(moves: int) -> Network:
    """Likes all moves alike, and finds every position even."""
    return lambda planes: (np.zeros((len(planes), moves), np.float32), np.zeros(len(planes), np.float32))


def opinionated(moves: int, seed: int = 0) -> Network:
    """An opinion of every position, which depends on nothing but its planes."""
    random = np.random.default_rng(seed)
    weights: dict[int, Array] = {}

    def network(planes: Array) -> tuple[Array, Array]:
        flat = planes.reshape(len(planes), -1)
        if not weights:
            weights[0] = random.normal(size=(flat.shape[1], moves + 1)).astype(np.float32)
        # Row by row: the order of the sums, and so their last bits, must not depend on the batch.
        answers = np.stack([np.tanh(row @ weights[0]) for row in flat]).astype(np.float32)
        return np.ascontiguousarray(answers[:, :moves]), np.ascontiguousarray(answers[:, moves])

    return network


class Seen:
    """A state of a small game with a plane that shows the way to it: where in its list each move stood."""

    longest = 16

    def __init__(self, state: Any, way: tuple[int, ...] = ()) -> None:
        self.state, self.way = state, way

    @property
    def player(self) -> int:
        return int(self.state.player)

    def moves(self) -> Sequence[Any]:
        moves: Sequence[Any] = self.state.moves()
        return moves

    def play(self, move: Any) -> Seen:
        return Seen(self.state.play(move), (*self.way, list(self.moves()).index(move) + 1))

    def scores(self) -> Sequence[float] | None:
        scores: Sequence[float] | None = self.state.scores()
        return scores

    def planes(self) -> Array:
        plane = np.zeros((1, 1, self.longest), np.float32)
        plane[0, 0, : len(self.way)] = self.way[: self.longest]
        return plane


class SeenRules(Rules):
    """The game of such a state, with the moves of the first plies: later ones are the same."""

    @property
    def move_space(self) -> list[Any]:
        found: dict[Any, None] = {}
        layer: list[Any] = [self.first]
        for _ in range(3):
            for state in layer:
                found.update(dict.fromkeys(state.moves()))
            layer = [state.play(move) for state in layer for move in state.moves()]
        return list(found)


def search_options(leaves: int = 1, **options: Any) -> _core.NetworkOptions:
    native = _core.NetworkOptions()
    native.batch_size = leaves
    native.prior_weight = 1.0
    native.first_play_reduction = 0.1
    native.memory = 64 << 20
    native.seed = 1
    for name, value in options.items():
        setattr(native, name, value)
    return native


def searcher(
    game: Any,
    network: Callable[[int], Network] = even,
    *,
    leaves: int = 1,
    threads: int = 1,
    hooks: Any = None,
    **options: Any,
) -> _core.ZeroSearcher:
    planes = planes_of(game)
    return _core.ZeroSearcher(
        search_options(leaves, **options),
        planes.native,
        network(planes.policy_size),
        False,
        getattr(game, "from_core", None),
        hooks or {},
        groups=threads + 1 if threads > 1 else 1,
        threads=threads,
    )


def analyse(state: Any, *, iterations: int = 0, seconds: float = 0.0, **options: Any) -> Analysis:
    """Search a position with a network; a small game's is given planes first."""
    game: Any = getattr(state, "game", None)
    if game is None:
        if not full_state(state).offers("planes"):
            state = Seen(state)
        game = SeenRules(state)
    root = state.core if isinstance(state, NativeState) else state
    found = searcher(game, **options).search(root, iterations, seconds, False)
    return analysis_of(state, found)


def analysis_of(state: tesuji.State, found: dict[str, Any]) -> Analysis:
    candidates = tuple(Candidate(*candidate) for candidate in found["candidates"])
    known = {key: value for key, value in found.items() if key != "evaluations"}
    return Analysis(state=full_state(state), **{**known, "candidates": candidates})
