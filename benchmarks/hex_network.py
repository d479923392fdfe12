"""How well the Hex network plays: solved openings, the swap, and matches with mcts on other boards.

    python benchmarks/hex_network.py [--net hex] [--only openings swap mcts] [--processes 1]
        [--sizes 5 6 7] [--visits 800] [--reference 50000] [--device cpu] [--openings 121]
        [--boards 9 13] [--match-visits 200] [--games 40]

openings  The solver tells who wins after each opening of small boards. The network's value after each one,
          with its policy alone and with 100 visits, should say the same; the moves that it names on the empty
          board, and in reply where the second player wins, should win.
swap      After openings of 11×11 with the swap: how often the choice whether to swap at --visits agrees with
          that at --reference visits.
mcts      zero with --match-visits against mcts at equal processor time: with as many iterations as mcts does
          in the time of these visits, measured on each board first. So the load of the machine has no effect.
"""

from __future__ import annotations

import argparse
import random
import tempfile
import time
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from multiprocessing import get_context
from typing import Any, TypeVar

import tesuji
from tesuji.arena.match import Goal, Match, Pairing
from tesuji.games.hex import Hex
from tesuji.games.hex.solver import HexSolver
from tesuji.records.store import Store

FEW, MORE = 1, 100  # visits: the policy alone, and with a short search
TIMED_ITERATIONS = 20_000

T = TypeVar("T")
R = TypeVar("R")


def shared(work: Callable[[T], R], items: Sequence[T], processes: int) -> Iterable[R]:
    """The results in the order of the items, from so many processes."""
    if processes == 1:
        return map(work, items)
    with ProcessPoolExecutor(processes, mp_context=get_context("spawn")) as pool:
        return list(pool.map(work, items))


def solved_openings(size: int, net: str) -> str:
    """A line for one board: the network against the solver."""
    game, solver = Hex(size=size), HexSolver(size)
    start = game.start()
    truth = solver.solve_moves(start)
    found = []
    for visits in (FEW, MORE):
        bot: Any = tesuji.bot(f"zero:net={net},visits={visits},seed=1", game)
        right, replies, won = 0, 0, 0
        for move, winner in truth.winners.items():
            bot.reset()
            state = start.play(move)
            analysis = bot.analyse(state)
            right += (analysis.value > 0.5) == (winner == 1)
            if winner == 1:
                replies += 1
                won += solver.solve(state.play(analysis.move)).winner == 1
        bot.reset()
        first = bot.analyse(start).move
        says = "wins" if first in truth.winning else "loses"
        found.append(
            f"{visits:>3} visits: winner of {right} of {len(truth.winners)} openings, "
            f"{won} of {replies} replies win, first move {start.text(first)} {says}"
        )
    return "\n".join(f"{size}×{size}, {line}" for line in found)


def swap_choices(opening: int, net: str, visits: int, reference: int, device: str) -> tuple[bool, bool]:
    """Whether zero swaps after this opening of 11×11, with few and with many visits."""
    game = Hex(swap=True)
    state = game.start().play(opening)
    choices = []
    for count, where in ((visits, "cpu"), (reference, device)):
        spec = f"zero:net={net},visits={count},device={where},memory=4096,seed=1"
        bot: Any = tesuji.bot(spec, game)
        choices.append(bot.choose(state) == game.size**2)
    return choices[0], choices[1]


def swap_agreement(openings: int, net: str, visits: int, reference: int, device: str, processes: int) -> str:
    """A line: after how many openings both choices agree."""
    drawn = random.Random(1).sample(range(121), min(openings, 121))
    choose = partial(swap_choices, net=net, visits=visits, reference=reference, device=device)
    choices = list(shared(choose, drawn, processes))
    differ = [
        Hex().start().text(opening)
        for opening, (few, many) in zip(drawn, choices, strict=True)
        if few != many
    ]
    agreed = f"agree after {len(drawn) - len(differ)} of {len(drawn)} openings"
    line = f"swap, {visits:,} and {reference:,} visits: {agreed}"
    return f"{line}, not after {' '.join(differ)}" if differ else line


def iterations_for(size: int, net: str, visits: int) -> int:
    """How many iterations mcts does in the processor time of so many visits of zero, early in a game."""
    game = Hex(size=size)
    state: Any = game.start()
    rng = random.Random(1)
    for _ in range(size):
        state = state.play(rng.choice(list(state.moves())))
    seconds = []
    for spec in (f"zero:net={net},visits={visits},seed=1", f"mcts:iterations={TIMED_ITERATIONS},seed=1"):
        bot: Any = tesuji.bot(spec, game)
        bot.analyse(state)  # the first search also loads the network
        bot.reset()
        began = time.process_time()
        bot.analyse(state)
        seconds.append(time.process_time() - began)
    return max(1, round(TIMED_ITERATIONS * seconds[0] / seconds[1]))


def match_with_mcts(size: int, net: str, visits: int, games: int, processes: int) -> str:
    """A line for one board: the score of zero against mcts."""
    iterations = iterations_for(size, net, visits)
    bots = (f"zero:net={net},visits={visits}", f"mcts:iterations={iterations}")
    with tempfile.TemporaryDirectory() as folder, Store(f"{folder}/games.db") as store:
        match = Match(Pairing(f"hex:size={size}", bots), Goal(games=games), store)
        for _ in match.play(processes=processes):
            pass
        counts = match.counts
    elo = counts.elo()
    return (
        f"{size}×{size}, {visits} visits against {iterations:,} iterations: {counts.points:g} of "
        f"{counts.games} points, Elo {elo.value:+.0f} [{elo.low:+.0f}, {elo.high:+.0f}]"
    )


def main(arguments: Sequence[str] | None = None) -> None:
    """Print one line per measure and board."""
    parser = argparse.ArgumentParser(description="Measure how well the Hex network plays.")
    parser.add_argument("--net", default="hex", help="name or file of the network (default: hex)")
    parser.add_argument("--only", nargs="+", choices=("openings", "swap", "mcts"), metavar="MEASURE")
    parser.add_argument("--processes", type=int, default=1, metavar="N")
    parser.add_argument("--sizes", type=int, nargs="+", default=[5, 6, 7], help="boards with solved openings")
    parser.add_argument("--visits", type=int, default=800, help="that choose whether to swap")
    parser.add_argument("--reference", type=int, default=50_000, help="visits that are taken to be right")
    parser.add_argument("--device", default="cpu", choices=("cpu", "cuda"), help="where the reference runs")
    parser.add_argument("--openings", type=int, default=121, help="openings of 11×11, drawn at random")
    parser.add_argument("--boards", type=int, nargs="+", default=[9, 13], help="boards for matches with mcts")
    parser.add_argument("--match-visits", type=int, default=200, help="visits of zero in these matches")
    parser.add_argument("--games", type=int, default=40, help="games of each match")
    given = parser.parse_args(arguments)
    only = given.only or ["openings", "swap", "mcts"]
    if "openings" in only:
        for line in shared(partial(solved_openings, net=given.net), given.sizes, given.processes):
            print(line, flush=True)
    if "swap" in only:
        asked = (given.openings, given.net, given.visits, given.reference, given.device)
        print(swap_agreement(*asked, given.processes))
    if "mcts" in only:
        for size in given.boards:
            line = match_with_mcts(size, given.net, given.match_visits, given.games, given.processes)
            print(line, flush=True)


if __name__ == "__main__":
    main()
