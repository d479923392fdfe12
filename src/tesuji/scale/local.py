"""Executors on this machine: threads or child processes.

Threads start at once and suit native searches, which release the GIL. But a thread cannot be killed: a task
that hangs or crashes takes the program with it. Processes are the default.
"""

from __future__ import annotations

import math
import threading
import time
from abc import abstractmethod
from collections.abc import Callable, Generator, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from multiprocessing import connection
from typing import Any, TypeAlias, TypeVar

from tesuji.options import Options, option
from tesuji.scale import cores
from tesuji.scale.child_process import ChildDied, ChildProcess, WorkerError
from tesuji.scale.executor import ActorLost, Call, Executor, Shareable, Shared, read_only
from tesuji.scale.processes import POLL_SECONDS, TaskLost, TaskProcess
from tesuji.scale.threads import FIRST_COMPLETED, Future, pool, wait

T = TypeVar("T")
R = TypeVar("R")

Make: TypeAlias = Callable[..., object]
Arguments: TypeAlias = tuple[object, ...]
"""What makes an actor's object, and its arguments."""

SHUTDOWN_SECONDS = 2.0  # that idle workers have to exit


@dataclass(frozen=True, kw_only=True)
class LocalOptions(Options):
    """Options of the executors on this machine."""

    workers: int | None = option(
        None, "number of parallel tasks; off: one per core", minimum=1, maximum=10_000
    )


class _Local(Executor):
    """What threads and processes have in common: each actor has a thread that waits for it."""

    Options = LocalOptions

    def __init__(self, **options: object) -> None:
        self.options = LocalOptions.of(options, thing=type(self).__name__.lower())
        self._actors: list[_LocalActor] = []
        self._closed = False

    @property
    def workers(self) -> int:
        """Number of tasks that run in parallel."""
        return self.options.workers or cores()

    def share(self, value: Shareable) -> Shared:
        """The data themselves; a process receives them with each call."""
        return Shared(value)

    def actors(self, make: Make, arguments: Sequence[Arguments]) -> Sequence[_LocalActor]:
        """One actor for each entry."""
        made = [_LocalActor(self._host(make, given)) for given in arguments]
        self._actors += made
        return made

    def wait(self, calls: Sequence[Call], timeout: float) -> list[Call]:
        """Wait until a call is done; all finished calls."""
        futures = [call.future for call in calls if isinstance(call, _LocalCall)]
        wait(futures, timeout, return_when=FIRST_COMPLETED)
        return [call for call in calls if call.done()]

    def close(self) -> None:
        """End all workers and actors, from any thread; waits for running threads."""
        self._closed = True
        actors, self._actors = self._actors, []
        for actor in actors:
            actor.end()

    @abstractmethod
    def _host(self, make: Make, given: Arguments) -> _Host:
        """What holds an actor's object."""


class Threads(_Local):
    """Threads of this process: `executor("threads:workers=2")`. `patience` is ignored."""

    def map(
        self,
        function: Callable[[T], R],
        tasks: Iterator[T],
        *,
        patience: float | None = None,
        setup: Callable[[], object] | None = None,
    ) -> Generator[tuple[T, R | TaskLost], None, None]:
        """See Executor.map; closing waits for the running tasks."""
        if setup is not None:
            setup()
        running: dict[Future[R], T] = {}
        finished: list[tuple[T, R]] = []
        with pool(self.workers, "task") as threads:
            while True:
                for task in islice(tasks, self.workers - len(running)):
                    running[threads.submit(function, task)] = task
                yield from finished
                if not running:
                    return
                ended = wait(running, return_when=FIRST_COMPLETED).done
                finished = [(running.pop(future), _result(future)) for future in ended]

    def _host(self, make: Make, given: Arguments) -> _Host:
        return _ThreadHost(make, given)


class Processes(_Local):
    """Worker processes: `executor("processes:workers=2")`. A task that crashes or hangs loses only itself.

    >>> with Processes(workers=2) as on:
    ...     sorted(on.map(abs, iter([-1, 2, -3])))
    [(-3, 3), (-1, 1), (2, 2)]
    """

    def map(
        self,
        function: Callable[[T], R],
        tasks: Iterator[T],
        *,
        patience: float | None = None,
        setup: Callable[[], object] | None = None,
    ) -> Generator[tuple[T, R | TaskLost], None, None]:
        """See Executor.map. `close`, from another thread, ends it."""
        patience = math.inf if patience is None else patience
        workers = [TaskProcess[T](function, setup) for _ in range(self.workers)]
        busy = list(workers)
        try:
            busy = [worker for worker in workers if worker.take(tasks)]
            while busy:
                ready = connection.wait([worker.connection for worker in busy], POLL_SECONDS)
                if self._closed:
                    return
                for worker in list(busy):
                    if worker.connection in ready:
                        outcome = worker.outcome()
                        if worker.restart_after(outcome):
                            continue
                    elif worker.silent_for() > patience:
                        outcome = worker.kill_hung(patience)
                    else:
                        continue
                    task = worker.task
                    if not worker.take(tasks):
                        busy.remove(worker)
                    yield task, outcome
        finally:
            idle = [worker for worker in workers if worker not in busy and not self._closed]
            for worker in idle:
                worker.request_exit()
            deadline = time.monotonic() + SHUTDOWN_SECONDS  # for all of them together
            for worker in idle:
                worker.join(deadline)
            for worker in workers:
                worker.kill()

    def _host(self, make: Make, given: Arguments) -> _Host:
        return _ProcessHost(make, given)


def _result(future: Future[R]) -> R:
    try:
        return future.result()
    except (Exception, SystemExit) as error:  # sys.exit in a task must not end the program
        raise WorkerError.of(error) from error


class _LocalActor:
    """An actor: its calls wait in the queue of one thread."""

    def __init__(self, host: _Host) -> None:
        self._host, self._thread = host, pool(1, "actor")
        self._thread.submit(host.start)

    def call(self, method: str, *arguments: object) -> _LocalCall:
        """Call a method without waiting."""
        future = self._thread.submit(self._host.call, self._host.generation, method, arguments)
        return _LocalCall(future, self._host)

    def end(self) -> None:
        """Stop the actor and drop its calls."""
        self._host.stop(for_good=True)
        self._thread.shutdown(wait=True, cancel_futures=True)
        self._host.end()


class _LocalCall:
    def __init__(self, future: Future[object], host: _Host) -> None:
        self.future, self._host = future, host

    def result(self, timeout: float | None = None) -> Any:
        return self.future.result(timeout)

    def done(self) -> bool:
        return self.future.done()

    def cancel(self) -> None:
        if not self.future.cancel() and not self.future.done():
            self._host.stop()


class _ThreadHost:
    """An actor's object in this process; used by the actor's thread, except for `stop`."""

    generation = 0

    def __init__(self, make: Make, given: Arguments) -> None:
        self._make, self._given = make, given
        self._hosted: HostedObject | None = None

    def start(self) -> None:
        pass  # the first call creates it, and reports what that raises

    def call(self, generation: int, method: str, arguments: Arguments) -> object:
        try:
            if self._hosted is None:
                self._hosted = HostedObject(self._make, self._given)
            return self._hosted.call(method, *arguments)
        except (Exception, SystemExit) as error:
            raise WorkerError.of(error) from error

    def stop(self, *, for_good: bool = False) -> None:
        pass

    def end(self) -> None:
        self._hosted = None


class _ProcessHost:
    """An actor's object in a child process, which is started again after it died."""

    def __init__(self, make: Make, given: Arguments) -> None:
        self._make, self._given = make, given
        self._child = ChildProcess()
        self._lock = threading.Lock()  # between start and stop
        self._closed = False
        self.generation = 0
        """How often the object was recreated."""

    def start(self) -> None:
        with self._lock:
            if self._closed:
                raise ActorLost("the executor is closed")
            self._child.start(HostedObject, self._make, self._given)

    def call(self, generation: int, method: str, arguments: Arguments) -> object:
        if generation != self.generation:
            raise ActorLost("the actor was lost in the call before this one")
        if not self._child.is_started:
            self.start()
        self._child.call("call", method, *arguments)
        try:
            return self._child.answer()
        except ChildDied as error:
            self.generation += 1
            raise ActorLost(str(error)) from None

    def stop(self, *, for_good: bool = False) -> None:
        with self._lock:
            self._closed |= for_good
            self._child.terminate()

    def end(self) -> None:
        self._child.kill()


_Host: TypeAlias = _ThreadHost | _ProcessHost


class HostedObject:
    """An actor's object where it lives; shared data arrive as the data."""

    def __init__(self, make: Make, given: Arguments) -> None:
        self._made = make(*map(_received, given))

    def call(self, method: str, *arguments: object) -> object:
        """Call a method of the object."""
        return getattr(self._made, method)(*map(_received, arguments))


def _received(argument: object) -> object:
    return read_only(argument.held) if isinstance(argument, Shared) else argument
