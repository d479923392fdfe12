"""Scale: where work runs."""

from __future__ import annotations

import os


class ExecutorError(RuntimeError):
    """Work cannot run on the requested executor; a one-line reason and remedy."""


class ExecutorWarning(RuntimeWarning):
    """Work is waiting for resources; one line that says which."""


def cores() -> int:
    """Number of processors available to this process."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
