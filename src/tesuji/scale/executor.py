"""Where work runs, by one spec: threads, processes on this machine, or a Ray cluster.

    with executor("processes:workers=2") as on:
        for task, outcome in on.map(play, tasks, patience=60):       # as they finish; TaskLost if one died
            ...
        weights = on.share(arrays)                                   # read-only, sent once to each node
        players = on.actors(Player, [("hex", 1), ("hex", 2)])        # each with its own state
        games = [player.call("play", weights).result() for player in players]

Moving to more machines changes the spec, not the program. Tasks and actor calls that depend only on their
arguments give the same result on every executor.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from typing import Any, Protocol, Self, TypeAlias, TypeVar

import numpy as np
from numpy.typing import NDArray

from tesuji.registry import Registry
from tesuji.scale.processes import TaskLost
from tesuji.spec import Spec

T = TypeVar("T")
R = TypeVar("R")

Shareable: TypeAlias = bytes | NDArray[np.generic] | Mapping[str, NDArray[np.generic]]

DEFAULT = "processes"
SHORT = {"ray:local": "ray:address=local"}
"""Abbreviated specs; more options may follow."""


class ActorLost(Exception):
    """The actor died before it answered; the next call recreates it."""


class Shared:
    """A handle to large data sent to an executor once; an actor receives the data itself as its argument."""

    def __init__(self, held: Any) -> None:
        self.held = held
        """The data, or the executor's reference to them."""


class Call(Protocol):
    """A pending or finished call of an actor's method."""

    def result(self, timeout: float | None = None) -> Any:
        """The result; TimeoutError after `timeout` seconds.

        ActorLost if the actor has died, WorkerError if its method raised.
        """

    def done(self) -> bool:
        """Whether the call has finished or failed."""

    def cancel(self) -> None:
        """Drop the call.

        An actor that is running it is killed, and recreated for the next call; a thread runs it to its end.
        """


class Actor(Protocol):
    """An object on another thread, process or node that runs its calls in order."""

    def call(self, method: str, *arguments: object) -> Call:
        """Call a method without waiting. If the actor dies, all its pending calls are lost."""


class Executor(ABC):
    """Runs tasks and actors. Functions, classes, tasks and results must be importable or picklable."""

    @property
    @abstractmethod
    def workers(self) -> int:
        """Number of tasks run in parallel."""

    @abstractmethod
    def map(
        self,
        function: Callable[[T], R],
        tasks: Iterator[T],
        *,
        patience: float | None = None,
        setup: Callable[[], object] | None = None,
    ) -> Generator[tuple[T, R | TaskLost], None, None]:
        """Call the function on each task; yields (task, outcome) in order of completion.

        Tasks are taken when a worker is free. A worker without `heartbeat` for `patience` seconds is killed.
        `setup` is called once in each worker. Closing the generator ends the running tasks.
        """

    @abstractmethod
    def share(self, value: Shareable) -> Shared:
        """Send data that many calls need once; they arrive read-only."""

    @abstractmethod
    def actors(self, make: Callable[..., object], arguments: Sequence[tuple[object, ...]]) -> Sequence[Actor]:
        """One actor for each entry, created by `make(*arguments[i])` where it runs."""

    @abstractmethod
    def wait(self, calls: Sequence[Call], timeout: float) -> list[Call]:
        """Wait until a call is done; all finished calls, or none after `timeout` seconds."""

    @abstractmethod
    def close(self) -> None:
        """End all workers and actors."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


executors = Registry("executor", "tesuji.executors")
executors.register_lazily("threads", "tesuji.scale.local:Threads")
executors.register_lazily("processes", "tesuji.scale.local:Processes")
executors.register_lazily("ray", "tesuji.scale.cluster:Cluster")


def executor(spec: str = DEFAULT) -> Executor:
    """Create an executor from its spec.

    >>> with executor("threads:workers=2") as on:
    ...     sorted(on.map(abs, iter([-1, 2, -3])))
    [(-3, 3), (-1, 1), (2, 2)]
    """
    head, comma, rest = spec.partition(",")
    made: Executor = executors.make(Spec.parse(SHORT.get(head.strip(), head) + comma + rest))
    return made


def read_only(value: Shareable) -> Shareable:
    """A read-only view of shared data."""
    if isinstance(value, dict):
        return {name: _read_only(array) for name, array in value.items()}
    return _read_only(value) if isinstance(value, np.ndarray) else value


def _read_only(array: NDArray[np.generic]) -> NDArray[np.generic]:
    view = array.view()
    view.flags.writeable = False
    return view
