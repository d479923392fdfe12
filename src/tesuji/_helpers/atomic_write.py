"""Atomic file writes: after a failure a file is either the old one or the new one, never a part of it."""

from __future__ import annotations

import contextlib
import os
import secrets
import stat
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import IO


class WriteError(OSError):
    """A file that could not be written; the message is one line with its path."""

    def __str__(self) -> str:
        return f"cannot write {self.filename}: {self.strerror}"


def write_atomically(path: Path, content: str | bytes) -> None:
    """Write a file, text as UTF-8; on a WriteError the old file is unchanged."""
    write_files({path: content})


def write_files(contents: Mapping[Path, str | bytes]) -> None:
    """Write several files; on a WriteError none of them."""
    with contextlib.ExitStack() as stack:
        for path, content in contents.items():
            file = stack.enter_context(replacing(path))
            file.write(content.encode() if isinstance(content, str) else content)
            _sync(file)  # here: once the first file is in place, nothing more can fail for lack of space


@contextlib.contextmanager
def replacing(path: Path) -> Iterator[IO[bytes]]:
    """A file to write that takes the place of `path`, on the disk, when the block ends without an error.

    Until then it has a temporary name. Pipes and devices are written directly.
    """
    temporary: Path | None = None
    try:
        if path.exists() and not path.is_file():
            with path.open("wb") as file:
                yield file
            return
        target = path.resolve()
        temporary = target.with_name(f".{target.name}.{secrets.token_hex(4)}")
        with temporary.open("xb") as file:
            yield file
            _sync(file)
        temporary.replace(target)
    except (WriteError, BrokenPipeError):
        raise
    except OSError as error:
        raise WriteError(error.errno, error.strerror, str(path)) from error
    finally:
        if temporary is not None:
            with contextlib.suppress(OSError):
                temporary.unlink(missing_ok=True)


def _sync(file: IO[bytes]) -> None:
    file.flush()
    if stat.S_ISREG(os.fstat(file.fileno()).st_mode):
        os.fsync(file.fileno())
