"""Files that a command writes: whole or not at all, and known to be possible before the work begins."""

from __future__ import annotations

import contextlib
import os
import secrets
from pathlib import Path

from tesuji.cli.errors import BadInput


def check_can_write(path: Path | None) -> None:
    """BadInput, before hours of work, where the file that is to be written at the end cannot be."""
    if path is None:
        return
    if path.is_dir():
        raise BadInput(f"cannot write {path}: it is a directory")
    if not path.parent.is_dir():
        raise BadInput(f"cannot write {path}: there is no directory {path.parent}")
    if not os.access(path if path.exists() else path.parent, os.W_OK):
        raise BadInput(f"cannot write {path}: permission denied")


def write_file(path: Path, content: str | bytes) -> None:
    """Write all at once or not at all: under another name first."""
    data = content.encode() if isinstance(content, str) else content
    temporary: Path | None = None
    try:
        if path.exists() and not path.is_file():  # a pipe, or /dev/null
            path.write_bytes(data)
            return
        target = path.resolve()
        temporary = target.with_name(f".{target.name}.{secrets.token_hex(4)}")
        temporary.write_bytes(data)
        temporary.replace(target)
    except OSError as error:
        if temporary is not None:
            with contextlib.suppress(OSError):
                temporary.unlink(missing_ok=True)
        raise BadInput(f"cannot write {path}: {error.strerror}") from error
