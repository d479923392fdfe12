"""What keeps the tables in the store: every change is written before it is answered.

To write a move takes a fifth of a millisecond, less than to wake a thread for it, so it is done at once.
Where another program uses the store, a thread waits for it, and all that has changed meanwhile goes in
together. The same thread empties the write-ahead log where that has grown: for the last bit of that it keeps
writers out, so moves wait for it without keeping the loop.
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
from tesuji.web.tables import Table

T = TypeVar("T")
LOG_BYTES = 16 << 20
"""A write-ahead log of this size is emptied."""
MOST_LOG_BYTES = 48 << 20
"""From here on nothing is written past the thread that empties it."""
LOG_SECONDS = 1.0
"""Until the next try, where somebody still reads from the log."""
Contents: TypeAlias = dict[str, dict[str, Any] | None]


class Keeper:
    """Writes and finds tables: `await keeper.write("key", table)`.

    It has connections of its own: whoever reads long from the store keeps no move waiting.
    """

    def __init__(self, store: Store) -> None:
        self._quick = UnfinishedGames(Store(store.path, check=False, durable=False, busy_timeout=0.0))
        self._patient = UnfinishedGames(Store(store.path, check=False, durable=False))
        self._thread = pool(1, "store")
        self._changed: dict[str, Table | None] = {}
        self._written: asyncio.Future[None] | None = None
        self._writer: asyncio.Task[None] | None = None
        self._emptier: asyncio.Task[None] | None = None

    def write(self, id: str, table: Table | None) -> asyncio.Future[None]:
        """Have a table written as it is now, or, for None, forgotten; done when it is.

        A game that is over also becomes a record, whose number the table is told. What cannot be written
        shows as the table's message.
        """
        loop = asyncio.get_running_loop()
        log = self._quick.store.wal_bytes
        if log > LOG_BYTES and self._emptier is None:
            self._emptier = loop.create_task(self._empty_log())
        if self._writer is None and log < MOST_LOG_BYTES:
            with contextlib.suppress(StoreError):
                changed = {id: table}
                _tell(changed, _put(self._quick, *_snapshot(changed)))
                done: asyncio.Future[None] = loop.create_future()
                done.set_result(None)
                return done
        if self._writer is None:
            self._writer = loop.create_task(self._write_all())
        self._changed[id] = table
        if self._written is None:
            self._written = loop.create_future()
        return self._written

    async def find(self, id: str) -> dict[str, Any] | None:
        """What was written of a table, None where there is nothing."""
        if id in self._changed:
            return _snapshot({id: self._changed[id]})[0][id]
        return await self._in_thread(self._patient.get, id)

    async def tidy(self, most: int | None = None) -> None:
        """Bring what was written to the disk; where so many tables are too many, the oldest go."""
        with contextlib.suppress(StoreError):
            if most is not None:
                await self._in_thread(self._patient.trim, most)
            await self._in_thread(self._patient.store.checkpoint)

    async def close(self) -> None:
        """Write what is not written yet."""
        if self._emptier is not None:
            self._emptier.cancel()
        if self._writer is not None:
            await self._writer
        self._thread.shutdown()
        for tables in (self._quick, self._patient):
            tables.store.close()

    async def _empty_log(self) -> None:
        """Once all of it is in the file, SQLite writes the log from its beginning again."""
        try:
            while not await self._in_thread(self._patient.store.checkpoint):
                await asyncio.sleep(LOG_SECONDS)
        except StoreError:
            await asyncio.sleep(LOG_SECONDS)  # whoever writes is told
        finally:
            self._emptier = None

    async def _write_all(self) -> None:
        try:
            while self._changed:
                changed, self._changed = self._changed, {}
                written, self._written = self._written, None
                try:
                    _tell(changed, await self._in_thread(_put, self._patient, *_snapshot(changed)))
                except StoreError as error:
                    for table in changed.values():
                        if table is not None:
                            table.message = f"the game could not be saved: {error}"
                if written is not None and not written.done():
                    written.set_result(None)
        finally:
            self._writer = None

    def _in_thread(self, work: Callable[..., T], *given: Any) -> asyncio.Future[T]:
        return asyncio.get_running_loop().run_in_executor(self._thread, work, *given)


def _snapshot(changed: Mapping[str, Table | None]) -> tuple[Contents, dict[str, Record]]:
    """Tables as plain data, and the records of games that are over and have none."""
    contents = {id: None if table is None else table.as_dict() for id, table in changed.items()}
    records = {id: table.record() for id, table in changed.items() if table is not None and table.unrecorded}
    return contents, records


def _put(tables: UnfinishedGames, contents: Contents, records: Mapping[str, Record]) -> dict[str, int]:
    numbers = {id: tables.store.add(record) for id, record in records.items()}
    for id, number in numbers.items():
        contents[id] = {**(contents[id] or {}), "number": number}
    tables.put(contents)
    return numbers


def _tell(changed: Mapping[str, Table | None], numbers: Mapping[str, int]) -> None:
    for id, number in numbers.items():
        table = changed[id]
        if table is not None and table.over:  # it may have been taken back meanwhile
            table.number = number
