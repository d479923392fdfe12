"""The Ray executor: `executor("ray:address=auto")`, or `executor("ray:local")` on this machine alone.

Ray schedules work, moves data and detects failures. This package adds tasks on top of Ray actors
(`cluster_tasks`), and actors that are recreated after a loss (`cluster_actors`).
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
from typing import Any, TypeVar

from tesuji._helpers.extras import MissingExtra, require
from tesuji.options import OptionError, Options, option
from tesuji.scale import ExecutorError, ExecutorWarning, cores
from tesuji.scale.build_check import this_build
from tesuji.scale.child_process import defer_signals
from tesuji.scale.cluster_actors import ActorHost, Ray, RemoteActor, ray_errors, refs
from tesuji.scale.cluster_tasks import WARN_SECONDS, TaskPool, TaskRunner
from tesuji.scale.executor import Executor, Shareable, Shared
from tesuji.scale.processes import TaskLost

T = TypeVar("T")
R = TypeVar("R")

CONNECT_SECONDS = 5.0  # that the head of a cluster has to answer
LINE_LENGTH = 400
SHUTDOWN_SECONDS = 5.0  # that killed actors have to end


@dataclass(frozen=True, kw_only=True)
class RayOptions(Options):
    """Options of the Ray executor."""

    address: str = option(
        "auto",
        "address of the cluster; auto: the one this machine belongs to; local: start one for this program",
    )
    workers: int | None = option(
        None,
        "number of parallel tasks; off: as many as the cluster has processors for, also when it grows",
        minimum=1,
        maximum=100_000,
    )
    cpus_per_worker: float = option(1.0, "processors reserved per worker", minimum=0.01, maximum=1024)
    gpus_per_worker: float = option(
        0.0, "GPUs reserved per worker; fractions share one", minimum=0, maximum=64
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        for name, value in (("cpus", self.cpus_per_worker), ("gpus", self.gpus_per_worker)):
            if value > 1 and value != int(value):
                raise OptionError(f"{name}_per_worker must be a whole number above 1, not {value:g}")


class Cluster(Executor):
    """The executor `ray`. Connects when created; starts a cluster only for `address=local`."""

    Options = RayOptions

    def __init__(self, **options: object) -> None:
        self.options = RayOptions.of(options, thing="ray")
        self._ray, self._connected = connect(self.options)
        self._build, self._folder = this_build(), os.getcwd()
        self._host = self._ray.remote(
            num_cpus=self.options.cpus_per_worker,
            num_gpus=self.options.gpus_per_worker,
            scheduling_strategy="SPREAD",
            max_restarts=0,
        )(ActorHost)
        self._actors: list[RemoteActor] = []
        self._warned = False

    @property
    def workers(self) -> int:
        """Number of tasks that run in parallel now."""
        if self.options.workers is not None:
            return self.options.workers
        slots = 0
        for node in self._ray.nodes():  # a worker's resources must be on one node
            resources = node["Resources"] if node["Alive"] else {}
            fit = resources.get("CPU", 0.0) / self.options.cpus_per_worker
            if self.options.gpus_per_worker:
                fit = min(fit, resources.get("GPU", 0.0) / self.options.gpus_per_worker)
            slots += int(fit)
        return max(1, slots)

    def map(
        self,
        function: Callable[[T], R],
        tasks: Iterator[T],
        *,
        patience: float | None = None,
        setup: Callable[[], object] | None = None,
    ) -> Generator[tuple[T, R | TaskLost], None, None]:
        """See Executor.map. A task whose Ray worker or node is lost is run again."""
        make = partial(self._actor, TaskRunner, (function, setup, patience))
        return TaskPool[T](self._ray, make, lambda: self.workers).run(tasks)

    def share(self, value: Shareable) -> Shared:
        """Put the data into Ray's object store; each node fetches them once."""
        with ray_errors(self._ray, "store shared data"):
            return Shared(self._ray.put(value))

    def actors(
        self, make: Callable[..., object], arguments: Sequence[tuple[object, ...]]
    ) -> Sequence[RemoteActor]:
        """One actor for each entry; its calls wait until the cluster has room for it."""
        made = [self._actor(make, given) for given in arguments]
        self._actors += made
        return made

    def wait(self, calls: Sequence[Any], timeout: float) -> list[Any]:
        """Wait until a call is done; all finished calls."""
        answers = {call.answer: call for call in calls}
        if not answers or not self._ray.wait(list(answers), timeout=timeout, fetch_local=False)[0]:
            self._warn_of_late_actors()
            return []
        done, _ = self._ray.wait(list(answers), num_returns=len(answers), timeout=0, fetch_local=False)
        return [answers[each] for each in done]

    def close(self) -> None:
        """Kill all actors and disconnect; a cluster that was started here ends."""
        actors, self._actors = self._actors, []
        for actor in actors:
            actor.kill()
        ended = [call.answer for actor in actors for call in actor.calls]
        if ended:
            self._ray.wait(ended, num_returns=len(ended), timeout=SHUTDOWN_SECONDS, fetch_local=False)
        if self._connected:
            self._connected = False
            self._ray.shutdown()

    def _actor(self, make: Callable[..., object], given: tuple[object, ...]) -> RemoteActor:
        make_host = partial(self._host.remote, self._build, self._folder, make, *refs(given))
        return RemoteActor(self._ray, make_host)

    def _warn_of_late_actors(self) -> None:
        """Warn once of actors that have not started: waiting for all of them may never end."""
        late = [actor.began for actor in self._actors if actor.began is not None]
        if not self._warned and late and time.monotonic() - min(late) > WARN_SECONDS:
            self._warned = True
            message = f"{len(late)} of {len(self._actors)} workers have not answered for {WARN_SECONDS:g} s"
            hint = "does the cluster have room for them? See `ray status`"
            warnings.warn(f"{message}: {hint}", ExecutorWarning, stacklevel=3)


def connect(options: RayOptions) -> tuple[Ray, bool]:
    """The module `ray`, and whether this call connected it; a connected program keeps its cluster."""
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")  # no telemetry
    address, resources = options.address, {}
    if address == "local":
        resources["num_cpus"] = max(cores(), math.ceil((options.workers or 0) * options.cpus_per_worker))
        # A one-machine cluster in Ray's terms: its ports listen on localhost only.
        os.environ.setdefault("RAY_ENABLE_WINDOWS_OR_OSX_CLUSTER", "0")
    try:
        require("ray", "the executor ray")
    except MissingExtra as error:
        raise ExecutorError(str(error)) from None
    import ray

    _to_stderr(ray)
    if ray.is_initialized():
        here = ray.get_runtime_context().gcs_address
        if address not in ("auto", "local") and address.rpartition(":")[2] != here.rpartition(":")[2]:
            raise ExecutorError(f"this program is already connected to the cluster at {here}, not {address}")
        return ray, False
    found = ""
    try:
        found = _auto_address(ray) if address == "auto" else address
        _check_listening(found)
        # Ctrl-C while Ray forks would be lost, or leave processes behind.
        with defer_signals(inherited=False) if address == "local" else contextlib.nullcontext():
            ray.init(address=address, log_to_driver=False, logging_level="ERROR", **resources)
    except OSError as error:  # a ConnectionError is one
        if "AuthenticationError" in str(error.__cause__):
            hint = "set RAY_AUTH_MODE=token and copy ~/.ray/auth_token from its head"
            raise ExecutorError(f"the Ray cluster at {found} requires its token: {hint}") from None
        where = f" at {found}" if found else ""
        source = " (found by address=auto)" if found and address == "auto" else ""
        hint = "`ray start --head` starts one, ray:local one for this program alone"
        raise ExecutorError(f"no Ray cluster{where}{source}; {hint}") from None
    except Exception as error:  # many types: another version of Ray or Python, a broken node
        text = " ".join(str(error).split())[:LINE_LENGTH]
        raise ExecutorError(f"Ray cannot be used at {address}: {text}") from error
    return ray, True


def _auto_address(ray: Ray) -> str:
    """The address for "auto": RAY_ADDRESS, or that of the last `ray start` on this machine."""
    find = getattr(ray._private.services, "get_ray_address_from_environment", None)  # no public way
    found = "" if find is None else str(find("auto", None))
    if found == "local":
        raise ConnectionError("RAY_ADDRESS=local would start a cluster")
    return found


def _check_listening(address: str) -> None:
    """OSError if nothing listens at HOST:PORT; Ray itself would retry for minutes."""
    host, colon, port = address.rpartition(":")
    if colon and port.isdecimal() and "/" not in host:
        socket.create_connection((host.strip("[]"), int(port)), timeout=CONNECT_SECONDS).close()


def _to_stderr(ray: Ray) -> None:
    """Redirect Ray's reports of dead workers from stdout, where a program's results are, to stderr."""
    worker = ray._private.worker  # no public way
    report = getattr(worker, "print_to_stdstream", None)
    if report is not None and not isinstance(report, partial):
        worker.print_to_stdstream = partial(_report_as_error, report)


def _report_as_error(
    report: Callable[..., None], data: dict[str, object], *given: object, **named: object
) -> None:
    report({**data, "is_err": True}, *given, **named)
