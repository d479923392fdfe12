"""Work on this machine: in threads of this process, or in processes of its own.

Threads cost nothing to start, and suit native searches, which run without the interpreter's lock. But a
thread cannot be killed: what hangs or crashes there takes all with it. Processes are the default.
"""

from __future__ import annotations

import contextlib
import multiprocessing
import threading
import traceback
from abc import ABC, abstractmethod
from collections.abc import Callable, Generator, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from multiprocessing.reduction import ForkingPickler
from typing import Any, Protocol, Self, TypeVar

from tesuji.options import Options, option
from tesuji.scale import cores, processes
from tesuji.scale.child import exit_text, kill, no_interrupt, settle
from tesuji.scale.executor import ActorLost, Shareable, Shared, frozen
from tesuji.scale.processes import Lost, WorkerError
from tesuji.scale.threads import FIRST_COMPLETED, Future, pool, wait

T = TypeVar("T")
R = TypeVar("R")

LAST_WORDS_SECONDS = 5.0  # until a process whose pipe is closed has ended


@dataclass(frozen=True, kw_only=True)
class LocalOptions(Options):
    """What the executors of this machine can be told."""

    workers: int | None = option(
        None, "tasks at the same time; off: one for each core", minimum=1, maximum=10_000
    )


class _Local(ABC):
    """What threads and processes have in common: actors are lanes, each with a thread that waits for it."""

    Options = LocalOptions

    def __init__(self, **options: Any) -> None:
        self.options = LocalOptions.of(options, thing=type(self).__name__.lower())
        self.workers = self.options.workers or cores()
        self._lanes: list[_Lane] = []

    def share(self, value: Shareable) -> Shared:
        """The data themselves; a process gets them with the call."""
        return Shared(value)

    def actors(self, make: Callable[..., Any], arguments: Sequence[tuple[Any, ...]]) -> Sequence[_Lane]:
        """One actor for each entry."""
        made = [_Lane(self._host(make, given)) for given in arguments]
        self._lanes += made
        return made

    def wait(self, calls: Sequence[Any], timeout: float) -> list[Any]:
        """Those of the calls that are done."""
        wait([call.future for call in calls], timeout, return_when=FIRST_COMPLETED)
        return [call for call in calls if call.done()]

    def close(self) -> None:
        """End all actors; a thread that is at work is waited for."""
        lanes, self._lanes = self._lanes, []
        for lane in lanes:
            lane.end()

    @abstractmethod
    def _host(self, make: Callable[..., Any], given: tuple[Any, ...]) -> _Host:
        """Where an actor lives."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


class Threads(_Local):
    """Threads of this process: `executor("threads:workers=2")`. Nothing can be killed: no patience."""

    def map(
        self,
        function: Callable[[T], R],
        tasks: Iterator[T],
        *,
        patience: float | None = None,
        setup: Callable[[], object] | None = None,
    ) -> Generator[tuple[T, R | Lost], None, None]:
        """As the protocol says; closing waits for the tasks that are at work."""
        if setup is not None:
            setup()
        going: dict[Future[R], T] = {}
        finished: list[tuple[T, R]] = []
        with pool(self.workers, "task") as threads:
            while True:
                for task in islice(tasks, self.workers - len(going)):
                    going[threads.submit(function, task)] = task
                yield from finished
                if not going:
                    return
                ended = wait(going, return_when=FIRST_COMPLETED).done
                finished = [(going.pop(future), _result(future)) for future in ended]

    def _host(self, make: Callable[..., Any], given: tuple[Any, ...]) -> _Host:
        return _Here(make, given)


class Processes(_Local):
    """Worker processes, started afresh (spawn): `executor("processes:workers=2")`."""

    def map(
        self,
        function: Callable[[T], R],
        tasks: Iterator[T],
        *,
        patience: float | None = None,
        setup: Callable[[], object] | None = None,
    ) -> Generator[tuple[T, R | Lost], None, None]:
        """As the protocol says: `processes.run`."""
        return processes.run(function, tasks, workers=self.workers, patience=patience, setup=setup)

    def _host(self, make: Callable[..., Any], given: tuple[Any, ...]) -> _Host:
        return _Apart(make, given)


def _result(future: Future[R]) -> R:
    try:
        return future.result()
    except (Exception, SystemExit) as error:  # a task that wants to leave does not end the program
        raise WorkerError("".join(traceback.format_exception(error))) from error


class _Host(Protocol):
    """Where an actor's object lives."""

    life: int
    """How often it was made anew."""

    def begin(self) -> None:
        """Make the object, so that the first call need not wait for it."""

    def ask(self, life: int, method: str, arguments: tuple[Any, ...]) -> Any:
        """Call a method of the object that lived then."""

    def strike(self, *, for_good: bool = False) -> None:
        """From another thread: end the object where that is possible; for good: no other follows."""

    def end(self) -> None:
        """Let everything go."""


class _Lane:
    """An actor: its calls wait in the queue of one thread."""

    def __init__(self, host: _Host) -> None:
        self._host, self._thread = host, pool(1, "actor")
        self._thread.submit(host.begin)

    def call(self, method: str, *arguments: Any) -> _Call:
        """Call a method; does not wait."""
        return _Call(self._thread.submit(self._host.ask, self._host.life, method, arguments), self._host)

    def end(self) -> None:
        """No more calls."""
        self._host.strike(for_good=True)
        self._thread.shutdown(wait=True, cancel_futures=True)
        self._host.end()


class _Call:
    def __init__(self, future: Future[Any], host: _Host) -> None:
        self.future, self._host = future, host

    def result(self, timeout: float | None = None) -> Any:
        return self.future.result(timeout)

    def done(self) -> bool:
        return self.future.done()

    def cancel(self) -> None:
        if not self.future.cancel() and not self.future.done():
            self._host.strike()


class _Here:
    """An object of this process."""

    life = 0

    def __init__(self, make: Callable[..., Any], given: tuple[Any, ...]) -> None:
        self._make, self._given = make, given
        self._made: Any = None

    def begin(self) -> None:
        pass  # with the first call, which tells what it raises

    def ask(self, life: int, method: str, arguments: tuple[Any, ...]) -> Any:
        try:
            if self._made is None:
                self._made = self._make(*map(_arrived, self._given))
            return getattr(self._made, method)(*map(_arrived, arguments))
        except (Exception, SystemExit) as error:
            raise WorkerError(traceback.format_exc()) from error

    def strike(self, *, for_good: bool = False) -> None:
        pass

    def end(self) -> None:
        self._made = None


class _Apart:
    """An object in a process of its own, which is started again when it was lost."""

    def __init__(self, make: Callable[..., Any], given: tuple[Any, ...]) -> None:
        self._make, self._given = make, given
        self._process: BaseProcess | None = None
        self._connection: Connection
        self._lock = threading.Lock()
        self._closed = False
        self.life = 0

    def begin(self) -> None:
        context = multiprocessing.get_context("spawn")
        with self._lock:
            if self._closed:
                raise ActorLost("the executor is closed")
            self._connection, theirs = context.Pipe()
            process = context.Process(target=_live, args=(theirs, self._make, self._given), daemon=True)
            with no_interrupt():
                process.start()
                self._process = process
        theirs.close()  # so that its death is the end of the pipe

    def ask(self, life: int, method: str, arguments: tuple[Any, ...]) -> Any:
        if life != self.life:
            raise ActorLost("the actor was lost in the call before this one")
        if self._process is None:
            self.begin()
        try:
            self._connection.send((method, arguments))
            done, result = self._connection.recv()
        except (EOFError, OSError):
            assert self._process is not None
            self._process.join(LAST_WORDS_SECONDS)
            detail = exit_text(self._process.exitcode)
            self.life += 1
            self.end()
            raise ActorLost(detail) from None
        if not done:
            raise WorkerError(result)
        return result

    def strike(self, *, for_good: bool = False) -> None:
        with self._lock:
            self._closed |= for_good
            if self._process is not None:
                self._process.kill()

    def end(self) -> None:
        with self._lock:
            process, self._process = self._process, None
        if process is not None:
            kill(process)
            self._connection.close()


def _live(connection: Connection, make: Callable[..., Any], given: Sequence[Any]) -> None:
    """The life of an actor's process."""
    settle()
    failed = ""
    try:
        made = make(*map(_arrived, given))
    except Exception:
        failed = traceback.format_exc()
    with contextlib.suppress(EOFError, BrokenPipeError, ConnectionResetError):
        while True:
            method, arguments = connection.recv()
            try:
                answer = (False, failed)
                if not failed:
                    answer = (True, getattr(made, method)(*map(_arrived, arguments)))
                packed = ForkingPickler.dumps(answer)  # here: what cannot travel is the method's fault
            except Exception:
                packed = ForkingPickler.dumps((False, traceback.format_exc()))
            connection.send_bytes(packed)


def _arrived(argument: Any) -> Any:
    return frozen(argument.held) if isinstance(argument, Shared) else argument
