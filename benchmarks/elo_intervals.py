"""Coverage of the 95 % intervals of Elo and normalized Elo, in simulated matches.

    python benchmarks/elo_intervals.py [--matches 10000] [--pairs 100] [--seed 1]

Games follow the model of `benchmarks/sprt.py`, between bots 0 to 400 Elo apart. The exit code is 1 if the
coverage of an interval of normalized Elo is below 93 % or above 97 %. SHAPE_PRIOR in `tesuji.arena.elo` was
chosen by simulation with this model, so the coverage is not independent evidence for it.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from rich import box
from rich.console import Console
from rich.table import Table

sys.path.insert(0, str(Path(__file__).parents[1]))
from benchmarks.sprt import Floats, GameModel, difference_of, percent
from tesuji.arena.elo import Estimate, PairCounts, score_of

MODELS = [
    GameModel(0.5),
    GameModel(0.7),
    GameModel(0.91),
    GameModel(0.5, drawn=0.5),
    GameModel(0.7, drawn=0.4),
]
ELOS = (0, 100, 200, 300, 400)
TOLERANCE = 0.02
"""Allowed deviation from 95 %; few pairs have few distinct outcomes."""


def coverage(
    chances: Floats, elo: float, normalized: float, *, pairs: int, matches: int, rng: np.random.Generator
) -> tuple[float, float]:
    """Shares of matches whose intervals of Elo and of normalized Elo contain the true value."""
    found, often = np.unique(rng.multinomial(pairs, chances, size=matches), axis=0, return_counts=True)
    covered = np.zeros(2)
    for counts, times in zip(found.tolist(), often.tolist(), strict=True):
        match = PairCounts(tuple(counts))
        truths = (match.elo(), elo), (match.normalized_elo(), normalized)
        covered += [times * _contains(estimate, truth) for estimate, truth in truths]
    return float(covered[0]) / matches, float(covered[1]) / matches


def _contains(estimate: Estimate, truth: float) -> bool:
    return estimate.low <= truth <= estimate.high


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the table; return 1 if the coverage of normalized Elo is off."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--matches", type=int, default=10_000, help="simulated matches per figure")
    parser.add_argument("--pairs", type=int, default=100, help="pairs per match")
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args(arguments)
    rng = np.random.default_rng(given.seed)
    table = Table("first mover wins", box=box.MARKDOWN)
    for title in ("Elo", "nElo", "coverage, Elo", "coverage, nElo"):
        table.add_column(title, justify="right")
    passed = True
    for model in MODELS:
        for elo in ELOS:
            apart = difference_of(model.score, score_of(elo))
            normalized = model.normalized(apart)
            shares = coverage(
                model.pair(apart), elo, normalized, pairs=given.pairs, matches=given.matches, rng=rng
            )
            passed &= abs(shares[1] - 0.95) <= TOLERANCE
            table.add_row(str(model), f"{elo}", f"{abs(normalized):.0f}", *map(percent, shares))
    Console(highlight=False, width=120).print(table)
    return 0 if passed else 1


if __name__ == "__main__":
    sys.exit(main())
