"""The store: an SQLite database of records, used by the arena, learning and the web board.

Many processes may read and write it concurrently (write-ahead log, one transaction per game, on disk when
`add` returns). Games are added, never changed. A killed process loses at most the game that it was adding:
SQLite recovers the rest when the store is opened. Every game has a checksum, and damage of the database is a
`StoreError`, never a shorter list. If the write-ahead log is damaged, SQLite keeps what was
written before the damage.
"""

from __future__ import annotations

import json
import os
import sqlite3
import threading
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from types import TracebackType
from typing import Any, NamedTuple, Self, Unpack

from tesuji._helpers.clipping import clip
from tesuji.records.filters import Filters, where
from tesuji.records.record import Record
from tesuji.records.row_mapping import (
    COLUMNS,
    MAX_INTEGER,
    Seat,
    checksum,
    insert,
    read_object,
    read_row,
    write_row,
)
from tesuji.records.schema import (
    VERSION,
    StoreError,
    check_file,
    connect,
    create,
    is_missing,
    remove_leftovers,
    run_checkpoint,
    sqlite_errors,
    sync_wal,
    wal_bytes,
)
from tesuji.records.verification import verify

__all__ = ["Store", "StoreError", "StoredRecord"]

BUSY_TIMEOUT = 60.0  # seconds that a writer waits for others
BATCH = 200  # games read per query


class StoredRecord(NamedTuple):
    """A record in a store, with its number, match and round ("" and None if it belongs to no match)."""

    number: int
    record: Record
    match: str
    round: int | None


class Store:
    """A database of records.

    >>> import tempfile
    >>> folder = tempfile.TemporaryDirectory()
    >>> with Store(f"{folder.name}/games.db") as store:
    ...     number = store.add(Record(game="hex:size=3", players=("mcts", "random"), moves=("b2",)))
    ...     print(number, store.get(number).moves, store.count(bot="mcts"), store.count(game="hex:size=5"))
    1 ('b2',) 1 0
    >>> folder.cleanup()

    A missing file is created, unless `create=False`. Opening checks the file, and the first query by anything
    but a number also its indexes, which takes longer. `check=False` skips both. A `Store` belongs to
    one process, but threads may share it.

    Added games survive crashes of the process and of the machine. With `durable=False` writers do not wait
    for the disk, except for the first write to an empty log: a power failure may lose the newest games, and
    `checkpoint()` must be called from time to time. `busy_timeout` is how many seconds a writer waits for
    others.
    """

    def __init__(
        self,
        path: str | os.PathLike[str],
        *,
        create: bool = True,
        check: bool = True,
        durable: bool = True,
        busy_timeout: float = BUSY_TIMEOUT,
    ) -> None:
        self.path = Path(path)
        self._busy_timeout = busy_timeout
        self._process = os.getpid()
        self._lock = threading.RLock()
        self._open: sqlite3.Connection | None = None
        if is_missing(self.path):
            if not create:
                raise StoreError(f"there is no store {self.path}")
            _create(self.path)
        check_file(self.path)
        remove_leftovers(self.path)
        self._indexes_checked = not check
        with sqlite_errors(self.path):
            self._open = connect(self.path, busy_timeout)
        try:
            with sqlite_errors(self.path):
                self._open.execute(f"PRAGMA synchronous = {'FULL' if durable else 'NORMAL'}")
                if not durable:
                    self._open.execute("PRAGMA wal_autocheckpoint = 0")
            if check:
                self._check("quick_check")
        except StoreError:
            self.close()
            raise

    def add(self, record: Record, *, match: str = "", round: int | None = None) -> int:
        """Add a game; returns its number.

        A slot of a match (round and leg) holds one game: adding another keeps the first, and returns its
        number.
        """
        return self._add(record, match, round)[0]

    def add_first(self, record: Record, *, match: str, round: int) -> Record:
        """Add a game to a slot of a match; returns the game that is there now: this, or one added before."""
        number, added = self._add(record, match, round)
        return record if added else self.get(number)

    def _add(self, record: Record, match: str, round: int | None) -> tuple[int, bool]:
        if (match == "") != (round is None):
            raise ValueError("give both match and round, or neither")
        row = write_row(record, match or None, round)
        with self.transaction() as connection:
            if match:
                taken = connection.execute(
                    "SELECT number FROM games WHERE match = ? AND round = ? AND leg = ?",
                    (match, round, record.leg),
                ).fetchone()
                if taken is not None:
                    return int(taken[0]), False
                connection.execute("INSERT OR IGNORE INTO matches (match) VALUES (?)", (match,))
            return insert(connection, record, row), True

    def add_round(self, records: Sequence[Record], *, match: str, round: int) -> int:
        """Add the games of one round in one transaction; returns the number of new games.

        Slots that are taken keep their games, as in `add`.
        """
        rows = [(record, write_row(record, match, round)) for record in records]
        with self.transaction() as connection:
            connection.execute("INSERT OR IGNORE INTO matches (match) VALUES (?)", (match,))
            query = "SELECT leg FROM games WHERE match = ? AND round = ?"
            taken = {leg for (leg,) in connection.execute(query, (match, round))}
            fresh = [(record, row) for record, row in rows if record.leg not in taken]
            for record, row in fresh:
                insert(connection, record, row)
        return len(fresh)

    def add_new(self, records: Iterable[Record]) -> list[int | None]:
        """Add games in one transaction; returns their numbers, None for a game that is already in the store.

        Games are the same if they are equal in everything, including the time.
        """
        rows = [(record, write_row(record, None, None)) for record in records]
        numbers: list[int | None] = []
        with self.transaction() as connection:
            for record, row in rows:
                known = connection.execute(
                    "SELECT 1 FROM games WHERE digest = ?", (row["digest"],)
                ).fetchone()
                numbers.append(None if known else insert(connection, record, row))
        return numbers

    def get(self, number: int) -> Record:
        """A game by its number; StoreError if there is none."""
        return self.find(number).record

    def find(self, number: int) -> StoredRecord:
        """A game by its number, with its slot in a match."""
        found = list(self._read([number])) if abs(number) < MAX_INTEGER else []
        if not found:
            raise StoreError(f"there is no game {number} in {self.path}")
        return found[0]

    def records(
        self,
        *,
        limit: int | None = None,
        newest_first: bool = False,
        **filters: Unpack[Filters],
    ) -> Iterator[StoredRecord]:
        """The games that match the filters, in insertion order: `store.records(game="hex", limit=10)`.

        `game` and `bot` are a bare name, for any options, or a spec with options. `since` is inclusive,
        `until` exclusive. `result` is the winning seat ("0"), "draw" or "unfinished".
        """
        if limit is not None and limit < 0:
            raise ValueError(f"limit must be at least 0, not {limit}")
        condition, values = where(**filters)
        order = "DESC" if newest_first else "ASC"
        query = f"SELECT number FROM games WHERE {condition} ORDER BY number {order} LIMIT ?"
        numbers = [
            row[0]
            for row in self.query(query, [*values, -1 if limit is None else min(limit, MAX_INTEGER - 1)])
        ]
        return self._read(numbers)

    def count(self, **filters: Unpack[Filters]) -> int:
        """Count the games that match the filters of `records`: `store.count(bot="mcts", result="draw")`."""
        condition, values = where(**filters)
        return int(self.query(f"SELECT count(*) FROM games WHERE {condition}", values)[0][0])

    def slots(self, match: str) -> dict[tuple[int, int], Record]:
        """The games of a match by (round, leg)."""
        return {(stored.round or 0, stored.record.leg): stored.record for stored in self.records(match=match)}

    def plan(self, match: str) -> dict[str, Any] | None:
        """The plan of a match, or None."""
        rows = self.query("SELECT match, plan, checksum FROM matches WHERE match = ?", [match])
        return self._plan(*rows[0]) if rows else None

    def set_plan(self, match: str, plan: Mapping[str, Any]) -> None:
        """Store the plan of a match as JSON, replacing an earlier one."""
        if not match:
            raise ValueError("a match needs a name")
        text = json.dumps(dict(plan), ensure_ascii=False, allow_nan=False)
        with self.transaction() as connection:
            connection.execute(
                "INSERT INTO matches (match, plan, checksum) VALUES (?1, ?2, ?3) "
                "ON CONFLICT (match) DO UPDATE SET plan = ?2, checksum = ?3",
                (match, text, checksum(match, text)),
            )

    def matches(self) -> list[tuple[str, dict[str, Any], int]]:
        """All matches, newest first: name, plan ({} if there is none) and number of games."""
        rows = self.query(
            "SELECT m.match, m.plan, m.checksum, (SELECT count(*) FROM games g WHERE g.match = m.match) "
            "FROM matches m ORDER BY m.rowid DESC",
            [],
        )
        return [(name, self._plan(name, plan, stored) or {}, games) for name, plan, stored, games in rows]

    def problems(self) -> Iterator[str]:
        """Messages for all problems of the database, the checksums, and the games by their rules."""
        self._indexes_checked = True  # all problems are listed here
        try:
            for (found,) in self.query("PRAGMA integrity_check", []):
                if found != "ok":
                    yield f"{self.path} is damaged: {_one_line(found)}"
            numbers = [row[0] for row in self.query("SELECT number FROM games ORDER BY number", [])]
            orphans = self.query("SELECT DISTINCT number FROM seats EXCEPT SELECT number FROM games", [])
            yield from (f"game {number} in {self.path} has seats but no moves" for (number,) in orphans)
            self.matches()
        except StoreError as error:
            yield str(error)
            return
        unknown: dict[str, list[int]] = {}
        for number in numbers:
            try:
                verify(self.get(number))
            except StoreError as error:
                yield str(error)
            except ValueError as error:
                text = _one_line(str(error))
                if text.startswith("unknown game"):  # reported once for all
                    unknown.setdefault(text, []).append(number)
                else:
                    yield f"game {number}: {text}"
        for text, found in unknown.items():
            more = f" and {len(found) - 1} more" if len(found) > 1 else ""
            yield f"game {found[0]}{more}: {text}"

    @property
    def wal_bytes(self) -> int:
        """The size of the write-ahead log, which `checkpoint` empties."""
        return wal_bytes(self.path)

    def checkpoint(self) -> bool:
        """Move the write-ahead log into the database, on disk; False if readers prevent it."""
        connection = self._connection
        with self._lock, sqlite_errors(self.path):
            return run_checkpoint(connection, self._busy_timeout)

    def begin_log(self) -> None:
        """Write to an empty log, so that the next writer need not wait until its header is on disk."""
        with self.transaction() as connection:
            connection.execute(f"PRAGMA user_version = {VERSION}")  # as it is

    def sync(self) -> None:
        """Wait until the write-ahead log is on disk, which makes all transactions durable; locks nothing."""
        sync_wal(self.path)

    def close(self) -> None:
        """Close the database."""
        if self._open is not None and self._process == os.getpid():
            with self._lock, sqlite_errors(self.path):
                self._open.close()
        self._open = None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"Store({str(self.path)!r})"

    @property
    def _connection(self) -> sqlite3.Connection:
        if self._open is None:
            raise StoreError(f"the store {self.path} is closed")
        if self._process != os.getpid():
            raise StoreError(f"the store {self.path} was opened by another process; open it again here")
        return self._open

    @contextmanager
    def transaction(self) -> Iterator[sqlite3.Connection]:
        """A write transaction, for additional tables."""
        connection = self._connection
        with self._lock, sqlite_errors(self.path):
            connection.execute("BEGIN IMMEDIATE")
            try:
                yield connection
                connection.execute("COMMIT")
            except BaseException:
                if connection.in_transaction:
                    connection.execute("ROLLBACK")
                raise

    def query(self, sql: str, values: Sequence[object]) -> list[Any]:
        """The rows of a query: `store.query("SELECT count(*) FROM games", [])`.

        The first also checks the indexes: a damaged one hides games, and `quick_check` does not read them.
        """
        if not self._indexes_checked:
            self._check("integrity_check")
            self._indexes_checked = True
        return self._rows(sql, values)

    def _rows(self, sql: str, values: Sequence[object]) -> list[Any]:
        connection = self._connection
        with self._lock, sqlite_errors(self.path):
            return connection.execute(sql, values).fetchall()

    def _check(self, pragma: str) -> None:
        found = _one_line(self._rows(f"PRAGMA {pragma}(1)", [])[0][0])
        if found != "ok":
            raise StoreError(f"{self.path} is damaged: {found}")

    def _read(self, numbers: Sequence[int]) -> Iterator[StoredRecord]:
        """Read in batches, so that a slow reader does not block writers."""
        for start in range(0, len(numbers), BATCH):
            some = numbers[start : start + BATCH]
            marks = ", ".join("?" * len(some))
            rows = {
                row[0]: row
                for row in self._rows(
                    f"SELECT {', '.join(COLUMNS)} FROM games WHERE number IN ({marks})", some
                )
            }
            seats: dict[int, list[Seat]] = {}
            query = (
                f"SELECT number, seat, bot, score FROM seats WHERE number IN ({marks}) ORDER BY number, seat"
            )
            for number, seat, bot, score in self._rows(query, some):
                seats.setdefault(number, []).append((seat, bot, score))
            for number in some:
                if number in rows:
                    yield self._stored(rows[number], seats.get(number, []))

    def _stored(self, row: Sequence[Any], seats: Sequence[Seat]) -> StoredRecord:
        record = read_row(row, seats)
        if record is None:
            raise StoreError(f"{self.path} is damaged: game {row[0]} does not match its checksum")
        return StoredRecord(row[0], record, row[COLUMNS.index("match")] or "", row[COLUMNS.index("round")])

    def _plan(self, match: str, plan: str | None, stored: int | None) -> dict[str, Any] | None:
        if plan is None and stored is None:
            return None
        found = read_object(match, plan, stored)
        if found is None:
            raise StoreError(f"{self.path} is damaged: the plan of {clip(match)} does not match its checksum")
        return found


_create = create  # `create` is a parameter of Store


def _one_line(text: str) -> str:
    return " ".join(text.split())
