"""Saves tables in the store: every change is written before its request is answered.

Writing a move takes a fifth of a millisecond, less than waking a thread, so it happens on the event loop. If
another program holds the store's lock, a thread waits for it, and all changes since are written together.

Nothing on the event loop waits for the disk, which may be busy for seconds. SQLite syncs the first write to
an empty write-ahead log, so a thread does that write. The same thread empties a log that has grown large. The
last part of that blocks writers, so moves are then written by the thread as well. Between that, the log is
only synced (`sync`), which blocks nobody.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable, Mapping
from typing import Any, TypeAlias, TypeVar

from tesuji.records import Record
from tesuji.records.store import Store, StoreError
from tesuji.records.unfinished_games import UnfinishedGames
from tesuji.scale.threads import pool
from tesuji.web.tables.table import Table

T = TypeVar("T")
LOG_BYTES = 16 << 20
"""A write-ahead log of this size is emptied."""
MAX_LOG_BYTES = 48 << 20
"""Beyond this size, all writes go through the thread that empties the log."""
LOG_RETRY_SECONDS = 1.0
"""Until the next attempt, if another program is still reading from the log."""
Contents: TypeAlias = dict[str, dict[str, object] | None]


class TableWriter:
    """Writes and loads tables: `await writer.write("id", table)`.

    It has its own connections, so that long queries elsewhere do not delay moves.
    """

    def __init__(self, store: Store) -> None:
        self._nonblocking = UnfinishedGames(Store(store.path, check=False, durable=False, busy_timeout=0.0))
        self._blocking = UnfinishedGames(Store(store.path, check=False, durable=False))
        self._thread = pool(1, "store")
        self._sync_thread = pool(1, "sync")
        self._pending: dict[str, Table | None] = {}
        self._written: asyncio.Future[None] | None = None
        self._write_task: asyncio.Task[None] | None = None
        self._log_task: asyncio.Task[None] | None = None

    def write(self, id: str, table: Table | None) -> asyncio.Future[None]:
        """Write a table as it is now, or delete it (None); the future is done when that has happened.

        A finished game also becomes a record, and the table gets its number. A failure becomes the table's
        message.
        """
        loop = asyncio.get_running_loop()
        wal_bytes = self._nonblocking.store.wal_bytes
        if wal_bytes > LOG_BYTES and self._log_task is None:
            self._log_task = loop.create_task(self._empty_log())
        if self._write_task is None and 0 < wal_bytes < MAX_LOG_BYTES:
            with contextlib.suppress(StoreError):
                changes = {id: table}
                _set_record_numbers(changes, _put(self._nonblocking, *_snapshot(changes)))
                done: asyncio.Future[None] = loop.create_future()
                done.set_result(None)
                return done
        if self._write_task is None:
            self._write_task = loop.create_task(self._write_pending())
        self._pending[id] = table
        if self._written is None:
            self._written = loop.create_future()
        return self._written

    async def load(self, id: str) -> dict[str, object] | None:
        """The stored data of a table, None if there is none."""
        if id in self._pending:
            return _snapshot({id: self._pending[id]})[0][id]
        return await self._in_thread(self._blocking.get, id)

    async def trim(self, max_tables: int) -> None:
        """Delete the oldest tables beyond this number, and empty the write-ahead log."""
        with contextlib.suppress(StoreError):
            await self._in_thread(self._blocking.trim, max_tables)
            await self._in_thread(_renew_log, self._blocking.store)

    async def sync(self) -> None:
        """Wait until all changes so far are on the disk."""
        loop = asyncio.get_running_loop()
        with contextlib.suppress(OSError):  # the next write reports it
            await loop.run_in_executor(self._sync_thread, self._nonblocking.store.sync)

    async def close(self) -> None:
        """Write pending changes and close the connections."""
        if self._log_task is not None:
            self._log_task.cancel()
        if self._write_task is not None:
            await self._write_task
        for thread in (self._thread, self._sync_thread):
            thread.shutdown()
        for tables in (self._nonblocking, self._blocking):
            tables.store.close()

    async def _empty_log(self) -> None:
        """Once the whole log is in the database file, SQLite reuses the log from its beginning."""
        try:
            while not await self._in_thread(_renew_log, self._blocking.store):
                await asyncio.sleep(LOG_RETRY_SECONDS)
        except StoreError:
            await asyncio.sleep(LOG_RETRY_SECONDS)  # the next write reports it
        finally:
            self._log_task = None

    async def _write_pending(self) -> None:
        try:
            while self._pending:
                changes, self._pending = self._pending, {}
                written, self._written = self._written, None
                try:
                    numbers = await self._in_thread(_put, self._blocking, *_snapshot(changes))
                    _set_record_numbers(changes, numbers)
                except StoreError as error:
                    for table in changes.values():
                        if table is not None:
                            table.message = f"The game could not be saved: {error}"
                if written is not None and not written.done():
                    written.set_result(None)
        finally:
            self._write_task = None

    def _in_thread(self, function: Callable[..., T], *arguments: Any) -> asyncio.Future[T]:
        return asyncio.get_running_loop().run_in_executor(self._thread, function, *arguments)


def _renew_log(store: Store) -> bool:
    """Empty the write-ahead log and begin the next; False if readers prevent it."""
    emptied = store.checkpoint()
    if emptied:
        store.begin_log()
    return emptied


def _snapshot(changes: Mapping[str, Table | None]) -> tuple[Contents, dict[str, Record]]:
    """The tables as plain data, and the records of finished games that have none yet."""
    contents = {id: None if table is None else table.as_dict() for id, table in changes.items()}
    records = {id: table.record() for id, table in changes.items() if table is not None and table.unrecorded}
    return contents, records


def _put(tables: UnfinishedGames, contents: Contents, records: Mapping[str, Record]) -> dict[str, int]:
    numbers = {id: tables.store.add(record) for id, record in records.items()}
    for id, number in numbers.items():
        contents[id] = {**(contents[id] or {}), "record_number": number}
    tables.put(contents)
    return numbers


def _set_record_numbers(changes: Mapping[str, Table | None], numbers: Mapping[str, int]) -> None:
    for id, number in numbers.items():
        table = changes[id]
        if table is not None and table.over:  # an undo may have come in between
            table.record_number = number
