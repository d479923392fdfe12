"""Executors on this machine: threads or child processes.

Threads start at once and suit native searches, which release the GIL. But a thread cannot be killed: a task
that hangs or crashes takes the program with it. Processes are the default.
"""

from __future__ import annotations

import contextlib
import threading
import traceback
from abc import ABC, abstractmethod
from collections.abc import Callable, Generator, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from multiprocessing.connection import Connection
from multiprocessing.reduction import ForkingPickler
from typing import Any, Protocol, Self, TypeVar

from tesuji.options import Options, option
from tesuji.scale import cores, processes
from tesuji.scale.child_process import ChildDied, ChildProcess
from tesuji.scale.executor import ActorLost, Shareable, Shared, read_only
from tesuji.scale.processes import TaskLost, WorkerError
from tesuji.scale.threads import FIRST_COMPLETED, Future, pool, wait

T = TypeVar("T")
R = TypeVar("R")


@dataclass(frozen=True, kw_only=True)
class LocalOptions(Options):
    """Options of the executors on this machine."""

    workers: int | None = option(
        None, "number of parallel tasks; off: one per core", minimum=1, maximum=10_000
    )


class _Local(ABC):
    """What threads and processes have in common: each actor has a thread that waits for it."""

    Options = LocalOptions

    def __init__(self, **options: Any) -> None:
        self.options = LocalOptions.of(options, thing=type(self).__name__.lower())
        self.workers = self.options.workers or cores()
        self._actors: list[_LocalActor] = []
        self._closed = False

    def share(self, value: Shareable) -> Shared:
        """The data themselves; a process receives them with each call."""
        return Shared(value)

    def actors(self, make: Callable[..., Any], arguments: Sequence[tuple[Any, ...]]) -> Sequence[_LocalActor]:
        """One actor for each entry."""
        made = [_LocalActor(self._host(make, given)) for given in arguments]
        self._actors += made
        return made

    def wait(self, calls: Sequence[Any], timeout: float) -> list[Any]:
        """Wait until a call is done; all finished calls."""
        wait([call.future for call in calls], timeout, return_when=FIRST_COMPLETED)
        return [call for call in calls if call.done()]

    def close(self) -> None:
        """End all workers and actors, from any thread; waits for running threads."""
        self._closed = True
        actors, self._actors = self._actors, []
        for actor in actors:
            actor.end()

    @abstractmethod
    def _host(self, make: Callable[..., Any], given: tuple[Any, ...]) -> _Host:
        """What holds an actor's object."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


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

    def _host(self, make: Callable[..., Any], given: tuple[Any, ...]) -> _Host:
        return _ThreadHost(make, given)


class Processes(_Local):
    """Worker processes: `executor("processes:workers=2")`."""

    def map(
        self,
        function: Callable[[T], R],
        tasks: Iterator[T],
        *,
        patience: float | None = None,
        setup: Callable[[], object] | None = None,
    ) -> Generator[tuple[T, R | TaskLost], None, None]:
        """See `processes.run`."""
        return processes.run(
            function,
            tasks,
            workers=self.workers,
            patience=patience,
            setup=setup,
            stopping=lambda: self._closed,
        )

    def _host(self, make: Callable[..., Any], given: tuple[Any, ...]) -> _Host:
        return _ProcessHost(make, given)


def _result(future: Future[R]) -> R:
    try:
        return future.result()
    except (Exception, SystemExit) as error:  # sys.exit in a task must not end the program
        raise WorkerError("".join(traceback.format_exception(error))) from error


class _Host(Protocol):
    """Holds an actor's object; used by the actor's thread, except for `stop`."""

    generation: int
    """How often the object was recreated."""

    def start(self) -> None:
        """Create the object early, so that the first call need not wait for it."""

    def call(self, generation: int, method: str, arguments: tuple[Any, ...]) -> Any:
        """Call a method; ActorLost if the object of that generation is gone."""

    def stop(self, *, for_good: bool = False) -> None:
        """From another thread: kill the object if possible; it is recreated unless this is `for_good`."""

    def end(self) -> None:
        """Release everything."""


class _LocalActor:
    """An actor: its calls wait in the queue of one thread."""

    def __init__(self, host: _Host) -> None:
        self._host, self._thread = host, pool(1, "actor")
        self._thread.submit(host.start)

    def call(self, method: str, *arguments: Any) -> _LocalCall:
        """Call a method without waiting."""
        future = self._thread.submit(self._host.call, self._host.generation, method, arguments)
        return _LocalCall(future, self._host)

    def end(self) -> None:
        """Stop the actor and drop its calls."""
        self._host.stop(for_good=True)
        self._thread.shutdown(wait=True, cancel_futures=True)
        self._host.end()


class _LocalCall:
    def __init__(self, future: Future[Any], host: _Host) -> None:
        self.future, self._host = future, host

    def result(self, timeout: float | None = None) -> Any:
        return self.future.result(timeout)

    def done(self) -> bool:
        return self.future.done()

    def cancel(self) -> None:
        if not self.future.cancel() and not self.future.done():
            self._host.stop()


class _ThreadHost:
    """An object in this process."""

    generation = 0

    def __init__(self, make: Callable[..., Any], given: tuple[Any, ...]) -> None:
        self._make, self._given = make, given
        self._made: Any = None

    def start(self) -> None:
        pass  # the first call creates it, and reports what that raises

    def call(self, generation: int, method: str, arguments: tuple[Any, ...]) -> Any:
        try:
            if self._made is None:
                self._made = self._make(*map(_received, self._given))
            return getattr(self._made, method)(*map(_received, arguments))
        except (Exception, SystemExit) as error:
            raise WorkerError(traceback.format_exc()) from error

    def stop(self, *, for_good: bool = False) -> None:
        pass

    def end(self) -> None:
        self._made = None


class _ProcessHost:
    """An object in a child process, which is started again after it died."""

    def __init__(self, make: Callable[..., Any], given: tuple[Any, ...]) -> None:
        self._make, self._given = make, given
        self._child = ChildProcess()
        self._lock = threading.Lock()  # between start and stop
        self._closed = False
        self.generation = 0

    def start(self) -> None:
        with self._lock:
            if self._closed:
                raise ActorLost("the executor is closed")
            self._child.start(_serve, self._make, self._given)

    def call(self, generation: int, method: str, arguments: tuple[Any, ...]) -> Any:
        if generation != self.generation:
            raise ActorLost("the actor was lost in the call before this one")
        if not self._child.is_started:
            self.start()
        self._child.send((method, arguments))
        try:
            succeeded, result = self._child.receive()
        except ChildDied as error:
            self.generation += 1
            raise ActorLost(str(error)) from None
        if not succeeded:
            raise WorkerError(result)
        return result

    def stop(self, *, for_good: bool = False) -> None:
        with self._lock:
            self._closed |= for_good
            self._child.terminate()

    def end(self) -> None:
        self._child.kill()


def _serve(connection: Connection, make: Callable[..., Any], given: Sequence[Any]) -> None:
    """In the actor's process."""
    failed = ""
    try:
        made = make(*map(_received, given))
    except Exception:
        failed = traceback.format_exc()
    with contextlib.suppress(EOFError, BrokenPipeError, ConnectionResetError):
        while True:
            method, arguments = connection.recv()
            try:
                answer = (False, failed)
                if not failed:
                    answer = (True, getattr(made, method)(*map(_received, arguments)))
                packed = ForkingPickler.dumps(answer)  # here, so that a pickling error is the method's
            except Exception:
                packed = ForkingPickler.dumps((False, traceback.format_exc()))
            connection.send_bytes(packed)


def _received(argument: Any) -> Any:
    return read_only(argument.held) if isinstance(argument, Shared) else argument
