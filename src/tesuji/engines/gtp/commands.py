"""The table of GTP commands; a command's usage also sets how many arguments it takes.

    @command("play COLOUR MOVE")
    def play(engine, colour, word): ...

A command returns its answer. A ValueError is the controller's mistake and becomes the failure response.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

if TYPE_CHECKING:
    from tesuji.engines.gtp.engine import GtpEngine

Function: TypeAlias = Callable[..., str | None]


class Entry(NamedTuple):
    """A command and its usage; optional arguments are in brackets, and "..." allows more of them."""

    usage: str
    function: Function

    def run(self, engine: GtpEngine, arguments: tuple[str, ...]) -> str:
        """Run the command; ValueError for a wrong number of arguments."""
        _, *wanted = self.usage.removesuffix("...").split()
        needed = [name for name in wanted if not name.startswith("[") and not name.endswith("]")]
        most = len(arguments) if self.usage.endswith("...") else len(wanted)
        if not len(needed) <= len(arguments) <= most:
            raise ValueError(f"syntax error; expected {self.usage}")
        return self.function(engine, *arguments) or ""


COMMANDS: dict[str, Entry] = {}


def command(usage: str) -> Callable[[Any], Any]:
    """Register a function: `@command("genmove COLOUR")`."""

    def add(function: Function) -> Function:
        COMMANDS[usage.split()[0]] = Entry(usage, function)
        return function

    return add
