"""Engines of a few lines for tests of the bots that drive them."""

from __future__ import annotations

import os
import shlex
import sys
from pathlib import Path

from tesuji.engines.driver import EngineBot

ENGINE = """
import os, signal, sys, time

def say(text):
    print(text + {end!r}, flush=True)

for line in sys.stdin:
    with open({log!r}, "a") as log:
        log.write(line)
    name = line.split()[0]
    if name in {behaviour!r}:
        exec({behaviour!r}[name])
    elif name in {answers!r}:
        say({answers!r}[name])
    elif {otherwise!r} is not None:
        say({otherwise!r})
    if name in ("quit", "END"):
        break
"""

USUAL: dict[str, dict[str, object]] = {
    "gtp": {"end": "\n", "answers": {"protocol_version": "= 2"}, "otherwise": "= "},
    "gomocup": {"end": "", "answers": {"START": "OK", "RESTART": "OK"}, "otherwise": None},
}
"""What an engine answers where a test says nothing else."""


class Scripts:
    """Writes engines: `scripts(genmove='say("= a1")')` is the command of one.

    A command of the protocol runs its piece of Python; without one, it gets the protocol's usual answer.
    """

    def __init__(self, folder: Path, protocol: str) -> None:
        self.folder = folder
        self.protocol = protocol
        self.log = folder / "log"

    def __call__(self, **behaviour: str) -> str:
        path = self.folder / "engine.py"
        path.write_text(ENGINE.format(log=str(self.log), behaviour=behaviour, **USUAL[self.protocol]))
        return shlex.join([sys.executable, "-S", str(path)])

    def received(self) -> list[str]:
        """The lines that the engine was sent."""
        return self.log.read_text().splitlines()


def pid_of(bot: EngineBot) -> int:
    assert bot._program is not None
    return bot._program._process.pid


def is_running(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True
