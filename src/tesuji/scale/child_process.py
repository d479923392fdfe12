"""A worker process of ours: it holds an object, and answers calls of its methods one at a time.

Tasks (`processes`), actors (`local`) and requests that can be stopped (`worker`) all run in one. It is
started with `spawn`, and killed together with everything it has started. It ignores Ctrl-C, which is its
parent's to handle, writes to stderr instead of stdout, leads its own process group, and exits when its parent
dies.

    parent ── pickled call, or STOP and its number ──► child: a thread listens, the main thread answers
           ◄── (kind, content): progress, answer, or the exception of a failed call ──
"""

from __future__ import annotations

import contextlib
import multiprocessing
import os
import pickle
import queue
import signal
import sys
import threading
import time
import traceback
from collections.abc import Callable, Iterator
from multiprocessing import resource_tracker
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from multiprocessing.reduction import ForkingPickler
from typing import Any

from tesuji.scale import ExecutorError

TERMINATION_SIGNALS = (signal.SIGINT, signal.SIGTERM)
EXIT_SECONDS = 5.0  # that a process whose pipe is closed has to exit


STOP = b"stop "
"""Begins a message that is no call; pickles begin otherwise."""


class ChildDied(Exception):
    """The child process has exited; the message is its `exit_text`."""


class WorkerError(RuntimeError):
    """A call raised an exception; the message is its traceback in the worker, `line` the exception alone."""

    def __init__(self, text: str, line: str = "") -> None:
        super().__init__(text)
        self.line = line

    @classmethod
    def of(cls, error: BaseException) -> WorkerError:
        """The error of a call that raised this exception."""
        return cls("".join(traceback.format_exception(error)), error_line(error))


class Stop:
    """In the worker: whether the answer is wanted now, and a callback for that moment."""

    def __init__(self) -> None:
        self.requested = False
        self._call: Callable[[], object] | None = None

    def set_callback(self, function: Callable[[], object] | None) -> None:
        """Set the function to call on a stop; called at once if the stop has come already."""
        self._call = function
        if self.requested:
            self.request()

    def request(self) -> None:
        """Ask for the answer now."""
        self.requested = True
        call = self._call
        if call is not None:
            call()


class ChildProcess:
    """One child process at a time, and the pipe to it; after `kill` another can be started.

    It holds the object that `make(*given)` returns there. Only `stop`, `terminate` and `close` may be called
    from another thread.
    """

    def __init__(self) -> None:
        self._process: BaseProcess | None = None
        self._lock = threading.Lock()  # of the process, which several threads may end
        self._sending = threading.Lock()
        self._calls = 0
        self._closed = False
        self.connection: Connection
        """Readable when there is a message for `answer`."""

    def start(self, make: Callable[..., object], *given: object) -> None:
        """Start a process; ChildDied after `close`. An exception of `make` is that of each call."""
        context = multiprocessing.get_context("spawn")
        with defer_signals(), self._lock:
            if self._closed:
                raise ChildDied("it is closed")
            self.connection, theirs = context.Pipe()
            process = context.Process(target=_main, args=(theirs, make, given), daemon=True)
            process.start()
            self._process, self._calls = process, 0
        theirs.close()  # so that the pipe ends when the process does

    @property
    def is_started(self) -> bool:
        """Whether a process was started and not killed; it may have exited meanwhile."""
        return self._process is not None

    @property
    def is_alive(self) -> bool:
        """Whether the process is running."""
        return self._process is not None and self._process.is_alive()

    @property
    def pid(self) -> int | None:
        """The process ID; None if no process is started."""
        return None if self._process is None else self._process.pid

    def call(self, method: str, *arguments: object) -> None:
        """Call a method of the object; if the process has died, the next `answer` says so."""
        with self._sending, contextlib.suppress(OSError):
            self.connection.send((method, arguments))
            self._calls += 1

    def stop(self) -> None:
        """Have the last call answered now, if its method looks at its `Stop`; no-op if there is none."""
        with self._sending, contextlib.suppress(OSError, AttributeError):
            self.connection.send_bytes(STOP + str(self._calls).encode())

    def answer(self, timeout: float | None = None, progress: Callable[[Any], None] | None = None) -> Any:
        """What the call returns, or raises: an ExecutorError as it is, any other exception as a WorkerError.

        TimeoutError after `timeout` seconds, ChildDied if the process has exited.
        """
        limit = None if timeout is None else time.monotonic() + timeout
        while True:
            left = None if limit is None else max(0.0, limit - time.monotonic())
            try:
                if not self.connection.poll(left):
                    raise TimeoutError(f"no message within {timeout:g} s")
                kind, content = self.connection.recv()
            except TimeoutError:
                raise
            except (EOFError, OSError):
                raise ChildDied(self._exit()) from None
            if kind == "failed":
                raise content
            if kind == "answer":
                return content
            if progress is not None:
                progress(content)

    def _exit(self) -> str:
        """Kill a process whose pipe has ended; how it ended."""
        process, text = self._process, "it is closed"
        with contextlib.suppress(ValueError):  # close() was faster
            if process is not None:
                process.join(EXIT_SECONDS)
                text = exit_text(process.exitcode)
        self.kill()
        return text

    def join(self, seconds: float) -> None:
        """Wait for the process to exit."""
        if self._process is not None:
            self._process.join(seconds)

    def terminate(self) -> None:
        """Kill the process from any thread; `receive` then raises ChildDied."""
        with self._lock:
            if self._process is not None:
                self._process.kill()

    def kill(self) -> None:
        """Kill the process and everything it has started, and close the pipe; no-op if there is none."""
        with self._lock:
            process, self._process = self._process, None
        if process is None:
            return
        if process.pid and os.name == "posix":
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.killpg(process.pid, signal.SIGKILL)
        process.kill()
        process.join()
        process.close()
        self.connection.close()

    def close(self) -> None:
        """Kill the process from any thread; no other can be started."""
        with self._lock:
            self._closed = True
        self.kill()


@contextlib.contextmanager
def defer_signals(*, inherited: bool = True) -> Iterator[None]:
    """Defer SIGINT and SIGTERM to the end of the block.

    If `inherited`, processes started in the block begin with both signals blocked.
    """
    caught: list[int] = []
    masks = inherited and os.name == "posix"  # a new process inherits the mask
    main = threading.current_thread() is threading.main_thread()  # only there can handlers be set
    if masks:
        resource_tracker.ensure_running()  # start() would start it otherwise, and unblock SIGINT by that
    if main:
        handlers = {
            number: signal.signal(number, lambda number, frame: caught.append(number))
            for number in TERMINATION_SIGNALS
        }
    before = signal.pthread_sigmask(signal.SIG_BLOCK, TERMINATION_SIGNALS) if masks else set()
    try:
        yield
    finally:
        if masks:
            signal.pthread_sigmask(signal.SIG_SETMASK, before)
        if main:
            for number, handler in handlers.items():
                signal.signal(number, handler or signal.SIG_DFL)
        if caught:
            signal.raise_signal(caught[0])


def exit_text(code: int | None) -> str:
    """How a process ended: `exit_text(-9) == "its process was ended by SIGKILL"`."""
    if code is not None and code < 0:
        with contextlib.suppress(ValueError):
            return f"its process was ended by {signal.Signals(-code).name}"
    return f"its process ended with exit code {code}"


def error_line(error: BaseException) -> str:
    """An exception in one line: `error_line(KeyError("a")) == "KeyError: 'a'"`."""
    try:
        text = " ".join(str(error).encode(errors="replace").decode().split())
    except Exception:  # __str__ itself may raise
        text = ""
    return f"{type(error).__name__}: {text}".removesuffix(": ")[:300]


# In the child.

_connection: Connection
_sending = threading.Lock()
_stop = Stop()  # of the current call


def current_stop() -> Stop:
    """The `Stop` of the current call."""
    return _stop


def report_progress(content: object) -> None:
    """Send progress of the current call to its caller."""
    _send(ForkingPickler.dumps(("progress", content)))


def _main(connection: Connection, make: Callable[..., object], given: tuple[object, ...]) -> None:
    """Entry point of the child."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if os.name == "posix":
        signal.pthread_sigmask(signal.SIG_UNBLOCK, TERMINATION_SIGNALS)
    with contextlib.suppress(OSError):
        os.dup2(2, 1)  # stdout is for the parent's results
    if os.name == "posix":
        with contextlib.suppress(PermissionError):
            os.setpgid(0, 0)
    threading.Thread(target=_exit_with_parent, daemon=True).start()
    with contextlib.suppress(EOFError, BrokenPipeError, ConnectionResetError):
        _serve(connection, make, given)


def _serve(connection: Connection, make: Callable[..., object], given: tuple[object, ...]) -> None:
    """Make the object and answer calls."""
    global _connection, _stop
    _connection = connection
    calls: queue.SimpleQueue[tuple[bytes, Stop] | None] = queue.SimpleQueue()
    threading.Thread(target=_listen, args=(connection, calls), daemon=True).start()
    made: object = None
    failure: Exception | None = None
    try:
        made = make(*given)
    except Exception as error:
        failure = _passed_on(error)
    while (received := calls.get()) is not None:
        call, _stop = received
        try:
            if failure is not None:
                raise failure
            method, arguments = pickle.loads(call)
            # Packed here, so that a pickling error is the method's.
            packed = ForkingPickler.dumps(("answer", getattr(made, method)(*arguments)))
        except Exception as error:
            packed = ForkingPickler.dumps(("failed", _passed_on(error)))
        _stop.set_callback(None)
        _send(packed)


def _send(packed: memoryview) -> None:
    with _sending:
        _connection.send_bytes(packed)


def _passed_on(error: Exception) -> Exception:
    return error if isinstance(error, ExecutorError | WorkerError) else WorkerError.of(error)


def _listen(connection: Connection, calls: queue.SimpleQueue[tuple[bytes, Stop] | None]) -> None:
    number, current = 0, Stop()
    with contextlib.suppress(EOFError, OSError):
        while True:
            message = connection.recv_bytes()
            if not message.startswith(STOP):
                number, current = number + 1, Stop()
                calls.put((message, current))
            elif message == STOP + str(number).encode():
                current.request()
    calls.put(None)


def _exit_with_parent() -> None:
    """Kill this process group when the parent dies, even by SIGKILL."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        wait([parent.sentinel])
        sys.stderr = None  # nobody reads it
        if os.name == "posix" and os.getpgrp() == os.getpid():
            os.killpg(0, signal.SIGKILL)
        os._exit(1)
