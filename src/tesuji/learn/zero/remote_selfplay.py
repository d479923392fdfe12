"""Self-play by the workers of an executor, while this process trains.

    selfplay.start(iteration, visits=200, seconds=None)      # returns at once
    stats = selfplay.finish(window)                          # waits for all workers

The weights are shared once for all workers. Each worker gets a `SelfPlayTask` per iteration. If a worker is
lost, its task is restarted with the same seed and games. Results are ordered by worker, not by time, so
nothing depends on where the workers run or how fast they are.

A task holds everything the games depend on: the seed and the games in progress (the weights come with it). So
a task that is restarted, on any worker, plays the same games, and a lost worker costs only time. It runs in
slices of a few seconds, so that the training process can collect games and stop it in between.

With a record sink, games are stored as they arrive, under their iteration and worker; a restarted task does
not store its games twice.
"""

from __future__ import annotations

import math
import time
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

from tesuji._helpers.seeds import derived_seed
from tesuji.any_game import game as as_game
from tesuji.learn.zero.boards import Boards
from tesuji.learn.zero.checkpoint import with_prefix
from tesuji.learn.zero.config import ZeroConfig, plane_options, read_config
from tesuji.learn.zero.evaluator import Evaluator, find_device
from tesuji.learn.zero.learner import Learner, TrainingError
from tesuji.learn.zero.limit import Limit
from tesuji.learn.zero.metrics import SelfPlayStats
from tesuji.learn.zero.record_sink import RecordSink, to_records
from tesuji.learn.zero.selfplay import SelfPlay
from tesuji.learn.zero.window import Window, encode_games
from tesuji.models.network_format import shape_of
from tesuji.models.resnet import make_network
from tesuji.models.tensor_file import Arrays
from tesuji.models.weights import copy_weights, load_weights
from tesuji.planes import planes_of
from tesuji.records import Record
from tesuji.registry import games
from tesuji.scale.child_process import WorkerError
from tesuji.scale.executor import Actor, ActorLost, Call, Executor, Shared
from tesuji.scale.threads import BackgroundThread, Future
from tesuji.spec import Spec

SLICE_SECONDS = 0.5
SLICES_PER_SECOND = 200  # of all workers together; with many workers slices are longer, so that we keep up
POLL_SECONDS = 0.1  # between two looks at the limit
GRACE_SECONDS = 0.75  # after the limit and one slice, for the workers to hand in their games
MAX_RESTARTS = 5  # of one task; a task that kills more workers is a bug


@dataclass(frozen=True)
class SelfPlayTask:
    """One worker's share of one iteration."""

    iteration: int
    seed: int
    visits: int
    """Simulations of a full search."""
    positions: int
    """Positions to search, counted when their games end."""
    games: Arrays
    """Games in progress, by `encode_games`; empty at first."""


@dataclass(frozen=True)
class SliceResult:
    """What a worker did in one slice of a task."""

    games: dict[str, NDArray[np.generic]]
    """Games that ended, by `encode_games`."""
    records: list[Record]
    """The same games as records, if requested."""
    done: bool
    """Whether this is the task's last slice."""
    unfinished: dict[str, NDArray[np.generic]] = field(default_factory=dict)
    """In the last slice, the games in progress."""
    counters: dict[str, Any] = field(default_factory=dict)
    """The counters of the task so far."""


class SelfPlayWorker:
    """The actor: `SelfPlayWorker("hex:size=3", {"visits": "8"}, "cpu").start(weights, task, seconds=5)`.

    `player` names both seats in records; if it is empty there are none. Unless the settings say otherwise, a
    worker uses one thread for searching and one for the network. `setup` runs the user's file that registers
    the game, if it is not registered yet.
    """

    def __init__(
        self,
        game: str,
        settings: Mapping[str, str],
        device: str,
        player: str = "",
        setup: Callable[[], object] | None = None,
    ) -> None:
        if setup is not None and not games.knows(Spec.parse(game).name):
            setup()
        given = {"threads": "1", "network_threads": "1", **settings}
        self._config, self._player = read_config(given=given), player
        self._boards = Boards.parse(as_game(game), self._config.boards)
        self._planes = planes_of(as_game(game), **plane_options(self._config))
        self._device, self._shape = find_device(device), shape_of(self._planes)
        self._network = make_network(self._config.net, self._shape, 0)
        self._evaluator: Evaluator | None = None
        self._selfplay: SelfPlay
        self._task: SelfPlayTask | None = None

    def start(self, weights: Arrays, task: SelfPlayTask, seconds: float) -> SliceResult:
        """Start a task with these weights, and play for `seconds`."""
        self._task, self._positions, self._records = task, 0, 0
        load_weights(self._network, weights)
        self._selfplay = SelfPlay(self._boards, self._planes, self._config, seed=task.seed)
        if task.games:
            self._selfplay.restore(task.games)
        self._selfplay.visits = task.visits
        if self._evaluator is None:
            self._evaluator = Evaluator(
                self._network,
                self._shape,
                self._device,
                batch=self._selfplay.batch_size,
                buffers=2,
                compiled=self._config.compile == "on",
                padded=self._boards.mixed,
            )
        else:
            self._evaluator.update(self._network)
        return self._play(task, seconds)

    def resume(self, iteration: int, seconds: float) -> SliceResult | None:
        """Play on for `seconds`; None if this worker replaced the one that had the task."""
        task = self._task
        return None if task is None or task.iteration != iteration else self._play(task, seconds)

    def finish(self, iteration: int) -> SliceResult | None:
        """End the task early; None as in `resume`."""
        task = self._task
        return None if task is None or task.iteration != iteration else self._result({}, done=True)

    def _play(self, task: SelfPlayTask, seconds: float) -> SliceResult:
        assert self._evaluator is not None
        torch.set_num_threads(self._config.network_threads or 1)  # per thread, so set it in the one that runs
        remaining = task.positions - self._positions
        games = self._selfplay.run(self._evaluator, positions=remaining, seconds=seconds)
        self._positions += sum(len(game.moves) - game.opening for game in games)
        arrays = encode_games(self._boards, self._planes, games) if games else {}
        return self._result(arrays, done=self._positions >= task.positions)

    def _result(self, games: dict[str, NDArray[np.generic]], *, done: bool) -> SliceResult:
        records: list[Record] = []
        if self._player and games:
            records = to_records(self._boards, self._planes, games, player=self._player, leg=self._records)
            self._records += len(records)
        unfinished = {}
        if done:
            self._task, unfinished = None, self._selfplay.to_arrays()
        return SliceResult(games, records, done, unfinished, self._selfplay.counters())


@dataclass
class _TaskProgress:
    """One worker's task and its results so far."""

    task: SelfPlayTask
    results: list[SliceResult] = field(default_factory=list)
    restarts: int = 0


class RemoteSelfPlay:
    """The workers of a run: `RemoteSelfPlay(executor, 2, "hex:size=3", config, learner, "cpu")`."""

    overlaps_training = True

    def __init__(
        self,
        executor: Executor,
        count: int,
        game: str,
        config: ZeroConfig,
        learner: Learner,
        device: str,
        limit: Limit,
        sink: RecordSink | None = None,
        setup: Callable[[], object] | None = None,
    ) -> None:
        self._executor, self._config, self._learner, self._sink = executor, config, learner, sink
        self._limit, self.count = limit, count
        player = "" if sink is None else sink.player
        self._arguments = [(game, config.changed(), device, player, setup)] * self.count
        self._workers: Sequence[Actor] = ()
        self._unfinished: list[Arrays] = [{}] * self.count
        self._slice = max(SLICE_SECONDS, count / SLICES_PER_SECOND)
        self._aborted = False
        self._thread = BackgroundThread()
        self._collecting: Future[None] | None = None

    def arrays(self) -> dict[str, NDArray[np.generic]]:
        """The games in progress, for a checkpoint."""
        return {
            f"workers/{index}/{name}": array
            for index, games in enumerate(self._unfinished)
            for name, array in games.items()
        }

    def restore(self, arrays: Arrays, iteration: int) -> None:
        """Continue the games of `arrays`; workers that are not in them start new games."""
        self._unfinished = [with_prefix(arrays, f"workers/{index}/") for index in range(self.count)]

    def start(self, iteration: int, *, visits: int) -> None:
        """Start an iteration on every worker."""
        if not self._workers:
            self._workers = self._executor.actors(SelfPlayWorker, self._arguments)
        self._progress = [_TaskProgress(self._task(index, iteration, visits)) for index in range(self.count)]
        self._weights: Shared = self._executor.share(copy_weights(self._learner.averaged))
        self._started = time.monotonic()
        self._collecting = self._thread.submit(self._collect)

    def finish(self, window: Window) -> SelfPlayStats:
        """Wait for all workers, and add the games to the window; errors of workers are raised here."""
        assert self._collecting is not None
        collecting, self._collecting = self._collecting, None
        collecting.result()
        by_worker = [progress.results for progress in self._progress]
        self._unfinished = [
            results[-1].unfinished if results else games
            for results, games in zip(by_worker, self._unfinished, strict=True)
        ]
        games = [result.games for results in by_worker for result in results if result.games]
        kept = self._limit.keep(window.add_arrays, games)
        counters = [results[-1].counters for results in by_worker if results]
        if not counters and not self._limit.stopped:
            raise TrainingError(
                f"none of {self.count} workers started in time: give the run more time, or make room for them"
            )
        names = counters[0] if counters else ()
        total = Counter({name: sum(each[name] for each in counters) for name in names})
        total["games"] -= sum(len(each["move_counts"]) for each in games[kept:])
        lost = sum(progress.restarts for progress in self._progress)
        return SelfPlayStats(total, self._finished - self._started, {"workers": self.count, "lost": lost})

    def stop(self) -> None:
        """End the iteration early, which the limit says, too."""

    def abort(self) -> None:
        """Stop at once, and discard the games of an unfinished iteration."""
        if self._collecting is not None:
            self._aborted = True
            self._thread.settle()
            self._collecting, self._aborted = None, False

    abandon = abort

    def _task(self, index: int, iteration: int, visits: int) -> SelfPlayTask:
        seed = derived_seed(self._config.seed, "games", iteration, index)
        positions = (self._config.positions + index) // self.count  # sums to config.positions
        return SelfPlayTask(iteration, seed, visits, max(1, positions), self._unfinished[index])

    def _collect(self) -> None:
        """Run all tasks to their end; in a thread of its own."""
        waiting = {self._start_task(index): index for index in range(self.count)}
        end = math.inf
        while waiting and time.monotonic() < end and not self._aborted:
            for call in self._executor.wait(list(waiting), POLL_SECONDS):
                index = waiting.pop(call)
                following = self._handle(index, call)
                if following is not None:
                    waiting[following] = index
            if end == math.inf and self._limit.reached:
                end = time.monotonic() + self._slice + GRACE_SECONDS
        for call in waiting:  # these workers do not answer: their games in progress are lost
            call.cancel()
        self._finished = time.monotonic()

    def _start_task(self, index: int) -> Call:
        task = self._progress[index].task
        return self._workers[index].call("start", self._weights, task, self._slice_seconds())

    def _handle(self, index: int, call: Call) -> Call | None:
        """Keep a worker's result, and return its next call, None if its task is done."""
        progress, iteration = self._progress[index], self._progress[index].task.iteration
        try:
            result: SliceResult | None = call.result()
            detail = "its task was forgotten"
        except ActorLost as lost:
            result, detail = None, str(lost)
        except WorkerError as error:
            *_, message = str(error).strip().splitlines()
            if message.startswith("ValueError: "):  # bad input, such as a device that does not exist
                raise TrainingError(f"worker {index}: {message.removeprefix('ValueError: ')}") from error
            raise
        if result is None:
            progress.results.clear()
            progress.restarts += 1
            if progress.restarts > MAX_RESTARTS:
                raise TrainingError(
                    f"worker {index} was lost {progress.restarts} times "
                    f"in iteration {iteration + 1}: {detail}"
                )
            return self._start_task(index)
        progress.results.append(result)
        if self._sink is not None and result.records:
            self._sink.add(result.records, task=iteration * self.count + index)
        if result.done:
            return None
        if self._slice_seconds() == 0:
            return self._workers[index].call("finish", iteration)
        return self._workers[index].call("resume", iteration, self._slice_seconds())

    def _slice_seconds(self) -> float:
        left = self._limit.left
        return self._slice if left is None else min(self._slice, left)
