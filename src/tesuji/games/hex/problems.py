"""Problems of Hex: positions in which a bot threw a win away, with the few moves that win; all is proven.

    only move   exactly one move wins
    few moves   two or three moves win

The games are between two `mcts` with few iterations, after two random moves. The number of a problem says
which game it is from, and after how many plies: so a position is made again from its number alone. On boards
beyond 7×7 only positions near the end of a game are solved within the limit.
"""

from __future__ import annotations

import random
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from tesuji.games.hex.solver import HexSolver
from tesuji.games.solving import SolvedProblem

if TYPE_CHECKING:
    from tesuji.games.hex.game import Hex, HexState

GAMES = 200  # per problem wanted; not every game has a mistake
GAME_BITS = 40
MOST_PLIES = 512  # a problem's number is its game's number times this, and the ply
RANDOM_PLIES = 2
# The bots that make the mistakes: neither the solver nor a wider search, so that an exam stays what it was.
PLAYERS: Mapping[str, Any] = {"iterations": 200, "prover": "off", "exploration_floor": 0.0}
NODES = 300  # of the solver per position; harder positions are skipped
MEMORY = 1 << 24


class Problems:
    """Problems for one board: `Problems(Hex(size=5))`.

    >>> import tesuji
    >>> problems = tesuji.game("hex:size=5").problems
    >>> [(number, _)] = problems.find("only move", 1, seed=1)
    >>> len(problems.solve(number).right)
    1
    """

    kinds: Mapping[str, range] = {"only move": range(1, 2), "few moves": range(2, 4)}
    """By name, with how many moves win."""

    def __init__(self, game: Hex) -> None:
        self.game = game

    def find(self, kind: str, count: int, seed: int) -> list[tuple[int, int]]:
        """The numbers of `count` problems of a kind, each with 0 plies; at most one per game."""
        rng = random.Random(f"{kind} {seed}")
        found: list[tuple[int, int]] = []
        for _ in range(GAMES * count):
            number = rng.getrandbits(GAME_BITS)
            mistakes = self._mistakes(self._play(number))
            rng.shuffle(mistakes)
            for state in mistakes:
                solved = self._solved(state)
                if solved is not None and solved.kind == kind:
                    found.append((number * MOST_PLIES + state.ply, 0))
                    break
            if len(found) == count:
                break
        return found

    def position(self, number: int) -> HexState:
        """The position of a problem."""
        game, ply = divmod(number, MOST_PLIES)
        return self._play(game)[ply]

    def solve(self, number: int) -> SolvedProblem | None:
        """The answer of a problem; None where it takes too long to prove, or the choice does not matter."""
        return self._solved(self.position(number))

    def _play(self, number: int) -> list[HexState]:
        """The positions of a game between two bots, after random moves, without its end."""
        from tesuji.search import MCTS

        rng = random.Random(number)
        bots = [MCTS(self.game, **PLAYERS, seed=rng.getrandbits(32)) for _ in range(2)]
        state = self.game.start()
        states = []
        while state.scores() is None:
            states.append(state)
            cells = [move for move in state.moves() if move != self.game.size**2]
            random_move = state.ply < RANDOM_PLIES
            state = state.play(rng.choice(cells) if random_move else bots[state.player].choose(state))
        return states

    def _mistakes(self, states: list[HexState]) -> list[HexState]:
        """The positions of a game from which the move that was played gave the win away."""
        solver = HexSolver(self.game.size, memory=MEMORY)
        winners: dict[int, int | None] = {}
        for state in reversed(states):  # the end is easy, and what is known of it helps
            winners[state.ply] = solver.solve(state, nodes=NODES).winner
            if winners[state.ply] is None:
                break
        return [
            state
            for state in states[RANDOM_PLIES:]
            if winners.get(state.ply) == state.player and winners.get(state.ply + 1) == 1 - state.player
        ]

    def _solved(self, state: HexState) -> SolvedProblem | None:
        # A new table: whether the limit is reached does not depend on what was solved before.
        results = HexSolver(self.game.size, memory=MEMORY).solve_moves(state, nodes=NODES)
        if results.stopped != "finished" or len(results.winning) == len(state.moves()):
            return None
        for kind, numbers in self.kinds.items():
            if len(results.winning) in numbers:
                return SolvedProblem(kind, 0, frozenset(results.winning))
        return None
