"""A child process of ours: it belongs to its parent, does not disturb it, and ends with it."""

from __future__ import annotations

import contextlib
import multiprocessing
import os
import signal
import sys
import threading
from collections.abc import Iterator
from multiprocessing import resource_tracker
from multiprocessing.connection import wait
from multiprocessing.process import BaseProcess

STOPPING = (signal.SIGINT, signal.SIGTERM)
"""What ends a command in an orderly way."""


def settle() -> None:
    """What a worker process does first: it belongs to its parent, and does not disturb it."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is the parent's to handle
    if hasattr(signal, "pthread_sigmask"):
        signal.pthread_sigmask(signal.SIG_UNBLOCK, STOPPING)
    with contextlib.suppress(OSError):
        os.dup2(2, 1)  # what a task prints is no part of the parent's output
    if hasattr(os, "setpgid"):
        with contextlib.suppress(PermissionError):
            os.setpgid(0, 0)  # so that what it starts can be killed with it
    threading.Thread(target=_end_with_parent, daemon=True).start()


def kill(process: BaseProcess) -> None:
    """End a worker process that has settled, and all that it started; harmless where it is gone."""
    if process.pid and hasattr(os, "killpg"):
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, signal.SIGKILL)  # it leads a group of its own
    process.kill()
    process.join()
    process.close()


@contextlib.contextmanager
def no_interrupt(*, inherited: bool = True) -> Iterator[None]:
    """Hold Ctrl-C and SIGTERM back; a process that is started meanwhile does too, until it settles.

    Unless that is not to be `inherited`.
    """
    caught: list[int] = []
    masks = inherited and hasattr(signal, "pthread_sigmask")  # a new process inherits the mask
    main = threading.current_thread() is threading.main_thread()  # signals are handled there alone
    if masks:
        resource_tracker.ensure_running()  # now: where start() has to do it, that lets Ctrl-C through again
    if main:
        handlers = {
            number: signal.signal(number, lambda number, frame: caught.append(number)) for number in STOPPING
        }
    before = signal.pthread_sigmask(signal.SIG_BLOCK, STOPPING) if masks else set()
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


def _end_with_parent() -> None:
    """A parent that was killed cannot say goodbye: nobody needs the task any more, nor what it started."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        wait([parent.sentinel])
        sys.stderr = None  # nobody reads it
        if hasattr(os, "killpg") and os.getpgrp() == os.getpid():
            os.killpg(0, signal.SIGKILL)
        os._exit(1)


def exit_text(code: int | None) -> str:
    """How a process ended: `exit_text(-9) == "its process was ended by SIGKILL"`."""
    if code is not None and code < 0:
        with contextlib.suppress(ValueError):
            return f"its process was ended by {signal.Signals(-code).name}"
    return f"its process ended with exit code {code}"
