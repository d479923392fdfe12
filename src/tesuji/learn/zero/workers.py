"""Self-play by many workers, wherever an executor has them, while this process learns.

    together.start(iteration, visits=200, seconds=None)      # does not wait
    played = together.finish(window)                         # waits for all of them

The weights are shared once for all workers. Each plays its part of an iteration (see `worker`); a worker that
is lost begins its part again, from the games that it had in the beginning and with the same seed. What comes
back is ordered by worker, not by time, so nothing depends on where or how fast they are.

Where a store is given, games are in it as soon as they come in: their rounds say iteration and worker, their
legs count its games. A place is taken once, so games that are played again are not there twice.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from numpy.typing import NDArray

from tesuji.arena.playing import derived_seed
from tesuji.learn.zero.checkpoint import part_of
from tesuji.learn.zero.config import ZeroConfig
from tesuji.learn.zero.finished import joined
from tesuji.learn.zero.keeping import Keeper
from tesuji.learn.zero.learner import Learner, TrainingError, weights_of
from tesuji.learn.zero.metrics import Played
from tesuji.learn.zero.window import Window
from tesuji.learn.zero.worker import Part, SelfPlayWorker, Slice
from tesuji.scale.executor import ActorLost, Call, Executor, Shared
from tesuji.scale.processes import WorkerError

SLICE_SECONDS = 2.0  # of a part, between two looks whether to stop
SLICES_PER_SECOND = 200  # of all workers: longer slices where they are many, so that this process keeps up
GRACE_SECONDS = 30.0  # for a worker to answer when its time is over: it may have to be started first
MOST_LOSSES = 5  # of one part, before it is somebody's bug


@dataclass
class _Course:
    """One worker's part, as far as it has come."""

    part: Part
    slices: list[Slice] = field(default_factory=list)
    losses: int = 0


class Together:
    """The workers of a run: `Together(executor, 2, "hex:size=3", config, learner, "cpu")`."""

    ahead = True
    """Games are learned from while the next ones are played."""

    def __init__(
        self,
        executor: Executor,
        count: int,
        game: str,
        config: ZeroConfig,
        learner: Learner,
        device: str,
        keeper: Keeper | None = None,
        setup: Callable[[], object] | None = None,
    ) -> None:
        self._executor, self._config, self._learner, self._keeper = executor, config, learner, keeper
        self.count = count
        player = "" if keeper is None else keeper.player
        arguments = [(game, config.changed(), device, player, setup)] * self.count
        self._actors = executor.actors(SelfPlayWorker, arguments)
        self._left: list[Mapping[str, NDArray[Any]]] = [{}] * self.count
        self._stopping, self._grace = False, GRACE_SECONDS
        self._thread: threading.Thread | None = None
        self._error: BaseException | None = None

    def arrays(self) -> dict[str, NDArray[Any]]:
        """The games in progress, for a checkpoint."""
        return {
            f"workers/{index}/{name}": array
            for index, games in enumerate(self._left)
            for name, array in games.items()
        }

    def restore(self, arrays: Mapping[str, NDArray[Any]], iteration: int) -> None:
        """Go on with the games of `arrays`; a worker that was not there then begins with new ones."""
        self._left = [part_of(arrays, f"workers/{index}/") for index in range(self.count)]

    def start(self, iteration: int, *, visits: int, seconds: float | None) -> None:
        """Let every worker play its part of an iteration, for so long at most."""
        self._courses = [_Course(self._part(index, iteration, visits)) for index in range(self.count)]
        self._weights: Shared = self._executor.share(weights_of(self._learner.averaged))
        self._began = time.monotonic()
        self._end = None if seconds is None else self._began + seconds
        self._thread = threading.Thread(target=self._gather, daemon=True)
        self._thread.start()

    def finish(self, window: Window) -> Played:
        """Wait for all parts, and put the games into the window; what went wrong is raised here."""
        assert self._thread is not None
        self._thread.join()
        self._thread = None
        if self._error is not None:
            raise self._error
        courses = [course.slices for course in self._courses]
        self._left = [
            slices[-1].left if slices else games for slices, games in zip(courses, self._left, strict=True)
        ]
        games = joined([piece.games for slices in courses for piece in slices if piece.games])
        if games:
            window.add_arrays(games)
        counters = [slices[-1].counters for slices in courses if slices]
        if not counters:
            raise TrainingError(f"none of {self.count} workers has begun to play: is there room for them?")
        total = {name: sum(each[name] for each in counters) for name in counters[0]}
        lost = sum(course.losses for course in self._courses)
        return Played(total, self._ended - self._began, {"workers": self.count, "lost": lost})

    def stop(self) -> None:
        """Let the parts end soon, as they are; from a signal handler or another thread."""
        self._stopping = True

    def drop(self) -> None:
        """Nobody wants what is being played any more."""
        if self._thread is not None:
            self._stopping, self._grace = True, 0.0
            self._thread.join()

    def _part(self, index: int, iteration: int, visits: int) -> Part:
        seed = derived_seed(self._config.seed, "games", iteration, index)
        positions = (self._config.positions + index) // self.count  # they add up to what is wanted
        return Part(iteration, seed, visits, max(1, positions), self._left[index])

    def _gather(self) -> None:
        try:
            waiting = {self._begin(index): index for index in range(self.count)}
            over: float | None = None  # nobody should be playing any more, and since then nobody has answered
            while waiting and (over is None or time.monotonic() < over + self._grace):
                answered = self._executor.wait(list(waiting), SLICE_SECONDS)
                for call in answered:
                    index = waiting.pop(call)
                    following = self._take(index, call)
                    if following is not None:
                        waiting[following] = index
                if self._slice_seconds() == 0 and (over is None or answered):
                    over = time.monotonic()
            for call, index in waiting.items():  # they do not answer: it is as if they had not begun
                self._courses[index].slices.clear()
                call.cancel()
        except BaseException as error:  # for the thread that waits
            self._error = error
        self._ended = time.monotonic()

    def _begin(self, index: int) -> Call:
        part = self._courses[index].part
        return self._actors[index].call("begin", self._weights, part, self._slice_seconds())

    def _take(self, index: int, call: Call) -> Call | None:
        """Keep what a worker has done, and give it more to do where there is more."""
        course, iteration = self._courses[index], self._courses[index].part.iteration
        try:
            piece: Slice | None = call.result()
            detail = "it does not know its part any more"
        except ActorLost as lost:
            piece, detail = None, str(lost)
        except WorkerError as error:
            *_, said = str(error).strip().splitlines()
            if said.startswith("ValueError: "):  # ours: a device that is not there, for one
                raise TrainingError(f"worker {index}: {said.removeprefix('ValueError: ')}") from error
            raise
        if piece is None:
            course.slices.clear()
            course.losses += 1
            if course.losses > MOST_LOSSES:
                raise TrainingError(
                    f"worker {index} was lost {course.losses} times in iteration {iteration + 1}: {detail}"
                )
            return self._begin(index)
        course.slices.append(piece)
        if self._keeper is not None and piece.records:
            self._keeper.add(piece.records, part=iteration * self.count + index)
        if piece.over:
            return None
        if self._slice_seconds() == 0:
            return self._actors[index].call("leave", iteration)
        return self._actors[index].call("go_on", iteration, self._slice_seconds())

    def _slice_seconds(self) -> float:
        if self._stopping:
            return 0.0
        length = max(SLICE_SECONDS, self.count / SLICES_PER_SECOND)
        return length if self._end is None else max(0.0, min(length, self._end - time.monotonic()))
