"""What the solvers and problems of several games share."""

from __future__ import annotations

from typing import NamedTuple


class SolvedProblem(NamedTuple):
    """A problem's kind, the plies of the win or of the threatened win (0: unknown), and the right moves."""

    kind: str
    plies: int
    right: frozenset[int]


def core_limits(nodes: int | None, seconds: float | None) -> tuple[int, float]:
    """The limits of a solver as the core takes them, 0 for none.

    >>> core_limits(1000, None)
    (1000, 0.0)
    """
    if nodes is not None and nodes < 1:
        raise ValueError(f"nodes must be at least 1, not {nodes!r}")
    if seconds is not None and not seconds > 0:
        raise ValueError(f"seconds must be more than 0, not {seconds!r}")
    return nodes or 0, seconds or 0.0
