"""All tables of the server. Active ones are in memory, all of them in the store."""

from __future__ import annotations

import asyncio
import secrets
from collections import OrderedDict
from time import monotonic

from tesuji.records import Record
from tesuji.records.store import Store
from tesuji.web.limits import ServerLimits
from tesuji.web.search_queue import SearchQueue
from tesuji.web.tables.session import TableSession
from tesuji.web.tables.table import Table, TableClock
from tesuji.web.tables.writer import TableWriter

ID_BYTES = 18  # random: an id is all that a page needs to open a table
SWEEP_SECONDS = 30.0  # between two searches for idle tables to unload
TRIM_SECONDS = 3600.0  # between two deletions of the oldest tables in the store


class NotFound(Exception):
    """There is no such table, match or record."""


class ServerFull(Exception):
    """All tables in memory are in use."""


class TableRegistry:
    """Creates, loads and unloads tables: `registry.create(record, seats)`, `await registry.get(id)`."""

    def __init__(self, store: Store, searches: SearchQueue, limits: ServerLimits) -> None:
        self.searches, self.limits = searches, limits
        self._writer = TableWriter(store)
        self._sessions: OrderedDict[str, TableSession] = OrderedDict()  # least recently used first
        self._loading: dict[str, asyncio.Future[TableSession]] = {}
        self._sweeper: asyncio.Task[None] | None = None

    def __len__(self) -> int:
        return len(self._sessions)

    def open(self) -> None:
        """Start unloading idle tables."""
        self._sweeper = asyncio.get_running_loop().create_task(self._sweep())

    async def close(self) -> None:
        """Stop all games and save unsaved changes."""
        if self._sweeper is not None:
            self._sweeper.cancel()
        for session in list(self._sessions.values()):
            session.close()
            if session.table.clock is not None and session.table.clock.running is not None:
                self._writer.write(session.table.id, session.table)  # with the time left now
        await self._writer.close()

    def create(self, record: Record, seats: list[str], clock: TableClock | None = None) -> TableSession:
        """A new table that continues this record; ServerFull if all tables are in use."""
        table = Table.from_record(secrets.token_urlsafe(ID_BYTES), record, seats)
        table.clock, table.imported = clock, table.over
        return self._add(table)

    async def get(self, id: str) -> TableSession:
        """The table with this id, from memory or the store; NotFound if there is none."""
        session = self._sessions.get(id)
        if session is not None:
            self._sessions.move_to_end(id)
            session.last_used = monotonic()
            return session
        if id not in self._loading:
            self._loading[id] = asyncio.ensure_future(self._load(id))
        return await asyncio.shield(self._loading[id])

    def delete(self, session: TableSession) -> asyncio.Future[None]:
        """Delete a table. The record of a finished game stays in the store."""
        session.close()
        session.broadcast({"type": "error", "error": "This table was deleted."})
        self._sessions.pop(session.table.id, None)
        return self._writer.write(session.table.id, None)

    async def _load(self, id: str) -> TableSession:
        try:
            data = await self._writer.load(id)
            if data is None:
                raise NotFound("No such table.")
            return self._add(Table.from_dict(id, data), stored=True)
        finally:
            del self._loading[id]

    def _add(self, table: Table, *, stored: bool = False) -> TableSession:
        if len(self._sessions) >= self.limits.tables and not self._unload_one():
            raise ServerFull(f"All {self.limits.tables} tables are in use; try again later.")
        session = TableSession(table, self.searches, self.limits, self._writer.write)
        self._sessions[table.id] = session
        if stored:
            session.resume()
        else:
            session.changed()
        return session

    def _unload(self, session: TableSession) -> None:
        session.close()
        del self._sessions[session.table.id]

    def _unload_one(self) -> bool:
        """Unload the least recently used table that nobody watches."""
        for session in self._sessions.values():
            if session.idle(0):
                self._unload(session)
                return True
        return False

    async def _sweep(self) -> None:
        trimmed = -TRIM_SECONDS
        while True:
            if monotonic() - trimmed > TRIM_SECONDS:
                trimmed = monotonic()
                await self._writer.trim(self.limits.stored_tables)
            else:
                await self._writer.sync()
            await asyncio.sleep(min(SWEEP_SECONDS, self.limits.idle_seconds))
            for session in list(self._sessions.values()):
                patience = self.limits.idle_seconds / (4 if session.table.over else 1)
                if session.idle(patience):
                    self._unload(session)
