"""The book of even openings: `openings.txt`, one a line after its board's size, as `11: a6`.

`benchmarks/hex_openings.py` has made it.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path

from tesuji.games.opening_books import read_openings, replace_openings

FILE = Path(__file__).with_name("openings.txt")


@cache
def even_openings(size: int) -> tuple[str, ...]:
    """The openings of a board; none where the book has none.

    >>> len(even_openings(11)) >= 30, even_openings(5)
    (True, ())
    """
    return read_openings(FILE, str(size))


def replace(path: Path, size: int, openings: list[str]) -> None:
    """Put openings into a book, in the place of those of this board."""
    replace_openings(path, str(size), openings)
