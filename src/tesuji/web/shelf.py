"""What takes long to work out of the store, worked out once."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

from tesuji.records.store import Store


class Shelf:
    """What takes long to work out is worked out once, until the store has more games; one thing at a time."""

    def __init__(self, store: Store) -> None:
        self.store = store
        self._known: dict[str, tuple[int, Any]] = {}
        self._lock = asyncio.Lock()

    async def ask(self, name: str, work: Callable[[], Any]) -> Any:
        """The result of some work, which runs in a thread: `await shelf.ask("ratings", work)`."""
        async with self._lock:
            games = (await asyncio.to_thread(self.store.query, "SELECT count(*) FROM games", []))[0][0]
            if name not in self._known or self._known[name][0] != games:
                self._known.pop(name, None)
                self._known[name] = games, await asyncio.to_thread(work)
                while len(self._known) > 50:
                    del self._known[next(iter(self._known))]
            return self._known[name][1]
