"""A small discrete-event model of tournaments and training on a cluster.

**Tournament**: every core plays a game, reports to the driver, and gets its next task. The driver is a single
process that needs d seconds to hand out a task and w seconds to store a record. When it is saturated, cores
with finished games wait for it: no queue builds up, and the rate is 1/(d + w).

**Training**: every worker plays its share of an iteration in slices of a few seconds. The driver receives
each slice, stores its records, and resumes the worker. Meanwhile the learner processes the previous
iteration. The next iteration starts when both are done: the faster side waits, and the lag is always one
iteration.

Durations of games and shares follow gamma distributions.
"""

from __future__ import annotations

import heapq
import random
from dataclasses import dataclass

from tesuji.learn.zero.remote_selfplay import SLICE_SECONDS, SLICES_PER_SECOND

VARIATION = 0.3  # standard deviation of a game's duration divided by its mean
PART_VARIATION = 0.05  # the same for a worker's speed, between iterations


@dataclass(frozen=True)
class Tournament:
    """Games per second, and the share of time that cores wait for the driver."""

    games_per_second: float
    waiting: float


def tournament(
    cores: int, *, game: float, give: float, keep: float, rounds: int = 20, seed: int = 1
) -> Tournament:
    """Each core plays `rounds` games on average; the driver takes `give` and `keep` seconds per game."""
    rng = random.Random(seed)
    shape = 1 / VARIATION**2
    # When a game ends, the driver, once free, hands out the core's next task, then stores the record.
    ends = [rng.uniform(0, game) for _ in range(cores)]  # start in the steady state
    heapq.heapify(ends)
    free, games = 0.0, rounds * cores
    for _ in range(games):
        given = max(heapq.heappop(ends), free) + give
        free = given + keep
        heapq.heappush(ends, given + rng.gammavariate(shape, game / shape))
    return Tournament(games / free, max(0.0, 1 - games * game / (cores * free)))


@dataclass(frozen=True)
class Costs:
    """Costs of training; in seconds unless noted."""

    evaluations: float
    """Per second and worker."""
    steps: float
    """Per second, of the learner."""
    batch: int
    """Positions per step."""
    each: float
    """Evaluations per position."""
    plies: float
    """Positions per game."""
    give: float
    """Driver time to receive a slice and hand out the next."""
    keep: float
    """Driver time to store a record."""
    add: float
    """Driver time to add a game to the window."""
    full: float = 0.25
    """Share of the positions that are used for training."""


@dataclass(frozen=True)
class Training:
    """Results, averaged over iterations."""

    evaluations_per_second: float
    games_per_second: float
    steps_per_second: float
    waiting: float
    """Share of the workers' time spent waiting for the learner, the driver or the slowest worker."""
    learner: float
    """Share of the time that the learner is busy."""


def training(
    workers: int, costs: Costs, *, positions: int, uses: float, iterations: int = 12, seed: int = 1
) -> Training:
    """Simulate iterations of `positions` positions; each training position is used `uses` times."""
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
    """When the last share is finished, and the workers' total playing time."""
    shape = 1 / PART_VARIATION**2
    part = positions / workers * costs.each / costs.evaluations
    left = [rng.gammavariate(shape, part / shape) for _ in range(workers)]
    total = sum(left)
    kept = games / total * costs.keep  # driver seconds per second of play
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
