"""Predict a cluster's throughput from measured costs, with a discrete-event model (`cluster_events.py`).

python benchmarks/cluster_sizing.py --json benchmarks/cluster/figures.json     # measure the costs
python benchmarks/cluster_model.py                    # predictions by number of cores and GPUs, and a plan
python benchmarks/cluster_model.py --check            # compare the model with real tournaments
python benchmarks/cluster_model.py --write            # write the tables into docs/cluster_sizing.md
"""

from __future__ import annotations

import argparse
import json
import re
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1]))
from benchmarks.cluster_events import Costs, Training, tournament, training
from tesuji.arena.playing import Task, play
from tesuji.records.store import Store
from tesuji.scale.executor import executor

FIGURES = Path(__file__).parent / "cluster" / "figures.json"
PAGE = Path(__file__).parents[1] / "docs" / "cluster_sizing.md"
PLACE = re.compile(r"(<!-- cluster: (\w+) -->\n).*?(<!-- end of cluster -->)", re.DOTALL)

H200_EVALUATIONS = 262_133_760 / 437
"""Per second, of a worker with a GPU and 16 cores: docs/models/hex11.md. That GPU alternated between playing
and learning, so this is a lower bound, and so is H200_STEPS."""
H200_STEPS = 7_513 / 437
"""Per second, of a learner with a GPU, each of H200_BATCH positions."""
H200_BATCH = 2048
H200_CORES = 16
H200_GAMES = 4096
"""Parallel games per worker with a GPU."""

PLAN_CORES, PLAN_GPUS = 1000, 8
GAME_SECONDS = 10.0  # in the plan's tournament
ITERATION_SECONDS = 30.0  # of play: long compared with a slice, short compared with a run
CHECK_SECONDS = 6.0  # duration of each real tournament

Figures = dict[str, dict[str, float]]
Rows = list[Sequence[str]]


def table(head: Sequence[str], rows: Rows) -> str:
    """A Markdown table."""
    lines = [f"| {' | '.join(row)} |" for row in (head, *rows)]
    return "\n".join([lines[0], "|" + "---|" * len(head), *lines[1:]]) + "\n"


def measured(figures: Figures) -> str:
    """The measured figures."""
    rows: Rows = [
        (name, what, f"{number:,.4g}" if number < 1000 else f"{number:,.0f}")
        for name, numbers in figures.items()
        for what, number in numbers.items()
    ]
    return table(("of", "figure", "here"), rows)


def tournaments(figures: Figures) -> str:
    """Games per second, by duration of a game and number of cores."""
    give, keep = give_seconds(figures), keep_seconds(figures)
    rows: Rows = []
    for seconds in (1.0, GAME_SECONDS, 60.0):
        for cores in (100, PLAN_CORES, 10_000):
            found = tournament(cores, game=seconds, give=give, keep=keep)
            rate = f"{found.games_per_second:,.1f}"
            rows.append((f"{seconds:g}", f"{cores:,}", rate, f"{found.waiting:.0%}"))
    return table(("seconds per game", "cores", "games/s", "cores wait"), rows)


def on_cores(figures: Figures) -> str:
    """Training with one worker per core, and a learner with a GPU."""
    costs = with_learner(figures)
    rows = [
        training_row(f"{workers:,}", workers, costs, uses)
        for workers in (10, 100, 1000, 4000)
        for uses in (10, 2)
    ]
    return table(("cores", *TRAINING), rows)


def on_gpus(figures: Figures) -> str:
    """Training with a GPU and 16 cores per worker, and one more GPU for the learner."""
    costs = with_gpus(figures)
    rows = [
        training_row(f"{workers}", workers, costs, uses)
        for workers in (1, 2, 4, 7, 15)
        for uses in (10, 4, 1)
    ]
    return table(("GPUs that play", *TRAINING), rows)


TRAINING = ("uses", "evaluations/s", "games/s", "steps/s", "workers wait", "learner works")


def training_row(name: str, workers: int, costs: Costs, uses: float) -> Sequence[str]:
    """One row of the training tables."""
    found = train(workers, costs, uses)
    numbers = f"{found.evaluations_per_second:,.0f}", f"{found.games_per_second:,.1f}"
    return (
        name,
        f"{uses:g}",
        *numbers,
        f"{found.steps_per_second:,.1f}",
        f"{found.waiting:.0%}",
        f"{found.learner:.0%}",
    )


def train(workers: int, costs: Costs, uses: float) -> Training:
    """Simulate iterations of ITERATION_SECONDS of play."""
    positions = max(1000, round(workers * costs.evaluations * ITERATION_SECONDS / costs.each))
    return training(workers, costs, positions=positions, uses=uses)


def plan(figures: Figures) -> str:
    """A plan for a thousand cores and eight GPUs."""
    costs, sent = with_gpus(figures), figures["selfplay"]
    players = PLAN_GPUS - 1
    free = PLAN_CORES - PLAN_GPUS * H200_CORES
    # As many uses as the learner has time for.
    rate = train(players, costs, 0.01).evaluations_per_second / costs.each
    uses = costs.steps * costs.batch / (rate * costs.full)
    found = train(players, costs, 0.9 * uses)
    arena = tournament(free, game=GAME_SECONDS, give=give_seconds(figures), keep=keep_seconds(figures))
    games = found.games_per_second
    traffic = games * (sent["bytes of a game, to learn from"] + sent["bytes of a game, as a record"])
    progress = players * H200_GAMES * sent["bytes of a game in progress"]
    disk = games * figures["store"]["bytes of a game in the file"] * 86_400
    positions = found.evaluations_per_second / costs.each
    speed = f"{positions * costs.each:,.0f} evaluations/s, {positions:,.0f} positions/s, {games:,.0f} games/s"
    steps = (
        f"{found.steps_per_second:.1f} steps/s of {costs.batch:,} positions, which is `uses={0.9 * uses:.1f}`"
    )
    matches = (
        f"{arena.games_per_second:,.0f} games/s of {GAME_SECONDS:g} s each; cores wait {arena.waiting:.0%}"
    )
    rows: Rows = [
        ("self-play", f"{players} GPUs, {players * H200_CORES} cores", speed),
        ("learner, driver, store", f"1 GPU, {H200_CORES} cores", steps),
        ("arena", f"{free} cores", matches),
        (
            "an iteration",
            "",
            f"{ITERATION_SECONDS:g} s, {positions * ITERATION_SECONDS / 1e6:.1f} million positions",
        ),
        ("weights to each node", "", f"{_mebibytes(sent['bytes of the weights'])} an iteration"),
        ("games to the driver", "", f"{_mebibytes(traffic)}/s"),
        ("games in progress, to and fro", "", f"{_mebibytes(progress)} an iteration"),
        ("the driver's time for records", "", f"{games * costs.keep:.0%}"),
        ("store", "", f"{_mebibytes(disk)} a day"),
    ]
    return table(("what", "where", "how much"), rows)


def _mebibytes(count: float) -> str:
    return f"{count / 2**20:,.1f} MiB"


def with_learner(figures: Figures) -> Costs:
    """Costs of a worker on one core, and a learner with a GPU."""
    play, learn, store = figures["selfplay"], figures["learner"], figures["store"]
    return Costs(
        evaluations=play["evaluations/s in self-play"],
        steps=H200_STEPS,
        batch=H200_BATCH,
        each=play["evaluations for a position"],
        plies=play["plies of a game"],
        give=give_seconds(figures),
        keep=1 / store["games/s kept 100 at once"],
        add=1 / learn["games/s into the window"],
    )


def with_gpus(figures: Figures) -> Costs:
    """Costs with a GPU per worker."""
    return replace(with_learner(figures), evaluations=H200_EVALUATIONS)


def give_seconds(figures: Figures, where: str = "") -> float:
    """Driver seconds per task, on this executor, or on the most expensive one."""
    begin = f"driver's seconds for a task on {where}"
    return max(seconds for name, seconds in figures["tasks"].items() if name.startswith(begin))


def keep_seconds(figures: Figures) -> float:
    """Driver seconds to store one game of a tournament on disk."""
    return 1 / figures["store"]["games/s kept one by one"]


def check(figures: Figures) -> str:
    """The model against tournaments whose games only sleep, so that few processors can be many cores."""
    give, keep = give_seconds(figures, "processes"), keep_seconds(figures)
    record = play(Task(game="hex", players=("mcts:iterations=100",) * 2, seed=1))
    rows: Rows = []
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
        quarter = games // 4  # in the steady state, before the first workers run out of tasks
        rate = 2 * quarter / (clocks[3 * quarter] - clocks[quarter])
        expected = tournament(cores, game=seconds, give=give, keep=keep).games_per_second
        rows.append((f"{seconds:g}", f"{cores}", f"{rate:,.0f}", f"{expected:,.0f}"))
    return table(("seconds per game", "cores", "games/s", "by the model"), rows)


TABLES = {each.__name__: each for each in (measured, tournaments, on_cores, on_gpus, plan)}


def with_tables(page: str, figures: Figures) -> str:
    """The page with its tables updated."""
    return PLACE.sub(lambda place: f"{place[1]}\n{TABLES[place[2]](figures)}\n{place[3]}", page)


def main(arguments: Sequence[str] | None = None) -> None:
    """Print the tables, or write them into the page."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("figures", nargs="?", type=Path, default=FIGURES, help="from cluster_sizing.py")
    parser.add_argument("--check", action="store_true", help="compare the model with this machine")
    parser.add_argument("--write", action="store_true", help="write the tables into docs/cluster_sizing.md")
    given = parser.parse_args(arguments)
    figures: Any = json.loads(given.figures.read_text())
    if given.write:
        PAGE.write_text(with_tables(PAGE.read_text(encoding="utf-8"), figures), encoding="utf-8")
    elif given.check:
        print(check(figures))
    else:
        for make in TABLES.values():
            print(f"{make.__doc__}\n\n{make(figures)}")


if __name__ == "__main__":
    main()
