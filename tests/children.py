"""Processes that tests start: each leads a group of its own, which is killed when its test is over."""

from __future__ import annotations

import atexit
import contextlib
import os
import signal
import subprocess
from collections.abc import Sequence
from typing import Any

SANITIZED = "asan" in os.environ.get("LD_PRELOAD", "")
"""Whether the tests run with the address sanitizer (`make sanitize`)."""

_started: list[subprocess.Popen[Any]] = []


def start(command: Sequence[str], **options: Any) -> subprocess.Popen[Any]:
    """Start a command that does not outlive the test: `start([sys.executable, "-c", program])`."""
    process: subprocess.Popen[Any] = subprocess.Popen(command, start_new_session=True, **options)
    _started.append(process)
    return process


def kill(process: subprocess.Popen[Any]) -> None:
    """Kill a process that leads its group, with all of the group; harmless where it was waited for."""
    if process.returncode is None:  # until it is waited for, nobody else has its number
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()
    for stream in (process.stdin, process.stdout, process.stderr):
        if stream is not None:
            with contextlib.suppress(OSError):  # what was written last, and nobody has read
                stream.close()


def kill_all() -> None:
    """Kill the processes that the test has left."""
    while _started:
        kill(_started.pop())


atexit.register(kill_all)


def let_ctrl_c_through() -> None:
    """Undo an ignored SIGINT or SIGHUP: background jobs and `nohup` inherit them, and children would."""
    if signal.getsignal(signal.SIGINT) == signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    if signal.getsignal(signal.SIGHUP) == signal.SIG_IGN:
        signal.signal(signal.SIGHUP, signal.SIG_DFL)
