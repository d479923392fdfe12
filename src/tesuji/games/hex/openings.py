"""The opening book `openings.txt`: one even opening per line after its board's size, as `11: a6`.

Made by `benchmarks/hex_openings.py`.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path

from tesuji.games.opening_books import read_openings, replace_openings

FILE = Path(__file__).with_name("openings.txt")


@cache
def even_openings(size: int) -> tuple[str, ...]:
    """The openings of a board; empty where the book has none.

    >>> len(even_openings(11)) >= 30, even_openings(5)
    (True, ())
    """
    return read_openings(FILE, str(size))


def replace(path: Path, size: int, openings: list[str]) -> None:
    """Replace the openings of this board."""
    replace_openings(path, str(size), openings)
