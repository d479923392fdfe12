"""Overhead of the arena relative to the bots' thinking time, and the speedup from a second process.

    python benchmarks/arena.py [--games 100]

Overhead: a match at 10 ms per move in one process. The time from the call to the last stored game, including
the start of the process, minus the bots' thinking time, divided by the thinking time.

Speedup: the same match limited by iterations, alternately on one process and on two; the median ratio.
"""

from __future__ import annotations

import argparse
import statistics
import sys
import tempfile
import time
from pathlib import Path

from tesuji.arena.match import Goal, Match, Pairing
from tesuji.records.store import Store
from tesuji.scale.executor import Executor, executor

OVERHEAD_TARGET = 0.02
SPEEDUP_TARGET = 1.8
SPEEDUP_GAMES = 40


def timed(bot: str, games: int, on: Executor) -> tuple[float, float]:
    """Duration of a match and the thinking time in it, in seconds."""
    with tempfile.TemporaryDirectory() as folder, Store(Path(folder) / "games.db") as store:
        match = Match(Pairing("hex", (bot, bot)), Goal(games=games), store)
        began = time.perf_counter()
        for _ in match.play(on=on):
            pass
        took = time.perf_counter() - began
        return took, sum(sum(game.seconds) for game in match.games)


def main() -> int:
    """Print both figures; return 1 if one misses its target."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--games", type=int, default=100, help="games of the first match (even)")
    given = parser.parse_args()

    alone, both = executor("processes:workers=1"), executor("processes:workers=2")
    took, thought = timed("mcts:seconds=0.01", given.games, alone)
    overhead = (took - thought) / thought
    print(
        f"overhead at 10 ms per move: {overhead:.2%} of thinking time (target: under {OVERHEAD_TARGET:.0%})",
        flush=True,
    )

    ratios = []
    for _ in range(3):
        one, _ = timed("mcts:iterations=5000", SPEEDUP_GAMES, alone)
        two, _ = timed("mcts:iterations=5000", SPEEDUP_GAMES, both)
        ratios.append(one / two)
    speedup = statistics.median(ratios)
    shown = ", ".join(f"{ratio:.2f}" for ratio in ratios)
    print(f"speedup with two processes: {speedup:.2f} (median of {shown}; target: {SPEEDUP_TARGET})")
    return 0 if overhead < OVERHEAD_TARGET and speedup >= SPEEDUP_TARGET else 1


if __name__ == "__main__":
    sys.exit(main())
