"""The outgoing messages of one live connection."""

from __future__ import annotations

import asyncio
from typing import Any


class Subscriber:
    """Queues messages for one page. A slow page gets only the newest message of each kind."""

    def __init__(self, seat: int | None) -> None:
        self.seat = seat
        self._messages: dict[Any, dict[str, Any]] = {}
        self._available = asyncio.Event()

    def send(self, message: dict[str, Any]) -> None:
        """Queue a message; it replaces a queued one of its kind (of a review: of its kind and ply)."""
        key = message["type"], message.get("ply") if message["type"] == "review" else None
        self._messages.pop(key, None)
        self._messages[key] = message
        self._available.set()

    async def next(self) -> dict[str, Any]:
        """The next message to send; waits for one."""
        while not self._messages:
            self._available.clear()
            await self._available.wait()
        return self._messages.pop(next(iter(self._messages)))
