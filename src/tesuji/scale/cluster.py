"""Work on a Ray cluster: `executor("ray:address=auto")`, or `executor("ray:local")` on this machine alone.

Ray places tasks, moves data and notices what dies; nothing of that is ours. A Ray worker does not run a task
itself: it has a process of ours for it (`processes.Hand`), as on one machine. So a bot that crashes or hangs
loses its game here as there, with the same words. What is left to Ray are deaths that are nobody's fault: a
Ray worker or a node that is gone. Their tasks are run again elsewhere, and give the same; so does one whose
process was killed from outside, but a task that kills its process every time is lost in the end.

    driver ── task ──► Ray worker, on any node ── pipe ──► process of ours: the task, `note`
           ◄─ outcome ─                        ◄─ Lost where it dies or hangs
"""

from __future__ import annotations

import math
import os
import signal
import socket
import sys
import time
import uuid
from collections.abc import Callable, Generator, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import islice
from typing import Any, NamedTuple, Self, TypeVar

from tesuji.options import OptionError, Options, option
from tesuji.scale import ExecutorError, cores
from tesuji.scale.child import exit_text
from tesuji.scale.cluster_actors import Cell, RemoteActor, last_line, refs
from tesuji.scale.executor import Shareable, Shared
from tesuji.scale.fitness import Build, check_fit, this_build
from tesuji.scale.processes import NOBODY, Hand, Lost, WorkerError

T = TypeVar("T")
R = TypeVar("R")

RETRIES = 10
"""How often a task may lose its Ray worker or node; whatever kills them more often is the task itself."""
SECOND_CHANCES = 2
"""For a task whose process was killed: it may have been the kernel, for want of memory."""
KILLED = exit_text(-signal.SIGKILL)
LOOK_SECONDS = 1.0  # that the driver waits before it looks for Ctrl-C
KNOCK_SECONDS = 5.0  # that the head of a cluster has to answer
LINE_LENGTH = 400
FAREWELL_SECONDS = 5.0  # until actors that were killed have died
ROOM_SECONDS = 5.0  # between two looks whether the cluster has grown


@dataclass(frozen=True, kw_only=True)
class RayOptions(Options):
    """What the executor can be told."""

    address: str = option(
        "auto", "the cluster; auto: the one this machine belongs to; local: start one here, for this program"
    )
    workers: int | None = option(
        None,
        "tasks at the same time; off: as many as the cluster has processors for, also when it grows",
        minimum=1,
        maximum=100_000,
    )
    cpus_per_worker: float = option(1.0, "processors that a worker takes", minimum=0.01, maximum=1024)
    gpus_per_worker: float = option(0.0, "GPUs that a worker takes, or a part of one", minimum=0, maximum=64)

    def __post_init__(self) -> None:
        super().__post_init__()
        for name, value in (("cpus", self.cpus_per_worker), ("gpus", self.gpus_per_worker)):
            if value > 1 and value != int(value):
                raise OptionError(f"{name}_per_worker must be a whole number above 1, not {value:g}")


class Cluster:
    """The executor `ray`. It connects when it is made, and starts a cluster only where it is told `local`."""

    Options = RayOptions

    def __init__(self, **options: Any) -> None:
        self.options = RayOptions.of(options, thing="ray")
        self._ray, self._connected = connect(self.options)
        self._build, self._folder = this_build(), os.getcwd()
        self._needs = {
            "num_cpus": self.options.cpus_per_worker,
            "num_gpus": self.options.gpus_per_worker,
            "scheduling_strategy": "SPREAD",
        }
        self._actors: list[RemoteActor] = []

    @property
    def workers(self) -> int:
        """Tasks at the same time, now."""
        if self.options.workers is not None:
            return self.options.workers
        there = self._ray.cluster_resources()
        room = there.get("CPU", 0.0) / self.options.cpus_per_worker
        if self.options.gpus_per_worker:
            room = min(room, there.get("GPU", 0.0) / self.options.gpus_per_worker)
        return max(1, int(room))

    def map(
        self,
        function: Callable[[T], R],
        tasks: Iterator[T],
        *,
        patience: float | None = None,
        setup: Callable[[], object] | None = None,
    ) -> Generator[tuple[T, R | Lost], None, None]:
        """As the protocol says. A task whose Ray worker or node is lost is run again."""
        ray = self._ray
        job = ray.put(_Job(uuid.uuid4().hex, function, setup, patience, self._build, self._folder))
        run = ray.remote(**self._needs, max_retries=RETRIES)(_run)
        going: dict[Any, T] = {}
        finished: list[tuple[T, R | Lost]] = []
        room, looked = self.workers, time.monotonic()
        try:
            while True:
                for task in islice(tasks, max(0, room - len(going))):
                    going[run.remote(job, task)] = task
                yield from finished
                if not going:
                    return
                ended, _ = ray.wait(list(going), timeout=LOOK_SECONDS)
                finished = [(going.pop(each), self._outcome(each)) for each in ended]
                if time.monotonic() - looked > ROOM_SECONDS:
                    room, looked = self.workers, time.monotonic()
        finally:
            for each in going:
                ray.cancel(each)

    def share(self, value: Shareable) -> Shared:
        """Put the data into Ray's object store; each node fetches them once."""
        return Shared(self._ray.put(value))

    def actors(self, make: Callable[..., Any], arguments: Sequence[tuple[Any, ...]]) -> Sequence[RemoteActor]:
        """One actor for each entry; where there is no room for it yet, its calls wait."""
        cell = self._ray.remote(**self._needs, max_restarts=0)(Cell)
        here = partial(cell.remote, self._build, self._folder, make)
        made = [RemoteActor(self._ray, partial(here, *refs(given))) for given in arguments]
        self._actors += made
        return made

    def wait(self, calls: Sequence[Any], timeout: float) -> list[Any]:
        """Those of the calls that are done: the first, and all that are by then."""
        answers = {call.answer: call for call in calls}
        if not self._ray.wait(list(answers), timeout=timeout, fetch_local=False)[0]:
            return []
        done, _ = self._ray.wait(list(answers), num_returns=len(answers), timeout=0, fetch_local=False)
        return [answers[each] for each in done]

    def close(self) -> None:
        """End all actors, and leave the cluster; one that was started here ends."""
        actors, self._actors = self._actors, []
        for actor in actors:
            actor.end()
        waiting = [call.answer for actor in actors for call in actor.calls]
        if waiting:
            self._ray.wait(waiting, num_returns=len(waiting), timeout=FAREWELL_SECONDS, fetch_local=False)
        if self._connected:
            self._connected = False
            self._ray.shutdown()

    def _outcome(self, done: Any) -> Any:
        errors = self._ray.exceptions
        try:
            well, outcome = self._ray.get(done)
        except (errors.WorkerCrashedError, errors.NodeDiedError, errors.OutOfMemoryError) as error:
            detail = f"its Ray worker was lost {RETRIES + 1} times: {last_line(error)}"
            return Lost("died", detail, NOBODY, ())
        except errors.RayError as error:
            raise ExecutorError(f"Ray could not run a task: {last_line(error)}") from error
        if not well:
            raise outcome
        return outcome

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def connect(options: RayOptions) -> tuple[Any, bool]:
    """Ray, and whether it was connected here; a program that is connected already stays with its cluster."""
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")  # what is played here is told to nobody
    address, room = options.address, {}
    if address == "local":
        room["num_cpus"] = max(cores(), math.ceil((options.workers or 0) * options.cpus_per_worker))
        # Ray's word for a cluster of one machine: its ports are open to this machine alone.
        os.environ.setdefault("RAY_ENABLE_WINDOWS_OR_OSX_CLUSTER", "0")
    try:
        import ray
    except ImportError:
        raise ExecutorError("Ray is not installed; this brings it: pip install 'tesuji[ray]'") from None
    _to_stderr(ray)
    if ray.is_initialized():
        return ray, False
    try:
        _knock(address)
        ray.init(address=address, log_to_driver=False, logging_level="ERROR", **room)
    except OSError:  # a ConnectionError is one
        where = "to be found" if address == "auto" else f"at {address}"
        hint = "`ray start --head` starts one, ray:local one for this program alone"
        raise ExecutorError(f"there is no Ray cluster {where}; {hint}") from None
    except Exception as error:  # of many kinds: another version of Ray or of Python, a node that is none
        said = " ".join(str(error).split())[:LINE_LENGTH]
        raise ExecutorError(f"Ray cannot be used at {address}: {said}") from error
    return ray, True


def _knock(address: str) -> None:
    """OSError where nobody listens at HOST:PORT; Ray itself would try for minutes."""
    host, colon, port = address.rpartition(":")
    if colon and port.isdecimal() and "/" not in host:
        socket.create_connection((host.strip("[]"), int(port)), timeout=KNOCK_SECONDS).close()


def _to_stderr(ray: Any) -> None:
    """Ray tells of workers that died on stdout, where a program's results are: have it use stderr."""
    worker = ray._private.worker  # there is no public way
    tell = getattr(worker, "print_to_stdstream", None)
    if tell is not None and not isinstance(tell, partial):
        worker.print_to_stdstream = partial(_tell_as_error, tell)


def _tell_as_error(tell: Callable[..., None], data: dict[str, Any], *given: Any, **named: Any) -> None:
    tell({**data, "is_err": True}, *given, **named)


class _Job(NamedTuple):
    """What all tasks of a map have in common."""

    key: str
    function: Callable[[Any], Any]
    setup: Callable[[], object] | None
    patience: float | None
    build: Build
    folder: str


_hand: tuple[str, Hand[Any]] | None = None  # of this Ray worker, with the key of its job


def _run(job: _Job, task: Any) -> tuple[bool, Any]:
    """What a Ray worker does with a task: it has a process of ours do it."""
    global _hand
    if _hand is None or _hand[0] != job.key:
        if _hand is not None:
            _hand[1].end()
        try:
            check_fit(job.build, job.folder)
        except ExecutorError as error:
            return False, error
        vars(sys.modules["__main__"]).pop("__file__", None)  # Ray's own: no process of ours should import it
        _hand = job.key, Hand(job.function, job.setup)
    try:
        outcome: Any = None
        for _ in range(1 + SECOND_CHANCES):
            outcome = _hand[1].do(task, job.patience)
            if not (isinstance(outcome, Lost) and outcome.detail == KILLED):
                break
        return True, outcome
    except (ExecutorError, WorkerError) as error:
        _hand[1].end()
        return False, error
    except BaseException:  # Ray has raised it: nobody needs the outcome
        _hand[1].end()
        raise
