"""How well SPSA finds a known optimum, and how often its test accepts what is no better: a table.

    python benchmarks/tuning.py [--seeds 100] [--games 2000] [--test-games 4000] [--json]

Games are simulated: the strength of a bot falls with the square of each parameter's distance from its
optimum, and the player who moves first scores 76 % between equals. Distances are shares of the ranges: root
mean squares over the parameters. `--json` prints the table as `benchmarks/results.py` keeps it.
"""

from __future__ import annotations

import argparse
import json
import math
import random
import sys
from collections.abc import Sequence
from pathlib import Path
from statistics import median

sys.path.insert(0, str(Path(__file__).parents[1]))
from benchmarks.common import table
from tesuji.arena.elo import PairCounts
from tesuji.arena.spsa import Parameter, Spsa
from tesuji.arena.tune import TEST

PARAMETERS = (
    Parameter("exploration", 0.1, 1.5),
    Parameter("prior_weight", 2, 30, log=True),
    Parameter("expand_after", 1, 20, whole=True),
)
FIRST_MOVE = 200.0
"""Elo."""
CASES = {
    "sensitive: 400 Elo across each range": (400.0, False),
    "weak: 100 Elo across each range": (100.0, False),
    "nothing to gain: starts at the optimum": (400.0, True),
    "nothing to gain: parameters without effect": (0.0, False),
}
"""Elo lost at a distance of the whole range, and whether the start is the optimum."""
HEAD = ["objective", "distance at the start", "after tuning", "Elo gained", "recommended"]


def pair(difference: float, rng: random.Random) -> int:
    """Points of the first bot in two games, seats exchanged."""
    chances = (1 / (1 + 10 ** (-(difference + bias) / 400)) for bias in (FIRST_MOVE, -FIRST_MOVE))
    return sum(rng.random() < chance for chance in chances)


def accepted(difference: float, pairs: int, rng: random.Random) -> bool:
    """Whether the test accepts a bot that is so much stronger."""
    counts = [0] * 5
    for _ in range(pairs):
        counts[2 * pair(difference, rng)] += 1
        lost, worse, even, better, won = counts
        if decision := TEST.decision(PairCounts((lost, worse, even, better, won))):
            return decision == "H1"
    return False


def run(
    curvature: float, at_optimum: bool, games: int, test_games: int, seed: int
) -> tuple[float, float, float, bool]:
    """Distances at the start and after tuning, Elo gained, and whether that was recommended."""
    rng = random.Random(seed)
    optimum = [rng.uniform(0.15, 0.85) for _ in PARAMETERS]
    start = optimum if at_optimum else [rng.uniform(0.1, 0.9) for _ in PARAMETERS]

    def strength(places: Sequence[float]) -> float:
        return -curvature * math.dist(places, optimum) ** 2

    def distance(places: Sequence[float]) -> float:
        return math.dist(places, optimum) / math.sqrt(len(optimum))

    def places(options: dict[str, str]) -> list[float]:
        return [one.place(float(options[one.name])) for one in PARAMETERS]

    values = [one.value(place) for one, place in zip(PARAMETERS, start, strict=True)]
    tuning = Spsa(PARAMETERS, values, games // 2, seed)
    for k in range(games // 2):
        plus, minus = map(places, tuning.trial(k))
        tuning.add(2 * pair(strength(plus) - strength(minus), rng) - 2)
    tuned = places(tuning.options())
    gain = strength(tuned) - strength(start)
    return distance(start), distance(tuned), gain, accepted(gain, test_games // 2, rng)


def main() -> None:
    """Simulate every case, and print the table."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--seeds", type=int, default=100)
    parser.add_argument("--games", type=int, default=2000)
    parser.add_argument("--test-games", type=int, default=4000)
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args()
    rows = []
    for name, (curvature, at_optimum) in CASES.items():
        seeds = range(1, given.seeds + 1)
        found = [run(curvature, at_optimum, given.games, given.test_games, seed) for seed in seeds]
        before, after, gains, recommended = zip(*found, strict=True)
        figures = (f"{median(before):.2f}", f"{median(after):.2f}", f"{median(gains):+.0f}")
        rows.append([name, *figures, f"{sum(recommended)} of {given.seeds}"])
    print(json.dumps({"head": HEAD, "rows": rows}) if given.json else table(HEAD, rows))


if __name__ == "__main__":
    main()
