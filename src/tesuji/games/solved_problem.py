"""The solution of a problem, as `Game.problems` of several games give it."""

from __future__ import annotations

from typing import NamedTuple


class SolvedProblem(NamedTuple):
    """A problem's kind, the plies of the win or of the threatened win (0: unknown), and the right moves."""

    kind: str
    plies: int
    right: frozenset[int]
