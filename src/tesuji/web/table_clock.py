"""A table's clock: time per seat for the whole game, and an increment per move.

It runs while the server does, watched or not. While the server is down it is stopped; it resumes when the
table is loaded again.
"""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from dataclasses import dataclass, field
from time import monotonic
from typing import Any, Self

SERVER_RUN = secrets.token_urlsafe(8)
"""Identifies this run of the server: `monotonic` cannot be compared between runs."""


@dataclass
class TableClock:
    """Seconds left per seat: `TableClock([60.0, 60.0], increment=2.0).start(0)`."""

    left: list[float]
    increment: float = 0.0
    running: int | None = None
    _since: float = field(default=0.0, repr=False)

    def start(self, seat: int | None) -> None:
        """Start this seat's clock and stop any other; None stops all."""
        self.pause()
        self.running, self._since = seat, monotonic()

    def moved(self, seat: int) -> None:
        """Stop the clock after a seat's move and add the increment."""
        self.pause()
        self.left[seat] += self.increment

    def pause(self) -> None:
        """Stop the clock."""
        if self.running is not None:
            self.left[self.running] = self.seconds(self.running)
            self.running = None

    def seconds(self, seat: int) -> float:
        """The seconds a seat has left now."""
        passed = monotonic() - self._since if seat == self.running else 0.0
        return max(0.0, self.left[seat] - passed)

    def as_dict(self) -> dict[str, Any]:
        """The clock as JSON, for the page."""
        left = [round(self.seconds(seat), 2) for seat in range(len(self.left))]
        return {"left": left, "running": self.running, "increment": self.increment}

    def to_store(self) -> dict[str, Any]:
        """The clock as JSON, for the store."""
        return {**self.as_dict(), "run": SERVER_RUN, "at": monotonic()}

    @classmethod
    def from_store(cls, data: Mapping[str, Any]) -> Self:
        """The stored clock, stopped; time that has passed in the same run of the server is subtracted."""
        clock = cls(list(data["left"]), data["increment"])
        if data["running"] is not None and data.get("run") == SERVER_RUN:
            clock.running, clock._since = data["running"], data["at"]
            clock.pause()
        return clock
