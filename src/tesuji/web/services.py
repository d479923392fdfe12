"""The parts of a running server."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Collection
from typing import Any

from tesuji.records.store import Store
from tesuji.web.catalogue import catalogue
from tesuji.web.limits import ServerLimits
from tesuji.web.search_queue import SearchQueue
from tesuji.web.specs import AllowedBots
from tesuji.web.tables.registry import TableRegistry

MAX_CACHED = 50


class StoreCache:
    """Caches results computed from the store until a game is added; computes one at a time."""

    def __init__(self, store: Store) -> None:
        self.store = store
        self._cached: dict[str, tuple[int, Any]] = {}
        self._lock = asyncio.Lock()

    async def get(self, name: str, compute: Callable[[], Any]) -> Any:
        """A cached result, computed in a thread if missing: `await cache.get("ratings", compute)`."""
        async with self._lock:
            games = (await asyncio.to_thread(self.store.query, "SELECT count(*) FROM games", []))[0][0]
            if name not in self._cached or self._cached[name][0] != games:
                self._cached.pop(name, None)
                self._cached[name] = games, await asyncio.to_thread(compute)
                while len(self._cached) > MAX_CACHED:
                    del self._cached[next(iter(self._cached))]
            return self._cached[name][1]


class Services:
    """Everything the API needs: `Services(store, ServerLimits())`, then `open()`, finally `await close()`.

    `loads` is called in every worker process, to register the user's games and bots.
    """

    def __init__(
        self,
        store: Store,
        limits: ServerLimits,
        *,
        loads: Callable[[], object] | None = None,
        loaded_bots: Collection[str] = (),
    ) -> None:
        self.store, self.limits = store, limits
        self.bots = AllowedBots(limits, loaded_bots)
        self.catalogue = catalogue(self.bots)
        self._loads = loads

    def open(self) -> None:
        """Start everything; needs a running event loop."""
        self.store_cache = StoreCache(self.store)
        self.searches = SearchQueue(self.bots, self._loads)
        self.registry = TableRegistry(self.store, self.searches, self.limits)
        self.searches.warm_up()
        self.registry.open()

    async def close(self) -> None:
        """Stop all searches, and save unsaved changes."""
        await self.registry.close()
        await self.searches.close()
