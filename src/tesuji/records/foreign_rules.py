"""A child process with limits for records of foreign rules, such as those of OpenSpiel.

Such rules may end the process, never answer, or take all memory, for some options of a spec or at some move.
Whatever goes wrong in the child is a ValueError here.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Callable
from typing import TypeVar

from tesuji._helpers.clipping import SHOWN_SPEC, clip
from tesuji.records.record import Record
from tesuji.scale.worker import Report, Stop, Worker, WorkerFailed, WorkerLost, limit_memory

T = TypeVar("T")

SECONDS = 10.0
"""For one record."""
MEMORY = 2048
"""MiB that the child may allocate."""


def call(function: Callable[[Record], T], record: Record) -> T:
    """What the function returns for a record, in the child; ValueError if it fails, for whatever reason."""
    with _lock:
        try:
            result, error = _child.request((function, record), seconds=SECONDS)
        except (WorkerFailed, WorkerLost) as failure:
            raise ValueError(f"the rules of {clip(record.game, SHOWN_SPEC)} failed: {failure}") from None
    if error is not None:
        raise ValueError(error)
    answer: T = result
    return answer


def _answer(
    request: tuple[Callable[[Record], object], Record], report: Report, stop: Stop
) -> tuple[object, str | None]:
    """In the child: the result, and what is wrong with the record."""
    function, record = request
    try:
        return function(record), None
    except ValueError as error:
        return None, " ".join(str(error).split())


def _set_up() -> None:
    limit_memory(MEMORY)
    with open(os.devnull, "wb") as nothing:  # OpenSpiel prints what it raises, too
        for output in (1, 2):
            os.dup2(nothing.fileno(), output)


_child = Worker(_answer, _set_up)
"""Started by the first record, and again when it has died."""
_lock = threading.Lock()
