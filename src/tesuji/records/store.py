"""The store: one SQLite file of records, which learning, arena and review all read.

Many processes may read and write it at once (write-ahead log, one transaction a game, each on the disk when
`add` returns). Games are added, never changed. A process that is killed loses the game that it was adding,
at most. What is read is checked: every game has a checksum, and a damaged file is a `StoreError`, never a
shorter list. Of a damaged write-ahead log, which only a killed process leaves behind, SQLite keeps what comes
before the damage: opening the store logs a warning then, and `problems` names it.
"""

from __future__ import annotations

import json
import logging
import os
import sqlite3
import threading
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from types import TracebackType
from typing import Any, NamedTuple, Self

from tesuji.clipping import clip
from tesuji.records.filters import where
from tesuji.records.log import empty_log, log_bytes, log_damage, log_path, read_frames
from tesuji.records.record import Record
from tesuji.records.rows import COLUMNS, LARGEST, Seat, checksum, insert, read_row, write_row
from tesuji.records.schema import (
    StoreError,
    clear_errors,
    create,
    has_tables,
    is_missing,
    recognise,
    remove_leftovers,
)
from tesuji.records.verification import verify

__all__ = ["Store", "StoreError", "Stored"]

PATIENCE = 60.0  # seconds that a writer waits for the others
AT_ONCE = 200  # games read in one go
logger = logging.getLogger("tesuji.records")


class Stored(NamedTuple):
    """A record in a store: its number there, and its match and round, "" and None where it has none."""

    number: int
    record: Record
    match: str
    round: int | None


class Store:
    """A file of records.

    >>> import tempfile
    >>> folder = tempfile.TemporaryDirectory()
    >>> with Store(f"{folder.name}/games.db") as store:
    ...     number = store.add(Record(game="hex:size=3", players=("mcts", "random"), moves=("b2",)))
    ...     print(number, store.get(number).moves, store.count(bot="mcts"), store.count(game="hex:size=5"))
    1 ('b2',) 1 0
    >>> folder.cleanup()

    A file that is missing is made, unless `create=False`. The whole file is checked when it is opened, which
    takes about a second for 100,000 games; `check=False` leaves that to `problems()`. One `Store` belongs to
    one process; its threads may share it.

    What was added stays, whatever happens to the process or to the machine. With `hasty=True` it survives the
    process alone: a power cut may take the newest games. Writers then do not wait for the disk; somebody has
    to call `settle()` now and then. `patience` is for how many seconds a writer waits for other programs.
    """

    def __init__(
        self,
        path: str | os.PathLike[str],
        *,
        create: bool = True,
        check: bool = True,
        hasty: bool = False,
        patience: float = PATIENCE,
    ) -> None:
        self.path = Path(path)
        self._patience = patience
        self._process = os.getpid()
        self._lock = threading.RLock()
        self._open: sqlite3.Connection | None = None
        if is_missing(self.path):
            if not create:
                raise StoreError(f"there is no store {self.path}")
            _create(self.path)
        recognise(self.path)
        remove_leftovers(self.path)
        log = read_frames(self.path)
        with clear_errors(self.path):
            self._open = _connect(self.path, hasty, patience)
        try:
            with clear_errors(self.path):
                if not has_tables(self._open):
                    raise StoreError(f"{self.path} is damaged: its tables are not those of a store")
                self._log_damage = log_damage(self.path, log)
                if self._log_damage and check:
                    logger.warning(self._log_damage)
                # Not quick_check: a damaged index would hide games from a filter.
                found = self._open.execute("PRAGMA integrity_check(1)").fetchone()[0] if check else "ok"
                if found != "ok":
                    raise StoreError(f"{self.path} is damaged: {_one_line(found)}")
        except StoreError:
            self.close()
            raise

    def add(self, record: Record, *, match: str = "", round: int | None = None) -> int:
        """Keep a game for good; returns its number in this store.

        A place in a match, the round and the record's leg, is taken once: adding to it again keeps the first
        game, and returns its number.
        """
        if (match == "") != (round is None):
            raise ValueError("a game of a match needs match and round; any other game neither")
        row = write_row(record, match or None, round)
        with self.writing() as connection:
            if match:
                taken = connection.execute(
                    "SELECT number FROM games WHERE match = ? AND round = ? AND leg = ?",
                    (match, round, record.leg),
                ).fetchone()
                if taken is not None:
                    return int(taken[0])
                connection.execute("INSERT OR IGNORE INTO matches (match) VALUES (?)", (match,))
            return insert(connection, record, row)

    def add_round(self, records: Sequence[Record], *, match: str, round: int) -> int:
        """Keep the games of one round, all or none, with one wait for the disk; returns how many are new.

        A place is taken once, as in `add`: a round that comes again adds what is missing.
        """
        rows = [(record, write_row(record, match, round)) for record in records]
        with self.writing() as connection:
            connection.execute("INSERT OR IGNORE INTO matches (match) VALUES (?)", (match,))
            query = "SELECT leg FROM games WHERE match = ? AND round = ?"
            taken = {leg for (leg,) in connection.execute(query, (match, round))}
            fresh = [(record, row) for record, row in rows if record.leg not in taken]
            for record, row in fresh:
                insert(connection, record, row)
        return len(fresh)

    def add_new(self, records: Iterable[Record]) -> list[int | None]:
        """Keep all of these games, or, after an error, none; None in place of a number for one known already.

        Known is a game that is equal in everything, its time included.
        """
        rows = [(record, write_row(record, None, None)) for record in records]
        numbers: list[int | None] = []
        with self.writing() as connection:
            for record, row in rows:
                known = connection.execute(
                    "SELECT 1 FROM games WHERE digest = ?", (row["digest"],)
                ).fetchone()
                numbers.append(None if known else insert(connection, record, row))
        return numbers

    def get(self, number: int) -> Record:
        """The game of that number; StoreError where there is none."""
        return self.find(number).record

    def find(self, number: int) -> Stored:
        """The game of that number, with its place in a match."""
        found = list(self._read([number])) if abs(number) < LARGEST else []
        if not found:
            raise StoreError(f"there is no game {number} in {self.path}")
        return found[0]

    def records(
        self,
        *,
        game: str | None = None,
        bot: str | None = None,
        since: datetime | None = None,
        until: datetime | None = None,
        result: str | None = None,
        ending: str | None = None,
        match: str | None = None,
        limit: int | None = None,
        newest_first: bool = False,
    ) -> Iterator[Stored]:
        """The games that fit, in the order in which they were added: `store.records(game="hex", limit=10)`.

        `game` and `bot` are a bare name, for any options, or a spec with options. A game's time is from
        `since` on and before `until`. `result` is the seat that won ("0"), "draw" or "unfinished".
        """
        if limit is not None and limit < 0:
            raise ValueError(f"limit must be at least 0, not {limit}")
        condition, values = where(game, bot, since, until, result, ending, match)
        order = "DESC" if newest_first else "ASC"
        query = f"SELECT number FROM games WHERE {condition} ORDER BY number {order} LIMIT ?"
        numbers = [
            row[0] for row in self.all(query, [*values, -1 if limit is None else min(limit, LARGEST - 1)])
        ]
        return self._read(numbers)

    def count(self, **filters: Any) -> int:
        """How many games fit; the filters of `records`: `store.count(bot="mcts", result="draw")`."""
        names = ("game", "bot", "since", "until", "result", "ending", "match")
        if unknown := set(filters) - set(names):
            raise ValueError(f"count takes {', '.join(names)}, not {', '.join(sorted(unknown))}")
        condition, values = where(*(filters.get(name) for name in names))
        return int(self.all(f"SELECT count(*) FROM games WHERE {condition}", values)[0][0])

    def slots(self, match: str) -> dict[tuple[int, int], Record]:
        """The games of a match, by round and leg."""
        return {(stored.round or 0, stored.record.leg): stored.record for stored in self.records(match=match)}

    def plan(self, match: str) -> dict[str, Any] | None:
        """What `set_plan` kept for a match, or None."""
        rows = self.all("SELECT match, plan, checksum FROM matches WHERE match = ?", [match])
        return self._plan(*rows[0]) if rows else None

    def set_plan(self, match: str, plan: Mapping[str, Any]) -> None:
        """Keep what is to be played in a match, as JSON; an earlier plan is replaced."""
        if not match:
            raise ValueError("a match needs a name")
        text = json.dumps(dict(plan), ensure_ascii=False, allow_nan=False)
        with self.writing() as connection:
            connection.execute(
                "INSERT INTO matches (match, plan, checksum) VALUES (?1, ?2, ?3) "
                "ON CONFLICT (match) DO UPDATE SET plan = ?2, checksum = ?3",
                (match, text, checksum(match, text)),
            )

    def matches(self) -> list[tuple[str, dict[str, Any], int]]:
        """Every match, newest first: its name, its plan ({} where none is kept) and how many games it has."""
        rows = self.all(
            "SELECT m.match, m.plan, m.checksum, (SELECT count(*) FROM games g WHERE g.match = m.match) "
            "FROM matches m ORDER BY m.rowid DESC",
            [],
        )
        return [(name, self._plan(name, plan, kept) or {}, games) for name, plan, kept, games in rows]

    def problems(self) -> Iterator[str]:
        """Everything that is wrong, in words: the file, every checksum, and every game by its rules."""
        if self._log_damage:
            yield self._log_damage
        try:
            for (found,) in self.all("PRAGMA integrity_check", []):
                if found != "ok":
                    yield f"{self.path} is damaged: {_one_line(found)}"
            numbers = [row[0] for row in self.all("SELECT number FROM games ORDER BY number", [])]
            orphans = self.all("SELECT DISTINCT number FROM seats EXCEPT SELECT number FROM games", [])
            yield from (f"game {number} in {self.path} has seats and nothing else" for (number,) in orphans)
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
                said = _one_line(str(error))
                if said.startswith("unknown game"):  # all of them are one problem
                    unknown.setdefault(said, []).append(number)
                else:
                    yield f"game {number}: {said}"
        for said, those in unknown.items():
            more = f" and {len(those) - 1} more" if len(those) > 1 else ""
            yield f"game {those[0]}{more}: {said}"

    @property
    def log_bytes(self) -> int:
        """The size of the write-ahead log, which `settle` empties."""
        return log_bytes(self.path)

    def settle(self) -> bool:
        """Move the write-ahead log into the file, and that to the disk; False where others still read it."""
        connection = self._connection
        with self._lock, clear_errors(self.path):
            return empty_log(connection, self._patience)

    def close(self) -> None:
        """Let go of the file."""
        if self._open is not None and self._process == os.getpid():
            with self._lock, clear_errors(self.path):
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
    def writing(self) -> Iterator[sqlite3.Connection]:
        """One transaction, for what is kept beside the games: all of it, or nothing."""
        connection = self._connection
        with self._lock, clear_errors(self.path):
            connection.execute("BEGIN IMMEDIATE")
            try:
                yield connection
                connection.execute("COMMIT")
            except BaseException:
                if connection.in_transaction:
                    connection.execute("ROLLBACK")
                raise

    def all(self, query: str, values: Sequence[object]) -> list[Any]:
        """The rows that a query finds: `store.all("SELECT count(*) FROM games", [])`."""
        connection = self._connection
        with self._lock, clear_errors(self.path):
            return connection.execute(query, values).fetchall()

    def _read(self, numbers: Sequence[int]) -> Iterator[Stored]:
        """A few at a time, so that nobody who writes has to wait for a slow reader."""
        for start in range(0, len(numbers), AT_ONCE):
            some = numbers[start : start + AT_ONCE]
            marks = ", ".join("?" * len(some))
            rows = {
                row[0]: row
                for row in self.all(f"SELECT {', '.join(COLUMNS)} FROM games WHERE number IN ({marks})", some)
            }
            seats: dict[int, list[Seat]] = {}
            query = (
                f"SELECT number, seat, bot, score FROM seats WHERE number IN ({marks}) ORDER BY number, seat"
            )
            for number, seat, bot, score in self.all(query, some):
                seats.setdefault(number, []).append((seat, bot, score))
            for number in some:
                if number in rows:
                    yield self._stored(rows[number], seats.get(number, []))

    def _stored(self, row: Sequence[Any], seats: Sequence[Seat]) -> Stored:
        record = read_row(row, seats)
        if record is None:
            raise StoreError(f"{self.path} is damaged: game {row[0]} does not fit its checksum")
        return Stored(row[0], record, row[COLUMNS.index("match")] or "", row[COLUMNS.index("round")])

    def _plan(self, match: str, plan: str | None, kept: int | None) -> dict[str, Any] | None:
        if plan is None and kept is None:
            return None
        try:
            if checksum(match, plan) == kept:
                return dict(json.loads(str(plan)))
        except (ValueError, TypeError, RecursionError):
            pass
        raise StoreError(f"{self.path} is damaged: the plan of match {clip(match)} does not fit its checksum")


_create = create  # Store's own `create` is a flag


def _connect(path: Path, hasty: bool, patience: float) -> sqlite3.Connection:
    writable = os.access(path, os.W_OK) and os.access(path.parent, os.W_OK)
    # In a directory that cannot be written, no log can grow: the file is all there is, and it stays as it is.
    options = "mode=rw" if writable or log_path(path).exists() else "mode=ro&immutable=1"
    connection = sqlite3.connect(
        f"{path.absolute().as_uri()}?{options}",
        uri=True,
        timeout=patience,
        isolation_level=None,
        check_same_thread=False,
    )
    try:
        connection.execute(f"PRAGMA synchronous = {'NORMAL' if hasty else 'FULL'}")
        if hasty:
            connection.execute("PRAGMA wal_autocheckpoint = 0")
    except BaseException:
        connection.close()
        raise
    return connection


def _one_line(text: str) -> str:
    return " ".join(text.split())
