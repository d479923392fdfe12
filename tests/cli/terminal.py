"""The real console script: in a pseudo-terminal, as a person sees it, or with pipes, as a program does."""

from __future__ import annotations

import json
import os
import pty
import re
import select
import signal
import subprocess
import sysconfig
import time
from pathlib import Path
from types import TracebackType
from typing import Any

from tests import children

ROOT = Path(__file__).parents[2]
SCRIPT = str(Path(sysconfig.get_path("scripts")) / "tesuji")
PATIENCE = 60.0  # seconds until a test gives up; nothing is measured by it
PROMPT = "> "
CONTROL = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]|\r")


def environment(**variables: str) -> dict[str, str]:
    return {**os.environ, "COLUMNS": "80", "LINES": "24", "TERM": "xterm", **variables}


def run(*arguments: str, **variables: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [SCRIPT, *arguments],
        cwd=ROOT,
        env=environment(**variables),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=PATIENCE,
    )


def begin(*arguments: str, **variables: str) -> subprocess.Popen[str]:
    """The command, not waited for, in a session of its own; it ends with the test."""
    return children.start(
        [SCRIPT, *arguments],
        env=environment(**variables),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def strict_json(text: str) -> Any:
    """The value of a JSON text; ValueError for NaN and Infinity, which are not JSON."""

    def refuse(word: str) -> None:
        raise ValueError(f"JSON has no {word}")

    return json.loads(text, parse_constant=refuse)


class Terminal:
    """`tesuji` with a person at it: `expect` waits for a text, `type` answers."""

    def __init__(self, *arguments: str) -> None:
        self.ours, theirs = pty.openpty()
        self.process = children.start(
            [SCRIPT, *arguments], cwd=ROOT, env=environment(), stdin=theirs, stdout=theirs, stderr=theirs
        )
        os.close(theirs)
        self.seen = ""
        self.read_to = 0

    def __enter__(self) -> Terminal:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        children.kill(self.process)
        os.close(self.ours)

    def expect(self, *texts: str) -> str:
        """Wait for one of the texts after the last expected one; returns it."""
        deadline = time.monotonic() + PATIENCE
        while not (found := [text for text in texts if text in self.unread]):
            if not self._read(deadline):
                raise AssertionError(f"none of {texts} came:\n{self.seen}")
        first = min(found, key=self.unread.index)
        self.read_to += self.unread.index(first) + len(first)
        return first

    @property
    def unread(self) -> str:
        return self.seen[self.read_to :]

    def type(self, line: str) -> None:
        os.write(self.ours, f"{line}\n".encode())

    def press(self, key: bytes) -> None:
        os.write(self.ours, key)

    def ask(self, line: str) -> None:
        """Wait for the prompt and answer it."""
        self.expect(PROMPT)
        self.type(line)

    def interrupt(self) -> None:
        """What Ctrl-C sends."""
        self.process.send_signal(signal.SIGINT)

    def end(self) -> int:
        """Wait for the end; returns the exit code."""
        deadline = time.monotonic() + PATIENCE
        while self._read(deadline):
            pass
        return self.process.wait(PATIENCE)

    def _read(self, deadline: float) -> bool:
        ready, _, _ = select.select([self.ours], [], [], max(0.0, deadline - time.monotonic()))
        if not ready:
            return False
        try:
            data = os.read(self.ours, 65536)
        except OSError:  # how Linux says that the other side is closed
            return False
        # A character may be cut in two here; no test looks for one that is not ASCII.
        self.seen += CONTROL.sub("", data.decode(errors="replace"))
        return bool(data)
