"""A child process with a pipe to it: started with `spawn`, killed together with everything it has started.

A child ignores Ctrl-C, which is its parent's to handle, writes to stderr instead of stdout, leads its own
process group, and exits when its parent dies.
"""

from __future__ import annotations

import contextlib
import multiprocessing
import os
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from multiprocessing import resource_tracker
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from typing import Any

TERMINATION_SIGNALS = (signal.SIGINT, signal.SIGTERM)
EXIT_SECONDS = 5.0  # that a process whose pipe is closed has to exit


class ChildDied(Exception):
    """The child process has exited; the message is its `exit_text`."""


class ChildProcess:
    """One child process at a time, and the pipe to it; after `kill` another can be started.

    The process runs `target(connection, *arguments)`, with the other end of the pipe. Only `terminate` and
    `close` may be called from another thread.
    """

    def __init__(self) -> None:
        self._process: BaseProcess | None = None
        self._lock = threading.Lock()  # of the process, which several threads may end
        self._closed = False
        self.connection: Connection

    def start(self, target: Callable[..., None], *arguments: Any) -> None:
        """Start a process; the pipe is `connection`. ChildDied after `close`."""
        context = multiprocessing.get_context("spawn")
        with defer_signals(), self._lock:
            if self._closed:
                raise ChildDied("it is closed")
            self.connection, theirs = context.Pipe()
            process = context.Process(target=_main, args=(target, theirs, *arguments), daemon=True)
            process.start()
            self._process = process
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

    def send(self, message: object) -> None:
        """Send a message; if the process has died, the next `receive` says so."""
        with contextlib.suppress(BrokenPipeError, ConnectionResetError):
            self.connection.send(message)

    def receive(self, timeout: float | None = None) -> Any:
        """The next message; TimeoutError after `timeout` seconds, ChildDied if the process has exited."""
        try:
            if self.connection.poll(timeout):
                return self.connection.recv()
        except (EOFError, OSError):
            process, text = self._process, "it is closed"
            with contextlib.suppress(ValueError):  # close() was faster
                if process is not None:
                    process.join(EXIT_SECONDS)
                    text = exit_text(process.exitcode)
            self.kill()
            raise ChildDied(text) from None
        raise TimeoutError(f"no message within {timeout:g} s")

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
        if process.pid and hasattr(os, "killpg"):
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
    masks = inherited and hasattr(signal, "pthread_sigmask")  # a new process inherits the mask
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


def _main(target: Callable[..., None], connection: Connection, *arguments: Any) -> None:
    """Entry point of the child."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if hasattr(signal, "pthread_sigmask"):
        signal.pthread_sigmask(signal.SIG_UNBLOCK, TERMINATION_SIGNALS)
    with contextlib.suppress(OSError):
        os.dup2(2, 1)  # stdout is for the parent's results
    if hasattr(os, "setpgid"):
        with contextlib.suppress(PermissionError):
            os.setpgid(0, 0)
    threading.Thread(target=_exit_with_parent, daemon=True).start()
    target(connection, *arguments)


def _exit_with_parent() -> None:
    """Kill this process group when the parent dies, even by SIGKILL."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        wait([parent.sentinel])
        sys.stderr = None  # nobody reads it
        if hasattr(os, "killpg") and os.getpgrp() == os.getpid():
            os.killpg(0, signal.SIGKILL)
        os._exit(1)
