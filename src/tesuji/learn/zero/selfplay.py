"""Self-play by the core, configured by the settings of a run."""

from __future__ import annotations

import time
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tesuji import _core
from tesuji.full_game import FullGame
from tesuji.learn.zero.boards import Boards
from tesuji.learn.zero.config import ZeroConfig
from tesuji.learn.zero.evaluator import Evaluator
from tesuji.learn.zero.window import decode_games, encode_games
from tesuji.models.tensor_file import Arrays
from tesuji.planes import NativePlanes
from tesuji.scale import cores
from tesuji.search.bot import core_options, find_proximity, native_hook
from tesuji.search.zero import EVALUATIONS_AT_ONCE_ON_GPU

SLICE_SECONDS = 0.5  # between checks for `cancel`
GAME_MEMORY = 1 << 28  # bytes, at most, for the tree of one game


class SelfPlay:
    """Games in progress: `SelfPlay(boards, planes, config, seed=1).run(evaluator, positions=1000)`."""

    def __init__(self, boards: Boards, planes: NativePlanes, config: ZeroConfig, *, seed: int) -> None:
        self._stopping = False
        game = boards.games[0]
        self._boards, self._planes = boards, planes
        self._native = _core.SelfPlay(
            boards.starts(planes),
            boards.weights,
            planes.native,
            _search_options(config),
            _options(config, seed),
            game.from_core if game.native else None,
            _hooks(game, config),
        )
        self._evaluator: Evaluator | None = None

    @property
    def batch_size(self) -> int:
        """Positions per batch."""
        return self._native.batch_size

    @property
    def visits(self) -> int:
        """Simulations of a full search; may change between runs."""
        return self._native.options.visits

    @visits.setter
    def visits(self, visits: int) -> None:
        self._native.options.visits = visits

    def run(
        self, evaluator: Evaluator, *, positions: int, seconds: float | None = None
    ) -> list[_core.PlayedGame]:
        """Play until the games that ended have `positions` positions, the time is over, or `cancel`."""
        if evaluator is not self._evaluator:
            self._evaluator = evaluator
            self._native.use_arrays(*evaluator.buffers)
        end = None if seconds is None else time.monotonic() + seconds
        games: list[_core.PlayedGame] = []
        found = 0
        while found < positions and not self._stopping:
            left = SLICE_SECONDS if end is None else min(SLICE_SECONDS, end - time.monotonic())
            if left <= 0:
                break
            more = self._native.run(evaluator, seconds=left, positions=positions - found)
            found += sum(len(game.moves) - game.opening for game in more)
            games += more
        return games

    def to_arrays(self) -> dict[str, NDArray[np.generic]]:
        """The games in progress, encoded."""
        return encode_games(self._boards, self._planes, self._native.in_progress())

    def restore(self, arrays: Arrays) -> None:
        """Continue the games of `to_arrays`; ValueError if they are damaged.

        Games of another number, on boards that are not played any more, or from a checkpoint of an earlier
        version, whose arrays were others, are dropped.
        """
        if "scores" not in arrays:
            return
        games = decode_games(self._boards, self._planes, arrays)
        played = {board for board, weight in enumerate(self._boards.weights) if weight > 0}
        if len(games) == len(self._native.in_progress()) and {game.board for game in games} <= played:
            self._native.adopt(games)

    def counters(self) -> dict[str, Any]:
        """Counters over all calls of `run`."""
        return self._native.counters()

    def cancel(self) -> None:
        """Make `run` return soon; callable from a signal handler or another thread."""
        self._stopping = True
        self._native.cancel()


def _search_options(config: ZeroConfig) -> _core.NetworkOptions:
    return core_options(
        _core.NetworkOptions,
        config,
        prior_weight=config.c_puct,
        first_play_reduction=config.first_play_reduction,
        batch_size=config.search_batch_size,
        proof_search_after=0,  # takes longer than the network's share of an evaluation
        evaluations_at_once=EVALUATIONS_AT_ONCE_ON_GPU,
        seed=0,  # each game has its own
        memory=GAME_MEMORY,
    )


def _options(config: ZeroConfig, seed: int) -> _core.SelfPlayOptions:
    return core_options(
        _core.SelfPlayOptions,
        config,
        threads=config.threads or cores(),
        seed=seed,
        gumbel=config.root == "gumbel",
        resign=config.resign or 0.0,
    )


def _hooks(game: FullGame, config: ZeroConfig) -> dict[str, object]:
    knowledge = game.knowledge
    hooks: dict[str, object] = {}
    if (openings := native_hook(knowledge, "proximity")) is not None:
        hooks["openings"] = openings
    if config.proximity != "off":
        hooks["proximity"] = find_proximity(knowledge, game, config.proximity)
    if config.prover and (prover := native_hook(knowledge, "prover")) is not None:
        hooks["prover"] = prover
    return hooks
