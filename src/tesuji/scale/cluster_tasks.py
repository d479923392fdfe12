"""Tasks on a Ray cluster: a pool of Ray actors, each with a child process that runs one task at a time.

The child process (`processes.TaskProcess`) isolates a bot that crashes or hangs, as on one machine. If a Ray
worker or a whole node is lost, its task is run again elsewhere.

    driver ── task ──► Ray actor, on any node ── pipe ──► child process: the task, `heartbeat`
           ◄─ outcome ─                       ◄─ TaskLost if it dies or hangs

Actors rather than Ray tasks: cancelling a Ray task that just finished can crash the driver
(ray-project/ray#54798), and Ray takes tasks before a worker is free.
"""

from __future__ import annotations

import math
import sys
import time
import warnings
from collections import deque
from collections.abc import Callable, Generator, Iterator
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from tesuji.scale import ExecutorWarning
from tesuji.scale.cluster_actors import Ray, RemoteActor, RemoteCall
from tesuji.scale.executor import ActorLost
from tesuji.scale.processes import NOBODY, TaskLost, TaskProcess

T = TypeVar("T")

RETRIES = 10
"""How often a task may lose its Ray worker or node; after that the task itself is the likely cause."""
POLL_SECONDS = 1.0
RESIZE_SECONDS = 5.0  # between two checks whether the cluster has grown
WARN_SECONDS = 30.0  # without a single worker


class TaskRunner:
    """The actor: runs tasks in a child process."""

    def __init__(
        self, function: Callable[[Any], object], setup: Callable[[], object] | None, patience: float | None
    ) -> None:
        vars(sys.modules["__main__"]).pop("__file__", None)  # Ray's; the child would import it
        self._process = TaskProcess[Any](function, setup)
        self._patience = patience

    def ready(self) -> None:
        """Answers once the actor is created and its node is checked."""

    def run(self, task: object) -> object:
        """The result of a task, or TaskLost."""
        return self._process.run(task, self._patience)


@dataclass
class _QueuedTask(Generic[T]):
    task: T
    losses: int = 0
    """How often it has lost its Ray worker."""


class TaskPool(Generic[T]):
    """A pool of TaskRunners: `TaskPool(ray, make, size).run(tasks)`.

    `make` creates one, `size` says how many there should be now.
    """

    def __init__(self, ray: Ray, make: Callable[[], RemoteActor], size: Callable[[], int]) -> None:
        self._ray, self._make, self._size = ray, make, size
        self._runners: list[RemoteActor] = []
        self._idle: list[RemoteActor] = []
        self._busy: dict[Ray, tuple[RemoteActor, RemoteCall, _QueuedTask[T] | None]] = {}
        """By the awaited answer; a runner without a task is starting."""
        self._retries: deque[_QueuedTask[T]] = deque()

    def run(self, tasks: Iterator[T]) -> Generator[tuple[T, Any], None, None]:
        """Run all tasks; yields (task, outcome) in order of completion."""
        resized, warn_at = -RESIZE_SECONDS, time.monotonic() + WARN_SECONDS
        try:
            while True:
                if time.monotonic() - resized > RESIZE_SECONDS:
                    resized = time.monotonic()
                    for _ in range(self._size() - len(self._runners)):
                        self._runners.append(self._make())
                        self._give(self._runners[-1], None)
                finished = list(self._collect())
                if self._idle or self._is_running():
                    warn_at = time.monotonic() + WARN_SECONDS
                elif time.monotonic() > warn_at:
                    warn_at = math.inf  # until there is one again
                    message = f"no node has had room for a worker for {WARN_SECONDS:g} s, see `ray status`"
                    warnings.warn(message, ExecutorWarning, stacklevel=2)
                while self._idle and (item := self._next(tasks)) is not None:
                    self._give(self._idle.pop(), item)
                yield from finished
                if self._idle and not self._is_running():
                    return
        finally:
            for runner in self._runners:
                runner.kill()

    def _collect(self) -> Iterator[tuple[T, Any]]:
        """The outcomes of finished tasks; their runners become idle."""
        answers = list(self._busy)
        if not self._ray.wait(answers, timeout=POLL_SECONDS)[0]:
            return
        for answer in self._ray.wait(answers, num_returns=len(answers), timeout=0)[0]:
            runner, call, item = self._busy.pop(answer)
            try:
                outcome = call.result()
            except ActorLost as error:
                self._give(runner, None)  # it has been recreated
                if item is None:
                    continue
                item.losses += 1
                if item.losses <= RETRIES:
                    self._retries.append(item)
                    continue
                outcome = TaskLost(
                    "died", f"its Ray worker was lost {item.losses} times: {error}", NOBODY, ()
                )
            else:
                self._idle.append(runner)
            if item is not None:
                yield item.task, outcome

    def _next(self, tasks: Iterator[T]) -> _QueuedTask[T] | None:
        if self._retries:
            return self._retries.popleft()
        for task in tasks:
            return _QueuedTask(task)
        return None

    def _give(self, runner: RemoteActor, item: _QueuedTask[T] | None) -> None:
        call = runner.call("ready") if item is None else runner.call("run", item.task)
        self._busy[call.answer] = runner, call, item

    def _is_running(self) -> bool:
        return any(item is not None for _, _, item in self._busy.values())
