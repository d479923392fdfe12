"""Files of games: which format they have, reading all of one, writing all of it or nothing."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from tesuji.cli.errors import BadInput, reading

if TYPE_CHECKING:
    from tesuji.records import Record
    from tesuji.records.store import StoredRecord

STDIO = "-"
"""Stands for standard input and output in place of a file."""


@contextmanager
def with_hint() -> Iterator[None]:
    """Tell those whose games are their own how to bring them."""
    try:
        yield
    except ValueError as error:
        brings = "; --load FILE.py brings yours" if "unknown game" in str(error) else ""
        raise ValueError(f"{error}{brings}") from error


def format_of(name: str) -> str:
    """The format that a file's name stands for."""
    from tesuji.records.formats import all_formats

    suffixes = {".jsonl": "json"} | {
        each.suffix: each.name for same in all_formats().values() for each in same
    }
    suffix = Path(name).suffix.lower()
    if suffix not in suffixes:
        raise BadInput(
            f"cannot tell the format of {name}: it does not end in {', '.join(suffixes)}; use --format"
        )
    return suffixes[suffix]


def written(stored: StoredRecord, name: str) -> str:
    """A game in the format of that name."""
    from tesuji.records.formats import write_record
    from tesuji.records.serialization import to_json

    if name == "json":
        return f"{to_json(stored.record, match=stored.match, round=stored.round)}\n"
    with reading(f"game {stored.number}"), with_hint():
        return write_record(stored.record, name)


def read_file(name: str, format: str) -> list[Record]:
    """The games in a file, each played again by its rules."""
    from tesuji.records import sgf, verify
    from tesuji.records.formats import read_records

    if not format:
        raise BadInput("standard input has no suffix; say --format json, sgf, hexworld or psq")
    shown = "standard input" if name == STDIO else name
    try:
        data = sys.stdin.buffer.read() if name == STDIO else Path(name).read_bytes()
    except OSError as error:
        raise BadInput(f"cannot read {shown}: {error.strerror}") from error
    except ValueError as error:  # a name with a NUL
        raise BadInput(f"cannot read {name!r}: {error}") from error
    with reading(shown):
        try:
            text = sgf.decode(data) if format == "sgf" else data.decode("utf-8-sig")
        except UnicodeDecodeError as error:
            raise ValueError(f"it is not text in UTF-8: see byte {error.start + 1}") from error
        records = read_records(text, format)
    for number, record in enumerate(records, 1):
        with reading(f"{shown}, game {number}"), with_hint():
            verify(record)
    return records


def write_bytes(text: str) -> None:
    """To standard output in UTF-8, whatever the terminal can show: this is data."""
    sys.stdout.flush()
    sys.stdout.buffer.write(text.encode())
    sys.stdout.buffer.flush()
