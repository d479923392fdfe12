"""Scale: where work runs."""

from __future__ import annotations

import os


class ExecutorError(RuntimeError):
    """Work cannot run where it was asked to; one line that says why, and what would help."""


class ExecutorWarning(RuntimeWarning):
    """Work waits for something; one line that says for what."""


def cores() -> int:
    """Processors that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
