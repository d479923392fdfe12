"""A worker process that answers one question after another, tells how far it is, and can be told to stop.

    worker = Worker(function)
    answer = worker.ask(question, seconds=10, progress=print)      # from any thread, one at a time
    worker.stop()                                                  # from another: answer with what there is

The function is called as `function(question, tell, stop)`: `tell` sends what the caller's `progress` gets,
and `stop` says whether an answer is wanted now. `processes.run` is for many tasks that nobody waits for.

A question that is not answered in its time is told to stop; where that does not help, its process is killed,
and the next question gets a new one. So a bot that hangs, crashes or eats memory harms nobody else.
"""

from __future__ import annotations

import contextlib
import multiprocessing
import queue
import threading
import time
from collections.abc import Callable
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from typing import Any, Literal, TypeAlias

from tesuji.scale.child import exit_text, kill, no_interrupt, settle

LOOK_SECONDS = 0.25  # between two looks whether the answer is still wanted
GRACE = 3.0  # seconds that a process has to come to an end after it was told to
START_SECONDS = 60.0  # until a new process has imported all that it needs, on a busy machine

Tell: TypeAlias = Callable[[Any], None]


class Lost(Exception):
    """The process has died, or had to be killed; one line that says which."""

    def __init__(self, why: Literal["died", "hung"], detail: str) -> None:
        super().__init__(detail)
        self.why = why


class Failed(Exception):
    """The function raised; the exception's name and what it said, in one line."""


class Stop:
    """Inside the worker: whether an answer is wanted now, and what to call as soon as one is."""

    def __init__(self) -> None:
        self.asked = False
        self._call: Callable[[], object] | None = None

    def calls(self, function: Callable[[], object] | None) -> None:
        """From now on call this when it is time to stop; at once where it is already."""
        self._call = function
        if self.asked:
            self.now()

    def now(self) -> None:
        """Somebody wants the answer."""
        self.asked = True
        call = self._call
        if call is not None:
            call()


Function: TypeAlias = Callable[[Any, Tell, Stop], Any]


class Worker:
    """One process, started when it is first asked, and again when it was lost.

    The function, its setup, questions and answers must be importable or picklable.
    """

    def __init__(self, function: Function, setup: Callable[[], object] | None = None) -> None:
        self._function, self._setup = function, setup
        self._process: BaseProcess | None = None
        self._connection: Connection
        self._sending = threading.Lock()
        self._number = 0

    def ask(
        self,
        question: object,
        *,
        seconds: float,
        progress: Tell | None = None,
        stopping: Callable[[], bool] = lambda: False,
        unwanted: Callable[[], bool] = lambda: False,
    ) -> Any:
        """The answer. After these seconds the worker is told to stop, and soon after that it is killed.

        `stopping` says whether somebody wanted to stop before the question was on its way, `unwanted` at any
        time whether nobody needs the answer any more: then it is as if the seconds were over. Failed where
        the function raises, Lost where its process is gone.
        """
        if self._process is not None and not self._process.is_alive():
            self.end()  # it has died while nobody asked
        if self._process is None:
            self._start()
        try:
            with self._sending:
                self._number += 1
                self._connection.send((self._number, question))
        except OSError:
            raise Lost("died", self._last_words()) from None
        if stopping():
            self.stop()
        limit, told = time.monotonic() + seconds, False
        while True:
            try:
                left = limit - time.monotonic()
                if not self._connection.poll(min(LOOK_SECONDS, max(0.0, left))):
                    if left > 0 and (told or not unwanted()):
                        continue
                    if told:
                        self.end()
                        raise Lost("hung", f"no answer within {seconds:g} s")
                    told, limit = True, time.monotonic() + GRACE
                    self.stop()
                    continue
                kind, content = self._connection.recv()
            except (EOFError, OSError):
                raise Lost("died", self._last_words()) from None
            if kind == "answer":
                return content
            if kind == "failed":
                raise Failed(content)
            if progress is not None:
                progress(content)

    def stop(self) -> None:
        """Let the question that is being answered come to an end; harmless where there is none."""
        with self._sending, contextlib.suppress(OSError, AttributeError):
            self._connection.send((self._number, None))

    def end(self) -> None:
        """Kill the process; harmless where it is gone."""
        process, self._process = self._process, None
        if process is not None:
            kill(process)
            self._connection.close()

    @property
    def pid(self) -> int | None:
        """The process's number, None where there is none."""
        return None if self._process is None else self._process.pid

    def _start(self) -> None:
        context = multiprocessing.get_context("spawn")
        connection, theirs = context.Pipe()
        arguments = (theirs, self._function, self._setup)
        process = context.Process(target=_live, args=arguments, daemon=True)
        with no_interrupt():
            process.start()
            self._process = process
        theirs.close()  # so that its death is the end of the pipe
        with self._sending:
            self._connection = connection
        try:
            if not connection.poll(START_SECONDS):
                self.end()
                raise Lost("hung", f"it did not start within {START_SECONDS:g} s")
            kind, content = connection.recv()
        except (EOFError, OSError):
            raise Lost("died", self._last_words()) from None
        if kind == "failed":
            self.end()
            raise Failed(content)

    def _last_words(self) -> str:
        assert self._process is not None
        self._process.join(GRACE)
        said = exit_text(self._process.exitcode)
        self.end()
        return said


def _live(connection: Connection, function: Function, setup: Callable[[], object] | None) -> None:
    """The life of the process: the first thread answers, the second listens."""
    settle()
    questions: queue.SimpleQueue[tuple[int, Any, Stop] | None] = queue.SimpleQueue()
    sending = threading.Lock()

    def send(kind: str, content: object) -> None:
        with sending:
            connection.send((kind, content))

    try:
        try:
            if setup is not None:
                setup()
        except Exception as error:
            send("failed", said(error))
            return
        send("ready", None)
        threading.Thread(target=_listen, args=(connection, questions), daemon=True).start()
        while (asked := questions.get()) is not None:
            _, question, stop = asked
            try:
                answer = "answer", function(question, lambda told: send("told", told), stop)
            except (Exception, SystemExit) as error:
                answer = "failed", said(error)
            finally:
                stop.calls(None)
            send(*answer)
    except (BrokenPipeError, ConnectionResetError):
        pass


def _listen(connection: Connection, questions: queue.SimpleQueue[tuple[int, Any, Stop] | None]) -> None:
    current = 0, Stop()
    with contextlib.suppress(EOFError, OSError):
        while True:
            number, question = connection.recv()
            if question is not None:
                current = number, Stop()
                questions.put((number, question, current[1]))
            elif number == current[0]:
                current[1].now()
    questions.put(None)


def said(error: BaseException) -> str:
    """An exception in one line: `said(KeyError("a")) == "KeyError: 'a'"`."""
    try:
        words = " ".join(str(error).encode(errors="replace").decode().split())
    except Exception:  # even that can fail
        words = ""
    return f"{type(error).__name__}: {words}".removesuffix(": ")[:300]
