"""Self-play by the workers of an executor, while this process trains.

    selfplay.start(iteration, visits=200, seconds=None)      # returns at once
    stats = selfplay.finish(window)                          # waits for all workers

The weights are shared once for all workers. Each worker gets a `SelfPlayTask` per iteration. If a worker is
lost, its task is restarted with the same seed and games. Results are ordered by worker, not by time, so
nothing depends on where the workers run or how fast they are.

With a record sink, games are stored as they arrive, under their iteration and worker; a restarted task does
not store its games twice.
"""

from __future__ import annotations

import math
import threading
import time
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from numpy.typing import NDArray

from tesuji._helpers.seeds import derived_seed
from tesuji.learn.zero.checkpoint import with_prefix
from tesuji.learn.zero.config import ZeroConfig
from tesuji.learn.zero.learner import Learner, TrainingError
from tesuji.learn.zero.limit import Limit
from tesuji.learn.zero.metrics import SelfPlayStats
from tesuji.learn.zero.record_sink import RecordSink
from tesuji.learn.zero.selfplay_worker import SelfPlayTask, SelfPlayWorker, SliceResult
from tesuji.learn.zero.window import Window
from tesuji.models.weights import copy_weights
from tesuji.scale.child_process import WorkerError
from tesuji.scale.executor import Actor, ActorLost, Call, Executor, Shared

SLICE_SECONDS = 0.5
SLICES_PER_SECOND = 200  # of all workers together; with many workers slices are longer, so that we keep up
POLL_SECONDS = 0.1  # between two looks at the limit
GRACE_SECONDS = 0.75  # after the limit and one slice, for the workers to hand in their games
MAX_RESTARTS = 5  # of one task; a task that kills more workers is a bug


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
        self._unfinished: list[Mapping[str, NDArray[Any]]] = [{}] * self.count
        self._slice = max(SLICE_SECONDS, count / SLICES_PER_SECOND)
        self._aborted = False
        self._thread: threading.Thread | None = None
        self._error: BaseException | None = None

    def arrays(self) -> dict[str, NDArray[Any]]:
        """The games in progress, for a checkpoint."""
        return {
            f"workers/{index}/{name}": array
            for index, games in enumerate(self._unfinished)
            for name, array in games.items()
        }

    def restore(self, arrays: Mapping[str, NDArray[Any]], iteration: int) -> None:
        """Continue the games of `arrays`; workers that are not in them start new games."""
        self._unfinished = [with_prefix(arrays, f"workers/{index}/") for index in range(self.count)]

    def start(self, iteration: int, *, visits: int) -> None:
        """Start an iteration on every worker."""
        if not self._workers:
            self._workers = self._executor.actors(SelfPlayWorker, self._arguments)
        self._progress = [_TaskProgress(self._task(index, iteration, visits)) for index in range(self.count)]
        self._weights: Shared = self._executor.share(copy_weights(self._learner.averaged))
        self._started = time.monotonic()
        self._thread = threading.Thread(target=self._collect, daemon=True)
        self._thread.start()

    def finish(self, window: Window) -> SelfPlayStats:
        """Wait for all workers, and add the games to the window; errors of workers are raised here."""
        assert self._thread is not None
        self._thread.join()
        self._thread = None
        if self._error is not None:
            raise self._error
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
        if self._thread is not None:
            self._aborted = True
            self._thread.join()
            self._thread, self._aborted = None, False

    abandon = abort

    def _task(self, index: int, iteration: int, visits: int) -> SelfPlayTask:
        seed = derived_seed(self._config.seed, "games", iteration, index)
        positions = (self._config.positions + index) // self.count  # sums to config.positions
        return SelfPlayTask(iteration, seed, visits, max(1, positions), self._unfinished[index])

    def _collect(self) -> None:
        """Run all tasks to their end; in a thread of its own."""
        try:
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
        except BaseException as error:  # raised by `finish`
            self._error = error
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
