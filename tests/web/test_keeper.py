"""The write-ahead log under steady writing, and under somebody who reads for long."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Awaitable, Callable
from pathlib import Path

from tests.web.running import PATIENCE, run_alone
from tesuji.records import Record
from tesuji.records.store import Store
from tesuji.records.wal import wal_bytes
from tesuji.web.keeper import LOG_BYTES, Keeper
from tesuji.web.tables import Table

MOST_LOG = 64 << 20
"""What `docs/board.md` promises."""


def with_keeper(path: Path, work: Callable[[Keeper], Awaitable[None]]) -> None:
    async def main() -> None:
        with Store(path) as store:
            keeper = Keeper(store)
            try:
                await work(keeper)
            finally:
                await keeper.close()

    run_alone(main())


def table_of(id: str, size: int = 11) -> Table:
    cells = [f"{column}{row}" for row in range(1, size) for column in "abcdefghijk"[: size - 1]]
    moves = cells[::2]  # no row is whole
    return Table.of(
        id, Record(game=f"hex:size={size}", players=("person",) * 2, moves=tuple(moves)), ["person"] * 2
    )


async def write_bytes(keeper: Keeper, path: Path, total: int) -> int:
    """Write until so much has gone through the log; the largest that it was."""
    tables = [table_of(f"table {number}") for number in range(20)]
    written = largest = before = 0
    while written < total:
        for table in tables:
            await keeper.write(table.id, table)
            size = wal_bytes(path)
            written += max(size - before, 0)
            largest, before = max(largest, size), size
        await asyncio.sleep(0)
    return largest


def test_the_log_stays_bounded_however_steadily_is_written(tmp_path: Path) -> None:
    async def work(keeper: Keeper) -> None:
        async def sweep() -> None:
            while True:
                await keeper.tidy()

        sweeping = asyncio.create_task(sweep())
        largest = await write_bytes(keeper, tmp_path / "games.db", MOST_LOG + LOG_BYTES)
        sweeping.cancel()
        assert largest < MOST_LOG

    with_keeper(tmp_path / "games.db", work)


def test_writing_alone_empties_the_log(tmp_path: Path) -> None:
    """The hall looks after it every half minute; at a high rate that is too late."""

    async def work(keeper: Keeper) -> None:
        assert await write_bytes(keeper, tmp_path / "games.db", MOST_LOG + LOG_BYTES) < MOST_LOG

    with_keeper(tmp_path / "games.db", work)


def test_who_reads_for_long_keeps_nobody_from_writing_and_the_log_shrinks_after(tmp_path: Path) -> None:
    path = tmp_path / "games.db"

    async def work(keeper: Keeper) -> None:
        reader = sqlite3.connect(path, isolation_level=None)
        reader.execute("BEGIN")
        reader.execute("SELECT count(*) FROM games").fetchone()
        await write_bytes(keeper, path, 2 * LOG_BYTES)
        table = table_of("the last", 5)
        await keeper.write(table.id, table)
        assert table.message is None
        assert await keeper.find(table.id) is not None
        assert wal_bytes(path) > LOG_BYTES
        reader.close()
        async with asyncio.timeout(PATIENCE):
            while wal_bytes(path) > LOG_BYTES:
                await asyncio.sleep(0.05)

    with_keeper(path, work)
