"""Self-play in this process: alternating with training, or at the same time (`overlap`).

With `overlap`, threads play the games of an iteration while the network trains on those of the previous one.
Both share the GPU. The weights that play are one iteration behind, as with workers.

With several `streams` the games are divided into as many pools, each with its own thread that calls the
network: while the planes of one pool are copied to the GPU, the GPU computes for another. A pool's search
threads are idle while it waits for the GPU, so there are twice as many of them as `threads` in all.

Boards of several sizes are divided between the streams by size, and each stream's positions are computed on
the size of its own largest board. All streams search the same number of positions.
"""

from __future__ import annotations

import time
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tesuji import _core
from tesuji._helpers.seeds import derived_seed
from tesuji.learn.zero.boards import Boards
from tesuji.learn.zero.checkpoint import with_prefix
from tesuji.learn.zero.config import ZeroConfig
from tesuji.learn.zero.evaluator import Evaluator
from tesuji.learn.zero.learner import Learner
from tesuji.learn.zero.limit import GRACE_SECONDS, Limit
from tesuji.learn.zero.metrics import SelfPlayStats
from tesuji.learn.zero.record_sink import RecordSink, to_records
from tesuji.learn.zero.selfplay import SelfPlay
from tesuji.learn.zero.window import Window, encode_games
from tesuji.models.network_format import shape_of
from tesuji.models.tensor_file import Arrays
from tesuji.planes import NativePlanes, StatePlanes
from tesuji.records import Record
from tesuji.scale import cores
from tesuji.scale.threads import Future, pool, wait

GAMES_AT_A_TIME = 4


class LocalSelfPlay:
    """Self-play of a run in this process: `start` an iteration, then `finish` it.

    With `overlap` games are played between the two calls, otherwise in `finish`. Both raise Abandoned if they
    take too long after the limit.
    """

    def __init__(
        self,
        boards: Boards,
        planes: NativePlanes,
        config: ZeroConfig,
        learner: Learner,
        sink: RecordSink | None,
        limit: Limit,
    ) -> None:
        self._boards, self._planes, self._config, self._sink = boards, planes, config, sink
        self._divided = boards.divided(config.streams) if boards.mixed else [boards] * config.streams
        self._learner, self._limit = learner, limit
        self._native_rules = not isinstance(planes, StatePlanes)
        self.overlaps_training = config.overlap
        threads = config.threads or cores()
        self._stream_config = replace(
            config,
            games=max(2, config.games // config.streams),
            threads=min(threads, -(-2 * threads // config.streams)),
        )
        self._evaluators: list[Evaluator] = []  # made by the first iteration: compiling takes a minute
        self._pools: list[SelfPlay] = []  # made by the first iteration after `restore`: it replays games
        self.restore({}, 0)
        self._threads = pool(config.streams) if config.overlap or config.streams > 1 else None
        self._running: list[Future[list[_core.PlayedGame]]] = []

    def arrays(self) -> dict[str, NDArray[np.generic]]:
        """The games in progress, for a checkpoint."""
        if not self._pools:
            return dict(self._restored[0])
        return {
            f"games/{stream}/{name}": array
            for stream, games in enumerate(self._pools)
            for name, array in games.to_arrays().items()
        }

    def restore(self, arrays: Arrays, iteration: int) -> None:
        """Continue the games of `arrays`, with new searches and random numbers."""
        games = {name: array for name, array in arrays.items() if name.startswith("games/")}
        self._restored, self._pools = (games, iteration), []

    def start(self, iteration: int, *, visits: int) -> None:
        """Set up an iteration; with `overlap`, begin to play."""
        self._iteration = iteration
        if not self._pools:
            self._pools = self._limit.call(self._make_pools)
        for games in self._pools:
            games.visits = visits
        if self._evaluators:
            self._evaluators[0].update(self._learner.averaged)
        else:
            self._evaluators = self._limit.call(self._make_evaluators)
        self._started, self._counters_before = time.monotonic(), self._counters()
        if self.overlaps_training:
            self._submit()

    def finish(self, window: Window) -> SelfPlayStats:
        """Play the iteration, or wait for it, and add its games to the window."""
        games = self._limit.call(self._play_all)
        seconds, after = time.monotonic() - self._started, self._counters()
        # A window replays games, which slow rules make long: a few at a time, as the limit may be reached.
        size = len(games) if self._native_rules else GAMES_AT_A_TIME
        chunks = [games[at : at + size] for at in range(0, len(games), size or 1)]
        kept = sum(map(len, chunks[: self._limit.keep(window.add, chunks)]))
        after["games"] -= len(games) - kept
        games = games[:kept]
        if self._sink is not None and games:
            self._sink.add(self._limit.call(self._to_records, games), task=self._iteration)
        return SelfPlayStats({key: after[key] - self._counters_before[key] for key in after}, seconds)

    def _to_records(self, games: list[_core.PlayedGame]) -> list[Record]:
        assert self._sink is not None
        arrays = encode_games(self._boards, self._planes, games)
        return to_records(self._boards, self._planes, arrays, player=self._sink.player)

    def stop(self) -> None:
        """End the iteration early; callable from a signal handler or another thread."""
        for games in self._pools:
            games.cancel()

    def abort(self) -> None:
        """Stop, and discard the games of an unfinished iteration."""
        if self._running:
            self.stop()
            wait(self._running, GRACE_SECONDS)
            self._running = []

    def abandon(self) -> None:
        """Discard an iteration that did not stop in time, and return to the games of the last checkpoint."""
        self.stop()
        self._running, self._pools = [], []

    def _make_pools(self) -> list[SelfPlay]:
        """The games of the last `restore`, with new searches and random numbers."""
        arrays, iteration = self._restored
        seeds = [
            derived_seed(self._config.seed, "games", iteration, *([stream] if stream else []))
            for stream in range(self._config.streams)
        ]
        pools = [
            SelfPlay(boards, self._planes, self._stream_config, seed=seed)
            for boards, seed in zip(self._divided, seeds, strict=True)
        ]
        for stream, games in enumerate(pools):
            if saved := with_prefix(arrays, f"games/{stream}/"):
                games.restore(saved)
        return pools

    def _make_evaluators(self) -> list[Evaluator]:
        sides = [part.largest_side for part in self._divided]
        made = [
            Evaluator(
                self._learner.averaged,
                shape_of(self._planes),
                self._learner.device,
                batch=self._pools[0].batch_size,
                buffers=2,
                compiled=self._config.compile != "off",
                padded=self._boards.mixed,
                side=sides[0],
            )
        ]
        for side in sides[1:]:  # ascending, so that those of one size share what is compiled
            made.append(made[-1].shared_copy(side))
        return made

    def _play_all(self) -> list[_core.PlayedGame]:
        if self._threads is None:
            return self._play(0)
        if not self._running:
            self._submit()
        games = [game for future in self._running for game in future.result()]
        self._running = []
        return games

    def _submit(self) -> None:
        assert self._threads is not None
        self._running = [self._threads.submit(self._play, stream) for stream in range(len(self._pools))]

    def _play(self, stream: int) -> list[_core.PlayedGame]:
        positions = (self._config.positions + stream) // len(self._pools)  # sums to config.positions
        return self._pools[stream].run(
            self._evaluators[stream], positions=max(1, positions), seconds=self._limit.left
        )

    def _counters(self) -> dict[str, Any]:
        """Totals over all streams; for times, means."""
        per_pool = [games.counters() for games in self._pools]
        sums = {key: sum(counters[key] for counters in per_pool) for key in per_pool[0]}
        return sums | {key: sums[key] / len(per_pool) for key in ("seconds", "evaluating", "waiting")}
