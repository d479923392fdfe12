"""How often do the 95 % intervals of Elo and normalized Elo hold the truth? Simulated matches, one table.

    python benchmarks/elo_intervals.py [--matches 10000] [--pairs 100] [--seed 1]

Games are those of `benchmarks/sprt.py`, between bots that are 0 to 400 Elo apart. The exit code is 1 where an
interval of normalized Elo holds the truth in less than 93 % or more than 97 % of the matches.
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
from benchmarks.sprt import Field, Floats, difference_of, percent
from tesuji.arena.elo import Estimate, PairCounts, score_of

FIELDS = [Field(0.5), Field(0.7), Field(0.91), Field(0.5, drawn=0.5), Field(0.7, drawn=0.4)]
ELOS = (0, 100, 200, 300, 400)
TOLERANCE = 0.02
"""By which a coverage may be above or below 95 %: the outcomes of few pairs are few."""


def coverage(
    chances: Floats, elo: float, normalized: float, *, pairs: int, matches: int, rng: np.random.Generator
) -> tuple[float, float]:
    """Shares of matches whose intervals of Elo and of normalized Elo hold the truth."""
    found, often = np.unique(rng.multinomial(pairs, chances, size=matches), axis=0, return_counts=True)
    held = np.zeros(2)
    for counts, times in zip(found.tolist(), often.tolist(), strict=True):
        match = PairCounts(tuple(counts))
        truths = (match.elo(), elo), (match.normalized_elo(), normalized)
        held += [times * _holds(estimate, truth) for estimate, truth in truths]
    return float(held[0]) / matches, float(held[1]) / matches


def _holds(estimate: Estimate, truth: float) -> bool:
    return estimate.low <= truth <= estimate.high


def main(arguments: Sequence[str] | None = None) -> int:
    """Simulate, print the table; 1 where the interval of normalized Elo is not what it says."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--matches", type=int, default=10_000, help="simulated matches for each figure")
    parser.add_argument("--pairs", type=int, default=100, help="pairs of a match")
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args(arguments)
    rng = np.random.default_rng(given.seed)
    table = Table("first mover wins", box=box.MARKDOWN)
    for title in ("Elo", "nElo", "Elo's interval", "nElo's interval"):
        table.add_column(title, justify="right")
    kept = True
    for field in FIELDS:
        for elo in ELOS:
            apart = difference_of(field.score, score_of(elo))
            normalized = field.normalized(apart)
            shares = coverage(
                field.pair(apart), elo, normalized, pairs=given.pairs, matches=given.matches, rng=rng
            )
            kept &= abs(shares[1] - 0.95) <= TOLERANCE
            table.add_row(str(field), f"{elo}", f"{abs(normalized):.0f}", *map(percent, shares))
    Console(highlight=False, width=120).print(table)
    return 0 if kept else 1


if __name__ == "__main__":
    sys.exit(main())
