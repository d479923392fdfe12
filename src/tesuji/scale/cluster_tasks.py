"""Tasks on a Ray cluster: a crew of Ray actors, each with a process of ours that does one task after another.

A Ray worker does not run a task itself, so a bot that crashes or hangs loses its game as on one machine, with
the same words (`processes.Hand`). What is left are deaths that are nobody's fault: a Ray worker or a node
that is gone. Their tasks are given to others, and come out the same.

    driver ── task ──► Ray actor, on any node ── pipe ──► process of ours: the task, `note`
           ◄─ outcome ─                       ◄─ Lost where it dies or hangs

Actors, and not Ray's own tasks: those cannot be cancelled safely (a cancellation that meets a result ends the
driver, ray-project/ray#54798), and they are handed out before anybody is free.
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
from tesuji.scale.cluster_actors import RemoteActor, RemoteCall
from tesuji.scale.executor import ActorLost
from tesuji.scale.processes import NOBODY, Hand, Lost

T = TypeVar("T")

RETRIES = 10
"""How often a task may lose its Ray worker or node; whatever kills them more often is the task itself."""
LOOK_SECONDS = 1.0  # that the driver waits before it looks around
ROOM_SECONDS = 5.0  # between two looks whether the cluster has grown
ALARM_SECONDS = 30.0  # without a single worker


class Post:
    """What such an actor is: it has a process do its tasks."""

    def __init__(
        self, function: Callable[[Any], Any], setup: Callable[[], object] | None, patience: float | None
    ) -> None:
        vars(sys.modules["__main__"]).pop("__file__", None)  # Ray's own: no process of ours should import it
        self._hand = Hand[Any](function, setup)
        self._patience = patience

    def ready(self) -> None:
        """Answers when the actor is there, on a node that is fit."""

    def do(self, task: Any) -> Any:
        """The result of a task, or Lost."""
        return self._hand.do(task, self._patience)


@dataclass
class _Item(Generic[T]):
    task: T
    falls: int = 0
    """How often it has lost its Ray worker."""


class Crew(Generic[T]):
    """The posts, and what each is at: `Crew(ray, make, room).work(tasks)`.

    `make` makes one, `room` says how many there should be.
    """

    def __init__(self, ray: Any, make: Callable[[], RemoteActor], room: Callable[[], int]) -> None:
        self._ray, self._make, self._room = ray, make, room
        self._posts: list[RemoteActor] = []
        self._idle: list[RemoteActor] = []
        self._busy: dict[Any, tuple[RemoteActor, RemoteCall, _Item[T] | None]] = {}
        """By the answer that is awaited; a post without an item is getting ready."""
        self._again: deque[_Item[T]] = deque()

    def work(self, tasks: Iterator[T]) -> Generator[tuple[T, Any], None, None]:
        """Have all tasks done; gives (task, outcome) as they finish."""
        looked, alarm = -ROOM_SECONDS, time.monotonic() + ALARM_SECONDS
        try:
            while True:
                if time.monotonic() - looked > ROOM_SECONDS:
                    looked = time.monotonic()
                    for _ in range(self._room() - len(self._posts)):
                        self._posts.append(self._make())
                        self._give(self._posts[-1], None)
                finished = list(self._collect())
                if self._idle or self._at_work():
                    alarm = time.monotonic() + ALARM_SECONDS
                elif time.monotonic() > alarm:
                    alarm = math.inf  # until there is one again
                    said = f"no node has had room for a worker for {ALARM_SECONDS:g} s, see `ray status`"
                    warnings.warn(said, ExecutorWarning, stacklevel=2)
                while self._idle and (item := self._next(tasks)) is not None:
                    self._give(self._idle.pop(), item)
                yield from finished
                if self._idle and not self._at_work():
                    return  # there was nothing to give them
        finally:
            for post in self._posts:
                post.end()

    def _collect(self) -> Iterator[tuple[T, Any]]:
        """What has finished; whoever is free is among the idle."""
        answers = list(self._busy)
        if not self._ray.wait(answers, timeout=LOOK_SECONDS)[0]:
            return
        for answer in self._ray.wait(answers, num_returns=len(answers), timeout=0)[0]:
            post, call, item = self._busy.pop(answer)
            try:
                outcome = call.result()
            except ActorLost as error:
                self._give(post, None)  # it has been made anew
                if item is None:
                    continue
                item.falls += 1
                if item.falls <= RETRIES:
                    self._again.append(item)
                    continue
                outcome = Lost("died", f"its Ray worker was lost {item.falls} times: {error}", NOBODY, ())
            else:
                self._idle.append(post)
            if item is not None:
                yield item.task, outcome

    def _next(self, tasks: Iterator[T]) -> _Item[T] | None:
        if self._again:
            return self._again.popleft()
        for task in tasks:
            return _Item(task)
        return None

    def _give(self, post: RemoteActor, item: _Item[T] | None) -> None:
        call = post.call("ready") if item is None else post.call("do", item.task)
        self._busy[call.answer] = post, call, item

    def _at_work(self) -> bool:
        return any(item is not None for _, _, item in self._busy.values())
