"""Self-play in this process, in turns with learning."""

from __future__ import annotations

import time
from collections.abc import Mapping
from typing import Any

from numpy.typing import NDArray

from tesuji.arena.playing import derived_seed
from tesuji.game import Game
from tesuji.learn.zero.checkpoint import part_of
from tesuji.learn.zero.config import ZeroConfig
from tesuji.learn.zero.evaluator import Evaluator
from tesuji.learn.zero.finished import to_arrays, to_records
from tesuji.learn.zero.keeping import Keeper
from tesuji.learn.zero.learner import Learner
from tesuji.learn.zero.metrics import Played
from tesuji.learn.zero.network import shape_of
from tesuji.learn.zero.selfplay import SelfPlay
from tesuji.learn.zero.window import Window
from tesuji.planes import NativePlanes


class Alone:
    """`Alone(game, planes, config, learner).finish(window)` plays, when `start` has said what."""

    ahead = False
    """Games are learned from before the next ones are played."""

    def __init__(
        self, game: Game, planes: NativePlanes, config: ZeroConfig, learner: Learner, keeper: Keeper | None
    ) -> None:
        self._game, self._planes, self._config, self._keeper = game, planes, config, keeper
        self._learner = learner
        self._selfplay = SelfPlay(game, planes, config, seed=0)
        self._evaluator = Evaluator(
            learner.averaged,
            shape_of(planes),
            learner.device,
            batch=self._selfplay.rows,
            buffers=2,
            compiled=config.compile,
        )

    def arrays(self) -> dict[str, NDArray[Any]]:
        """The games in progress, for a checkpoint."""
        return {f"games/{name}": array for name, array in self._selfplay.to_arrays().items()}

    def restore(self, arrays: Mapping[str, NDArray[Any]], iteration: int) -> None:
        """Fresh searches and random numbers, which go on with the games of `arrays`."""
        seed = derived_seed(self._config.seed, "games", iteration)
        self._selfplay = SelfPlay(self._game, self._planes, self._config, seed=seed)
        if games := part_of(arrays, "games/"):
            self._selfplay.restore(games)

    def start(self, iteration: int, *, visits: int, seconds: float | None) -> None:
        """What is to be played."""
        self._iteration, self._seconds = iteration, seconds
        self._selfplay.visits = visits
        self._evaluator.update(self._learner.averaged)

    def finish(self, window: Window) -> Played:
        """Play, and put the games into the window."""
        began, before = time.monotonic(), self._selfplay.counters()
        games = self._selfplay.run(self._evaluator, positions=self._config.positions, seconds=self._seconds)
        after = self._selfplay.counters()
        window.add(games)
        if self._keeper is not None and games:
            arrays = to_arrays(self._game, self._planes, games)
            records = to_records(self._game, self._planes, arrays, player=self._keeper.player)
            self._keeper.add(records, part=self._iteration)
        return Played({key: after[key] - before[key] for key in after}, time.monotonic() - began)

    def stop(self) -> None:
        """End a run soon; from a signal handler or another thread."""
        self._selfplay.cancel()

    def drop(self) -> None:
        """Nothing is under way that has to be ended."""
