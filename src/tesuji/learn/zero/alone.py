"""Self-play in this process: in turns with learning, or meanwhile (`overlap`).

With `overlap` the games of an iteration are played by threads while the network learns from those of the
one before. Network and learner share the GPU, and neither waits for the other's Python. The weights that play
are one iteration behind, as with workers.

With several `streams` the games are divided among as many pools, each with a thread that calls the network:
while the planes of one are on their way to the GPU, it computes for another.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from numpy.typing import NDArray

from tesuji import _core
from tesuji.arena.playing import derived_seed
from tesuji.learn.zero.boards import Boards
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
from tesuji.scale import cores
from tesuji.scale.threads import Future, pool

SWITCH_SECONDS = 1e-4
"""How long learning may keep the interpreter's lock from whoever feeds the GPU; Python's 5 ms are a batch."""


class Alone:
    """`Alone(boards, planes, config, learner).finish(window)` plays, when `start` has said what."""

    def __init__(
        self,
        boards: Boards,
        planes: NativePlanes,
        config: ZeroConfig,
        learner: Learner,
        keeper: Keeper | None,
    ) -> None:
        self._boards, self._planes, self._config, self._keeper = boards, planes, config, keeper
        self._learner = learner
        self.ahead = config.overlap
        """Whether games are learned from while the next ones are played."""
        # Each stream has its part of the games and of the threads.
        threads = max(1, (config.threads or cores()) // config.streams)
        self._part = replace(config, games=max(2, config.games // config.streams), threads=threads)
        self._pools = self._make_pools(0)
        evaluator = Evaluator(
            learner.averaged,
            shape_of(planes),
            learner.device,
            batch=self._pools[0].rows,
            buffers=2,
            compiled=config.compile,
            padded=boards.mixed,
        )
        self._evaluators = [evaluator, *(evaluator.twin() for _ in self._pools[1:])]
        self._threads = pool(config.streams) if config.overlap or config.streams > 1 else None
        self._playing: list[Future[list[_core.PlayedGame]]] = []
        if config.overlap:
            sys.setswitchinterval(SWITCH_SECONDS)

    def arrays(self) -> dict[str, NDArray[Any]]:
        """The games in progress, for a checkpoint."""
        return {
            f"games/{stream}/{name}": array
            for stream, games in enumerate(self._pools)
            for name, array in games.to_arrays().items()
        }

    def restore(self, arrays: Mapping[str, NDArray[Any]], iteration: int) -> None:
        """Fresh searches and random numbers, which go on with the games of `arrays`."""
        self._pools = self._make_pools(iteration)
        for stream, games in enumerate(self._pools):
            if kept := part_of(arrays, f"games/{stream}/"):
                games.restore(kept)

    def start(self, iteration: int, *, visits: int, seconds: float | None) -> None:
        """What is to be played; with `overlap` it begins now."""
        self._iteration, self._seconds = iteration, seconds
        for games in self._pools:
            games.visits = visits
        self._evaluators[0].update(self._learner.averaged)
        self._began, self._before = time.monotonic(), self._counters()
        if self.ahead:
            self._begin()

    def finish(self, window: Window) -> Played:
        """Play, or wait until that is done, and put the games into the window."""
        if self._threads is None:
            games = self._play(0)
        else:
            if not self._playing:
                self._begin()
            games = [game for playing in self._playing for game in playing.result()]
            self._playing = []
        seconds, after = time.monotonic() - self._began, self._counters()
        window.add(games)
        if self._keeper is not None and games:
            arrays = to_arrays(self._boards, self._planes, games)
            records = to_records(self._boards, self._planes, arrays, player=self._keeper.player)
            self._keeper.add(records, part=self._iteration)
        return Played({key: after[key] - self._before[key] for key in after}, seconds)

    def stop(self) -> None:
        """End a run soon; from a signal handler or another thread."""
        for games in self._pools:
            games.cancel()

    def drop(self) -> None:
        """Nobody wants what is being played any more."""
        if self._playing:
            self.stop()
            for playing in self._playing:
                playing.exception()
            self._playing = []

    def _make_pools(self, iteration: int) -> list[SelfPlay]:
        seeds = [
            derived_seed(self._config.seed, "games", iteration, *([stream] if stream else []))
            for stream in range(self._config.streams)
        ]
        return [SelfPlay(self._boards, self._planes, self._part, seed=seed) for seed in seeds]

    def _begin(self) -> None:
        assert self._threads is not None
        self._playing = [self._threads.submit(self._play, stream) for stream in range(len(self._pools))]

    def _play(self, stream: int) -> list[_core.PlayedGame]:
        streams = len(self._pools)
        positions = (self._config.positions + stream) // streams  # they add up to what is wanted
        return self._pools[stream].run(
            self._evaluators[stream], positions=max(1, positions), seconds=self._seconds
        )

    def _counters(self) -> dict[str, Any]:
        """The sums over all streams; of the times, the means."""
        each = [games.counters() for games in self._pools]
        sums = {key: sum(counted[key] for counted in each) for key in each[0]}
        return sums | {key: sums[key] / len(each) for key in ("seconds", "evaluating", "waiting")}
