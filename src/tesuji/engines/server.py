"""An engine at its pipes: lines come in, answers go out, until somebody ends it or goes away.

A thread reads, so that a line that must not wait (a stop, the end) reaches a search that is under way. It
takes bytes from the descriptor itself: a thread inside Python's own buffers could not be left behind at the
end.
"""

from __future__ import annotations

import contextlib
import os
import queue
import select
import sys
import threading
import time
from collections.abc import Callable
from typing import Protocol

from tesuji.engines.lines import CHUNK, Line, read_lines

WAITING = 64  # lines at most; who sends more has to wait
LOOK_SECONDS = 0.2  # between two looks whether the controller is still there


class Engine(Protocol):
    """What speaks a protocol: `GtpEngine`, `GomocupEngine`."""

    ended: bool
    """Nothing more will be answered."""

    def answer(self, line: Line) -> str:
        """What goes back for a line, line ends included; nothing where nobody waits for an answer."""

    def intercept(self, line: Line) -> bool:
        """Called at once and from another thread, be a search under way: whether this was all it needs."""

    def interrupt(self) -> None:
        """End a running search soon, with what it has; from any thread."""

    def close(self) -> None:
        """No more commands: the bot may go."""


def serve(engine: Engine, source: int = 0, target: int = 1) -> None:
    """Answer what comes from one file descriptor on another: `serve(GtpEngine("hex"))` for the standard ones.

    What a bot or a game prints goes to standard error: the controller must not see it.
    """
    lines: queue.Queue[Line | None] = queue.Queue(WAITING)
    threading.Thread(target=_read, args=(engine, source, target, lines.put), daemon=True).start()
    try:
        with contextlib.redirect_stdout(sys.stderr):
            while not engine.ended and (line := lines.get()) is not None:
                _write(target, engine.answer(line))
    except BrokenPipeError:  # the controller is gone
        pass
    finally:
        engine.close()


def _read(engine: Engine, source: int, target: int, put: Callable[[Line | None], None]) -> None:
    try:
        for line in read_lines(lambda: os.read(source, CHUNK)):
            if not engine.intercept(line):
                put(line._replace(arrived=time.monotonic()))
    except OSError:  # a terminal or a pipe that went away
        pass
    finally:
        put(None)
    # What was asked is still being answered, and a search may be long; unless nobody is there to hear of it.
    while not engine.ended:
        if _is_broken(target):
            engine.interrupt()  # again and again: the search may not have begun
        time.sleep(LOOK_SECONDS)


def _is_broken(target: int) -> bool:
    """Whether nobody reads the other end of a pipe; False where the system cannot tell."""
    if not hasattr(select, "poll"):
        return False
    poll = select.poll()
    poll.register(target, 0)
    return any(event & select.POLLERR for _, event in poll.poll(0))


def _write(target: int, text: str) -> None:
    data = text.encode()
    while data:
        data = data[os.write(target, data) :]
