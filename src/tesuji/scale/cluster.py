"""Work on a Ray cluster: `executor("ray:address=auto")`, or `executor("ray:local")` on this machine alone.

Ray places work, moves data and notices what dies; nothing of that is ours. What is: how tasks become Ray's
actors (`cluster_tasks`), and what an actor is to whoever calls it (`cluster_actors`).
"""

from __future__ import annotations

import contextlib
import math
import os
import socket
import time
import warnings
from collections.abc import Callable, Generator, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, Self, TypeVar

from tesuji.options import OptionError, Options, option
from tesuji.scale import ExecutorError, ExecutorWarning, cores
from tesuji.scale.child import no_interrupt
from tesuji.scale.cluster_actors import Cell, RemoteActor, plainly, refs
from tesuji.scale.cluster_tasks import ALARM_SECONDS, Crew, Post
from tesuji.scale.executor import Shareable, Shared
from tesuji.scale.fitness import this_build
from tesuji.scale.processes import Lost

T = TypeVar("T")
R = TypeVar("R")

KNOCK_SECONDS = 5.0  # that the head of a cluster has to answer
LINE_LENGTH = 400
FAREWELL_SECONDS = 5.0  # until what was cancelled has come to an end


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
        self._cell = self._ray.remote(
            num_cpus=self.options.cpus_per_worker,
            num_gpus=self.options.gpus_per_worker,
            scheduling_strategy="SPREAD",
            max_restarts=0,
        )(Cell)
        self._actors: list[RemoteActor] = []
        self._alarmed = False

    @property
    def workers(self) -> int:
        """Tasks at the same time, now."""
        if self.options.workers is not None:
            return self.options.workers
        room = 0
        for node in self._ray.nodes():  # a worker has all that it takes on one of them
            there = node["Resources"] if node["Alive"] else {}
            fit = there.get("CPU", 0.0) / self.options.cpus_per_worker
            if self.options.gpus_per_worker:
                fit = min(fit, there.get("GPU", 0.0) / self.options.gpus_per_worker)
            room += int(fit)
        return max(1, room)

    def map(
        self,
        function: Callable[[T], R],
        tasks: Iterator[T],
        *,
        patience: float | None = None,
        setup: Callable[[], object] | None = None,
    ) -> Generator[tuple[T, R | Lost], None, None]:
        """As the protocol says. A task whose Ray worker or node is lost is run again."""
        make = partial(self._actor, Post, (function, setup, patience))
        return Crew[T](self._ray, make, lambda: self.workers).work(tasks)

    def share(self, value: Shareable) -> Shared:
        """Put the data into Ray's object store; each node fetches them once."""
        with plainly(self._ray, "keep shared data"):
            return Shared(self._ray.put(value))

    def actors(self, make: Callable[..., Any], arguments: Sequence[tuple[Any, ...]]) -> Sequence[RemoteActor]:
        """One actor for each entry; where there is no room for it yet, its calls wait."""
        made = [self._actor(make, given) for given in arguments]
        self._actors += made
        return made

    def wait(self, calls: Sequence[Any], timeout: float) -> list[Any]:
        """Those of the calls that are done: the first, and all that are by then."""
        answers = {call.answer: call for call in calls}
        if not answers or not self._ray.wait(list(answers), timeout=timeout, fetch_local=False)[0]:
            self._look_for_actors()
            return []
        done, _ = self._ray.wait(list(answers), num_returns=len(answers), timeout=0, fetch_local=False)
        return [answers[each] for each in done]

    def close(self) -> None:
        """End all actors, and leave the cluster; one that was started here ends."""
        actors, self._actors = self._actors, []
        for actor in actors:
            actor.end()
        ended = [call.answer for actor in actors for call in actor.calls]
        if ended:
            self._ray.wait(ended, num_returns=len(ended), timeout=FAREWELL_SECONDS, fetch_local=False)
        if self._connected:
            self._connected = False
            self._ray.shutdown()

    def _actor(self, make: Callable[..., Any], given: tuple[Any, ...]) -> RemoteActor:
        make_cell = partial(self._cell.remote, self._build, self._folder, make, *refs(given))
        return RemoteActor(self._ray, make_cell)

    def _look_for_actors(self) -> None:
        """Say once that some have not come to life: whoever waits for all of them waits for ever."""
        late = [actor.began for actor in self._actors if actor.began is not None]
        if not self._alarmed and late and time.monotonic() - min(late) > ALARM_SECONDS:
            self._alarmed = True
            said = f"{len(late)} of {len(self._actors)} workers have not answered for {ALARM_SECONDS:g} s"
            hint = "is there room for them? See `ray status`"
            warnings.warn(f"{said}: {hint}", ExecutorWarning, stacklevel=3)

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
        here = ray.get_runtime_context().gcs_address
        if address not in ("auto", "local") and address.rpartition(":")[2] != here.rpartition(":")[2]:
            raise ExecutorError(f"this program belongs to the cluster at {here} already, not to {address}")
        return ray, False
    found = ""
    try:
        found = _found(ray) if address == "auto" else address
        _knock(found)
        # Ctrl-C while Ray forks is lost, or leaves processes behind: it comes when all is there, and ends it.
        with no_interrupt(inherited=False) if address == "local" else contextlib.nullcontext():
            ray.init(address=address, log_to_driver=False, logging_level="ERROR", **room)
    except OSError as error:  # a ConnectionError is one
        if "AuthenticationError" in str(error.__cause__):  # where Ray tells it
            hint = "RAY_AUTH_MODE=token, and the file ~/.ray/auth_token of its head"
            raise ExecutorError(f"the Ray cluster at {found} wants its token: {hint}") from None
        where = f"at {found}" if found else "to be found"
        told = ", where auto leads" if found and address == "auto" else ""
        hint = "`ray start --head` starts one, ray:local one for this program alone"
        raise ExecutorError(f"there is no Ray cluster {where}{told}; {hint}") from None
    except Exception as error:  # of many kinds: another version of Ray or of Python, a node that is none
        said = " ".join(str(error).split())[:LINE_LENGTH]
        raise ExecutorError(f"Ray cannot be used at {address}: {said}") from error
    return ray, True


def _found(ray: Any) -> str:
    """Where "auto" leads: RAY_ADDRESS, or what the last `ray start` of this machine has left in a file."""
    find = getattr(ray._private.services, "get_ray_address_from_environment", None)  # no public way
    found = "" if find is None else str(find("auto", None))
    if found == "local":
        raise ConnectionError("RAY_ADDRESS would have a cluster started, and nobody has asked for one here")
    return found


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
