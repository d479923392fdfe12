"""Pages that look at a table, and what waits to be sent to them."""

from __future__ import annotations

import asyncio
from typing import Any


class Watcher:
    """A page that looks at a table; where it is slow, it gets the newest of each kind alone."""

    def __init__(self, seat: int | None) -> None:
        self.seat = seat
        self._frames: dict[Any, dict[str, Any]] = {}
        self._news = asyncio.Event()

    def send(self, frame: dict[str, Any]) -> None:
        """Have this sent; an older frame of its kind that still waits is dropped."""
        key = frame["type"], frame.get("ply") if frame["type"] == "review" else None
        self._frames.pop(key, None)
        self._frames[key] = frame
        self._news.set()

    async def next(self) -> dict[str, Any]:
        """The next frame to be sent."""
        while not self._frames:
            self._news.clear()
            await self._news.wait()
        return self._frames.pop(next(iter(self._frames)))
