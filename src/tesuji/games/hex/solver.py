"""Who wins a Hex position, exactly, with a proof to walk through.

The core searches (`games/hex/solver*`); here is the Python face.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from typing import Any, Literal

from tesuji import _core
from tesuji.games.hex.game import HexState
from tesuji.games.solving import core_limits

Stopped = Literal["finished", "nodes", "seconds", "cancelled"]
Progress = Callable[[int], bool | None]

MEMORY = 256 * 2**20
"""Bytes of the transposition table by default."""


@dataclass(frozen=True, repr=False)
class Proof:
    """The winner's strategy from a position on, worked out as it is walked through."""

    state: HexState
    winner: int
    move: int | None
    """The winner's move; None where the opponent is to move, or the game is over."""
    solver: HexSolver = field(repr=False)

    def after(self, move: int) -> Proof:
        """What follows a move: any move of the opponent, or the winner's own."""
        state = self.state.play(move)
        if state.scores() is not None:
            return Proof(state, self.winner, None, self.solver)
        found = self.solver.solve(state)
        if found.winner != self.winner:
            raise ValueError(f"{self.state.text(move)} gives the win away")
        return Proof(state, self.winner, found.move, self.solver)

    def __repr__(self) -> str:
        return f"<Proof that player {self.winner} wins {self.state!r}>"


@dataclass(frozen=True)
class Solution:
    """What a solver has found out about a position."""

    winner: int | None
    """The player who wins; None where a limit was reached before."""
    move: int | None
    """A winning move; None where the player to move loses, or nothing is known."""
    carrier: tuple[int, ...]
    """The empty cells that the winner needs; all others are irrelevant."""
    nodes: int
    """Positions that were evaluated."""
    seconds: float
    stopped: Stopped
    proof: Proof | None = field(repr=False, compare=False)
    """The winner's strategy; None where nothing is known."""


@dataclass(frozen=True)
class MoveResults:
    """Who wins after each legal move."""

    winners: dict[int, int]
    """By move; a move is missing where a limit was reached before."""
    winning: tuple[int, ...]
    """The moves that win."""
    nodes: int
    seconds: float
    stopped: Stopped


class HexSolver:
    """A solver for one board size: it remembers what it has solved. `HexSolver(7, memory=2**28)`."""

    def __init__(self, size: int, *, memory: int = MEMORY) -> None:
        if memory < 2**16:
            raise ValueError(f"memory must be at least {2**16} bytes, not {memory!r}")
        self._core = _core.HexSolver(size, memory)

    def solve(
        self,
        state: HexState,
        *,
        nodes: int | None = None,
        seconds: float | None = None,
        progress: Progress | None = None,
    ) -> Solution:
        """Find out who wins. `progress(nodes)` is called every few milliseconds; False ends the search."""
        limits = core_limits(nodes, seconds)
        if state.game.swap and state.ply == 0:
            # Whatever Black opens with, White answers or takes it over: one of the two wins.
            _check_playing(state)
            return Solution(1, None, (), 0, 0.0, "finished", Proof(state, 1, None, self))
        found: Any = self._core.solve(state.core, *limits, _watch(progress))
        winner, move = found["winner"], found["move"]
        if state.core.may_swap and winner == 0:
            # The swap mirrors the position and exchanges the players: then Black is to move and loses.
            winner, move = 1, state.size**2
        proof = None if winner is None else Proof(state, winner, move, self)
        return Solution(**{**found, "winner": winner, "move": move}, proof=proof)

    def solve_moves(
        self,
        state: HexState,
        *,
        nodes: int | None = None,
        seconds: float | None = None,
        progress: Callable[[int, dict[int, int]], bool | None] | None = None,
    ) -> MoveResults:
        """Find out who wins after each legal move, within the limits together.

        `progress(nodes, winners)` is called every few milliseconds with what is known; False ends the search.
        """
        core_limits(nodes, seconds)
        _check_playing(state)
        began = time.monotonic()
        spent = 0
        winners: dict[int, int] = {}
        stopped: Stopped = "finished"
        pending = list(state.moves())
        swap = state.size**2
        while pending and stopped == "finished":
            move = pending.pop(0)
            after = state.play(move)
            if after.scores() is not None:
                winners[move] = state.player
                continue
            left = None if seconds is None else seconds - (time.monotonic() - began)
            if left is not None and left <= 0:
                stopped = "seconds"
                break
            if nodes is not None and spent >= nodes:
                stopped = "nodes"
                break
            watch = None if progress is None else partial(_report, progress, spent, winners)
            rest = None if nodes is None else nodes - spent
            found = self.solve(after, nodes=rest, seconds=left, progress=watch)
            spent += found.nodes
            stopped = found.stopped
            if found.winner is None:
                continue
            winners[move] = found.winner
            if found.winner != state.player and move != swap and not after.core.may_swap:
                # What the refutation does not need is refuted by it too.
                refuted = set(pending) - set(found.carrier) - {swap}
                winners.update(dict.fromkeys(refuted, found.winner))
                pending = [other for other in pending if other not in refuted]
        winning = tuple(move for move in state.moves() if winners.get(move) == state.player)
        winners = {move: winners[move] for move in state.moves() if move in winners}
        return MoveResults(winners, winning, spent, time.monotonic() - began, stopped)


def solve(
    state: HexState,
    *,
    nodes: int | None = None,
    seconds: float | None = None,
    memory: int = MEMORY,
    progress: Progress | None = None,
) -> Solution:
    """Find out who wins a position, with a winning move and a proof.

    Without `nodes` and `seconds` it searches until it knows. `progress(nodes)` is called every few
    milliseconds, and ends the search by returning False.

    >>> import tesuji
    >>> state = tesuji.replay("hex:size=5", "e1 c2 c3 d2 a4 b4")
    >>> solution = solve(state)
    >>> solution.winner, state.text(solution.move)
    (0, 'b3')
    """
    return HexSolver(state.size, memory=memory).solve(state, nodes=nodes, seconds=seconds, progress=progress)


def solve_moves(
    state: HexState,
    *,
    nodes: int | None = None,
    seconds: float | None = None,
    memory: int = MEMORY,
    progress: Callable[[int, dict[int, int]], bool | None] | None = None,
) -> MoveResults:
    """Find out who wins after each legal move of a position.

    >>> import tesuji
    >>> state = tesuji.game("hex:size=4").start()
    >>> " ".join(map(state.text, solve_moves(state).winning))
    'd1 c2 b3 a4'
    """
    solver = HexSolver(state.size, memory=memory)
    return solver.solve_moves(state, nodes=nodes, seconds=seconds, progress=progress)


def _report(
    progress: Callable[[int, dict[int, int]], bool | None], before: int, winners: dict[int, int], nodes: int
) -> bool | None:
    return progress(before + nodes, winners)


def _check_playing(state: HexState) -> None:
    if state.scores() is not None:
        raise ValueError("the game is over: there is nothing to solve")


def _watch(progress: Progress | None) -> Callable[[int], bool] | None:
    return None if progress is None else lambda nodes: progress(nodes) is not False
