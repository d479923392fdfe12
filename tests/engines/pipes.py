"""An engine in a process of its own, with a program at the other end of its pipes."""

from __future__ import annotations

import subprocess
from typing import Self

from tests import children
from tests.cli.terminal import PATIENCE, environment


class Piped:
    """A running command that reads lines: `with Piped("tesuji", "engine", "gtp") as engine: …`."""

    def __init__(self, *command: str) -> None:
        pipe = subprocess.PIPE
        self.process: subprocess.Popen[str] = children.start(
            command, env=environment(), stdin=pipe, stdout=pipe, stderr=pipe, encoding="utf-8"
        )
        assert self.process.stdin and self.process.stdout and self.process.stderr
        self.stdin, self.stdout, self.stderr = self.process.stdin, self.process.stdout, self.process.stderr

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        children.kill(self.process)

    def send(self, *lines: str) -> None:
        self.stdin.write("".join(f"{line}\n" for line in lines))
        self.stdin.flush()

    def ask(self, *lines: str) -> str:
        """Send the lines, and return the one line that answers them."""
        self.send(*lines)
        return self.stdout.readline()

    def end(self) -> tuple[int, str]:
        """The exit code and the standard error."""
        code = self.process.wait(PATIENCE)
        return code, self.stderr.read()


def converse(data: bytes, *command: str) -> subprocess.CompletedProcess[bytes]:
    """Everything at once, as from a file."""
    return subprocess.run(command, input=data, env=environment(), capture_output=True, timeout=PATIENCE)
