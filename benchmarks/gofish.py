"""Profile the search with hidden cards on Go Fish, whose rules are in Python.

    python benchmarks/gofish.py [--simulations 5000] [--players 2] [--spec knowledge=off]

One core, processor time. The positions are from games between searches with fixed seeds, so that runs are
comparable. The share of each method is the number of its calls, counted during the same searches, times the
cost of one call, measured on a sample of those calls outside of a search.
"""

from __future__ import annotations

import argparse
import random
import sys
import time
from collections import deque
from pathlib import Path
from typing import Any

import tesuji
from tesuji.games.gofish import GoFish, GoFishState

sys.path.insert(0, str(Path(__file__).parents[1]))
from benchmarks.peers import watch

RULES = ("determinize", "moves", "play", "scores")
GAMES, EVERY = 2, 8  # games, and asks between measured positions
SAMPLE, ROUNDS = 1000, 20  # calls in a sample, and repetitions


def positions(game: GoFish) -> list[GoFishState]:
    """Positions from a few games."""
    found = []
    for seed in range(GAMES):
        bot = tesuji.bot("mcts:iterations=50,seed=1", game)
        state = game.start(seed=seed)
        while state.scores() is None:
            if state.ply % EVERY == 0:
                found.append(state)
            state = state.play(bot.choose(state))
    return found


def search(game: GoFish, states: list[GoFishState], spec: str, simulations: int) -> tuple[int, float]:
    """Number of simulations and seconds of searches from all positions."""
    done, began = 0, time.process_time()
    for state in states:
        bot: Any = tesuji.bot(f"mcts:iterations={simulations},seed=1{',' if spec else ''}{spec}", game)
        done += bot.analyse(state).iterations
    return done, time.process_time() - began


def each(name: str, calls: list[tuple[Any, ...]]) -> float:
    """Seconds per call."""
    method = getattr(GoFishState, name)
    some = calls[:: len(calls) // SAMPLE + 1]
    if name == "determinize":  # the search's own random numbers are not available
        some = [(state, player, random.Random(1)) for state, player, _ in some]
    columns = list(zip(*some, strict=True))
    deque(map(method, *columns), maxlen=0)  # warm-up: do not count what a position caches
    began = time.process_time()
    for _ in range(ROUNDS):
        deque(map(method, *columns), maxlen=0)
    return (time.process_time() - began) / (ROUNDS * len(some))


def main() -> None:
    """Print simulations per second, and the calls, cost and share of each method."""
    reader = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    reader.add_argument("--simulations", type=int, default=5000, help="simulations per position")
    reader.add_argument("--players", type=int, default=2)
    reader.add_argument("--spec", default="knowledge=off", help="options of mcts")
    given = reader.parse_args()
    game = GoFish(players=given.players)
    states = positions(game)
    done, seconds = search(game, states, given.spec, given.simulations)
    print(f"{len(states)} positions, {given.players} players, mcts:{given.spec}")
    print(f"{done / seconds:,.0f} simulations/s")
    calls = watch(GoFishState, lambda: search(game, states, given.spec, given.simulations), RULES)
    rest = 1.0
    for name, those in calls.items():
        one = each(name, those)
        share = len(those) * one / seconds
        rest -= share
        print(f"{name:12} {len(those) / done:6.1f} a simulation, {one * 1e6:6.2f} µs each, {share:4.0%}")
    print(f"{'all else':12} {rest:4.0%}")


if __name__ == "__main__":
    main()
