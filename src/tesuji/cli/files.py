"""Output files are checked before long work begins; `atomic_write` writes them."""

from __future__ import annotations

import os
from pathlib import Path

from tesuji.cli.errors import BadInput


def check_can_write(path: Path | None) -> None:
    """Raise BadInput if the file cannot be written; call it before long work."""
    if path is None:
        return
    if path.is_dir():
        raise BadInput(f"cannot write {path}: it is a directory")
    if not path.parent.is_dir():
        raise BadInput(f"cannot write {path}: no such directory {path.parent}")
    if not os.access(path if path.exists() else path.parent, os.W_OK):
        raise BadInput(f"cannot write {path}: permission denied")


def make_folder(path: Path) -> None:
    """Make a directory for output, if there is none; BadInput if that fails."""
    try:
        path.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise BadInput(f"cannot write {path}: {error.strerror}") from error
