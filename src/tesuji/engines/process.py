"""A child process that exchanges lines over pipes and never outlives its parent.

A thread drains its standard error, so that it cannot block on a full pipe; the last bytes are kept for error
messages. Only `read_line` waits without a limit, unless a deadline is set.
"""

from __future__ import annotations

import contextlib
import logging
import math
import os
import re
import select
import shlex
import subprocess
import threading
import time
import weakref
from collections.abc import Iterator
from typing import IO

from tesuji._helpers.clipping import clip
from tesuji.engines.lines import LONGEST_LINE, clean

KEPT_OF_STDERR = 4096  # bytes
MOST_IGNORED = 100_000  # lines before an answer
EXIT_SECONDS = 1.0  # seconds to wait after the quit command, after SIGTERM and after SIGKILL


logger = logging.getLogger("tesuji.engines")


class EngineError(RuntimeError):
    """A program that violates its protocol; the message has the command, the question and the answer."""


class Program:
    """A running program: `Program("mohex --quiet", quit_command="quit")`.

    The program ends with `close()`, with the last reference to this object, or with Python. Failures,
    including that to start, are EngineErrors.
    """

    def __init__(self, command: str, *, quit_command: str = "") -> None:
        self.command = command
        self.ignored = 0
        """Number of lines that were no answers."""
        self._last_ignored = ""
        self._asked = ""
        self._read = b""
        self._seconds = self._until = math.inf
        self._process = _start(command)
        assert self._process.stdin and self._process.stdout and self._process.stderr
        self._stdin, self._stdout = self._process.stdin, self._process.stdout
        self._stderr = _StderrTail(self._process.stderr)
        # Not a method of this object: that would keep it alive.
        self._end = weakref.finalize(self, _end, self._process, self._stderr, quit_command, os.getpid())

    def send(self, line: str) -> None:
        """Send a line. A broken pipe is reported by the next `read_line`."""
        self._asked = line
        with contextlib.suppress(OSError):
            self._stdin.write(f"{line}\n".encode())

    def read_line(self) -> str:
        """The next line of output, without its line end; EngineError if the program has ended."""
        while b"\n" not in self._read:
            if len(self._read) > LONGEST_LINE:
                raise self.error(f"sent a line of more than {LONGEST_LINE} bytes")
            self._wait()
            chunk = self._stdout.read(1 << 16)
            if not chunk:
                raise self._ended()
            self._read += chunk
        line, _, self._read = self._read.partition(b"\n")
        return line.decode(errors="replace")

    def read_answer(self, form: re.Pattern[str], messages: re.Pattern[str] | None = None) -> str:
        """The next line that begins with this form of an answer.

        Empty lines and `messages` of the protocol are skipped. Other lines, which some programs print, are
        logged and counted.
        """
        for _ in range(MOST_IGNORED):
            line = clean(self.read_line()).strip()
            if form.match(line):
                return line
            if line and not (messages and messages.match(line)):
                self.ignored += 1
                self._last_ignored = line
                logger.info("%s: ignored %s", self.command, clip(line))
        raise self.error(f"sent {MOST_IGNORED} lines without an answer")

    def _wait(self) -> None:
        """Wait for output until the deadline, if there is one."""
        if self._until < math.inf and os.name != "nt":
            left = max(self._until - time.monotonic(), 0)
            if not select.select([self._stdout], [], [], left)[0]:
                raise self.error(f"did not answer within {self._seconds:g} s")

    def error(self, what: str) -> EngineError:
        """An error with the command and the last line sent: `raise program.error("answered 'hello'")`."""
        lasts = {"line on standard error": self._stderr.last_line(), "ignored line": self._last_ignored}
        said = [f"its last {what}: {clip(line)}" for what, line in lasts.items() if line]
        spoke = f" ({'; '.join(said)})" if said else ""
        return EngineError(f"{self.command!r}, asked {self._asked!r}, {what}{spoke}")

    @contextlib.contextmanager
    def deadline(self, seconds: float) -> Iterator[None]:
        """A block in which all lines must be read within `seconds`; ignored on Windows."""
        self._seconds, self._until = seconds, time.monotonic() + seconds
        try:
            yield
        finally:
            self._until = math.inf

    def close(self) -> None:
        """End the program: by its quit command, then SIGTERM, then SIGKILL."""
        self._end()

    def _ended(self) -> EngineError:
        """The error for a closed pipe, with the exit code if the program ends soon."""
        try:
            code = self._process.wait(EXIT_SECONDS)
        except subprocess.TimeoutExpired:
            return self.error("closed its pipes")
        self._stderr.join()
        return self.error(f"ended with exit code {code}" if code >= 0 else f"was ended by signal {-code}")


class _StderrTail:
    """Drains a stream in a thread and keeps its last bytes."""

    def __init__(self, stream: IO[bytes]) -> None:
        self._kept = b""
        self._thread = threading.Thread(target=self._drain, args=(stream,), daemon=True)
        self._thread.start()

    def _drain(self, stream: IO[bytes]) -> None:
        with stream, contextlib.suppress(OSError):
            while chunk := stream.read(1 << 16):
                self._kept = (self._kept + chunk)[-KEPT_OF_STDERR:]

    def last_line(self) -> str:
        lines = [line for line in self._kept.decode(errors="replace").splitlines() if line.strip()]
        return lines[-1] if lines else ""

    def join(self) -> None:
        """Wait for the end of the stream, with a limit: a grandchild may hold it open."""
        self._thread.join(EXIT_SECONDS)


def _start(command: str) -> subprocess.Popen[bytes]:
    try:
        # On Windows programs parse their command line themselves.
        arguments = command if os.name == "nt" else shlex.split(command)
        if not arguments:
            raise ValueError("it is empty")
        pipe = subprocess.PIPE
        return subprocess.Popen(arguments, stdin=pipe, stdout=pipe, stderr=pipe, bufsize=0)
    except (OSError, ValueError) as error:
        reason = (isinstance(error, OSError) and error.strerror) or error
        raise EngineError(f"cannot start the command {command!r}: {reason}") from error


def _end(process: subprocess.Popen[bytes], stderr: _StderrTail, quit_command: str, owner: int) -> None:
    if os.getpid() != owner:  # in a forked child: the program belongs to the parent
        return
    assert process.stdin and process.stdout
    with contextlib.suppress(OSError):
        process.stdin.write(f"{quit_command}\n".encode())
    for stream in (process.stdin, process.stdout):  # so that the program does not block on a full pipe
        with contextlib.suppress(OSError):
            stream.close()
    try:
        for stop in (None, process.terminate, process.kill):
            if stop is not None:
                stop()
            with contextlib.suppress(subprocess.TimeoutExpired):
                process.wait(EXIT_SECONDS)
                break
    except BaseException:  # Ctrl-C while waiting: kill at once, leave no orphan
        process.kill()
        process.wait(EXIT_SECONDS)
        raise
    stderr.join()
