"""Simulations per second on games of OpenSpiel: our search through its Python module, beside its own in C++.

    python benchmarks/openspiel.py --seconds 2

Both search the first position by UCT on one core, with one random playout for each simulation, no solver and
the same exploration: their rewards are from -1 to 1 and our scores from 0 to 1, so ours is half of theirs.
CPU time is counted, so that other programs on the machine matter less. Rounds alternate; the table shows the
median speeds, and the median of the rounds' ratios.
"""

from __future__ import annotations

import argparse
import time
from statistics import median

import pyspiel

import tesuji
from tesuji.games.openspiel import OpenSpiel

GAMES = ("othello", "hex", "connect_four", "breakthrough", "go(board_size=9)")
ROUNDS = 9
UCT_C = 1.4
MEMORY_MB = 1000


def ours(game: OpenSpiel, simulations: int) -> float:
    """Simulations per second of our search."""
    bot = tesuji.MCTS(game, iterations=simulations, reuse=False, solver=False, exploration=UCT_C / 2, seed=1)
    state = game.start()
    began = time.process_time()
    done = bot.analyse(state).iterations
    return done / (time.process_time() - began)


def theirs(game: OpenSpiel, simulations: int) -> float:
    """Simulations per second of OpenSpiel's search."""
    evaluator = pyspiel.RandomRolloutEvaluator(1, 1)
    bot = pyspiel.MCTSBot(game.source, evaluator, UCT_C, simulations, MEMORY_MB, False, 1, False)
    state = game.source.new_initial_state()
    began = time.process_time()
    root = bot.mcts_search(state)
    return int(root.explore_count) / (time.process_time() - began)


def measure(name: str, seconds: float) -> tuple[float, float, float]:
    """The median speed of both searches, and their median ratio, over rounds of `seconds` each."""
    game = OpenSpiel(game=name)
    simulations = max(100, int(seconds * theirs(game, 200)))
    rounds = [(ours(game, simulations), theirs(game, simulations)) for _ in range(ROUNDS)]
    our, their = zip(*rounds, strict=True)
    return median(our), median(their), median(one / other for one, other in rounds)


def main() -> None:
    """Print one line for each game."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=1.0, help="CPU seconds of one search")
    parser.add_argument("--games", nargs="*", default=GAMES)
    given = parser.parse_args()
    print(f"{'game':20} {'Tesuji/s':>10} {'OpenSpiel/s':>12} {'ratio':>7}")
    for name in given.games:
        our, their, ratio = measure(name, given.seconds)
        print(f"{name:20} {our:10,.0f} {their:12,.0f} {ratio:7.2f}", flush=True)


if __name__ == "__main__":
    main()
