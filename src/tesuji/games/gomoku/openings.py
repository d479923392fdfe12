"""The opening book `openings.txt`: one even opening per line, as `15 freestyle: h8 i9 …`.

Made by `benchmarks/gomoku_openings.py`.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path

from tesuji.games.opening_books import read_openings, replace_openings

FILE = Path(__file__).with_name("openings.txt")


@cache
def even_openings(size: int, rule: str) -> tuple[str, ...]:
    """The openings of a board and a rule; empty where the book has none.

    >>> len(even_openings(15, "freestyle")) >= 20, even_openings(6, "renju")
    (True, ())
    """
    return read_openings(FILE, f"{size} {rule}")


def replace(path: Path, size: int, rule: str, openings: list[str]) -> None:
    """Replace the openings of this board and rule."""
    replace_openings(path, f"{size} {rule}", openings)
