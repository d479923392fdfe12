"""SQLite's write-ahead log (WAL) of a store: its size, checkpoints, and waiting until it is on disk.

SQLite appends every transaction to the log and moves it into the database later, in a checkpoint. The log
restarts from its beginning only after a checkpoint has moved all of it and nobody reads from it. A passive
checkpoint does not lock out writers: under steady writing it never finishes, and the log keeps growing.
"""

from __future__ import annotations

import contextlib
import os
import sqlite3
from pathlib import Path

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
