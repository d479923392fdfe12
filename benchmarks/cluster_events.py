"""A cluster at work as a discrete-event model: tournaments and training, small, plain and seeded.

A **tournament**: every core plays a game, tells the driver, and gets its next task at once. The driver is one
process: giving out a task takes it d seconds, keeping a record w seconds. While it is behind, finished games
wait in line and so do their cores: nothing piles up, and the rate is 1/(d + w).

**Training**: every worker plays its part of an iteration in slices of a few seconds. The driver takes each
slice, keeps its records, and lets the worker go on. Beside it the learner works through the iteration before.
The next iteration begins when both are done: the faster side waits, and the lag stays one iteration.

Times of games and parts vary as Gamma distributions around their means.
"""

from __future__ import annotations

import heapq
import random
from dataclasses import dataclass

from tesuji.learn.zero.workers import SLICE_SECONDS, SLICES_PER_SECOND

VARIATION = 0.3  # standard deviation of a game's time over its mean
PART_VARIATION = 0.05  # the same of a worker's speed, from one iteration to the next


@dataclass(frozen=True)
class Tournament:
    """Games a second that cores play, and the share of their time in which they wait for the driver."""

    games_per_second: float
    waiting: float


def tournament(
    cores: int, *, game: float, give: float, keep: float, rounds: int = 20, seed: int = 1
) -> Tournament:
    """Let each core play so many games on average; the driver takes `give` and `keep` seconds for each."""
    rng = random.Random(seed)
    shape = 1 / VARIATION**2
    # A game ends; the driver, when it is free, gives the core its next task, and then keeps the record.
    ends = [rng.uniform(0, game) for _ in range(cores)]  # in full swing from the start
    heapq.heapify(ends)
    free, games = 0.0, rounds * cores
    for _ in range(games):
        given = max(heapq.heappop(ends), free) + give
        free = given + keep
        heapq.heappush(ends, given + rng.gammavariate(shape, game / shape))
    return Tournament(games / free, max(0.0, 1 - games * game / (cores * free)))


@dataclass(frozen=True)
class Costs:
    """Of training. Seconds, where nothing else is said."""

    evaluations: float
    """A second, of one worker."""
    steps: float
    """A second, of the learner."""
    batch: int
    """Positions in a step."""
    each: float
    """Evaluations for a position."""
    plies: float
    """Positions of a game."""
    give: float
    """Of the driver, to take a slice and give out the next."""
    keep: float
    """Of the driver, to keep a record."""
    add: float
    """Of the driver, to put a game into the window."""
    full: float = 0.25
    """Share of the positions that are learned from."""


@dataclass(frozen=True)
class Training:
    """What came of it, on average over iterations."""

    evaluations_per_second: float
    games_per_second: float
    steps_per_second: float
    waiting: float
    """Share of the workers' time in which they wait: for the learner, the driver or the slowest of them."""
    learner: float
    """Share of the time in which the learner works."""


def training(
    workers: int, costs: Costs, *, positions: int, uses: float, iterations: int = 12, seed: int = 1
) -> Training:
    """Let workers play iterations of so many positions each; every position that counts is used so often."""
    rng = random.Random(seed)
    games = positions / costs.plies
    learning = positions * costs.full * uses / costs.batch / costs.steps
    now = busy = worked = 0.0
    for iteration in range(iterations):
        ended, playing = _iteration(rng, workers, costs, positions, games)
        took = max(ended, learning if iteration > 0 else 0.0) + games * costs.add
        now += took
        busy += playing
        worked += learning if iteration > 0 else 0.0
    evaluations = positions * costs.each * iterations / now
    return Training(
        evaluations,
        games * iterations / now,
        worked * costs.steps / now,
        1 - busy / (workers * now),
        worked / now,
    )


def _iteration(
    rng: random.Random, workers: int, costs: Costs, positions: int, games: float
) -> tuple[float, float]:
    """When the last part is over, and the workers' playing time together."""
    shape = 1 / PART_VARIATION**2
    part = positions / workers * costs.each / costs.evaluations
    left = [rng.gammavariate(shape, part / shape) for _ in range(workers)]
    total = sum(left)
    kept = games / total * costs.keep  # seconds of the driver for a second of play
    length = max(SLICE_SECONDS, workers / SLICES_PER_SECOND)
    events = [(min(length, left[worker]), worker) for worker in range(workers)]
    heapq.heapify(events)
    free = over = 0.0
    while events:
        arrived, worker = heapq.heappop(events)
        played = min(length, left[worker])
        left[worker] -= played
        free = max(arrived, free) + kept * played + costs.give
        over = max(over, free)
        if left[worker] > 1e-9:
            heapq.heappush(events, (free + min(length, left[worker]), worker))
    return over, total
