"""Worker processes for tasks that may go wrong: a task that kills its worker, or never ends, is lost alone.

    for task, outcome in run(play, tasks, workers=2, patience=60):
        ...                                    # outcomes come as they finish; Lost where the worker died

`concurrent.futures` gives a pool up when one worker dies, and says nothing of what it was doing. Here a task
tells with `note` who is at work and what has happened so far, in memory that both sides share: this costs a
microsecond, and it is what is left of a task whose worker is gone.

A worker that was killed (SIGKILL) may be nobody's fault: the kernel does that where memory is short. Its task
is begun again, and lost only where that happens every time.

The tasks are taken from their iterator one by one, when a worker is free: the caller may still decide then
that there is nothing left to do.
"""

from __future__ import annotations

import contextlib
import ctypes
import math
import multiprocessing
import time
import traceback
from collections.abc import Callable, Generator, Iterator
from dataclasses import dataclass
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from typing import Any, Generic, Literal, TypeVar

from tesuji.scale import ExecutorError
from tesuji.scale.child import exit_text, kill, no_interrupt, settle

T = TypeVar("T")
R = TypeVar("R")

NOBODY = -1
SAID_BYTES = 1 << 16
LOOK_SECONDS = 0.25  # between two looks for workers that do not answer
FAREWELL_SECONDS = 2.0  # for workers that are no longer needed
SECOND_CHANCES = 2
"""How often a task is begun again whose worker was killed."""
KILLED = exit_text(-9)


class _Board(ctypes.Structure):
    """What a worker tells while it works."""

    _fields_ = [
        ("who", ctypes.c_longlong),
        ("since", ctypes.c_double),
        ("length", ctypes.c_longlong),
        ("full", ctypes.c_bool),
        ("said", ctypes.c_char * SAID_BYTES),
    ]


@dataclass(frozen=True)
class Lost:
    """A task whose worker died, or was killed again and again, or because `patience` had run out."""

    why: Literal["died", "hung"]
    detail: str
    who: int
    """Whom the task had noted last; NOBODY where it had not come that far."""
    said: tuple[str, ...]
    """All that the task had noted."""


class WorkerError(RuntimeError):
    """A task raised an exception; the message is its traceback in the worker."""


_board: Any = None  # of this process, where it is a worker


def note(who: int, said: str = "") -> None:
    """Tell the parent who is at work from now on, and what has just happened; nothing outside a worker."""
    if _board is None:
        return
    if said:
        text = said.replace("\n", " ").encode() + b"\n"
        start = _board.length
        if _board.full or start + len(text) > SAID_BYTES:
            _board.full = True  # and what is shorter must not follow: there would be a gap
        else:
            ctypes.memmove(ctypes.addressof(_board) + _Board.said.offset + start, text, len(text))
            _board.length = start + len(text)
    _board.since = time.monotonic()
    _board.who = who


def run(
    function: Callable[[T], R],
    tasks: Iterator[T],
    *,
    workers: int = 1,
    patience: float | None = None,
    setup: Callable[[], object] | None = None,
) -> Generator[tuple[T, R | Lost], None, None]:
    """Call the function on each task, in so many processes; gives (task, outcome) as they finish.

    `patience` is how many seconds may pass after a `note` before the worker counts as hung and is killed,
    with every process that it started. `setup` is called once in each worker. Both functions and the tasks
    must be importable and picklable. Closing the iterator ends the workers. A task whose worker is killed
    from outside is begun again, SECOND_CHANCES times at most.

    >>> sorted(run(abs, iter([-1, 2, -3]), workers=2))
    [(-3, 3), (-1, 1), (2, 2)]
    """
    patience = math.inf if patience is None else patience
    pool = [Hand[T](function, setup) for _ in range(workers)]
    busy = list(pool)
    try:
        busy = [worker for worker in pool if worker.take(tasks)]
        while busy:
            ready = wait([worker.connection for worker in busy], LOOK_SECONDS)
            for worker in list(busy):
                if worker.connection in ready:
                    outcome = worker.outcome()
                    if worker.begin_again(outcome):
                        continue
                elif worker.silent_for() > patience:
                    outcome = worker.give_up(patience)
                else:
                    continue
                task = worker.task
                if not worker.take(tasks):
                    busy.remove(worker)
                yield task, outcome
    finally:
        idle = [worker for worker in pool if worker not in busy]
        for worker in idle:
            worker.dismiss()
        over = time.monotonic() + FAREWELL_SECONDS  # for all together, however many they are
        for worker in idle:
            worker.wait_until(over)
        for worker in pool:
            worker.end()


class Hand(Generic[T]):
    """One worker process, started when it gets its first task, and again when it was lost."""

    task: T

    def __init__(self, function: Callable[[Any], Any], setup: Callable[[], object] | None) -> None:
        self._function, self._setup = function, setup
        self._process: BaseProcess | None = None
        self.connection: Connection

    def take(self, tasks: Iterator[T]) -> bool:
        """Begin the next task; False where there is none."""
        try:
            self.task = next(tasks)
        except StopIteration:
            return False
        self._chances = SECOND_CHANCES
        self._begin()
        return True

    def begin_again(self, outcome: object) -> bool:
        """Begin the same task once more where its process was killed; False where that has not helped."""
        if self._chances == 0 or not (isinstance(outcome, Lost) and outcome.detail == KILLED):
            return False
        self._chances -= 1
        self._begin()
        return True

    def do(self, task: T, patience: float | None = None) -> Any:
        """One task from its begin to its end: the result, or Lost."""
        self.take(iter([task]))
        while True:
            if self.connection.poll(LOOK_SECONDS):
                outcome = self.outcome()
                if not self.begin_again(outcome):
                    return outcome
            elif patience is not None and self.silent_for() > patience:
                return self.give_up(patience)

    def outcome(self) -> Any:
        """The result of the task, or Lost."""
        try:
            done, result = self.connection.recv()
        except (EOFError, OSError):
            assert self._process is not None
            self._process.join(timeout=5)
            code = self._process.exitcode
            return self._lost("died", exit_text(code))
        if not done:
            raise result
        return result

    def silent_for(self) -> float:
        """Seconds since the last note, or the task's begin."""
        return time.monotonic() - float(self._board.since)

    def give_up(self, patience: float) -> Lost:
        """Kill a worker that does not answer."""
        return self._lost("hung", f"no answer within {patience:g} s")

    def dismiss(self) -> None:
        """Let a worker without a task go home, so that what it has started can be ended in peace."""
        if self._process is not None:
            self.connection.close()  # the end of the pipe is the end of its work

    def wait_until(self, over: float) -> None:
        """Give a worker that was dismissed the time until then."""
        if self._process is not None:
            self._process.join(max(0.0, over - time.monotonic()))

    def end(self) -> None:
        """Kill the process and what it started; harmless where it is gone."""
        process, self._process = self._process, None
        if process is None:
            return
        kill(process)
        self.connection.close()

    def _begin(self) -> None:
        if self._process is None:
            self._start()
        self._board.who, self._board.length, self._board.full = NOBODY, 0, False
        self._board.since = math.inf  # until it begins: a process takes its time to start
        with contextlib.suppress(
            BrokenPipeError, ConnectionResetError
        ):  # it has just died: outcome() will tell
            self.connection.send(self.task)

    def _start(self) -> None:
        context = multiprocessing.get_context("spawn")
        self.connection, theirs = context.Pipe()
        self._board: Any = context.RawValue(_Board)
        process = context.Process(
            target=_work, args=(theirs, self._board, self._function, self._setup), daemon=True
        )
        with no_interrupt():
            process.start()
            self._process = process
        theirs.close()  # so that its death is the end of the pipe

    def _lost(self, why: Literal["died", "hung"], detail: str) -> Lost:
        length, who = self._board.length, self._board.who
        raw = ctypes.string_at(ctypes.addressof(self._board) + _Board.said.offset, length)
        lost = Lost(why, detail, who, tuple(raw.decode(errors="replace").split("\n")[:-1]))
        self.end()
        return lost


def _work(
    connection: Connection, board: Any, function: Callable[[Any], Any], setup: Callable[[], object] | None
) -> None:
    """The life of a worker."""
    global _board
    _board = board
    settle()
    try:
        if setup is not None:
            setup()
        while True:
            task = connection.recv()
            note(NOBODY)
            connection.send((True, function(task)))
    except (EOFError, BrokenPipeError, ConnectionResetError):
        pass
    except ExecutorError as error:  # this machine is not fit for the work
        with contextlib.suppress(OSError):
            connection.send((False, error))
    except Exception:
        with contextlib.suppress(OSError):
            connection.send((False, WorkerError(traceback.format_exc())))
