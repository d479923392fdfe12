"""How many wins by continuous fours (VCF) the solver finds within a tenth of a second.

    python benchmarks/gomoku_vcf.py [--count 504] [--rule freestyle] [--seed 1] [--seconds 0.1] [--keep FILE]

Positions come from random games, equally many for every length of the shortest win by fours, from 3 to 15
plies. The length is found by a simple slow search that counts stones in windows of five cells and shares no
code with the solver. The solver's line must be as short, and is replayed by the public rules. Generating the
positions takes minutes; --keep saves them to a file and reuses it the next time. One core.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
from dataclasses import asdict, dataclass
from itertools import product
from pathlib import Path
from statistics import median

from tesuji.games.gomoku import Gomoku, GomokuState, Solution, solve

SIZE = 15
LENGTHS = range(3, 16, 2)
SLOW_NODES = 6_000  # of the slow search, per position


def _distance(a: int, b: int) -> int:
    return max(abs(a // SIZE - b // SIZE), abs(a % SIZE - b % SIZE))


NEAR = [[b for b in range(SIZE**2) if a != b and _distance(a, b) <= 2] for a in range(SIZE**2)]
CELLS: list[tuple[int, ...]] = []  # the cells of every window
BEYOND: list[tuple[int, ...]] = []  # the cells just outside of it
AROUND: list[list[int]] = [[] for _ in range(SIZE**2)]  # the windows that contain a cell
for _row, _column, (_down, _right) in product(range(SIZE), range(SIZE), ((0, 1), (1, 0), (1, 1), (1, -1))):
    _places = [(_row + i * _down, _column + i * _right) for i in range(-1, 6)]
    _numbers = [r * SIZE + c if 0 <= r < SIZE and 0 <= c < SIZE else -1 for r, c in _places]
    if min(_numbers[1:6]) >= 0:
        for _cell in _numbers[1:6]:
            AROUND[_cell].append(len(CELLS))
        CELLS.append(tuple(_numbers[1:6]))
        BEYOND.append(tuple(cell for cell in (_numbers[0], _numbers[6]) if cell >= 0))


class Windows:
    """A board as counts of stones in all windows of five cells. Colours are 0 and 1."""

    def __init__(self, *, exact: bool) -> None:
        self.exact = exact  # six in a row, with a stone just outside a window, does not win
        self.owner: list[int | None] = [None] * SIZE**2
        self.stones = [[0] * len(CELLS), [0] * len(CELLS)]
        self.with_stones: list[dict[int, set[int]]] = [{3: set(), 4: set()} for _ in (0, 1)]

    def put(self, cell: int, colour: int) -> None:
        """Place a stone."""
        self.owner[cell] = colour
        self._count(cell, colour, 1)

    def take(self, cell: int) -> None:
        """Remove a stone."""
        colour = self.owner[cell]
        assert colour is not None
        self.owner[cell] = None
        self._count(cell, colour, -1)

    def _count(self, cell: int, colour: int, change: int) -> None:
        own, theirs = self.stones[colour], self.stones[1 - colour]
        for window in AROUND[cell]:
            own[window] += change
            for side, count, other in ((colour, own, theirs), (1 - colour, theirs, own)):
                for stones, windows in self.with_stones[side].items():
                    if count[window] == stones and not other[window]:
                        windows.add(window)
                    else:
                        windows.discard(window)

    def _empties(self, colour: int, stones: int) -> set[tuple[int, ...]]:
        return {
            tuple(cell for cell in CELLS[window] if self.owner[cell] is None)
            for window in self.with_stones[colour][stones]
            if not self.exact or all(self.owner[cell] != colour for cell in BEYOND[window])
        }

    def fives(self, colour: int) -> set[int]:
        """Cells where a stone of the colour wins."""
        return {cell for (cell,) in self._empties(colour, 4)}

    def fours(self, colour: int) -> list[int]:
        """Cells where a stone of the colour threatens to win."""
        return sorted({cell for pair in self._empties(colour, 3) for cell in pair})


class OutOfNodes(Exception):
    """The slow search has reached its node limit."""


class SlowSearch:
    """Shortest win by fours, by iterative deepening without a transposition table or move ordering."""

    def __init__(self, board: Windows, colour: int) -> None:
        self.board, self.colour, self.nodes = board, colour, 0

    def shortest(self) -> int | None:
        """Plies of the shortest win, up to 15; None if there is none or it takes too long to find."""
        if self.board.fives(self.colour):
            return 1
        try:
            return next(
                (2 * fours + 1 for fours in range(1, max(LENGTHS) // 2 + 1) if self._wins(fours)), None
            )
        except OutOfNodes:
            return None

    def _wins(self, fours: int) -> bool:
        board, colour = self.board, self.colour
        forced = board.fives(1 - colour)
        if len(forced) > 1:
            return False
        for cell in board.fours(colour):
            if forced and cell not in forced:
                continue
            self.nodes += 1
            if self.nodes > SLOW_NODES:
                raise OutOfNodes
            board.put(cell, colour)
            try:
                fives = board.fives(colour)
                if len(fives) > 1:
                    return True
                if fours > 1:
                    (reply,) = fives
                    board.put(reply, 1 - colour)
                    try:
                        if self._wins(fours - 1):
                            return True
                    finally:
                        board.take(reply)
            finally:
                board.take(cell)
        return False


@dataclass(frozen=True)
class Problem:
    """The moves to a position, and the plies of the shortest win by fours for the side to move."""

    moves: tuple[int, ...]
    plies: int


def generate(count: int, rule: str, seed: int) -> list[Problem]:
    """Generate `count` problems, equally many of each length."""
    rng = random.Random(seed)
    wanted = {plies: (count + i) // len(LENGTHS) for i, plies in enumerate(LENGTHS)}
    found: list[Problem] = []
    while wanted:
        problem = _problem(rng, rule, wanted)
        if problem is None:
            continue
        found.append(problem)
        wanted[problem.plies] -= 1
        if not wanted[problem.plies]:
            del wanted[problem.plies]
        if sys.stderr.isatty():
            print(f"\r{len(found)} of {count} positions", end="", file=sys.stderr)
    return found


def _problem(rng: random.Random, rule: str, wanted: dict[int, int]) -> Problem | None:
    """Play random moves near other stones, stopping fives, until a position has a win of a wanted length."""
    board = Windows(exact=rule != "freestyle")
    moves = [SIZE**2 // 2]
    board.put(moves[0], 0)
    begin = rng.randrange(14, 40)
    while len(moves) < 60:
        colour = len(moves) % 2
        if board.fives(colour):
            return None
        if len(moves) >= begin:
            plies = SlowSearch(board, colour).shortest()
            if plies in wanted:
                return Problem(tuple(moves), plies)
        near = sorted({cell for stone in moves[-6:] for cell in NEAR[stone] if board.owner[cell] is None})
        move = rng.choice(sorted(board.fives(1 - colour)) or near)
        board.put(move, colour)
        moves.append(move)
    return None


def kept(path: Path | None, count: int, rule: str, seed: int) -> list[Problem]:
    """Load the problems from a file; generate and save them if it does not exist."""
    if path is not None and path.exists():
        return [Problem(tuple(item["moves"]), item["plies"]) for item in json.loads(path.read_text())]
    problems = generate(count, rule, seed)
    if path is not None:
        path.write_text(json.dumps([asdict(problem) for problem in problems]))
    return problems


def check(start: GomokuState, solution: Solution, plies: int) -> None:
    """Check that the line is shortest, legal, and won exactly at its end."""
    if len(solution.line) != plies:
        raise RuntimeError(f"{start!r}: a line of {len(solution.line)} plies where {plies} are enough")
    state = start
    for move in solution.line:
        state = state.play(move)
    scores = state.scores()
    if scores is None or scores[start.player] != 1:
        raise RuntimeError(f"{start!r}: the line does not win")


def main(arguments: list[str] | None = None) -> None:
    """Print the share of solved positions, by length of the win."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--count", type=int, default=504)
    parser.add_argument("--rule", choices=("freestyle", "standard"), default="freestyle")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--seconds", type=float, default=0.1)
    parser.add_argument("--keep", type=Path, metavar="FILE")
    options = parser.parse_args(arguments)
    problems = kept(options.keep, options.count, options.rule, options.seed)
    game = Gomoku(size=SIZE, rule=options.rule)
    results: dict[int, list[Solution]] = {}
    for problem in problems:
        state = game.start()
        for move in problem.moves:
            state = state.play(move)
        solution = solve(state, "vcf", seconds=options.seconds)
        if solution.won:
            check(state, solution, problem.plies)
        results.setdefault(problem.plies, []).append(solution)
    print(f"{options.rule}, {len(problems)} positions, {options.seconds:g} s each")
    print("plies  positions   solved  median ms  worst ms  median nodes")
    everything = [solution for found in results.values() for solution in found]
    for name, found in [*sorted(results.items()), ("all", everything)]:
        times = [solution.seconds * 1000 for solution in found]
        share = sum(s.won and s.seconds <= options.seconds for s in found) / len(found)
        nodes = median(solution.nodes for solution in found)
        print(
            f"{name:>5}  {len(found):>9}  {share:>7.1%}  {median(times):>9.3f}  {max(times):>8.2f}  "
            f"{nodes:>12,.0f}"
        )


if __name__ == "__main__":
    main()
