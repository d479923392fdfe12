"""Speed of Onitama: perft, alpha-beta with the learned value, and feature extraction.

    python benchmarks/onitama.py [--deals 8] [--depth 12] [--games 4000]

One core, except for the features. Deals have fixed seeds, so that runs are comparable; a deal with a forced
win before the depth is reached is left out of the time to depth.
"""

from __future__ import annotations

import argparse
import random
import time
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

import tesuji
from tesuji import _core
from tesuji.any_game import perft
from tesuji.games import Hex, Onitama
from tesuji.scale import cores

OX = "onitama:cards=ox-boar-horse-elephant-crab"


def timed(work: Callable[[], Any]) -> tuple[Any, float]:
    """The result, and the processor time in seconds."""
    began = time.process_time()
    found = work()
    return found, time.process_time() - began


def count_leaves(depth: int = 7) -> None:
    """Perft from the initial position of one deal."""
    state = tesuji.game(OX).start()
    leaves, seconds = timed(lambda: perft(state, depth))
    print(f"perft {depth}: {leaves:,} leaves, {leaves / seconds / 1e6:.0f} million a second")


def reach_depth(deals: int, depth: int) -> None:
    """Alpha-beta with default options to a fixed depth, from the start of several deals."""
    took, nodes = [], 0
    for seed in range(deals):
        state = Onitama().start(seed=seed)
        bot = tesuji.AlphaBeta(state.game, depth=depth, seed=1)
        analysis, seconds = timed(partial(bot.analyse, state))
        if analysis.depth == depth:
            took.append(seconds)
            nodes += analysis.nodes
        print(
            f"  {state.game.cards}: depth {analysis.depth}, {analysis.nodes:,} nodes, {seconds:.2f} s, "
            f"{state.text(analysis.move)} {analysis.value:.1%}{'' if analysis.proven is None else ' proven'}"
        )
    median, worst, rate = np.median(took), max(took), nodes / sum(took) / 1e6
    print(f"depth {depth}: median {median:.2f} s, worst {worst:.2f} s; {rate:.1f} million nodes/s")


def search_for(seconds: float = 1.0) -> None:
    """Alpha-beta for a second: nodes per second and depth."""
    for value in ("game", "hand", "off"):
        bot = tesuji.AlphaBeta(OX, seconds=seconds, value=value, seed=1)
        analysis, took = timed(partial(bot.analyse, bot.game.start()))
        rate = analysis.nodes / took / 1e6
        print(f"{seconds:g} s, value={value}: {rate:.1f} million nodes/s, depth {analysis.depth}")


def extract(game: Any, games: int) -> None:
    """Features of every position of random games, by replaying them."""
    rng = random.Random(1)
    starts: list[Any] = []
    moves: list[int] = []
    counts: list[int] = []
    for seed in range(games):
        state = game.start(seed=seed) if isinstance(game, Onitama) else game.start()
        starts.append(state.core)
        begun = len(moves)
        while state.scores() is None:
            moves.append(rng.choice(state.moves()))
            state = state.play(moves[-1])
        counts.append(len(moves) - begun)
    arguments = np.array(moves, dtype=np.uint32), np.array(counts, dtype=np.int64)
    for threads in sorted({1, cores()}):
        began = time.perf_counter()
        table, *_ = _core.extract_games(game.features.native, starts, *arguments, threads)
        rate = len(table) / (time.perf_counter() - began) / 1e6
        name = f"{table.shape[1]} features of {tesuji.spec_of(game)}"
        print(f"{name}, {threads} thread{'s' if threads > 1 else ''}: {rate:.2f} million positions/s")


def main() -> None:
    """Print all figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--deals", type=int, default=8)
    parser.add_argument("--depth", type=int, default=12)
    parser.add_argument("--games", type=int, default=4000)
    options = parser.parse_args()
    count_leaves()
    reach_depth(options.deals, options.depth)
    search_for()
    extract(Onitama(), options.games)
    extract(Hex(), max(1, options.games // 4))


if __name__ == "__main__":
    main()
