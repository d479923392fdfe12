"""Where work runs, by one spec: threads, processes on this machine, or a Ray cluster.

    with executor("processes:workers=2") as on:
        for task, outcome in on.map(play, tasks, patience=60):       # as they finish; Lost where one died
            ...
        weights = on.share(arrays)                                   # read-only, sent once to each node
        players = on.actors(Player, [("hex", 1), ("hex", 2)])        # each with a state of its own
        games = [player.call("play", weights).result() for player in players]

Whoever outgrows one machine changes the spec, not the program. A task, and a call of an actor, gives the same
wherever it runs, as long as it depends on its arguments alone.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator, Sequence
from typing import Any, Protocol, Self, TypeAlias, TypeVar

import numpy as np
from numpy.typing import NDArray

from tesuji.registry import Registry
from tesuji.scale.processes import Lost
from tesuji.spec import Spec

T = TypeVar("T")
R = TypeVar("R")

Shareable: TypeAlias = bytes | NDArray[Any] | dict[str, NDArray[Any]]

DEFAULT = "processes"
SHORT = {"ray:local": "ray:address=local"}
"""What is short for a spec, alone or before more options."""


class ActorLost(Exception):
    """The actor died before it could answer; it is made anew for the next call."""


class Shared:
    """Large data that was given to an executor once: as an argument of an actor it arrives as the data."""

    def __init__(self, held: Any) -> None:
        self.held = held
        """The data, or where the executor keeps them."""


class Call(Protocol):
    """A question to an actor that may not be answered yet."""

    def result(self, timeout: float | None = None) -> Any:
        """The answer; TimeoutError where it takes longer.

        ActorLost where the actor has died, WorkerError where its method raised.
        """

    def done(self) -> bool:
        """Whether there is an answer, or never will be one."""

    def cancel(self) -> None:
        """Nobody needs the answer.

        An actor that is at work on it is ended, and made anew for the next call; a thread works on.
        """


class Actor(Protocol):
    """An object that lives elsewhere, and answers its calls one after another."""

    def call(self, method: str, *arguments: Any) -> Call:
        """Call a method; does not wait. Where the actor dies, all calls that wait are lost with it."""


class Executor(Protocol):
    """Where work runs. Functions, classes, tasks and results must be importable or picklable."""

    workers: int
    """Tasks at the same time."""

    def map(
        self,
        function: Callable[[T], R],
        tasks: Iterator[T],
        *,
        patience: float | None = None,
        setup: Callable[[], object] | None = None,
    ) -> Generator[tuple[T, R | Lost], None, None]:
        """Call the function on each task; gives (task, outcome) as they finish.

        Tasks are taken one by one, when a worker is free. `patience` is how many seconds may pass after a
        `note` before a worker counts as hung and is killed. `setup` is called once in each worker. Closing
        the iterator ends what is at work.
        """

    def share(self, value: Shareable) -> Shared:
        """Give data once that many calls need: read-only where they arrive."""

    def actors(self, make: Callable[..., Any], arguments: Sequence[tuple[Any, ...]]) -> Sequence[Actor]:
        """One actor for each entry, made by `make(*arguments[i])` where it lives."""

    def wait(self, calls: Sequence[Call], timeout: float) -> list[Call]:
        """Those of the calls that are done, as soon as one is; none where that takes longer."""

    def close(self) -> None:
        """End all workers and actors."""

    def __enter__(self) -> Self: ...

    def __exit__(self, *_: object) -> None: ...


executors = Registry("executor", "tesuji.executors")
executors.register_lazily("threads", "tesuji.scale.local:Threads")
executors.register_lazily("processes", "tesuji.scale.local:Processes")
executors.register_lazily("ray", "tesuji.scale.cluster:Cluster")


def executor(spec: str = DEFAULT) -> Executor:
    """The executor that a spec names.

    >>> with executor("threads:workers=2") as on:
    ...     sorted(on.map(abs, iter([-1, 2, -3])))
    [(-3, 3), (-1, 1), (2, 2)]
    """
    head, comma, rest = spec.partition(",")
    made: Executor = executors.make(Spec.parse(SHORT.get(head.strip(), head) + comma + rest))
    return made


def frozen(value: Shareable) -> Shareable:
    """Shared data as whoever gets it sees them: arrays cannot be written to."""
    if isinstance(value, dict):
        return {name: _read_only(array) for name, array in value.items()}
    return _read_only(value) if isinstance(value, np.ndarray) else value


def _read_only(array: NDArray[Any]) -> NDArray[Any]:
    view = array.view()
    view.flags.writeable = False
    return view
