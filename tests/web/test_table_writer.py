"""The write-ahead log under steady writing, during long reads, and on a busy disk."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Awaitable, Callable
from pathlib import Path

from tests.web.server_process import TIMEOUT, run_in_thread
from tesuji.records import Record
from tesuji.records.schema import wal_bytes
from tesuji.records.store import Store
from tesuji.web.tables.table import Table
from tesuji.web.tables.writer import LOG_BYTES, TableWriter

MOST_LOG = 64 << 20
"""As documented in `docs/board.md`."""


def with_writer(path: Path, work: Callable[[TableWriter], Awaitable[None]]) -> None:
    async def main() -> None:
        with Store(path) as store:
            writer = TableWriter(store)
            try:
                await work(writer)
            finally:
                await writer.close()

    run_in_thread(main())


def table_of(id: str, size: int = 11) -> Table:
    cells = [f"{column}{row}" for row in range(1, size) for column in "abcdefghijk"[: size - 1]]
    moves = cells[::2]  # no row is whole
    return Table.from_record(
        id, Record(game=f"hex:size={size}", players=("person",) * 2, moves=tuple(moves)), ["person"] * 2
    )


async def write_bytes(writer: TableWriter, path: Path, total: int) -> int:
    """Write until this many bytes went through the log; returns its maximum size."""
    tables = [table_of(f"table {number}") for number in range(20)]
    written = largest = before = 0
    while written < total:
        for table in tables:
            await writer.write(table.id, table)
            size = wal_bytes(path)
            written += max(size - before, 0)
            largest, before = max(largest, size), size
        await asyncio.sleep(0)
    return largest


def test_the_log_stays_bounded_under_steady_writing(tmp_path: Path) -> None:
    async def work(writer: TableWriter) -> None:
        async def sweep() -> None:
            while True:
                await writer.trim(100)

        sweeping = asyncio.create_task(sweep())
        largest = await write_bytes(writer, tmp_path / "games.db", MOST_LOG + LOG_BYTES)
        sweeping.cancel()
        assert largest < MOST_LOG

    with_writer(tmp_path / "games.db", work)


def test_writing_empties_the_log_without_checkpoints(tmp_path: Path) -> None:
    """The registry's checkpoints, every half minute, are too late at a high rate."""

    async def work(writer: TableWriter) -> None:
        assert await write_bytes(writer, tmp_path / "games.db", MOST_LOG + LOG_BYTES) < MOST_LOG

    with_writer(tmp_path / "games.db", work)


def test_a_long_read_does_not_block_writers_and_the_log_shrinks_afterwards(tmp_path: Path) -> None:
    path = tmp_path / "games.db"

    async def work(writer: TableWriter) -> None:
        reader = sqlite3.connect(path, isolation_level=None)
        reader.execute("BEGIN")
        reader.execute("SELECT count(*) FROM games").fetchone()
        await write_bytes(writer, path, 2 * LOG_BYTES)
        table = table_of("the last", 5)
        await writer.write(table.id, table)
        assert table.message is None
        assert await writer.load(table.id) is not None
        assert wal_bytes(path) > LOG_BYTES
        reader.close()
        async with asyncio.timeout(TIMEOUT):
            while wal_bytes(path) > LOG_BYTES:
                await asyncio.sleep(0.05)

    with_writer(path, work)


def empty_log(path: Path) -> None:
    with Store(path, check=False) as store:
        assert store.checkpoint()
    assert wal_bytes(path) == 0


def test_the_event_loop_does_not_wait_until_a_new_log_is_on_disk(tmp_path: Path) -> None:
    """SQLite syncs the header of an empty log, which takes seconds on a busy disk."""
    path = tmp_path / "games.db"

    async def work(writer: TableWriter) -> None:
        first, second = table_of("first", 5), table_of("second", 5)
        empty_log(path)
        written = writer.write(first.id, first)
        assert not written.done() and wal_bytes(path) == 0  # left to the thread
        await written
        assert await writer.load(first.id) is not None
        assert writer.write(second.id, second).done()  # written at once

    with_writer(path, work)


def test_upkeep_leaves_a_log_that_can_be_written_at_once(tmp_path: Path) -> None:
    path = tmp_path / "games.db"

    async def work(writer: TableWriter) -> None:
        empty_log(path)
        await writer.trim(100)
        table = table_of("table", 5)
        assert writer.write(table.id, table).done()
        before = wal_bytes(path)
        await writer.sync()
        assert wal_bytes(path) == before  # not emptied: the next write would wait for the disk
        assert writer.write(table.id, table).done()

    with_writer(path, work)
