"""Speed and memory of the searches, compared with other packages.

    python benchmarks/peers.py [--quick] [--only FIGURE] [--json FILE]

Both sides of a figure run alternately (ours, theirs, ours, theirs, …), and its ratio is the median over
neighbouring runs, so that a temporary slowdown of the machine affects both. One thread and CPU time, unless
the figure's docstring says otherwise. Searches start from the initial position. Against another package, both
sides run the same number of simulations of the same algorithm; the counts and the mean scores are checked.
"""

from __future__ import annotations

import argparse
import gc
import importlib.metadata
import json
import math
import multiprocessing
import operator
import os
import platform
import random
import resource
import sys
import time
from collections import deque
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from statistics import fmean, median
from typing import Any, TypeAlias, TypeVar

import pyspiel
from mcts.searcher.mcts import MCTS as PeerMCTS
from rich import box
from rich.console import Console
from rich.table import Table

import tesuji

sys.path.insert(0, str(Path(__file__).parents[1]))
from benchmarks.common import processor
from examples.connect_four import ConnectFour, ConnectFourState
from examples.tic_tac_toe import TicTacToe, TicTacToeState

PLAIN = "knowledge=off,rave=off,solver=off,exploration=1.4142135623730951"  # √2
RULES = ("moves", "play", "scores")  # the methods of a state that a search calls
HEX = tesuji.game("hex:size=11")
PEER_HEX = pyspiel.load_game("hex(board_size=11)")
PEER_EXPLORATION = 2 * math.sqrt(2)  # equivalent: OpenSpiel's scores run from -1 to 1, ours from 0 to 1
BIAS = 0.03  # tolerance for mean scores: untried moves are expanded in a different order
PEER_MEGABYTES = 16_384  # never reached

R = TypeVar("R")
Run: TypeAlias = tuple[float, float]  # games per second, and their mean score for the first player


@dataclass(frozen=True)
class Effort:
    """How much to measure: the share of the full counts, and the repetitions."""

    share: float = 1.0
    repetitions: int = 5

    def of(self, count: int) -> int:
        """The count for this effort."""
        return max(int(count * self.share), 100)


@dataclass(frozen=True)
class Figure:
    """One row: medians of both sides, and the median of their ratios."""

    what: str
    unit: str
    ours: float
    theirs: float
    ratio: float
    wanted: float


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure, print the table, write the JSON."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--quick", action="store_true", help="do less work; smaller trees change the ratios")
    parser.add_argument("--only", metavar="FIGURE", choices=FIGURES, help=", ".join(FIGURES))
    parser.add_argument("--json", metavar="FILE", type=Path, help="also write the figures to a file")
    given = parser.parse_args(arguments)
    effort = Effort(0.3, 3) if given.quick else Effort()
    console = Console(highlight=False)
    figures = {}
    with console.status("") as status:
        for name in [given.only] if given.only else FIGURES:
            status.update(f"{name} …")
            figures[name] = FIGURES[name](effort)
    show(console, figures.values())
    if given.json:
        rows = {name: asdict(figure) for name, figure in figures.items()}
        given.json.write_text(json.dumps({"machine": machine(), "figures": rows}, indent=2) + "\n")


# Measuring.


def interleave(
    effort: Effort, ours: Callable[[int], float], theirs: Callable[[int], float]
) -> tuple[float, float, float]:
    """Medians of ours, of theirs, and of ours divided by theirs; each is called with a seed."""
    pairs = [(ours(seed), theirs(seed)) for seed in range(1, effort.repetitions + 1)]
    first, second = zip(*pairs, strict=True)
    ratio = median(map(operator.truediv, first, second))
    return median(first), median(second), ratio


def compare(
    effort: Effort, ours: Callable[[int], Run], theirs: Callable[[int], Run], fewest: int
) -> tuple[float, float, float]:
    """`interleave` for the same algorithm on both sides, whose mean scores must agree."""
    means: dict[Callable[[int], Run], list[float]] = {ours: [], theirs: []}

    def rate(run: Callable[[int], Run], seed: int) -> float:
        per_second, mean = run(seed)
        means[run].append(mean)
        return per_second

    measured = interleave(effort, partial(rate, ours), partial(rate, theirs))
    five_sigma = 2.5 * math.sqrt(2 / (fewest * effort.repetitions))
    expect("our mean score", fmean(means[ours]), fmean(means[theirs]), five_sigma + BIAS)
    return measured


def seconds(work: Callable[[], R], clock: Callable[[], float] = time.process_time) -> tuple[float, R]:
    """Duration and result of the work; freeing its memory is not timed."""
    gc.collect()
    began = clock()
    result = work()
    return clock() - began, result


def expect(what: str, found: float, wanted: float, tolerance: float = 0) -> None:
    """Raise RuntimeError unless the value is as expected, so that nothing else is benchmarked by mistake."""
    if abs(found - wanted) > tolerance:
        raise RuntimeError(f"{what}: {found:g}, but {wanted:g} were expected")


def search(
    game: Any, options: str, count: int, seed: int, clock: Callable[[], float] = time.process_time
) -> Run:
    """Our simulations/s and their mean score."""
    bot: Any = tesuji.bot(f"mcts:{options},iterations={count},seed={seed},reuse=off", game)
    passed, analysis = seconds(lambda: bot.analyse(game.start()), clock)
    expect("our simulations", analysis.visits, count)
    expect("our candidates' visits", sum(each.visits for each in analysis.candidates), count)
    return count / passed, sum(each.visits * each.value for each in analysis.candidates) / count


def peer_bot(simulations: int, rollouts: int, seed: int, game: Any = PEER_HEX) -> Any:
    """OpenSpiel's C++ search with full C++ playouts."""
    evaluator = pyspiel.RandomRolloutEvaluator(rollouts, seed)
    return pyspiel.MCTSBot(
        game,
        evaluator,
        PEER_EXPLORATION,
        simulations,
        PEER_MEGABYTES,
        solve=False,
        seed=seed,
        verbose=False,
    )


# The figures.


def simulations(effort: Effort) -> Figure:
    """Hex 11×11, 100,000 simulations: UCT with C = √2 and random playouts to the end.

    Ours without knowledge, RAVE and solver; theirs is OpenSpiel's `MCTSBot` with `RandomRolloutEvaluator(1)`
    and without its solver, called from Python once per search.
    """
    count = effort.of(100_000)

    def theirs(seed: int) -> Run:
        bot, state = peer_bot(count, 1, seed), PEER_HEX.new_initial_state()
        passed, root = seconds(lambda: bot.mcts_search(state))
        expect("OpenSpiel's simulations", root.explore_count, count)
        return count / passed, (root.total_reward / count + 1) / 2

    measured = compare(effort, lambda seed: search(HEX, PLAIN, count, seed), theirs, count)
    return Figure("Hex simulations : OpenSpiel", "per second", *measured, wanted=12)


def playouts(effort: Effort) -> Figure:
    """Hex 11×11, random games from the empty board: 2,000,000 of ours, 20,000 of theirs, one call each.

    Theirs are the rollouts of one `RandomRolloutEvaluator(20,000)`, which Python can only reach through a
    bot: a search of one simulation evaluates only the root.
    """
    count, peer_count = effort.of(2_000_000), effort.of(20_000)

    def ours(seed: int) -> Run:
        core = HEX.start().core
        passed, won = seconds(lambda: core.playouts(count, seed))
        return count / passed, won / count

    def theirs(seed: int) -> Run:
        bot, state = peer_bot(1, peer_count, seed), PEER_HEX.new_initial_state()
        passed, root = seconds(lambda: bot.mcts_search(state))
        return peer_count / passed, (root.total_reward + 1) / 2

    measured = compare(effort, ours, theirs, peer_count)
    return Figure("Hex random playouts : OpenSpiel", "per second", *measured, wanted=60)


def memory(effort: Effort) -> Figure:
    """The searches of `simulations`, each in a fresh process: growth of the resident set per simulation.

    A small search first loads the code; the tree is still alive when memory is measured again.
    """
    count = max(effort.of(100_000), 10_000)  # memory grows in pages

    def grown(peer: bool, seed: int) -> float:
        with multiprocessing.get_context("spawn").Pool(1) as pool:
            return pool.apply(growth, (peer, count, seed)) / count

    ours, theirs, ratio = interleave(effort, lambda seed: grown(False, seed), lambda seed: grown(True, seed))
    return Figure("Hex memory, OpenSpiel : ours", "bytes each", ours, theirs, 1 / ratio, wanted=2.5)


def growth(peer: bool, count: int, seed: int) -> int:
    """Growth of this process during a search, in bytes."""
    before, kept = 0, []
    for simulations in (100, count):
        before = resident()
        if peer:
            root = peer_bot(simulations, 1, seed).mcts_search(PEER_HEX.new_initial_state())
            expect("OpenSpiel's simulations", root.explore_count, simulations)
            kept.append(root)
        else:
            bot: Any = tesuji.bot(f"mcts:{PLAIN},iterations={simulations},seed={seed}", HEX)
            expect("our simulations", bot.analyse(HEX.start()).visits, simulations)
            kept.append(bot)
    return resident() - before


def resident() -> int:
    """Resident set size in bytes; its peak where the current size is not available."""
    if (status := Path("/proc/self/statm")).exists():
        return int(status.read_text().split()[1]) * resource.getpagesize()
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss  # macOS: bytes


def tic_tac_toe(effort: Effort) -> Figure:
    """The rules of examples/tic_tac_toe.py, 10,000 simulations, against monte-carlo-tree-search."""
    return python_rules(effort, "Tic-tac-toe", TicTacToe(), TicTacToeState, 10_000, wanted=8)


def tic_tac_toe_long(effort: Effort) -> Figure:
    """The same with 100,000 simulations, most of which stay within positions already in the tree."""
    return python_rules(effort, "Tic-tac-toe", TicTacToe(), TicTacToeState, 100_000, wanted=8)


def connect_four(effort: Effort) -> Figure:
    """The rules of examples/connect_four.py, 10,000 simulations, against monte-carlo-tree-search."""
    return python_rules(effort, "Connect Four", ConnectFour(), ConnectFourState, 10_000, wanted=1.6)


def python_rules(
    effort: Effort, name: str, game: Any, state_class: Any, full_count: int, wanted: float
) -> Figure:
    """UCT with C = √2 and full random playouts; our solver is off, since it would stop early."""
    count = effort.of(full_count)
    teach(state_class)
    play_through(game)

    def theirs(seed: int) -> Run:
        random.seed(seed)
        bot = PeerMCTS(iteration_limit=count, exploration_constant=math.sqrt(2))
        passed, _ = seconds(lambda: bot.search(game.start()))
        expect("monte-carlo-tree-search's simulations", bot.root.numVisits, count)
        return count / passed, bot.root.totalReward / count

    measured = compare(effort, lambda seed: search(game, PLAIN, count, seed), theirs, count)
    what = f"{name}, {count:,} simulations : mcts package"
    return Figure(what, "per second", *measured, wanted)


def teach(state_class: Any) -> None:
    """Add the methods that monte-carlo-tree-search calls to a state class.

    They are added to the class itself, because a wrapper would add overhead that is not the package's own.
    The reward is the first player's score, which makes the two algorithms equivalent: for the second player
    the package uses -score where we use 1 - score, and the 1 is the same for all children.
    """
    state_class.get_possible_actions = state_class.moves
    state_class.take_action = state_class.play
    state_class.is_terminal = lambda self: self._scores is not None
    state_class.get_reward = lambda self: self._scores[0]
    state_class.get_current_player = lambda self: -1 if self.player else 1


def play_through(game: Any) -> None:
    """Let monte-carlo-tree-search play itself; `play` rejects illegal moves."""
    state = game.start()
    while state.scores() is None:
        state = state.play(PeerMCTS(iteration_limit=50).search(state))


def own_methods(effort: Effort) -> Figure:
    """Share of our time for examples/connect_four.py that is spent in the rules' own methods.

    A profiler would slow down the rules but not the search. Instead, one search of 10,000 simulations records
    the calls of each method and their arguments. Then the same search runs without recording, alternately
    with a loop over a sample of those calls. The share is Σ calls · cost per call, divided by the time of the
    search. The loop calls from C, as the search does; its overhead, measured with an empty built-in function,
    is subtracted.
    """
    count = effort.of(10_000)
    game = ConnectFour()
    calls = watch(ConnectFourState, lambda: search(game, PLAIN, count, 1))

    def rules(seed: int) -> float:
        return sum(len(those) * cost(getattr(ConnectFourState, name), those) for name, those in calls.items())

    measured = interleave(effort, rules, lambda seed: count / search(game, PLAIN, count, 1)[0])
    return Figure("Connect Four, the rules : all", "seconds", *measured, wanted=0.85)


def watch(
    state_class: Any, run: Callable[[], object], rules: Sequence[str] = RULES
) -> dict[str, list[tuple[Any, ...]]]:
    """Record the arguments of all calls of the state's methods."""
    originals = {name: getattr(state_class, name) for name in rules}
    calls: dict[str, list[tuple[Any, ...]]] = {name: [] for name in rules}

    def watched(name: str) -> Callable[..., Any]:
        method, note = originals[name], calls[name].append

        def call(*arguments: Any) -> Any:
            note(arguments)
            return method(*arguments)

        return call

    try:
        for name in rules:
            setattr(state_class, name, watched(name))
        run()
    finally:
        for name, method in originals.items():
            setattr(state_class, name, method)
    return calls


def cost(
    method: Callable[..., Any], calls: list[tuple[Any, ...]], sample: int = 1000, rounds: int = 50
) -> float:
    """Seconds per call, over a sample that fits the CPU caches, like the newest states of a search."""
    columns = list(zip(*calls[:: len(calls) // sample + 1], strict=True))

    def repeat(function: Callable[..., Any]) -> float:
        return seconds(lambda: [deque(map(function, *columns), maxlen=0) for _ in range(rounds)])[0]

    idle = callable if len(columns) == 1 else operator.is_
    return (repeat(method) - repeat(idle)) / (rounds * len(columns[0]))


def threads(effort: Effort) -> Figure:
    """Hex 11×11, 1,000,000 simulations as in `simulations`: two threads against one, wall time."""
    count = effort.of(1_000_000)

    def wall(threads: int) -> Callable[[int], float]:
        return lambda seed: search(HEX, f"{PLAIN},threads={threads}", count, seed, time.perf_counter)[0]

    measured = interleave(effort, wall(2), wall(1))
    return Figure("Hex simulations, two threads : one", "per second", *measured, wanted=1.7)


def rave(effort: Effort) -> Figure:
    """Hex 11×11, 100,000 simulations: RAVE and bridge-saving playouts, against plain UCT."""
    policy = "rave=node,playout_policy=game,move_ordering=off,threat_response=off,value=off"
    return informed(effort, "RAVE, policy : plain", policy)


def knowledge(effort: Effort) -> Figure:
    """Hex 11×11, 100,000 simulations: RAVE and all Hex knowledge, against plain UCT."""
    return informed(effort, "RAVE, all knowledge : plain", "rave=node,knowledge=game")


def informed(effort: Effort, what: str, options: str) -> Figure:
    """Simulations/s of a search with these options, against those of `simulations`."""
    count = effort.of(100_000)
    measured = interleave(
        effort,
        lambda seed: search(HEX, options, count, seed)[0],
        lambda seed: search(HEX, PLAIN, count, seed)[0],
    )
    return Figure(f"Hex simulations, {what}", "per second", *measured, wanted=1 / 3)


FIGURES: dict[str, Callable[[Effort], Figure]] = {
    figure.__name__: figure
    for figure in (
        simulations,
        playouts,
        memory,
        tic_tac_toe,
        tic_tac_toe_long,
        connect_four,
        own_methods,
        threads,
        rave,
        knowledge,
    )
}


# The table.


def machine() -> dict[str, str]:
    """The machine and the package versions."""
    packages = ("open_spiel", "monte-carlo-tree-search")
    return {
        "processor": processor(),
        "cores": str(os.cpu_count()),
        "Python": platform.python_version(),
        "tesuji": tesuji.__version__,
        **{package: importlib.metadata.version(package) for package in packages},
    }


def show(console: Console, figures: Iterable[Figure]) -> None:
    """Print the figures, the machine and the package versions."""
    table = Table("figure", box=box.SIMPLE_HEAD)
    for column in ("ours", "theirs", "ratio", "wanted"):
        table.add_column(column, justify="right")
    table.add_column("unit")
    for figure in figures:
        colour = "green" if figure.ratio >= figure.wanted else "red"
        sides = [f"{side:,.0f}" if side >= 10 else f"{side:.3f}" for side in (figure.ours, figure.theirs)]
        ratio = f"[{colour}]{figure.ratio:.2f}[/]"
        table.add_row(figure.what, *sides, ratio, f"{figure.wanted:.2f}", figure.unit)
    console.print(table)
    console.print(" · ".join(f"{name} {value}" for name, value in machine().items()))


if __name__ == "__main__":
    main()
