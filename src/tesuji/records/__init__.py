"""Records: games as data, the store that keeps them, and the formats that other programs read."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tesuji.records.record import PERSON, UNDATED, Ending, Note, Record

if TYPE_CHECKING:
    from tesuji.records.formats import Format, formats_of, read_records, write_record
    from tesuji.records.store import Store, Stored, StoreError
    from tesuji.records.verification import verify

__all__ = [
    "PERSON",
    "UNDATED",
    "Ending",
    "Format",
    "Note",
    "Record",
    "Store",
    "StoreError",
    "Stored",
    "formats_of",
    "read_records",
    "verify",
    "write_record",
]

_LATER = {"verify": "verification"}
_LATER |= dict.fromkeys(("Format", "formats_of", "read_records", "write_record"), "formats")
_LATER |= dict.fromkeys(("Store", "StoreError", "Stored"), "store")


def __getattr__(name: str) -> object:
    """Import the store when it is asked for: a game's own formats need Record alone."""
    if name not in _LATER:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(f"{__name__}.{_LATER[name]}"), name)
