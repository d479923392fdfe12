"""How long the exact Hex solver takes, in processor time on one core.

    python benchmarks/hex_solver.py [--quick] [--memory 256]

All openings of 5×5, 6×6 and 7×7, and the empty boards of 7×7 and 8×8, each with a new table. --quick leaves
out all openings of 7×7 and the empty 8×8, which take about a minute each.
"""

from __future__ import annotations

import argparse
import time

from tesuji.games import Hex
from tesuji.games.hex import solve, solve_moves

TASKS = [(5, True, True), (6, True, True), (7, False, True), (7, True, False), (8, False, False)]
"""Size, whether all openings are solved, and whether it is quick."""


def main() -> None:
    """Solve and print a table."""
    parser = argparse.ArgumentParser(description="Time the exact Hex solver.")
    parser.add_argument("--quick", action="store_true", help="leave out what takes minutes")
    parser.add_argument("--memory", type=int, default=256, metavar="MB", help="of the table (default: 256)")
    given = parser.parse_args()
    print(f"{'board':<6}{'task':<14}{'result':<24}{'nodes':>10}{'seconds':>10}")
    for size, openings, quick in TASKS:
        if given.quick and not quick:
            continue
        state = Hex(size=size).start()
        began = time.process_time()
        if openings:
            moves = solve_moves(state, memory=given.memory << 20)
            task, nodes = "all openings", moves.nodes
            result = f"{len(moves.winning)} of {len(moves.winners)} win"
        else:
            found = solve(state, memory=given.memory << 20)
            task, nodes = "empty board", found.nodes
            result = "not solved" if found.move is None else f"{state.text(found.move)} wins"
        seconds = time.process_time() - began
        print(f"{f'{size}×{size}':<6}{task:<14}{result:<24}{nodes:>10,}{seconds:>10.2f}", flush=True)


if __name__ == "__main__":
    main()
