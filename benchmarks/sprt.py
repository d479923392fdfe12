"""Error rates of the SPRT, and the games saved by counting pairs, from simulated matches.

    python benchmarks/sprt.py [--matches 10000] [--seed 1]

Game results follow Davidson's model: with d the strength difference of the bots (in log-odds) and f the share
of decisive games that the first mover wins between equals,

    P(win) : P(draw) : P(loss) = e^(x/2) : ν : e^(−x/2),     x = d ± ln(f/(1 − f)), + for the first mover.

The first table simulates matches at both hypotheses of a test: d is chosen so that the normalized Elo of the
pairs, (mean − ½)/(√2·σ)·800/ln 10, is exactly elo0 or elo1. Each may be rejected wrongly in at most 5 % of
the matches; the exit code is 1 if a rate is more than three standard errors higher.

The second table compares two bots that are 0 or 20 Elo apart (50 % or 52.9 % of the points). One test counts
pairs, the other counts single games (wins, draws, losses) as if they were independent. For each test the
difference is converted to its own normalized Elo.
"""

from __future__ import annotations

import argparse
import math
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray
from rich import box
from rich.console import Console
from rich.table import Table

from tesuji.arena.elo import NORMALIZED, moments, score_of
from tesuji.arena.sprt import SPRT

Floats: TypeAlias = NDArray[np.float64]
LONGEST = 200_000  # pairs or games: a longer match would mean that the test does not stop


@dataclass(frozen=True)
class GameModel:
    """A kind of game: the share of decisive games won by the first mover, and of draws, between equals."""

    first: float
    drawn: float = 0.0

    def __str__(self) -> str:
        return percent(self.first, 0) + (f", {percent(self.drawn, 0)} drawn" if self.drawn else "")

    def game(self, difference: float, *, first: bool) -> Floats:
        """Probabilities of a loss, a draw and a win."""
        advantage = math.log(self.first / (1 - self.first))
        x = difference + (advantage if first else -advantage)
        draw_term = 2 * math.cosh(advantage / 2) * self.drawn / (1 - self.drawn)
        weights = np.array([math.exp(-x / 2), draw_term, math.exp(x / 2)])
        chances: Floats = weights / weights.sum()
        return chances

    def pair(self, difference: float) -> Floats:
        """Probabilities of 0, ½, 1, 1½ and 2 points."""
        return np.convolve(self.game(difference, first=True), self.game(difference, first=False))

    def score(self, difference: float) -> float:
        """The mean score."""
        return float(self.pair(difference) @ np.arange(5)) / 4

    def normalized(self, difference: float) -> float:
        """Normalized Elo of pairs."""
        mean, variance = moments(self.pair(difference), prior=0)
        return float((mean - 0.5) / np.sqrt(2 * variance)) * NORMALIZED

    def normalized_single(self, difference: float) -> float:
        """Normalized Elo of single games, half of them moving first."""
        chances = (self.game(difference, first=True) + self.game(difference, first=False)) / 2
        mean, variance = _single_moments(chances, prior=0)
        return float((mean - 0.5) / np.sqrt(variance)) * NORMALIZED


MODELS = [GameModel(0.5), GameModel(0.7), GameModel(0.81), GameModel(0.91), GameModel(0.7, drawn=0.4)]
TESTS = [SPRT(0, 20), SPRT(0, 100), SPRT(0, 200)]


@dataclass(frozen=True)
class Outcome:
    """Results of many matches."""

    accepted: float
    """Share of matches in which H1 was accepted; in the others, H0 was."""
    games: float
    """Mean length."""


def simulate(test: SPRT, chances: Floats, matches: int, rng: np.random.Generator) -> Outcome:
    """Simulate matches of pairs."""

    def llrs(counts: Floats, pairs: int) -> Floats:
        mean, variance = moments(counts)
        return test.llrs(pairs, (mean - 0.5) / np.sqrt(variance))

    accepted, pairs = _run(test, [chances], llrs, matches, rng)
    return Outcome(accepted, 2 * pairs)


def simulate_single(test: SPRT, chances: Sequence[Floats], matches: int, rng: np.random.Generator) -> Outcome:
    """Simulate matches of single games; the bots alternate in moving first."""
    per_game = SPRT(test.elo0 / math.sqrt(2), test.elo1 / math.sqrt(2))  # SPRT's unit is that of pairs

    def llrs(counts: Floats, games: int) -> Floats:
        mean, variance = _single_moments(counts)
        return per_game.llrs(games, (mean - 0.5) / np.sqrt(variance))

    return Outcome(*_run(test, chances, llrs, matches, rng))


def _single_moments(counts: Floats, prior: float = 1.0) -> tuple[Floats, Floats]:
    weights = counts + prior * np.array([0.5, 0, 0.5])
    mean = weights @ np.array([0, 0.5, 1]) / weights.sum(axis=-1)
    return mean, weights @ np.array([0, 0.25, 1]) / weights.sum(axis=-1) - mean**2


def _run(
    test: SPRT,
    chances: Sequence[Floats],
    llrs: Callable[[Floats, int], Floats],
    matches: int,
    rng: np.random.Generator,
) -> tuple[float, float]:
    """Advance all matches step by step: the share of H1, and the mean number of steps."""
    lower, upper = test.bounds
    counts = np.zeros((matches, len(chances[0])))
    limits = [np.cumsum(each)[:-1] for each in chances]
    accepted = steps = 0
    for step in range(1, LONGEST + 1):
        results = np.searchsorted(limits[step % len(limits)], rng.random(len(counts)), side="right")
        counts[np.arange(len(counts)), results] += 1
        ratios = llrs(counts, step)
        ended = (ratios <= lower) | (ratios >= upper)
        if ended.any():
            accepted += int((ratios >= upper).sum())
            steps += step * int(ended.sum())
            counts = counts[~ended]
            if not len(counts):
                return accepted / matches, steps / matches
    raise RuntimeError(f"{len(counts)} of {matches} matches were not decided after {LONGEST} steps")


def difference_of(measure: Callable[[float], float], wanted: float) -> float:
    """The strength difference at which an increasing measure has the wanted value."""
    low, high = -20.0, 20.0
    for _ in range(100):
        middle = (low + high) / 2
        low, high = (middle, high) if measure(middle) < wanted else (low, middle)
    return (low + high) / 2


def simulate_hypotheses(
    test: SPRT, model: GameModel, matches: int, rng: np.random.Generator
) -> tuple[Outcome, Outcome]:
    """The outcomes at H0 and at H1."""
    null, other = (
        simulate(test, model.pair(difference_of(model.normalized, elo)), matches, rng)
        for elo in (test.elo0, test.elo1)
    )
    return null, other


def percent(share: float, digits: int = 1) -> str:
    """Format a share: `percent(0.05) == "5.0 %"`."""
    return f"{100 * share:.{digits}f} %"


def bound(rate: float, matches: int) -> float:
    """The error rate plus three standard errors of the simulation."""
    return rate + 3 * math.sqrt(rate * (1 - rate) / matches)


def show_error_rates(console: Console, matches: int, rng: np.random.Generator) -> bool:
    """Print the first table; return whether all error rates hold."""
    table = Table("SPRT", "first mover wins", box=box.MARKDOWN)
    for title in ("H1 accepted at H0", "H0 accepted at H1", "games at H0", "games at H1"):
        table.add_column(title, justify="right")
    kept = True
    for test in TESTS:
        for model in MODELS:
            null, other = simulate_hypotheses(test, model, matches, rng)
            errors = null.accepted, 1 - other.accepted
            kept &= errors[0] <= bound(test.alpha, matches) and errors[1] <= bound(test.beta, matches)
            games = [f"{outcome.games:.0f}" for outcome in (null, other)]
            table.add_row(f"[{test.elo0:g}, {test.elo1:g}]", str(model), *map(percent, errors), *games)
    console.print(table)
    return kept


def show_saving(console: Console, matches: int, rng: np.random.Generator) -> None:
    """Print the second table."""
    table = Table("first mover wins", box=box.MARKDOWN)
    titles = ("nElo, pairs", "nElo, single", "0 Elo: pairs", "single", "20 Elo: pairs", "single")
    for title in titles:
        table.add_column(title, justify="right")
    for model in MODELS:
        apart = difference_of(model.score, score_of(20))
        elos = model.normalized(apart), model.normalized_single(apart)
        games = []
        for d in (0.0, apart):
            games.append(simulate(SPRT(0, elos[0]), model.pair(d), matches, rng).games)
            chances = [model.game(d, first=first) for first in (True, False)]
            games.append(simulate_single(SPRT(0, elos[1]), chances, matches, rng).games)
        table.add_row(str(model), *(f"{elo:.1f}" for elo in elos), *(f"{count:.0f}" for count in games))
    console.print(table)


def main(arguments: Sequence[str] | None = None) -> int:
    """Simulate and print the tables; return 1 if an error rate is too high."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--matches", type=int, default=10_000, help="simulated matches per figure")
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args(arguments)
    console = Console(highlight=False, width=120)
    rng = np.random.default_rng(given.seed)
    kept = show_error_rates(console, given.matches, rng)
    show_saving(console, given.matches, rng)
    if not kept:
        console.print(f"an error rate is above {percent(bound(0.05, given.matches))}")
    return 0 if kept else 1


if __name__ == "__main__":
    sys.exit(main())
