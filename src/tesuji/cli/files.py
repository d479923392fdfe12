"""Output files: written completely or not at all, and checked before long work begins."""

from __future__ import annotations

import contextlib
import os
import secrets
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


def write_file(path: Path, content: str | bytes) -> None:
    """Write atomically: to a temporary file, which then replaces the old one."""
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
