"""Atomic file writes: after a crash a file is either the old one or the new one, never a part of it."""

from __future__ import annotations

import os
import secrets
from pathlib import Path


def write_atomically(path: Path, content: bytes) -> None:
    """Write to a temporary file, flush it to disk, and rename it; on OSError the old file is unchanged."""
    temporary = path.with_name(f".{path.name}.{secrets.token_hex(4)}")
    try:
        with open(temporary, "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        temporary.replace(path)
    finally:
        temporary.unlink(missing_ok=True)
