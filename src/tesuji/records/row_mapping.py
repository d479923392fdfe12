"""Records as rows of the store's tables, with checksums that detect damage."""

from __future__ import annotations

import hashlib
import json
import sqlite3
import zlib
from collections.abc import Mapping, Sequence
from typing import Any, TypeAlias

from tesuji.records.record import Record
from tesuji.records.serialization import as_dict, from_dict, result_of

COLUMNS = (
    *("number", "game", "seed", "leg", "moves", "notes", "opening", "result", "ending", "fault", "began"),
    *("match", "round", "digest", "checksum"),
)
"""The columns of the table `games`."""

PLAIN = ("game", "leg", "opening", "ending", "fault")
"""The columns that hold a field of the record as it is in JSON."""
PACKED = ("moves", "notes")
"""The columns that hold one as the text of JSON."""

MAX_INTEGER = 2**63
"""Upper limit of SQLite's integers."""

Seat: TypeAlias = tuple[int, str, float | None]
"""A row of the table `seats` without the number of the game: seat, bot, score."""


def write_row(record: Record, match: str | None, round: int | None) -> dict[str, object]:
    """The columns of a record, without its number; ValueError for invalid values."""
    data = as_dict(record)
    digest, result, seed = _digest(data), result_of(record), record.seed
    return {
        **{name: data[name] for name in PLAIN},
        **{name: _json(data[name]) for name in PACKED},
        "seed": str(seed) if seed is not None and abs(seed) >= MAX_INTEGER else seed,
        "result": result,
        "began": data["when"],
        "match": match,
        "round": round,
        "digest": digest,
        "checksum": checksum(digest, result, match, round),
    }


def insert(connection: sqlite3.Connection, record: Record, row: Mapping[str, object]) -> int:
    """Insert the rows of a record; returns its number."""
    names = ", ".join(row)
    placeholders = ", ".join(f":{name}" for name in row)
    number = connection.execute(f"INSERT INTO games ({names}) VALUES ({placeholders})", row).lastrowid
    assert number is not None
    scores = record.scores or [None] * len(record.players)
    seats = [(number, seat, *facts) for seat, facts in enumerate(zip(record.players, scores, strict=True))]
    connection.executemany("INSERT INTO seats VALUES (?, ?, ?, ?)", seats)
    return number


def read_row(row: Sequence[Any], seats: Sequence[Seat]) -> Record | None:
    """The record in these rows; None if a checksum is wrong."""
    columns = dict(zip(COLUMNS, row, strict=True))
    scores = [score for _, _, score in seats]
    try:
        seed = columns["seed"]
        data = {
            **{name: columns[name] for name in PLAIN},
            **{name: json.loads(columns[name]) for name in PACKED},
            "players": [bot for _, bot, _ in seats],
            "seed": int(seed) if isinstance(seed, str) else seed,
            "scores": None if None in scores else scores,
            "when": columns["began"],
        }
        digest, slot = _digest(data), (columns["match"], columns["round"])
        record = from_dict(data)
        result = result_of(record)
        computed = digest, checksum(digest, result, *slot)
    except (ValueError, TypeError, RecursionError):
        return None
    complete = [seat for seat, _, _ in seats] == list(range(len(seats)))
    stored = columns["digest"], columns["checksum"]
    return record if complete and computed == stored and result == columns["result"] else None


def read_object(key: str, text: Any, stored: object) -> dict[str, object] | None:
    """The JSON object of a row with this key; None if the row does not match its checksum."""
    try:
        return dict(json.loads(text)) if checksum(key, text) == stored else None
    except (ValueError, TypeError, RecursionError):
        return None


def checksum(*values: object) -> int:
    """CRC-32 of the values."""
    return zlib.crc32(_json(values).encode())


def _digest(data: Mapping[str, object]) -> str:
    """The digest of a record; equal records have equal digests."""
    return hashlib.sha256(json.dumps(data, sort_keys=True).encode()).hexdigest()[:32]


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
