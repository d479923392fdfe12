"""Wins by threats (VCF and VCT) with their proofs, and defences against them.

The core searches (`games/gomoku/threats*`); this is the Python interface.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from tesuji import _core
from tesuji.games.gomoku.game import GomokuState
from tesuji.games.solving import core_limits

Kind = Literal["vcf", "vct"]
Verdict = Literal["won", "none", "unknown"]
Stopped = Literal["finished", "nodes", "seconds", "cancelled"]
Cancelled = Callable[[], bool]

_TABLE_BYTES = 1 << 24


@dataclass(frozen=True, repr=False)
class Proof:
    """A winning move, and what follows each reply to it."""

    move: int
    """The attacker's."""
    replies: Mapping[int, Proof] = field(default_factory=dict)
    """What follows each reply that needs a specific answer."""
    otherwise: Proof | None = None
    """What follows every other reply; None where the move makes five."""

    def after(self, reply: int) -> Proof:
        """What follows a reply; ValueError after a five."""
        follows = self.replies.get(reply, self.otherwise)
        if follows is None:
            raise ValueError("nothing follows a five: the game is won")
        return follows

    def __repr__(self) -> str:
        return f"<Proof that {self.move} wins>"


@dataclass(frozen=True)
class Solution:
    """The result of the solver for the side to move."""

    kind: Kind
    verdict: Verdict
    """won: proven. none: there is no such win. unknown: a limit was reached first."""
    line: tuple[int, ...]
    """The winning line against the longest resistance, up to the five; empty without a win."""
    proof: Proof | None
    """The answer to every defence; None without a win."""
    nodes: int
    """Attacking moves searched."""
    seconds: float
    stopped: Stopped

    @property
    def won(self) -> bool:
        """Whether a win is proven."""
        return self.verdict == "won"


@dataclass(frozen=True)
class Defence:
    """The moves of the side to move against the opponent's win by fours."""

    threat: Verdict
    """won: the opponent would win by fours if it were to move. none, unknown: as in `Solution`."""
    line: tuple[int, ...]
    """The threatened line; empty without a threat."""
    moves: tuple[int, ...]
    """The legal moves that are not proven to lose to fours; every other legal move is."""
    nodes: int
    seconds: float
    stopped: Stopped


def solve(
    state: GomokuState,
    kind: Kind = "vcf",
    *,
    nodes: int | None = None,
    seconds: float | None = None,
    cancelled: Cancelled | None = None,
) -> Solution:
    """Search for a forced win of the side to move by fours (`vcf`), or by all threats of fours (`vct`).

    Without `nodes` and `seconds` there is no limit. `cancelled` is called every few milliseconds and stops
    the search by returning True. The line of a `vcf` is a shortest one.

    >>> import tesuji
    >>> state = tesuji.replay("gomoku", "h8 a1 i8 a3 j8 a5")
    >>> solution = solve(state)
    >>> solution.verdict, " ".join(map(state.text, solution.line))
    ('won', 'g8 f8 k8')
    """
    if kind not in ("vcf", "vct"):
        raise ValueError(f"kind must be vcf or vct, not {kind!r}")
    found: Any = _solver().solve(state.core, kind == "vct", *core_limits(nodes, seconds), cancelled)
    steps: list[Proof] = []
    for move, otherwise, replies in found["steps"]:  # children come before their parents
        follows = {reply: steps[step] for reply, step in replies.items()}
        steps.append(Proof(move, follows, steps[otherwise] if otherwise >= 0 else None))
    return Solution(
        kind=kind,
        verdict=found["verdict"],
        line=found["line"],
        proof=steps[found["root"]] if steps else None,
        nodes=found["nodes"],
        seconds=found["seconds"],
        stopped=found["stopped"],
    )


def defend(
    state: GomokuState,
    *,
    nodes: int | None = None,
    seconds: float | None = None,
    cancelled: Cancelled | None = None,
) -> Defence:
    """Find the moves that stop the opponent's win by fours. Limits as in `solve`.

    >>> import tesuji
    >>> state = tesuji.replay("gomoku", "h8 a1 i8 a3 j8")
    >>> " ".join(map(state.text, defend(state).moves))
    'g8 k8'
    """
    found: Any = _solver().defend(state.core, *core_limits(nodes, seconds), cancelled)
    return Defence(**found)


def _solver() -> _core.GomokuThreatSolver:
    return _core.GomokuThreatSolver(_TABLE_BYTES)
