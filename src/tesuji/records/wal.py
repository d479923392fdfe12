"""SQLite's write-ahead log (WAL) of a store: size, checkpoints, and detection of damage.

SQLite appends every transaction to the log and moves it into the database later, in a checkpoint. The log
restarts from its beginning only after a checkpoint has moved all of it and nobody reads from it. A passive
checkpoint does not lock out writers: under steady writing it never finishes, and the log keeps growing.

Format: https://www.sqlite.org/walformat.html and https://www.sqlite.org/fileformat2.html#walformat.
"""

from __future__ import annotations

import contextlib
import os
import sqlite3
import struct
from pathlib import Path
from typing import NamedTuple

TRUNCATE_SECONDS = 0.1
"""How long a truncating checkpoint blocks writers while it waits for readers of the log."""
_HEADER = struct.Struct(">8I")  # magic, version, page size, checkpoint, two salts, two checksums
_FRAME = struct.Struct(">4I")  # page, database size after a commit or 0, two salts
_FRAME_BYTES = 24  # with two checksums


class Frames(NamedTuple):
    """The frame headers of a log; frames are numbered from 1."""

    salts: tuple[int, int]
    """The same in all frames since the log restarted; older frames have others."""
    ends: tuple[int, ...]
    """Frames that end a transaction, and frames with old salts before later current ones."""
    last: int
    """The last frame with the current salts."""
    is_headless: bool
    """Whether the checksum of the log's header is wrong."""


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


def read_frames(path: Path) -> Frames | None:
    """The frames in a store's log, to be read before SQLite opens it; None if there is no log."""
    ends: list[int] = []
    strange: list[int] = []
    last = 0
    try:
        with wal_path(path).open("rb", buffering=0) as file:
            header = _HEADER.unpack(file.read(_HEADER.size))
            size, salts = header[2] + _FRAME_BYTES, (header[4], header[5])
            content = os.fstat(file.fileno()).st_size - _HEADER.size
            if _checksum(header) != header[6:]:
                return Frames(salts, (), min(content, 1), is_headless=True)
            for frame in range(1, content // size + 1):
                file.seek(_HEADER.size + (frame - 1) * size)
                _, commit, *own = _FRAME.unpack(file.read(_FRAME.size))
                if tuple(own) != salts:
                    strange.append(frame)
                    continue
                last = frame
                ends += [*strange, frame] if commit else strange
                strange.clear()
    except (OSError, struct.error):  # missing, empty, or just truncated by another process
        return None
    return Frames(salts, tuple(ends), last, is_headless=False)


def wal_damage(connection: sqlite3.Connection, path: Path, before: Frames | None) -> str | None:
    """A message if SQLite dropped transactions of the log as it was `before` opening; else None.

    SQLite reads up to the first frame with a wrong checksum and silently drops the rest. A killed process
    leaves an incomplete transaction at the end, so the last transaction is not counted.

    A checkpoint reports the number of valid frames. The wal-index has it too, but only SQLite may open that
    file: closing it would release all locks that SQLite holds on it in this process.
    """
    if before is None:
        return None
    try:
        valid = connection.execute("PRAGMA wal_checkpoint(PASSIVE)").fetchone()[1]
        with wal_path(path).open("rb", buffering=0) as file:
            header = _HEADER.unpack(file.read(_HEADER.size))
    except (OSError, struct.error, sqlite3.OperationalError):  # truncated meanwhile, or read-only
        return None
    if valid < 0 or (header[4], header[5]) != before.salts:
        return None  # another process has restarted the log meanwhile
    if before.is_headless and before.last and not valid:
        return f"{wal_path(path)} is damaged: none of its transactions can be read"
    if any(valid < frame < before.last for frame in before.ends):
        return f"{wal_path(path)} is damaged: everything after frame {valid} of {before.last} is lost"
    return None


def _checksum(header: tuple[int, ...]) -> tuple[int, int]:
    """The checksum of the log's header, in the byte order given by its magic number."""
    order = ">" if header[0] & 1 else "<"
    words = struct.unpack(f"{order}6I", struct.pack(">6I", *header[:6]))
    first = second = 0
    for even, odd in zip(words[::2], words[1::2], strict=True):
        first = (first + even + second) & 0xFFFFFFFF
        second = (second + odd + first) & 0xFFFFFFFF
    return first, second


def _milliseconds(seconds: float) -> int:
    return round(seconds * 1000)
