"""The write-ahead log beside a store's file: how large it is, how it is emptied, and what of it is lost.

SQLite appends every transaction to the log and moves it into the file later, in a checkpoint. The log starts
again from the beginning only when a checkpoint has moved all of it and nobody reads from it. A passive
checkpoint takes no lock against writers: under steady writing there is always something left at its end, and
the log grows for as long as the writing lasts.

Format: https://www.sqlite.org/walformat.html and https://www.sqlite.org/fileformat2.html#walformat.
"""

from __future__ import annotations

import os
import sqlite3
import struct
from pathlib import Path
from typing import NamedTuple

TRUNCATE_SECONDS = 0.1
"""How long writers wait for those who still read from the log; then it is emptied another time."""
_HEADER = struct.Struct(">8I")  # magic, version, page size, checkpoint, two salts, two checksums
_FRAME = struct.Struct(">4I")  # page, size of the database after a commit or 0, two salts
_FRAME_BYTES = 24  # with two checksums


class Frames(NamedTuple):
    """What the headers in a log say, before anybody has looked at the pages; frames count from 1."""

    salts: tuple[int, int]
    """The same in all frames of one round of the log; those of earlier rounds have others."""
    ends: tuple[int, ...]
    """Frames that end a transaction, and those that are not of this round though later ones are."""
    last: int
    """The last frame of this round."""
    is_headless: bool
    """Whether the log's own header does not fit its checksum."""


def log_path(path: Path) -> Path:
    """Where the log of a store lies."""
    return path.with_name(f"{path.name}-wal")


def log_bytes(path: Path) -> int:
    """The size of a store's log; 0 where there is none."""
    try:
        return os.stat(log_path(path)).st_size
    except OSError:
        return 0


def empty_log(connection: sqlite3.Connection, patience: float) -> bool:
    """Move the log into the file, that to the disk, and cut the log to nothing; False where others read on.

    Most is moved while others write; they wait for the rest alone. `patience` is the connection's own.
    """
    connection.execute("PRAGMA wal_checkpoint(PASSIVE)").fetchone()
    connection.execute(f"PRAGMA busy_timeout = {_milliseconds(min(patience, TRUNCATE_SECONDS))}")
    try:
        busy = connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()[0]
    finally:
        connection.execute(f"PRAGMA busy_timeout = {_milliseconds(patience)}")
    return not busy


def read_frames(path: Path) -> Frames | None:
    """The frames in the log of a store, to be read before SQLite opens it; None where there is no log."""
    ends: list[int] = []
    strange: list[int] = []
    last = 0
    try:
        with log_path(path).open("rb", buffering=0) as file:
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
    except (OSError, struct.error):  # none, an empty one, or one that another process has just cut
        return None
    return Frames(salts, tuple(ends), last, is_headless=False)


def log_damage(connection: sqlite3.Connection, path: Path, before: Frames | None) -> str | None:
    """What SQLite has left out of the log that was there `before` it was opened, in words; None: nothing.

    It reads up to the first frame that does not fit its checksum, and says nothing of those behind it. A
    process that is killed leaves half a transaction at the end, so the last transaction never counts.

    A checkpoint tells how many frames are valid. The wal-index has the same number, but only SQLite may open
    that file: whoever closes it drops all locks that SQLite holds on it in this process.
    """
    if before is None:
        return None
    try:
        valid = connection.execute("PRAGMA wal_checkpoint(PASSIVE)").fetchone()[1]
        with log_path(path).open("rb", buffering=0) as file:
            header = _HEADER.unpack(file.read(_HEADER.size))
    except (
        OSError,
        struct.error,
        sqlite3.OperationalError,
    ):  # emptied meanwhile, or read-only
        return None
    if valid < 0 or (header[4], header[5]) != before.salts:
        return None  # another process is at it, or has emptied the log
    if before.is_headless and before.last and not valid:
        return f"{log_path(path)} is damaged: none of its transactions can be read"
    if any(valid < frame < before.last for frame in before.ends):
        return f"{log_path(path)} is damaged: what was written after page {valid} of {before.last} is lost"
    return None


def _checksum(header: tuple[int, ...]) -> tuple[int, int]:
    """That of the log's header, in the order of bytes that its magic number names."""
    order = ">" if header[0] & 1 else "<"
    words = struct.unpack(f"{order}6I", struct.pack(">6I", *header[:6]))
    first = second = 0
    for even, odd in zip(words[::2], words[1::2], strict=True):
        first = (first + even + second) & 0xFFFFFFFF
        second = (second + odd + first) & 0xFFFFFFFF
    return first, second


def _milliseconds(seconds: float) -> int:
    return round(seconds * 1000)
