"""The hall: all tables. Those that are played at are in memory, all are in the store."""

from __future__ import annotations

import asyncio
import secrets
from collections import OrderedDict
from time import monotonic

from tesuji.records import Record
from tesuji.records.store import Store
from tesuji.web.clocks import Clock
from tesuji.web.hosts import Host
from tesuji.web.keeper import Keeper
from tesuji.web.limits import Limits
from tesuji.web.searches import Searches
from tesuji.web.tables import Table

KEY_BYTES = 18
SWEEP_SECONDS = 30.0
TRIM_SECONDS = 3600.0


class Missing(Exception):
    """There is no such table."""


class Full(Exception):
    """No table is free."""


class Hall:
    """Finds, makes and keeps tables: `hall.new(record, seats)`, `await hall.find(id)`."""

    def __init__(self, store: Store, searches: Searches, limits: Limits) -> None:
        self.searches, self.limits = searches, limits
        self._keeper = Keeper(store)
        self._hosts: OrderedDict[str, Host] = OrderedDict()
        self._finding: dict[str, asyncio.Future[Host]] = {}
        self._sweeper: asyncio.Task[None] | None = None

    def __len__(self) -> int:
        return len(self._hosts)

    def open(self) -> None:
        """Begin to look after the tables."""
        self._sweeper = asyncio.get_running_loop().create_task(self._sweep())

    async def close(self) -> None:
        """Write what is not written yet; nobody plays any more."""
        if self._sweeper is not None:
            self._sweeper.cancel()
        for host in list(self._hosts.values()):
            host.close()
            if host.table.clock is not None and host.table.clock.running is not None:
                self._keeper.write(host.table.id, host.table)  # what it shows now
        await self._keeper.close()

    def new(self, record: Record, seats: list[str], clock: Clock | None = None) -> Host:
        """A new table where this much has been played; Full where all places are taken."""
        table = Table.of(secrets.token_urlsafe(KEY_BYTES), record, seats)
        table.clock, table.brought = clock, table.over
        return self._host(table)

    async def find(self, id: str) -> Host:
        """The table of that id, from memory or from the store; Missing where there is none."""
        host = self._hosts.get(id)
        if host is not None:
            self._hosts.move_to_end(id)
            host.touched = monotonic()
            return host
        if id not in self._finding:
            self._finding[id] = asyncio.ensure_future(self._load(id))
        return await asyncio.shield(self._finding[id])

    async def _load(self, id: str) -> Host:
        try:
            data = await self._keeper.find(id)
            if data is None:
                raise Missing("there is no such table")
            return self._host(Table.from_dict(id, data), kept=True)
        finally:
            del self._finding[id]

    def remove(self, host: Host) -> asyncio.Future[None]:
        """The table and its game go for good; a game that was over stays in the store as a record."""
        host.close()
        host.tell({"type": "error", "error": "this table was cleared"})
        self._hosts.pop(host.table.id, None)
        return self._keeper.write(host.table.id, None)

    def _host(self, table: Table, *, kept: bool = False) -> Host:
        if len(self._hosts) >= self.limits.tables and not self._make_room():
            raise Full("all tables are taken; try again later")
        host = Host(table, self.searches, self.limits, self._keeper.write)
        self._hosts[table.id] = host
        if kept:
            host.wake()
        else:
            host.changed()
        return host

    def _make_room(self) -> bool:
        """The table that has been left alone for longest goes to the store."""
        for id, host in self._hosts.items():
            if not host.watchers and not host.busy:
                host.close()
                del self._hosts[id]
                return True
        return False

    async def _sweep(self) -> None:
        last = -TRIM_SECONDS
        while True:
            if monotonic() - last > TRIM_SECONDS:
                last = monotonic()
                await self._keeper.tidy(self.limits.kept)
            else:
                await self._keeper.tidy()
            await asyncio.sleep(min(SWEEP_SECONDS, self.limits.idle))
            for id, host in list(self._hosts.items()):
                patience = self.limits.idle / (4 if host.table.over else 1)
                if not host.watchers and not host.busy and monotonic() - host.touched > patience:
                    host.close()
                    del self._hosts[id]
