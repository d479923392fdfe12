"""What `mcts:processes=2` gives on a game written in Python: `python -m benchmarks.processes --seconds 5`.

Prints simulations per second with one process and with two, by the clock, which needs two idle cores, and by
the CPU time of all processes, which shows what forking and merging cost on a busy machine.
"""

from __future__ import annotations

import argparse
import os
import resource

import tesuji
from examples.connect_four import ConnectFour

ROUNDS = 3


def cpu_seconds() -> float:
    """CPU time of this process and of its ended children."""
    used = (resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return sum(one.ru_utime + one.ru_stime for one in used)


def main() -> None:
    """Alternate between one process and several, and print the totals."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=5.0)
    parser.add_argument("--processes", type=int, default=2)
    given = parser.parse_args()
    game = ConnectFour()
    simulations = dict.fromkeys((1, given.processes), 0)
    used = dict.fromkeys((1, given.processes), 0.0)
    for seed in range(ROUNDS):
        for count in simulations:
            before = cpu_seconds()
            bot = tesuji.MCTS(game, seconds=given.seconds, processes=count, solver=False, seed=seed)
            simulations[count] += bot.analyse(game.start()).iterations
            used[count] += cpu_seconds() - before
    print(f"load {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores")
    for count, done in simulations.items():
        clock = done / (ROUNDS * given.seconds)
        print(f"{count} processes: {clock:10,.0f}/s by the clock, {done / used[count]:10,.0f} per CPU second")
    one, several = simulations.values()
    print(f"{several / one:.2f} times the simulations")


if __name__ == "__main__":
    main()
