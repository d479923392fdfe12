"""A program at the other end of two pipes: lines go to it, lines come back, and it never outlives us.

Its standard error is read all the time, so that it cannot get stuck on a full pipe; the end of it is kept,
for whoever has to say what went wrong. Nothing here waits for ever but `read_line`, which waits for the
program.
"""

from __future__ import annotations

import contextlib
import math
import os
import select
import shlex
import subprocess
import threading
import time
import weakref
from collections.abc import Iterator
from typing import IO

from tesuji.clipping import clip
from tesuji.engines.lines import LONGEST_LINE

KEPT_OF_STDERR = 4096  # bytes
EXIT_SECONDS = 1.0  # seconds between asking a program to end, telling it, and making it


class EngineError(RuntimeError):
    """A program that does not do as its protocol says: command, question and answer in one line."""


class Program:
    """A running program: `Program("mohex --quiet", quit_command="quit")`.

    The program is ended by `close()`, when this object is forgotten, and when Python ends. What goes wrong,
    be it the start, is an EngineError.
    """

    def __init__(self, command: str, *, quit_command: str = "") -> None:
        self.command = command
        self._asked = ""
        self._read = b""
        self._until = math.inf
        self._process = _start(command)
        assert self._process.stdin and self._process.stdout and self._process.stderr
        self._stdin, self._stdout = self._process.stdin, self._process.stdout
        self._stderr = _StderrTail(self._process.stderr)
        # Not a method of this object: that would keep it alive.
        self._end = weakref.finalize(self, _end, self._process, self._stderr, quit_command, os.getpid())

    def send(self, line: str) -> None:
        """Send a line. Where nobody takes it, `read_line` will know what was said last, and why."""
        self._asked = line
        with contextlib.suppress(OSError):
            self._stdin.write(f"{line}\n".encode())

    def read_line(self) -> str:
        """The next line that it writes, without its end; EngineError where there will be none."""
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

    def _wait(self) -> None:
        """Where there is a limit, wait for something to read, but no longer."""
        if self._until < math.inf and os.name != "nt":
            left = max(self._until - time.monotonic(), 0)
            if not select.select([self._stdout], [], [], left)[0]:
                raise self.error("did not answer in time")

    def error(self, what: str) -> EngineError:
        """The error that says what this program did: `raise program.error("answered 'hello'")`."""
        last = self._stderr.last_line()
        spoke = f" (its last line on standard error: {clip(last)})" if last else ""
        return EngineError(f"{self.command!r}, asked {self._asked!r}, {what}{spoke}")

    @contextlib.contextmanager
    def within(self, seconds: float) -> Iterator[None]:
        """Lines that are read meanwhile must come in so many seconds, all together; not on Windows."""
        self._until = time.monotonic() + seconds
        try:
            yield
        finally:
            self._until = math.inf

    def close(self) -> None:
        """End the program: ask it, then tell it, then make it."""
        self._end()

    def _ended(self) -> EngineError:
        """The error for a closed pipe, with the reason where there is one soon."""
        try:
            code = self._process.wait(EXIT_SECONDS)
        except subprocess.TimeoutExpired:
            return self.error("closed its pipes")
        self._stderr.join()
        return self.error(f"ended with exit code {code}" if code >= 0 else f"was ended by signal {-code}")


class _StderrTail:
    """Reads a stream to its end and keeps the last of it."""

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
        """Wait for the end of the stream, but not for ever: a grandchild may hold it open."""
        self._thread.join(EXIT_SECONDS)


def _start(command: str) -> subprocess.Popen[bytes]:
    try:
        # On Windows a program takes its command line apart itself.
        arguments = command if os.name == "nt" else shlex.split(command)
        if not arguments:
            raise ValueError("it is empty")
        pipe = subprocess.PIPE
        return subprocess.Popen(arguments, stdin=pipe, stdout=pipe, stderr=pipe, bufsize=0)
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        raise EngineError(f"cannot start the command {command!r}: {reason}") from error


def _end(process: subprocess.Popen[bytes], stderr: _StderrTail, quit_command: str, owner: int) -> None:
    if os.getpid() != owner:  # a fork's copy of the object: the program is not ours to end
        return
    assert process.stdin and process.stdout
    with contextlib.suppress(OSError):
        process.stdin.write(f"{quit_command}\n".encode())
    for stream in (process.stdin, process.stdout):  # closed, so that it does not wait for us to read either
        with contextlib.suppress(OSError):
            stream.close()
    try:
        for stop in (None, process.terminate, process.kill):
            if stop is not None:
                stop()
            with contextlib.suppress(subprocess.TimeoutExpired):
                process.wait(EXIT_SECONDS)
                break
    except BaseException:  # Ctrl-C while we wait: no more patience, but no orphan either
        process.kill()
        process.wait(EXIT_SECONDS)
        raise
    stderr.join()
