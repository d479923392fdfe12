"""What a cluster would do, from what its parts cost: a discrete-event model, small and seeded.

    python benchmarks/cluster_sizing.py --json figures.json     # what things cost here
    python benchmarks/cluster_model.py figures.json             # what follows as cores and GPUs grow
    python benchmarks/cluster_model.py figures.json --check     # the model beside tournaments that really run

A **tournament**: every core plays a game, tells the driver, and gets its next task at once. The driver is one
process: giving out a task takes it d seconds, keeping a record w seconds. While it is behind, finished games
wait in line and so do their cores: nothing piles up, and the rate is 1/(d + w).

**Training**: every worker plays its part of an iteration in slices of a few seconds. The driver takes each
slice, keeps its records, and lets the worker go on. Beside it the learner works through the iteration before.
The next iteration begins when both are done: the faster side waits, and the lag stays one iteration.

Times of games and parts vary as Gamma distributions around what was measured.
"""

from __future__ import annotations

import argparse
import heapq
import json
import random
import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from tesuji.arena.playing import Task, play
from tesuji.learn.zero.workers import SLICE_SECONDS, SLICES_PER_SECOND
from tesuji.records.store import Store
from tesuji.scale.executor import executor

FIGURES = Path(__file__).parent / "cluster" / "figures.json"
VARIATION = 0.3  # standard deviation of a game's time over its mean
CHECK_SECONDS = 6.0  # of each tournament that really runs
PART_VARIATION = 0.05  # the same of a worker's speed, from one iteration to the next

H200_EVALUATIONS = 262_133_760 / 437
"""A second, of a worker with a GPU and 16 cores: docs/models/hex11.md. There one GPU played and learned in
turns, so it can do more than this, and so can the learner."""
H200_STEPS = 7_513 / 437
"""A second, of a learner with a GPU, each of 2,048 positions: likewise."""
H200_CORES = 16


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


def read_costs(figures: dict[str, dict[str, float]]) -> Costs:
    """The costs that `cluster_sizing.py` has measured, of workers on one core and a learner on one."""
    play, learn, store = figures["selfplay"], figures["learner"], figures["store"]
    return Costs(
        evaluations=play["evaluations/s in self-play"],
        steps=learn["steps/s"],
        batch=int(learn["positions in a step"]),
        each=play["evaluations for a position"],
        plies=play["plies of a game"],
        give=give_seconds(figures),
        keep=1 / store["games/s kept 100 at once"],
        add=1 / learn["games/s into the window"],
    )


def give_seconds(figures: dict[str, dict[str, float]], executor: str = "") -> float:
    """Seconds of the driver for one task, on this executor, or on the one that needs most."""
    begin = f"driver's seconds for a task on {executor}"
    return max(seconds for name, seconds in figures["tasks"].items() if name.startswith(begin))


def rows(figures: dict[str, Any]) -> Iterator[tuple[str, Sequence[str], list[Sequence[str]]]]:
    """The tables, each with a title and a head."""
    give, keep = give_seconds(figures), 1 / figures["store"]["games/s kept one by one"]
    lines: list[Sequence[str]] = []
    for seconds in (1.0, 10.0, 60.0):
        for cores in (10, 100, 1000, 4000, 10_000):
            found = tournament(cores, game=seconds, give=give, keep=keep)
            lines.append(
                (f"{seconds:g}", f"{cores:,}", f"{found.games_per_second:,.1f}", f"{found.waiting:.0%}")
            )
    yield "Tournament", ("seconds a game", "cores", "games/s", "cores wait"), lines

    on_cores = read_costs(figures)
    with_gpu = replace(on_cores, steps=H200_STEPS, batch=2048)
    lines = []
    for workers in (10, 100, 1000, 4000):
        for uses in (10.0, 2.0):
            lines.append(_training_row(workers, with_gpu, f"{workers:,} × 1 core", uses))
    yield "Training: workers on single cores, a learner with a GPU", HEAD, lines

    gpus = replace(with_gpu, evaluations=H200_EVALUATIONS)
    lines = []
    for workers in (1, 2, 4, 7, 15):
        for uses in (10.0, 4.0, 1.0):
            lines.append(_training_row(workers, gpus, f"{workers} × (1 GPU, {H200_CORES} cores)", uses))
    yield "Training: workers with a GPU each, a learner with another", HEAD, lines


def check(figures: dict[str, Any]) -> Iterator[tuple[str, Sequence[str], list[Sequence[str]]]]:
    """Tournaments of games that only sleep, so that few processors are many cores, beside the model."""
    give, keep = give_seconds(figures, "processes"), 1 / figures["store"]["games/s kept one by one"]
    record = play(Task(game="hex", players=("mcts:iterations=100",) * 2, seed=1))
    lines: list[Sequence[str]] = []
    for seconds, cores in ((0.2, 4), (0.2, 16), (0.05, 16), (0.01, 16)):
        games = round(CHECK_SECONDS / seconds * cores)
        clocks = []
        with (
            tempfile.TemporaryDirectory() as folder,
            Store(Path(folder) / "games.db") as store,
            executor(f"processes:workers={cores}") as on,
        ):
            for number, _ in enumerate(on.map(time.sleep, iter([seconds] * games))):
                store.add(replace(record, leg=number % 1000), match="m", round=number // 1000)
                clocks.append(time.perf_counter())
        quarter = games // 4  # in full swing, and before the first workers have nothing to do
        rate = 2 * quarter / (clocks[3 * quarter] - clocks[quarter])
        expected = tournament(cores, game=seconds, give=give, keep=keep).games_per_second
        lines.append((f"{seconds:g}", f"{cores}", f"{rate:,.0f}", f"{expected:,.0f}"))
    yield "The model beside the machine", ("seconds a game", "cores", "games/s", "by the model"), lines


HEAD = ("workers", "uses", "evaluations/s", "games/s", "steps/s", "workers wait", "learner works")


def _training_row(workers: int, costs: Costs, name: str, uses: float) -> Sequence[str]:
    seconds = 30.0  # of play in an iteration: long beside a slice, short beside a run
    positions = max(1000, round(workers * costs.evaluations * seconds / costs.each))
    found = training(workers, costs, positions=positions, uses=uses)
    return (
        name,
        f"{uses:g}",
        f"{found.evaluations_per_second:,.0f}",
        f"{found.games_per_second:,.1f}",
        f"{found.steps_per_second:,.1f}",
        f"{found.waiting:.0%}",
        f"{found.learner:.0%}",
    )


def main(arguments: Sequence[str] | None = None) -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("figures", nargs="?", type=Path, default=FIGURES, help="of cluster_sizing.py")
    parser.add_argument("--check", action="store_true", help="compare the model with this machine")
    given = parser.parse_args(arguments)
    tables = check if given.check else rows
    for title, head, lines in tables(json.loads(given.figures.read_text())):
        print(f"\n{title}\n\n| {' | '.join(head)} |\n|{'---|' * len(head)}")
        for line in lines:
            print(f"| {' | '.join(line)} |")


if __name__ == "__main__":
    main()
