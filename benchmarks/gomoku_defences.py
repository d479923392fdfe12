"""How often a bot plays a move that holds, where many moves lose to a win by threats.

    python benchmarks/gomoku_defences.py --bot zero:seconds=0.5 --runs 3

The positions are from lost games against Rapfi. A move holds if the solver finds no win for the opponent
after it in a second, and the bot does not think itself lost. Each run has a new bot.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import Any

import tesuji
from tesuji.games.gomoku import GomokuState, solve

POSITIONS = Path(__file__).with_name("gomoku_defences.txt")
CHECK_SECONDS = 1.0
LOST = 0.001


def holds(task: tuple[str, str, float]) -> tuple[bool, int]:
    """Whether the bot's move holds, and its visits or simulations."""
    line, spec, seconds = task
    game, moves = line.split(maxsplit=1)
    state = tesuji.replay(game, moves)
    bot: Any = tesuji.bot(spec, tesuji.game(game))
    analysis = bot.analyse(state)
    after = state.play(analysis.move)
    assert isinstance(after, GomokuState)
    if after.scores() is not None:
        return True, analysis.iterations
    lost = analysis.value <= LOST or solve(after, "vct", seconds=seconds).won
    return not lost, analysis.iterations


def main(arguments: Sequence[str] | None = None) -> None:
    """Print how many runs held."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--bot", default="zero:seconds=0.5")
    parser.add_argument("--runs", type=int, default=3, help="runs for each position")
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--positions", type=int, help="only the first N")
    parser.add_argument("--check", type=float, default=CHECK_SECONDS, help="seconds of the solver")
    given = parser.parse_args(arguments)
    lines = [line for line in POSITIONS.read_text(encoding="utf-8").splitlines() if not line.startswith("#")]
    tasks = [(line, given.bot, given.check) for line in lines[: given.positions] for _ in range(given.runs)]
    with ProcessPoolExecutor(given.processes) as pool:
        found = list(pool.map(holds, tasks, chunksize=2))
    held, runs = sum(each for each, _ in found), len(found)
    visits = sum(iterations for _, iterations in found) / runs
    print(f"{given.bot}: {held} of {runs} runs held ({held / runs:.0%}), {visits:,.0f} visits on average")


if __name__ == "__main__":
    main()
