"""The parts of a running server."""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import Any

from tesuji.records.store import Store
from tesuji.web.catalogue import catalogue
from tesuji.web.hall import Hall
from tesuji.web.limits import Limits
from tesuji.web.searches import Searches
from tesuji.web.shelf import Shelf
from tesuji.web.specs import AllowedBots


class Rooms:
    """All that the calls need: `Rooms(store, Limits())`, then `open()`, and at the end `await close()`."""

    def __init__(
        self,
        store: Store,
        limits: Limits,
        *,
        loads: Callable[[], object] | None = None,
        loaded_bots: Collection[str] = (),
    ) -> None:
        self.store, self.limits = store, limits
        self.bots = AllowedBots(limits, loaded_bots)
        self.catalogue: list[dict[str, Any]] = catalogue(self.bots)
        self._loads = loads

    def open(self) -> None:
        """Begin; needs a running event loop."""
        self.shelf = Shelf(self.store)
        self.searches = Searches(self.limits, self._loads)
        self.hall = Hall(self.store, self.searches, self.limits)
        self.searches.warm_up()
        self.hall.open()

    async def close(self) -> None:
        """End all searches, and write what is not written."""
        await self.hall.close()
        await self.searches.close()
