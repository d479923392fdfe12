"""The main loop of an engine: reads lines, writes answers, until quit or until the controller is gone.

A thread reads, so that urgent lines (stop, quit) reach a running search. It reads from the file descriptor:
a daemon thread that is blocked in Python's buffered reader would hang the interpreter's exit.
"""

from __future__ import annotations

import contextlib
import os
import queue
import select
import sys
import threading
import time
import traceback
from abc import ABC, abstractmethod
from collections.abc import Callable

from tesuji.engines.lines import CHUNK, Line, read_lines

QUEUED_LINES = 64  # at most; then the sender blocks
LONGEST_ERROR = 1000  # characters
POLL_SECONDS = 0.2  # between checks that the controller is still there


class Engine(ABC):
    """A bot that speaks a protocol: `GtpEngine`, `GomocupEngine`.

    `answer` never raises for mistakes of the controller or the bot: it refuses the line.
    """

    ended = False
    """No more lines will be answered."""

    def answer(self, line: str | Line) -> str:
        """The answer to a line, with line ends; empty where the protocol has none."""
        line = Line(line) if isinstance(line, str) else line
        try:
            return self.respond(line)
        except ValueError as error:
            message = str(error)
        except Exception as error:  # the traceback for the bot's author, an answer for the controller
            traceback.print_exc(file=sys.stderr)
            message = f"{type(error).__name__}: {error}"
        return self.refuse(line, " ".join(message.split())[:LONGEST_ERROR])

    @abstractmethod
    def respond(self, line: Line) -> str:
        """The answer to a line; a ValueError is the controller's mistake."""

    @abstractmethod
    def refuse(self, line: Line, message: str) -> str:
        """The answer to a line that failed."""

    @abstractmethod
    def intercept(self, line: Line) -> bool:
        """Called at once from the reading thread, even during a search; True if no `answer` is needed."""

    @abstractmethod
    def interrupt(self) -> None:
        """Stop a running search soon, with its result so far; from any thread."""

    @abstractmethod
    def close(self) -> None:
        """Release the bot; no more lines will come."""


def serve(engine: Engine, source: int = 0, target: int = 1) -> None:
    """Run an engine on two file descriptors, standard input and output by default: `serve(GtpEngine("hex"))`.

    What a bot or a game prints goes to standard error, so that it does not disturb the protocol.
    """
    lines: queue.Queue[Line | None] = queue.Queue(QUEUED_LINES)
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
    except OSError:  # the terminal or pipe was closed
        pass
    finally:
        put(None)
    # Queued lines are still answered, which may take long; stop the search if nobody reads the answers.
    while not engine.ended:
        if _is_broken(target):
            engine.interrupt()  # repeatedly: the search may not have begun
        time.sleep(POLL_SECONDS)


def _is_broken(target: int) -> bool:
    """Whether the other end of a pipe is closed; False where the system cannot tell."""
    if not hasattr(select, "poll"):
        return False
    poll = select.poll()
    poll.register(target, 0)
    return any(event & select.POLLERR for _, event in poll.poll(0))


def _write(target: int, text: str) -> None:
    data = text.encode()
    while data:
        data = data[os.write(target, data) :]
