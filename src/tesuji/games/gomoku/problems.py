"""Gomoku problems: positions from random games with provably right moves.

    five        complete a row of five
    stop five   the one cell that stops one
    open four   a move that wins by fours: there is a win in three plies, such as an open four
    stop four   a move that does not lose to such a win of the opponent's
    fours       as open four, where the shortest win by fours takes 5 to 15 plies
    hold fours  as stop four, where the opponent's takes 5 to 9

A move wins by fours if it makes five, or if the threat solver proves that every reply loses to fours. Wins
that also need threes are not searched. A defence has few right moves, and after at least one of them the
opponent has no win by threes and fours either: lost positions are excluded.

A problem's number encodes the random game and the ply, so a position can be made from its number alone.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from tesuji import _core
from tesuji.games.solving import SolvedProblem

if TYPE_CHECKING:
    from tesuji.games.gomoku.game import Gomoku, GomokuState

FEW = 10
"""The largest number of right moves of a defence; with more it is too easy."""
FIRST_PLY = 8
LONGEST_GAME = 60
NEWEST = 6  # stones that a random move stays near
NEAR = 2  # steps
GAMES = 40  # random games for each problem wanted: long wins are rare
GAME_BITS = 40
MOST_PLIES = 512  # a problem's number is its game's number times this, and the ply
TABLE_BYTES = 1 << 22
NODES = 100_000  # per call of the solver; harder positions are skipped
THREATS = 3_000  # nodes, to see that a defence does not lose to threes
DEFENCES = 3  # recent ones, tried first against the next move


class _TooHardError(Exception):
    """The solver has used up its nodes."""


class Problems:
    """Problems for one set of rules: `Problems(Gomoku())`.

    >>> import tesuji
    >>> problems = tesuji.game("gomoku").problems
    >>> [(number, plies)] = problems.find("five", 1, seed=1)
    >>> problems.solve(number).kind, plies
    ('five', 1)
    """

    kinds: Mapping[str, range] = {
        "five": range(1, 2),
        "stop five": range(1, 2),
        "open four": range(3, 4),
        "stop four": range(3, 4),
        "fours": range(5, 16, 2),
        "hold fours": range(5, 10, 2),
    }
    """The kinds, with the possible plies of their wins."""

    def __init__(self, game: Gomoku) -> None:
        self.game = game
        self._solver = _core.GomokuThreatSolver(TABLE_BYTES)

    def find(self, kind: str, count: int, seed: int) -> list[tuple[int, int]]:
        """Numbers of `count` problems of a kind, each with its plies; fewer where they are rare.

        Lengths are balanced as far as possible. A random game gives at most one problem.
        """
        rng = random.Random(f"{kind} {seed}")
        share = -(-count // len(self.kinds[kind]))
        missing = dict.fromkeys(self.kinds[kind], share)
        found: list[tuple[int, int]] = []
        for _ in range(GAMES * count):
            number = rng.getrandbits(GAME_BITS)
            asked = ((self._plies(kind, state), state.ply) for state in self._walk(number))
            hit = next(((plies, ply) for plies, ply in asked if plies in missing), None)
            if hit is not None:
                plies, ply = hit
                found.append((number * MOST_PLIES + ply, plies))
                missing[plies] -= 1
                if not missing[plies]:
                    del missing[plies]
            if not missing:
                break
        return found

    def position(self, number: int) -> GomokuState:
        """The position of a problem."""
        game, ply = divmod(number, MOST_PLIES)
        return next(state for state in self._walk(game, 0) if state.ply == ply)

    def solve(self, number: int) -> SolvedProblem | None:
        """The solution; None if it takes too long to prove, or if all moves are right."""
        state = self.position(number)
        for kind in self.kinds:
            plies = self._plies(kind, state)
            if plies is not None:
                try:
                    right = frozenset(self._right(kind, state))
                except _TooHardError:
                    return None
                return SolvedProblem(kind, plies, right) if 0 < len(right) < len(state.moves()) else None
        return None

    def _walk(self, number: int, first: int = FIRST_PLY) -> Iterator[GomokuState]:
        """The positions of a random game: moves near the last stones; fives are stopped but not made."""
        rng = random.Random(number)
        size = self.game.size
        state = self.game.start().play(size**2 // 2)
        while state.scores() is None and state.ply < LONGEST_GAME:
            if state.ply >= first:
                yield state
            if self._fives(state, state.colour):
                return
            legal = set(state.moves())
            near = {cell for stone in state.history[-NEWEST:] for cell in _around(size, stone)}
            forced = legal.intersection(self._fives(state, 1 - state.colour))
            state = state.play(rng.choice(sorted(forced or near & legal or legal)))

    def _plies(self, kind: str, state: GomokuState) -> int | None:
        """The plies of the win in a problem of this kind; None if the position is no such problem."""
        own, other = (self._fives(state, colour) for colour in (state.colour, 1 - state.colour))
        if kind == "five":
            return 1 if own else None
        if own or (kind == "stop five") != bool(other):
            return None
        if other:
            return 1 if len(other) == 1 and other[0] in state.moves() else None
        try:
            line = self._fours(state)
            if kind in ("stop four", "hold fours"):
                defence = ([], []) if line else self._defend(state)
                few = len(defence[1]) <= FEW and len(defence[0]) in self.kinds[kind]
                line = defence[0] if few and any(self._holds(state.play(move)) for move in defence[1]) else []
        except _TooHardError:
            return None
        return len(line) if len(line) in self.kinds[kind] else None

    def _right(self, kind: str, state: GomokuState) -> list[int]:
        if kind in ("five", "stop five"):
            return self._fives(state, state.colour if kind == "five" else 1 - state.colour)
        if kind in ("stop four", "hold fours"):
            return self._defend(state)[1]
        defences: list[int] = []
        return [move for move in state.moves() if self._wins(state, move, defences)]

    def _wins(self, state: GomokuState, move: int, defences: list[int]) -> bool:
        """Whether a move wins by fours. Replies that refuted other moves are tried first."""
        after = state.play(move)
        scores = after.scores()
        if scores is not None:
            return scores[state.player] == 1
        for reply in defences[:DEFENCES]:
            if reply in after.moves():
                held = after.play(reply)
                quiet = not self._fives(held, after.colour)
                if quiet and held.scores() is None and not self._fours(held):
                    return False
        moves = self._defend(after)[1]
        defences[:0] = moves[:1]
        return not moves

    def _holds(self, after: GomokuState) -> bool:
        """Whether it is proven that the opponent has no win by threats after a defence."""
        found: Any = self._solver.solve(after.core, True, THREATS, 0.0, None)
        return after.scores() is None and found["verdict"] == "none"

    def _fives(self, state: GomokuState, colour: int) -> list[int]:
        return _core.GomokuPatterns(state.core).cells("five", colour)

    def _fours(self, state: GomokuState) -> list[int]:
        """The shortest win by fours of the side to move; empty without one."""
        found: Any = self._solver.solve(state.core, False, NODES, 0.0, None)
        if found["verdict"] == "unknown":
            raise _TooHardError
        return list(found["line"])

    def _defend(self, state: GomokuState) -> tuple[list[int], list[int]]:
        """The opponent's win by fours if it were to move, and the moves that do not lose to fours."""
        found: Any = self._solver.defend(state.core, NODES, 0.0, None)
        if found["stopped"] != "finished":
            raise _TooHardError
        return list(found["line"]), list(found["moves"])


def _around(size: int, cell: int) -> list[int]:
    row, column = divmod(cell, size)
    rows = range(max(row - NEAR, 0), min(row + NEAR + 1, size))
    columns = range(max(column - NEAR, 0), min(column + NEAR + 1, size))
    return [r * size + c for r in rows for c in columns]
