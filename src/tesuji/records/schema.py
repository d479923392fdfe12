"""The database of a store: its tables, how it is created and opened, its log, and what SQLite's errors mean.

The header has an `application_id` that spells "Tesu", and the version of the tables as `user_version`. Only
SQLite reads the files: while a log is in use, and after a kill, the database file alone is incomplete.

SQLite appends every transaction to the write-ahead log (WAL) and moves it into the database later, in a
checkpoint. The log restarts from its beginning only after a checkpoint has moved all of it and nobody reads
from it. A passive checkpoint does not lock out writers: under steady writing it never finishes, and the log
keeps growing.
"""

from __future__ import annotations

import contextlib
import os
import re
import secrets
import shutil
import sqlite3
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path

APPLICATION_ID = 0x54657375
VERSION = 1
TABLES = """
CREATE TABLE games (
    number   INTEGER PRIMARY KEY,   -- from 1, in the order in which they were added
    game     TEXT NOT NULL,         -- the game's spec
    seed,                           -- of the deal: a number, as text beyond 64 bits
    leg      INTEGER NOT NULL,      -- index among the games with this deal and opening
    moves    TEXT NOT NULL,         -- JSON: ["b2", "a1", ...]
    notes    TEXT NOT NULL,         -- JSON: [[player, value, visits, seconds] or null, ...] by move
    opening  INTEGER NOT NULL,      -- number of opening moves
    result   TEXT NOT NULL,         -- the seat that won: '0', '1', ...; or 'draw', 'unfinished'
    ending   TEXT NOT NULL,         -- played, resigned, limit, illegal, crashed, hung, unfinished
    fault    TEXT NOT NULL,         -- what went wrong, or ''
    began    TEXT NOT NULL,         -- UTC: 2026-01-31T18:30:00.000000Z
    "match"  TEXT,                  -- its match and round, or NULL
    round    INTEGER,
    digest   TEXT NOT NULL,         -- of the game: equal games have equal digests
    checksum INTEGER NOT NULL,      -- of the digest, the result and the slot
    UNIQUE ("match", round, leg)
);
CREATE TABLE seats (
    number   INTEGER NOT NULL REFERENCES games,
    seat     INTEGER NOT NULL,      -- from 0
    bot      TEXT NOT NULL,         -- its spec; 'person' or a name for people
    score    REAL,                  -- from 0 to 1, NULL if the game is unfinished
    PRIMARY KEY (number, seat)
) WITHOUT ROWID;
CREATE TABLE matches (
    "match"  TEXT PRIMARY KEY,
    plan     TEXT,                  -- JSON, or NULL
    checksum INTEGER
);
CREATE INDEX games_game ON games (game);
CREATE INDEX games_digest ON games (digest);
CREATE INDEX seats_bot ON seats (bot);
"""
MIN_FREE_BYTES = 1 << 16  # with less, SQLite only reports "disk I/O error"
_NO_ACCESS = (sqlite3.SQLITE_READONLY, sqlite3.SQLITE_PERM, sqlite3.SQLITE_CANTOPEN)
_LOCKED = (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED, sqlite3.SQLITE_PROTOCOL)
_TOKEN_BYTES = 4  # in the name of a temporary file


class StoreError(ValueError):
    """A store that cannot be used, or a game that is not in it; one line with the path."""


@contextmanager
def sqlite_errors(path: Path) -> Iterator[None]:
    """Turn errors of SQLite into a StoreError."""
    try:
        yield
    except UnicodeDecodeError as error:
        raise StoreError(f"{path} is damaged: invalid text") from error
    except sqlite3.Error as error:
        kind = _kind(error)
        text = " ".join(str(error).split())[:200]
        if kind in (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB) or text.startswith("Could not decode"):
            raise StoreError(f"{path} is damaged: {text}") from error
        if kind in _LOCKED:
            raise StoreError(f"{path} is locked by another program") from error
        if kind == sqlite3.SQLITE_FULL or kind == sqlite3.SQLITE_IOERR and _is_full(path):
            raise StoreError(f"cannot write {path}: the disk is full") from error
        if kind in _NO_ACCESS:
            raise StoreError(f"cannot write {path}: the file or its directory is read-only") from error
        raise StoreError(f"cannot use {path}: {text}") from error


def _kind(error: sqlite3.Error) -> int | None:
    """SQLite's primary error code; None for errors of the Python module, such as text that is not UTF-8."""
    code = getattr(error, "sqlite_errorcode", None)
    return None if code is None else code & 0xFF


def _is_full(path: Path) -> bool:
    """Whether the disk has no room for another page of the wal-index."""
    try:
        return shutil.disk_usage(path.parent).free < MIN_FREE_BYTES
    except OSError:
        return False


def is_missing(path: Path) -> bool:
    """Whether the file does not exist; StoreError if that cannot be determined."""
    try:
        path.stat()
    except FileNotFoundError:
        return True
    except OSError as error:
        raise StoreError(f"cannot read {_short(path)}: {error.strerror}") from error
    return False


def _short(path: Path) -> str:
    """The path for a message, truncated if its name is too long for a file."""
    return str(path) if len(path.name) < 256 else f"{str(path)[:80]}…"


def check_file(path: Path) -> None:
    """StoreError unless this is a regular file with content, which SQLite can be asked to open."""
    try:
        found = path.stat()
    except OSError as error:
        raise StoreError(f"cannot read {path}: {error.strerror}") from error
    if stat.S_ISDIR(found.st_mode):
        raise StoreError(f"{path} is a directory, not a store")
    if not stat.S_ISREG(found.st_mode):
        raise StoreError(f"{path} is not a regular file")
    if not found.st_size:
        raise StoreError(f"{path} is empty, not a store; delete it to create a new one")


def connect(path: Path, busy_timeout: float) -> sqlite3.Connection:
    """Open a store, after SQLite's own recovery where a process was killed; StoreError if it is none."""
    try:
        return _connect(path, "mode=rw", busy_timeout)
    except sqlite3.OperationalError as error:
        if _kind(error) not in _NO_ACCESS:
            raise
        if wal_path(path).exists():
            reason = "it has a write-ahead log, which needs a directory that can be written"
            raise StoreError(f"cannot read {path}: {reason}") from error
    # Without a log nobody writes. SQLite reads a file in a directory that cannot be written only like this.
    try:
        return _connect(path, "mode=ro&immutable=1", busy_timeout)
    except sqlite3.OperationalError as error:
        if _kind(error) not in _NO_ACCESS:
            raise
        raise StoreError(f"cannot read {path}: the file cannot be opened") from error


def _connect(path: Path, options: str, busy_timeout: float) -> sqlite3.Connection:
    connection = sqlite3.connect(
        f"{path.absolute().as_uri()}?{options}",
        uri=True,
        timeout=busy_timeout,
        isolation_level=None,
        check_same_thread=False,
    )
    try:
        _check_header(connection, path)
    except BaseException:
        connection.close()
        raise
    return connection


def _check_header(connection: sqlite3.Connection, path: Path) -> None:
    """StoreError unless the database is a store of this version."""
    try:
        application = connection.execute("PRAGMA application_id").fetchone()[0]
        version = connection.execute("PRAGMA user_version").fetchone()[0]
    except sqlite3.DatabaseError as error:
        if _kind(error) == sqlite3.SQLITE_NOTADB:
            raise StoreError(f"{path} is not a Tesuji store: wrong header") from error
        raise
    if application != APPLICATION_ID:
        raise StoreError(f"{path} is a database of another program, not a Tesuji store")
    if version != VERSION:
        raise StoreError(f"{path} is a store of version {version}; this Tesuji reads version {VERSION}")
    if not _expected() <= _found(connection):
        raise StoreError(f"{path} is damaged: tables are missing")


def create(path: Path) -> None:
    """Create an empty store, unless another process does so first.

    It is written to a temporary file and linked when complete, so that nobody sees a partial store. A process
    that opens a store created meanwhile may remove the temporary file (`remove_leftovers`).
    """
    if not path.parent.is_dir():
        raise StoreError(f"cannot create {path}: there is no directory {path.parent}")
    temporary = path.with_name(f".{path.name}.{secrets.token_hex(_TOKEN_BYTES)}")
    try:
        _write(temporary)
        try:
            os.link(temporary, path)
        except FileExistsError:
            pass
        except OSError:  # a file system without hard links
            if not path.exists():
                temporary.replace(path)
    except (sqlite3.Error, OSError) as error:
        if is_missing(path):
            reason = error.strerror if isinstance(error, OSError) else error
            raise StoreError(f"cannot create {path}: {reason}") from error
    finally:
        with contextlib.suppress(OSError):
            temporary.unlink(missing_ok=True)


def remove_leftovers(path: Path) -> None:
    """Remove temporary files left by processes that were killed in `create`."""
    ours = re.compile(rf"\.{re.escape(path.name)}\.[0-9a-f]{{{2 * _TOKEN_BYTES}}}(-journal|-wal|-shm)?")
    with contextlib.suppress(OSError):
        for name in os.listdir(path.parent):
            if ours.fullmatch(name):
                path.with_name(name).unlink(missing_ok=True)


def _found(connection: sqlite3.Connection) -> set[tuple[str, str]]:
    """All tables and indexes with their definitions, without comments and extra spaces."""
    listed = connection.execute("SELECT name, sql FROM sqlite_master WHERE typeof(sql) != 'blob'")
    return {(name, " ".join(re.sub("--.*", "", sql or "").split())) for name, sql in listed}


@cache
def _expected() -> set[tuple[str, str]]:
    connection = sqlite3.connect(":memory:")
    try:
        connection.executescript(TABLES)
        return _found(connection)
    finally:
        connection.close()


def _write(path: Path) -> None:
    connection = sqlite3.connect(path, isolation_level=None)
    try:
        header = f"PRAGMA application_id = {APPLICATION_ID}; PRAGMA user_version = {VERSION};"
        connection.executescript(f"BEGIN; {header} {TABLES} COMMIT;")
        # Last, so that the first page with the header is in the file itself.
        connection.execute("PRAGMA journal_mode = WAL")
    finally:
        connection.close()


TRUNCATE_SECONDS = 0.1
"""How long a truncating checkpoint blocks writers while it waits for readers of the log."""


def wal_path(path: Path) -> Path:
    """The path of a store's log."""
    return path.with_name(f"{path.name}-wal")


def wal_bytes(path: Path) -> int:
    """The size of a store's log; 0 if there is none."""
    try:
        return os.stat(wal_path(path)).st_size
    except OSError:
        return 0


def sync_wal(path: Path) -> None:
    """Wait until a store's log is on disk."""
    with contextlib.suppress(FileNotFoundError), wal_path(path).open("r+b", buffering=0) as file:
        os.fsync(file.fileno())


def run_checkpoint(connection: sqlite3.Connection, busy_timeout: float) -> bool:
    """Move the log into the database and truncate it; False if readers prevent it.

    Writers are blocked only for what a passive checkpoint leaves. `busy_timeout` is the connection's, in
    seconds.
    """
    connection.execute("PRAGMA wal_checkpoint(PASSIVE)").fetchone()
    connection.execute(f"PRAGMA busy_timeout = {_milliseconds(min(busy_timeout, TRUNCATE_SECONDS))}")
    try:
        busy = connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()[0]
    finally:
        connection.execute(f"PRAGMA busy_timeout = {_milliseconds(busy_timeout)}")
    return not busy


def _milliseconds(seconds: float) -> int:
    return round(seconds * 1000)
