"""Game files: their format, reading and writing."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from tesuji.cli.shared.errors import BadInput, input_errors

if TYPE_CHECKING:
    from tesuji.records import Record
    from tesuji.records.store import StoredRecord

STDIO = "-"
"""Stands for standard input and output in place of a file."""


def load_hint(message: str) -> str:
    """A hint to append to a message about an unknown game, otherwise ''."""
    return "; use --load FILE.py for your own" if "unknown game" in message else ""


@contextmanager
def with_hint() -> Iterator[None]:
    """Add a hint to use --load to errors about unknown games."""
    try:
        yield
    except ValueError as error:
        raise ValueError(f"{error}{load_hint(str(error))}") from error


def format_of(name: str) -> str:
    """The format that a file's suffix stands for."""
    from tesuji.records.formats import all_formats

    suffixes = {".jsonl": "json"} | {
        each.suffix: each.name for same in all_formats().values() for each in same
    }
    suffix = Path(name).suffix.lower()
    if suffix not in suffixes:
        raise BadInput(f"unknown suffix of {name}: use {', '.join(suffixes)}, or set --format")
    return suffixes[suffix]


def format_game(stored: StoredRecord, name: str) -> str:
    """A game as text in the format of that name."""
    from tesuji.records.formats import write_record
    from tesuji.records.serialization import to_json

    if name == "json":
        return f"{to_json(stored.record, match=stored.match, round=stored.round)}\n"
    with input_errors(f"game {stored.number}"), with_hint():
        return write_record(stored.record, name)


def read_file(name: str, format: str) -> list[Record]:
    """The games in a file, each verified by replaying it."""
    from tesuji.records import sgf, verify
    from tesuji.records.formats import read_records

    if not format:
        raise BadInput("standard input has no suffix; set --format to json, sgf, hexworld or psq")
    shown = "standard input" if name == STDIO else name
    try:
        data = sys.stdin.buffer.read() if name == STDIO else Path(name).read_bytes()
    except OSError as error:
        raise BadInput(f"cannot read {shown}: {error.strerror}") from error
    except ValueError as error:  # a name with a NUL
        raise BadInput(f"cannot read {name!r}: {error}") from error
    with input_errors(shown):
        try:
            text = sgf.decode(data) if format == "sgf" else data.decode("utf-8-sig")
        except UnicodeDecodeError as error:
            raise ValueError(f"not UTF-8 text: invalid byte at position {error.start + 1}") from error
        records = read_records(text, format)
    for number, record in enumerate(records, 1):
        with input_errors(f"{shown}, game {number}"), with_hint():
            verify(record)
    return records


def write_bytes(text: str) -> None:
    """Write to standard output in UTF-8, whatever the terminal's encoding: this is data."""
    sys.stdout.flush()
    sys.stdout.buffer.write(text.encode())
    sys.stdout.buffer.flush()
