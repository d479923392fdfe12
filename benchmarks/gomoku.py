"""Speed of Gomoku: patterns, maps, random games, and the search against OpenSpiel's.

    python benchmarks/gomoku.py [--quick] [--only FIGURE]

One thread, CPU time. Patterns and maps are measured in random positions of twenty stones around the centre of
15×15; the search from the empty board, both sides alternately with the same algorithm and 100,000 simulations
each, as in benchmarks/peers.py.
"""

from __future__ import annotations

import argparse
import multiprocessing
import random
import sys
import time
import timeit
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from statistics import median
from typing import Any

import pyspiel

import tesuji
from tesuji import _core

sys.path.insert(0, str(Path(__file__).parents[1]))
from benchmarks.peers import (
    PLAIN,
    Effort,
    Run,
    compare,
    expect,
    interleave,
    peer_bot,
    resident,
    search,
    seconds,
)
from tesuji.games.gomoku import pattern_map, proximity_map

GOMOKU = tesuji.game("gomoku")
RULES = ("freestyle", "standard", "renju")
POSITIONS = 10
QUIET = ("h8 h9 j9", "k9 k11 g5 h5 h11", "j7 j9 f7 e8 h7 h11 k10")


def positions(rule: str) -> list[Any]:
    """Positions of twenty stones on the middle 7×7 cells."""
    rng = random.Random(1)
    found: list[Any] = []
    while len(found) < POSITIONS:
        state: Any = tesuji.game(f"gomoku:rule={rule}").start()
        while state.scores() is None and state.ply < 20:
            middle = [move for move in state.moves() if all(4 <= at <= 10 for at in divmod(move, 15))]
            state = state.play(rng.choice(middle))
        if state.scores() is None:
            found.append(state)
    return found


def patterns(effort: Effort) -> None:
    """Moves and undos in sequences of eight, updating all patterns of both colours."""
    pairs = effort.of(400_000)
    for rule in RULES:
        for keep, how in ((True, "putting back what was kept"), (False, "computing again")):
            rates = []
            for seed, state in enumerate(positions(rule)):
                found = _core.GomokuPatterns(state.core)
                passed, _ = seconds(partial(found.play_and_undo, pairs, seed, keep=keep))
                expect("the patterns afterwards", found == found.rebuilt(), True)
                rates.append(pairs / passed)
            rate = median(rates) / 1e6
            print(f"patterns, {rule}: {rate:.2f} million moves with undo a second, {how}")


def maps(effort: Effort) -> None:
    """Both maps: of a position, after one more move, and of stones set up without patterns."""
    calls = effort.of(20_000)
    for rule in RULES:
        ways = {
            "of a position": draw_maps,
            "after one more move, the move too": draw_maps_after_a_move,
            "of stones, setting them up too": draw_maps_of_stones,
        }
        states = positions(rule)
        for state in states:
            draw_maps(state)  # from now on the patterns are cached
        for how, draw in ways.items():
            took = median(micro(partial(draw, state), calls) for state in states)
            print(f"pattern map and proximity map, {rule}, {how}: {took:.1f} µs")


def draw_maps(state: Any) -> None:
    pattern_map(state, 0)
    proximity_map(state)


def draw_maps_after_a_move(state: Any) -> None:
    draw_maps(state.play(0))  # a corner, empty in all positions


def draw_maps_of_stones(state: Any) -> None:
    draw_maps(state.game.from_core(_core.GomokuState.set_up(15, state.game.rule, state.cells(), 0)))


def micro(work: Callable[[], object], calls: int) -> float:
    """Microseconds per call."""
    return min(timeit.repeat(work, number=calls, repeat=3, timer=time.process_time)) / calls * 1e6


def playouts(effort: Effort) -> None:
    """Random games from the empty board."""
    count = effort.of(100_000)
    for rule in RULES:
        core = tesuji.game(f"gomoku:rule={rule}").start().core
        passed, won = seconds(partial(core.playouts, count, 1))
        print(f"playouts, {rule}: {count / passed:,.0f} a second, Black wins {won / count:.1%}")


def searches(effort: Effort) -> None:
    """The searches with all Gomoku knowledge, in quiet opening positions."""
    for rule in RULES:
        game = tesuji.game(f"gomoku:rule={rule}")
        for name, unit, count in (("alphabeta", "nodes", 500_000), ("mcts", "iterations", 50_000)):
            for without in ("", ",prover=off"):
                done, took = 0, 0.0
                for moves in QUIET:
                    bot: Any = tesuji.bot(f"{name}:{unit}={effort.of(count)},seed=1{without}", game)
                    passed, found = seconds(partial(bot.analyse, tesuji.replay(game, moves)))
                    done, took = done + found.iterations, took + passed
                print(f"searches, {name}{without}, {rule}: {done / took:,.0f} {unit} a second")


def peer(simulations: int, seed: int) -> Any:
    """Run OpenSpiel's C++ search of Gomoku with full C++ playouts; return its root."""
    game = pyspiel.load_game("gomoku(size=15)")
    root = peer_bot(simulations, 1, seed, game).mcts_search(game.new_initial_state())
    expect("OpenSpiel's simulations", root.explore_count, simulations)
    return root


def simulations(effort: Effort) -> None:
    """UCT with C = √2 and random playouts, 15×15, freestyle: ours without knowledge, RAVE and solver."""
    count = effort.of(100_000)

    def theirs(seed: int) -> Run:
        passed, root = seconds(lambda: peer(count, seed))
        return count / passed, (root.total_reward / count + 1) / 2

    ours, their, ratio = compare(effort, lambda seed: search(GOMOKU, PLAIN, count, seed), theirs, count)
    print(f"simulations: {ours:,.0f} a second, OpenSpiel {their:,.0f}; {ratio:.1f} : 1")


def memory(effort: Effort) -> None:
    """The searches of `simulations`, each in a fresh process: growth of the resident set per simulation.

    The ratio depends on the number of simulations: OpenSpiel creates all children of a node at its second
    visit, which few nodes below the first move reach in a short search.
    """
    count = max(effort.of(100_000), 10_000)  # memory grows in pages

    def grown(theirs: bool, seed: int) -> float:
        with multiprocessing.get_context("spawn").Pool(1) as pool:
            return pool.apply(growth, (theirs, count, seed)) / count

    ours, their, ratio = interleave(effort, lambda seed: grown(False, seed), lambda seed: grown(True, seed))
    print(f"memory: {ours:,.0f} bytes a simulation, OpenSpiel {their:,.0f}; {1 / ratio:.1f} : 1")


def growth(theirs: bool, count: int, seed: int) -> int:
    """Growth of this process during a search, in bytes; a small search first loads the code."""
    before, kept = 0, []
    for wanted in (100, count):
        before = resident()
        if theirs:
            kept.append(peer(wanted, seed))
        else:
            bot: Any = tesuji.bot(f"mcts:{PLAIN},iterations={wanted},seed={seed}", GOMOKU)
            expect("our simulations", bot.analyse(GOMOKU.start()).visits, wanted)
            kept.append(bot)
    return resident() - before


FIGURES: dict[str, Callable[[Effort], None]] = {
    figure.__name__: figure for figure in (patterns, maps, playouts, searches, simulations, memory)
}


def main(arguments: Sequence[str] | None = None) -> None:
    """Print all figures, or the selected one."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--quick", action="store_true", help="do less work")
    parser.add_argument("--only", metavar="FIGURE", choices=FIGURES, help=", ".join(FIGURES))
    given = parser.parse_args(arguments)
    for name in [given.only] if given.only else FIGURES:
        FIGURES[name](Effort(0.1, 3) if given.quick else Effort())


if __name__ == "__main__":
    main()
