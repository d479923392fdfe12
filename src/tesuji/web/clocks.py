"""A clock: each seat's time for the whole game, and what every move adds.

It runs as long as the server does, whether anybody looks or not. While the server is down it stands, and goes
on when somebody comes back to the table: nobody can be blamed for that time.
"""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from dataclasses import dataclass, field
from time import monotonic
from typing import Any, Self

RUN = secrets.token_hex(8)
"""This run of the server: `monotonic` means nothing in another one."""


@dataclass
class Clock:
    """Seconds that each seat has left: `Clock([60.0, 60.0], increment=2.0).start(0)`."""

    left: list[float]
    increment: float = 0.0
    running: int | None = None
    _since: float = field(default=0.0, repr=False)

    def start(self, seat: int | None) -> None:
        """From now on this seat's time runs; None: nobody's."""
        self.pause()
        self.running, self._since = seat, monotonic()

    def moved(self, seat: int) -> None:
        """The seat has made its move, and gets what a move adds."""
        self.pause()
        self.left[seat] += self.increment

    def pause(self) -> None:
        """Nobody's time runs."""
        if self.running is not None:
            self.left[self.running] = self.seconds(self.running)
            self.running = None

    def seconds(self, seat: int) -> float:
        """What a seat has left at this moment."""
        passed = monotonic() - self._since if seat == self.running else 0.0
        return max(0.0, self.left[seat] - passed)

    def as_dict(self) -> dict[str, Any]:
        """The clock as JSON knows it."""
        left = [round(self.seconds(seat), 2) for seat in range(len(self.left))]
        return {"left": left, "running": self.running, "increment": self.increment}

    def kept(self) -> dict[str, Any]:
        """The clock as the store keeps it, running or not."""
        return {**self.as_dict(), "run": RUN, "at": monotonic()}

    @classmethod
    def of(cls, kept: Mapping[str, Any]) -> Self:
        """The clock that was kept, standing; time that passed in this run of the server has been used up."""
        clock = cls(list(kept["left"]), kept["increment"])
        if kept["running"] is not None and kept.get("run") == RUN:
            clock.running, clock._since = kept["running"], kept["at"]
            clock.pause()
        return clock
