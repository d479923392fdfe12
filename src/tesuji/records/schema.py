"""The file of a store: its tables, how one is made, and how a file is known as one before anything opens it.

SQLite would mend, and so change, whatever it opens. So the first bytes are looked at first, by a connection
that changes nothing: they hold the format's name, `application_id` (ours spells "Tesu") and `user_version`,
the version of the tables.
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
from contextlib import closing, contextmanager
from functools import cache
from pathlib import Path

APPLICATION_ID = 0x54657375
VERSION = 1
TABLES = """
CREATE TABLE games (
    number   INTEGER PRIMARY KEY,   -- from 1, in the order in which they were added
    game     TEXT NOT NULL,         -- the game's spec
    seed,                           -- what it was dealt with: a number, as text beyond 64 bits
    leg      INTEGER NOT NULL,      -- which of the games with this deal and opening it is
    moves    TEXT NOT NULL,         -- JSON: ["b2", "a1", ...]
    notes    TEXT NOT NULL,         -- JSON: [[player, value, visits, seconds] or null, ...] by move
    opening  INTEGER NOT NULL,      -- how many of the moves were given, not chosen
    result   TEXT NOT NULL,         -- the seat that won: '0', '1', ...; or 'draw', 'unfinished'
    ending   TEXT NOT NULL,         -- played, resigned, limit, illegal, crashed, hung, unfinished
    fault    TEXT NOT NULL,         -- what went wrong, or ''
    began    TEXT NOT NULL,         -- UTC: 2026-01-31T18:30:00.000000Z
    "match"  TEXT,                  -- the match that it belongs to, with its place there, or NULL
    round    INTEGER,
    digest   TEXT NOT NULL,         -- of the game: equal games have equal digests
    checksum INTEGER NOT NULL,      -- of the digest, the result and the place
    UNIQUE ("match", round, leg)
);
CREATE TABLE seats (
    number   INTEGER NOT NULL REFERENCES games,
    seat     INTEGER NOT NULL,      -- from 0
    bot      TEXT NOT NULL,         -- its spec; 'person', or a name, where somebody played who is no bot
    score    REAL,                  -- from 0 to 1, NULL where the game is unfinished
    PRIMARY KEY (number, seat)
) WITHOUT ROWID;
CREATE TABLE matches (
    "match"  TEXT PRIMARY KEY,
    plan     TEXT,                  -- JSON: what is to be played, or NULL
    checksum INTEGER
);
CREATE INDEX games_game ON games (game);
CREATE INDEX games_digest ON games (digest);
CREATE INDEX seats_bot ON seats (bot);
"""
ROOM = 1 << 16  # bytes; SQLite says no more than "disk I/O error" where less is left
_TOKEN_BYTES = 4  # in the name of a store that is being made


class StoreError(ValueError):
    """A store that cannot be used, or a game that is not in it; one line that names the file."""


@contextmanager
def clear_errors(path: Path) -> Iterator[None]:
    """Turn what SQLite raises into a StoreError."""
    try:
        yield
    except UnicodeDecodeError as error:
        raise StoreError(f"{path} is damaged: what should be text is none") from error
    except sqlite3.Error as error:
        code = getattr(error, "sqlite_errorcode", None)
        kind = None if code is None else code & 0xFF
        said = " ".join(str(error).split())[:200]
        if kind in (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB) or said.startswith("Could not decode"):
            raise StoreError(f"{path} is damaged: {said}") from error
        if kind in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
            raise StoreError(f"{path} is locked: another program has kept it to itself for long") from error
        if kind == sqlite3.SQLITE_FULL or kind == sqlite3.SQLITE_IOERR and _is_full(path):
            raise StoreError(f"cannot write {path}: the disk is full") from error
        if kind in (sqlite3.SQLITE_READONLY, sqlite3.SQLITE_PERM, sqlite3.SQLITE_CANTOPEN):
            raise StoreError(f"cannot write {path}: the file or its directory is read-only") from error
        raise StoreError(f"cannot use {path}: {said}") from error


def _is_full(path: Path) -> bool:
    """Whether the disk has no room for another page of the index that SQLite keeps beside the file."""
    try:
        return shutil.disk_usage(path.parent).free < ROOM
    except OSError:
        return False


def is_missing(path: Path) -> bool:
    """Whether there is nothing of that name; StoreError where that cannot be known."""
    try:
        path.stat()
    except FileNotFoundError:
        return True
    except OSError as error:
        raise StoreError(f"cannot read {_short(path)}: {error.strerror}") from error
    return False


def _short(path: Path) -> str:
    """A name for a message, also where it is too long to be one."""
    return str(path) if len(path.name) < 256 else f"{str(path)[:80]}…"


def recognise(path: Path) -> None:
    """StoreError unless the first bytes of the file are those of a store of this version.

    SQLite reads them. Where this process has the store open already, opening and closing the file by other
    means would drop the locks of that connection, and another process would take the log away from it.
    """
    try:
        found = path.stat()
    except OSError as error:
        raise StoreError(f"cannot read {path}: {error.strerror}") from error
    if stat.S_ISDIR(found.st_mode):
        raise StoreError(f"{path} is a directory, not a store")
    if not stat.S_ISREG(found.st_mode):
        raise StoreError(f"{path} is not a file, and so not a store")
    if not found.st_size:
        raise StoreError(f"{path} is empty, not a store; delete it to begin a new one")
    with clear_errors(path):
        try:
            with closing(sqlite3.connect(_unchanging(path), uri=True)) as file:
                application = file.execute("PRAGMA application_id").fetchone()[0]
                version = file.execute("PRAGMA user_version").fetchone()[0]
        except sqlite3.DatabaseError as error:
            if error.sqlite_errorcode == sqlite3.SQLITE_NOTADB:
                raise StoreError(f"{path} is not a Tesuji store: it does not begin as one") from error
            if error.sqlite_errorcode == sqlite3.SQLITE_CANTOPEN:
                raise StoreError(f"cannot read {path}: the file cannot be opened") from error
            raise
    if application != APPLICATION_ID:
        raise StoreError(f"{path} is a database of another program, not a Tesuji store")
    if version != VERSION:
        raise StoreError(f"{path} is a store of version {version}; this Tesuji reads version {VERSION}")


def _unchanging(path: Path) -> str:
    """The file for SQLite to read without locks, log and repairs."""
    return f"{path.absolute().as_uri()}?mode=ro&immutable=1"


def create(path: Path) -> None:
    """Make an empty store; where another process was quicker, its store stays.

    It is made under another name and linked when it is whole, so that nobody ever sees half of one. Whoever
    opens the store that was quicker may remove the other file in the middle of the work.
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
        except OSError:  # a file system without links
            if not path.exists():
                temporary.replace(path)
    except (sqlite3.Error, OSError) as error:
        if is_missing(path):
            said = error.strerror if isinstance(error, OSError) else error
            raise StoreError(f"cannot create {path}: {said}") from error
    finally:
        with contextlib.suppress(OSError):
            temporary.unlink(missing_ok=True)


def remove_leftovers(path: Path) -> None:
    """Remove what processes that were killed in `create` have left beside a store that is there."""
    ours = re.compile(rf"\.{re.escape(path.name)}\.[0-9a-f]{{{2 * _TOKEN_BYTES}}}(-journal|-wal|-shm)?")
    with contextlib.suppress(OSError):
        for name in os.listdir(path.parent):
            if ours.fullmatch(name):
                path.with_name(name).unlink(missing_ok=True)


def has_tables(connection: sqlite3.Connection) -> bool:
    """Whether the tables and indexes are those of a store."""
    return _wanted() <= _found(connection)


def _found(connection: sqlite3.Connection) -> set[tuple[str, str]]:
    """Every table and index with its definition; comments and spaces in it mean nothing."""
    listed = connection.execute("SELECT name, sql FROM sqlite_master")
    return {(name, " ".join(re.sub("--.*", "", sql or "").split())) for name, sql in listed}


@cache
def _wanted() -> set[tuple[str, str]]:
    connection = sqlite3.connect(":memory:")
    try:
        connection.executescript(TABLES)
        return _found(connection)
    finally:
        connection.close()


def _write(path: Path) -> None:
    connection = sqlite3.connect(path, isolation_level=None)
    try:
        marks = f"PRAGMA application_id = {APPLICATION_ID}; PRAGMA user_version = {VERSION};"
        connection.executescript(f"BEGIN; {marks} {TABLES} COMMIT;")
        # Now, and not before: the first page, which says what this is, then lies in the file itself.
        connection.execute("PRAGMA journal_mode = WAL")
    finally:
        connection.close()
