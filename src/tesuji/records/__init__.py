"""Records: games as data, the store, and file formats for other programs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tesuji.records.record import PERSON, UNDATED, Ending, Note, Record

if TYPE_CHECKING:
    from tesuji.records.formats import Format, formats_of, read_records, write_record
    from tesuji.records.store import Store, StoredRecord, StoreError
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
    "StoredRecord",
    "formats_of",
    "read_records",
    "verify",
    "write_record",
]

_LAZY = {"verify": "verification"}
_LAZY |= dict.fromkeys(("Format", "formats_of", "read_records", "write_record"), "formats")
_LAZY |= dict.fromkeys(("Store", "StoreError", "StoredRecord"), "store")


def __getattr__(name: str) -> object:
    """Import lazily: games import this package for their formats, which need only Record."""
    if name not in _LAZY:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(f"{__name__}.{_LAZY[name]}"), name)


def __dir__() -> list[str]:
    return __all__
