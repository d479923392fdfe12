"""A limit on the size of files, beyond which writing fails as on a full disk."""

from __future__ import annotations

import resource
from collections.abc import Iterator
from contextlib import contextmanager

import pytest


@contextmanager
def no_file_beyond(size: int) -> Iterator[None]:
    """This process and its children cannot write beyond this many bytes: `with no_file_beyond(100): …`."""
    before, most = resource.getrlimit(resource.RLIMIT_FSIZE)
    with pytest.MonkeyPatch.context() as patch:
        # The import system would keep compiled modules that were cut off.
        patch.setattr("sys.dont_write_bytecode", True)
        patch.setenv("PYTHONDONTWRITEBYTECODE", "1")
        resource.setrlimit(resource.RLIMIT_FSIZE, (size, most))
        try:
            yield
        finally:
            resource.setrlimit(resource.RLIMIT_FSIZE, (before, most))
