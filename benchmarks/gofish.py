"""How fast the search with hidden cards is on Go Fish, whose rules are in Python, and where its time goes.

    python benchmarks/gofish.py [--simulations 5000] [--players 2] [--spec knowledge=off]

One core, processor time. Positions are those of games between searches, from the first seeds, so that runs
compare. The share of each method is its calls, counted while the same searches run, times what one costs:
that is measured upon a sample of those calls without a search.
"""

from __future__ import annotations

import argparse
import random
import time
from collections import Counter, deque
from collections.abc import Callable
from typing import Any

import tesuji
from tesuji.games.gofish import GoFish, GoFishState

RULES = ("determinize", "moves", "play", "scores")
GAMES, EVERY, SAMPLE = 2, 8, 1000  # games, asks from one measured position to the next, calls in a sample


def positions(game: GoFish) -> list[GoFishState]:
    """Some positions of a few games."""
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
    """Simulations and seconds of searches from all these positions."""
    done, began = 0, time.process_time()
    for state in states:
        bot: Any = tesuji.bot(f"mcts:iterations={simulations},seed=1{',' if spec else ''}{spec}", game)
        done += bot.analyse(state).iterations
    return done, time.process_time() - began


def watch(run: Callable[[], object]) -> tuple[Counter[str], dict[str, list[tuple[Any, ...]]]]:
    """How often each method is called while something runs, and some of the arguments."""
    originals = {name: getattr(GoFishState, name) for name in RULES}
    calls: Counter[str] = Counter()
    some: dict[str, list[tuple[Any, ...]]] = {name: [] for name in RULES}

    def watched(name: str) -> Callable[..., Any]:
        method = originals[name]

        def call(*arguments: Any) -> Any:
            calls[name] += 1
            if calls[name] % 97 == 1 and len(some[name]) < SAMPLE:
                some[name].append(arguments)
            return method(*arguments)

        return call

    try:
        for name in RULES:
            setattr(GoFishState, name, watched(name))
        run()
    finally:
        for name, method in originals.items():
            setattr(GoFishState, name, method)
    return calls, some


def cost(name: str, calls: list[tuple[Any, ...]], rounds: int = 20) -> float:
    """Seconds of one call."""
    method = getattr(GoFishState, name)
    if name == "determinize":  # the search's own random numbers are gone
        calls = [(state, player, random.Random(1)) for state, player, _ in calls]
    columns = list(zip(*calls, strict=True))
    deque(map(method, *columns), maxlen=0)  # what a position works out once is not counted
    began = time.process_time()
    for _ in range(rounds):
        deque(map(method, *columns), maxlen=0)
    return (time.process_time() - began) / (rounds * len(calls))


def main() -> None:
    """Print simulations a second, and each method's calls, cost and share."""
    reader = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    reader.add_argument("--simulations", type=int, default=5000, help="for each position")
    reader.add_argument("--players", type=int, default=2)
    reader.add_argument("--spec", default="knowledge=off", help="options of mcts")
    given = reader.parse_args()
    game = GoFish(players=given.players)
    states = positions(game)
    done, seconds = search(game, states, given.spec, given.simulations)
    print(f"{len(states)} positions, {given.players} players, mcts:{given.spec}")
    print(f"{done / seconds:,.0f} simulations/s")
    calls, some = watch(lambda: search(game, states, given.spec, given.simulations))
    rest = 1.0
    for name in RULES:
        one = cost(name, some[name])
        share = calls[name] * one / seconds
        rest -= share
        print(f"{name:12} {calls[name] / done:6.1f} a simulation, {one * 1e6:6.2f} µs each, {share:4.0%}")
    print(f"{'all else':12} {rest:4.0%}")


if __name__ == "__main__":
    main()
