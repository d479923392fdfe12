"""Opening books: text files of even openings, one per line after the board it is for, as `11: a2 f6 …`."""

from __future__ import annotations

from pathlib import Path

from tesuji.atomic_write import write_atomically


def read_openings(path: Path, key: str) -> tuple[str, ...]:
    """The openings of a book for this board."""
    lines = (line.partition(":") for line in path.read_text(encoding="utf-8").splitlines())
    return tuple(moves.strip() for found, _, moves in lines if found == key)


def replace_openings(path: Path, key: str, openings: list[str]) -> None:
    """Replace the openings for this board."""
    kept = [line for line in path.read_text(encoding="utf-8").splitlines() if line.partition(":")[0] != key]
    lines = kept + [f"{key}: {moves}" for moves in openings]
    write_atomically(path, "".join(f"{line}\n" for line in lines))
