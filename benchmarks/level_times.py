"""Seconds per move of the levels of a slow game in Python, Reversi: `python -m benchmarks.level_times`.

Searches positions of one random game with the iterations of each level, without its limit in seconds, and
prints CPU time: what a move would take on an idle core without the limit.
"""

from __future__ import annotations

import argparse
import random
import time
from statistics import median

import tesuji
from examples.reversi import Reversi, ReversiState
from tesuji.bots.levels import LEVELS, level_spec


def positions(game: Reversi, every: int) -> list[ReversiState]:
    """Every so many positions of a random game; those with a single move need no search."""
    state, found, rng = game.start(), [], random.Random(1)
    while state.scores() is None:
        found.append(state)
        state = state.play(rng.choice(state.moves()))
    return [state for state in found[::every] if len(state.moves()) > 1]


def main(arguments: list[str] | None = None) -> None:
    """Print one line for each level."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--size", type=int, default=8, help="cells along each side")
    parser.add_argument("--every", type=int, default=8, help="plies between the positions")
    parser.add_argument("--levels", nargs="*", default=list(LEVELS))
    given = parser.parse_args(arguments)
    game = Reversi(size=given.size)
    for level in given.levels:
        options = dict(level_spec(game, level).options)
        limit, iterations = options["seconds"], int(str(options["iterations"]))
        used = []
        for state in positions(game, given.every):
            bot = tesuji.MCTS(game, iterations=iterations, seed=1)
            before = time.process_time()
            bot.analyse(state)
            used.append(time.process_time() - before)
        print(f"{level:7} {median(used):6.2f} s, at most {max(used):6.2f} s (limit {limit} s)", flush=True)


if __name__ == "__main__":
    main()
