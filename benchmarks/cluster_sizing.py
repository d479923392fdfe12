"""Measure the cost of each part of a cluster's work on this machine, and compute what a cluster can do.

    python benchmarks/cluster_sizing.py [--only FIGURE] [--seconds 10] [--device cpu] [--json FILE]
    python benchmarks/cluster_sizing.py --write    # the tables of docs/cluster_sizing.md

Everything is measured on one core, in processor time, except for `store`, which waits for the disk, and GPU
work; these are measured in wall time.

A tournament has one driver, which needs d seconds to hand out a game and w seconds to store it: n cores that
need t seconds for a game play min(n / (t + d), 1 / (d + w)) games per second. In training the workers wait
for the slowest of them and for the driver, and the next iteration starts when the learner has done the last.
"""

from __future__ import annotations

import argparse
import copy
import json
import math
import pickle
import re
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from statistics import median
from typing import Any

import numpy as np

import tesuji

sys.path.insert(0, str(Path(__file__).parents[1]))
from benchmarks.common import table
from tesuji.arena.playing import Task, play
from tesuji.learn.zero.remote_selfplay import SLICE_SECONDS, SLICES_PER_SECOND
from tesuji.models.bundled import BUNDLED
from tesuji.models.network import Network
from tesuji.models.network_format import shape_of
from tesuji.planes import planes_of
from tesuji.records.store import Store
from tesuji.scale.executor import executor

NET = "resnet:blocks=6,channels=96"
"""As in the included networks."""
SMALL = "resnet:blocks=1,channels=8"
PAIRS = (
    ("hex", "mcts:iterations=1000"),
    ("gomoku", "mcts:iterations=1000"),
    ("onitama", "alphabeta:nodes=20000"),
    ("hex", "zero:visits=64"),
)
BATCH = 16
TASKS = 2000
GAMES = 1000
ROUNDS = 3

KEPT = Path(__file__).parent / "cluster" / "figures.json"
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
LEARNED = 0.25  # share of the positions that are used for training
SPREAD = 0.05  # standard deviation of a worker's speed between iterations, divided by its mean
PLAN_CORES, PLAN_GPUS = 1000, 8
GAME_SECONDS = 10.0  # in the plan's tournament
ITERATION_SECONDS = 30.0  # of play: long compared with a slice, short compared with a run

Numbers = dict[str, float]


def bots(given: argparse.Namespace) -> Numbers:
    """Games per second of some bots against themselves."""
    found: Numbers = {}
    for game, bot in PAIRS:
        games, began = 0, time.process_time()
        while time.process_time() - began < given.seconds:
            play(Task(game=game, players=(bot, bot), seed=games))
            games += 1
        found[f"{game} {bot} games/s"] = games / (time.process_time() - began)
    return found


def networks(given: argparse.Namespace) -> Numbers:
    """Evaluations per second of the included networks."""
    found: Numbers = {}
    for name in BUNDLED:
        network = Network(name, tesuji.game(name))
        shape = network.description.shape
        planes = np.ones((BATCH, shape.planes, shape.rows, shape.columns), np.float32)
        calls, began = 0, time.process_time()
        while time.process_time() - began < given.seconds:
            network(planes)
            calls += 1
        found[f"{name} evaluations/s"] = calls * BATCH / (time.process_time() - began)
    return found


def clock(given: argparse.Namespace) -> float:
    """Processor time, which does not depend on other load; wall time for a GPU."""
    return time.process_time() if given.device == "cpu" else time.perf_counter()


def make_worker(given: argparse.Namespace, net: str, device: str, **settings: object) -> tuple[Any, Any]:
    """A training worker, and random weights for it."""
    from tesuji.learn.zero.remote_selfplay import SelfPlayWorker
    from tesuji.models.resnet import make_network
    from tesuji.models.weights import copy_weights

    fixed = {"net": net, "games": given.games, "threads": given.threads, "prover": "off"}
    texts = {key: str(value) for key, value in {**fixed, **settings}.items()}
    weights = copy_weights(make_network(net, shape_of(planes_of(tesuji.game(given.game))), 1))
    return SelfPlayWorker(given.game, texts, device, "zero"), weights


def selfplay(given: argparse.Namespace) -> Numbers:
    """A training worker with random weights: its speed, and the size of what it sends."""
    from tesuji.learn.zero.remote_selfplay import SelfPlayTask

    settings = {"visits": 160, "fast_visits": 24, "opening_plies": 2}
    worker, weights = make_worker(given, NET, given.device, **settings)
    worker.start(weights, SelfPlayTask(0, 1, 160, 10**9, {}), 0.2)  # warm-up
    began = clock(given)
    worker.start(weights, SelfPlayTask(1, 1, 160, 10**9, {}), given.seconds)
    took = clock(given) - began
    found: Numbers = {
        "evaluations/s in self-play": worker.finish(1).counters["evaluations"] / took,
        "bytes of the weights": sum(array.nbytes for array in weights.values()),
    }
    # The amount sent does not depend on the network, so use a small one.
    worker, weights = make_worker(given, SMALL, "cpu", **settings)
    piece = worker.start(weights, SelfPlayTask(2, 1, 160, 10**9, {}), 0.2)
    games = plies = learned = recorded = 0
    while games < 2 * given.games:  # of all lengths
        games += len(piece.records)
        plies += sum(len(record.moves) for record in piece.records)
        learned += len(pickle.dumps(piece.games))
        recorded += len(pickle.dumps(piece.records))
        piece = worker.resume(2, 1.0)
    began = time.process_time()
    last = worker.finish(2)
    packed = time.process_time() - began
    return found | {
        "evaluations for a position": last.counters["evaluations"] / last.counters["plies"],
        "plies of a game": plies / games,
        "bytes of a game, to learn from": learned / games,
        "bytes of a game, as a record": recorded / games,
        "bytes of a game in progress": len(pickle.dumps(last.unfinished)) / given.games,
        "seconds to pack a game in progress": packed / given.games,
    }


def learner(given: argparse.Namespace) -> Numbers:
    """Steps per second of the learner, and the driver's other work per game."""
    import torch

    from tesuji.learn.zero.config import ZeroConfig
    from tesuji.learn.zero.evaluator import find_device
    from tesuji.learn.zero.learner import Learner, TensorBatch
    from tesuji.learn.zero.remote_selfplay import SelfPlayTask
    from tesuji.learn.zero.window import Window
    from tesuji.models.resnet import make_network

    if given.device == "cpu":
        torch.set_num_threads(1)
    game = tesuji.game(given.game)
    planes, device = planes_of(game), find_device(given.device)
    shape = shape_of(planes)
    config = ZeroConfig(net=NET, batch=given.batch)
    trained = Learner(make_network(NET, shape, 1), config, device)
    worker, weights = make_worker(given, SMALL, "cpu", visits=8, fast_visits=2)
    games = worker.start(weights, SelfPlayTask(0, 1, 8, 20 * given.batch, {}), 60.0).games
    window = Window(game, planes, capacity=10**6)
    began = time.process_time()
    window.add_arrays(games)
    found: Numbers = {"games/s into the window": len(games["scores"]) / (time.process_time() - began)}
    began, drawn = time.process_time(), 0
    while time.process_time() - began < given.seconds / 4:
        batch = window.sample(config.batch, seed=drawn)
        drawn += 1
    found["batches/s drawn"] = drawn / (time.process_time() - began)
    arrays = (batch.planes, batch.policy, batch.value, batch.value_weight, batch.reply, batch.moves_left)
    tensors = TensorBatch(*(torch.from_numpy(array).to(device) for array in arrays))
    float(trained.learn(tensors).total)
    steps, began = 0, clock(given)
    while clock(given) - began < given.seconds:
        float(trained.learn(tensors).total)
        steps += 1
    rate = steps / (clock(given) - began)
    return found | {"positions in a step": config.batch, "steps/s": rate, "positions/s": rate * config.batch}


def store(given: argparse.Namespace) -> Numbers:
    """Games per second that one writer can store, singly and in batches; bytes per game in the file."""
    record = play(Task(game="hex", players=("mcts:iterations=100",) * 2, seed=1))
    records = [replace(record, leg=leg) for leg in range(GAMES)]
    found: Numbers = {"moves of a game": len(record.moves)}

    def one_by_one(kept: Store) -> None:
        for each in records[: GAMES // 4]:
            kept.add(each, match="m", round=0)

    def in_rounds(kept: Store) -> None:
        for round in range(GAMES // 100):
            kept.add_round(records[100 * round : 100 * (round + 1)], match="m", round=round)

    for name, fill in (("one by one", one_by_one), ("100 at once", in_rounds)):
        rates = []
        for _ in range(ROUNDS):
            with tempfile.TemporaryDirectory() as folder:
                path = Path(folder) / "games.db"
                with Store(path) as kept:
                    began = time.perf_counter()
                    fill(kept)
                    rates.append(kept.count() / (time.perf_counter() - began))
                    count = kept.count()
                found["bytes of a game in the file"] = path.stat().st_size / count
        found[f"games/s kept {name}"] = median(rates)
    return found


def tasks(given: argparse.Namespace) -> Numbers:
    """Empty tasks: completed per second of wall time, and driver time per task."""
    record = play(Task(game="hex", players=("random",) * 2, seed=1))
    found: Numbers = {}
    for spec in given.on:
        with executor(spec) as on:
            _exhaust(on.map(copy.copy, iter([record] * 100)))  # wait until all workers have started
            began, busy = time.perf_counter(), time.process_time()
            _exhaust(on.map(copy.copy, iter([record] * TASKS)))
            found[f"tasks/s on {spec}"] = TASKS / (time.perf_counter() - began)
            found[f"driver's seconds for a task on {spec}"] = (time.process_time() - busy) / TASKS
    return found


def _exhaust(items: Iterable[object]) -> None:
    for _ in items:
        pass


FIGURES: dict[str, Callable[[argparse.Namespace], Numbers]] = {
    figure.__name__: figure for figure in (bots, networks, selfplay, learner, store, tasks)
}


Rows = list[Sequence[str]]
TRAINING = ("uses", "evaluations/s", "games/s", "steps/s", "workers wait", "learner works")


def measured(of: dict[str, Numbers]) -> str:
    """The measured figures."""
    rows: Rows = [
        (name, what, f"{number:,.4g}" if number < 1000 else f"{number:,.0f}")
        for name, numbers in of.items()
        for what, number in numbers.items()
    ]
    return table(("of", "figure", "here"), rows)


def give_seconds(of: dict[str, Numbers]) -> float:
    """The driver's seconds for a task, on the most expensive executor."""
    return max(seconds for name, seconds in of["tasks"].items() if name.startswith("driver's seconds"))


def games_per_second(cores: int, seconds: float, of: dict[str, Numbers]) -> float:
    """The rate of a tournament whose games take so many seconds."""
    give, keep = give_seconds(of), 1 / of["store"]["games/s kept one by one"]
    return min(cores / (seconds + give), 1 / (give + keep))


def tournaments(of: dict[str, Numbers]) -> str:
    """Games per second, by duration of a game and number of cores."""
    rows: Rows = []
    for seconds in (1.0, GAME_SECONDS, 60.0):
        for cores in (100, PLAN_CORES, 10_000):
            rate = games_per_second(cores, seconds, of)
            rows.append((f"{seconds:g}", f"{cores:,}", f"{rate:,.1f}", f"{1 - rate * seconds / cores:.0%}"))
    return table(("seconds per game", "cores", "games/s", "cores wait"), rows)


def iteration(
    workers: int, evaluations: float, uses: float, of: dict[str, Numbers]
) -> tuple[float, float, float]:
    """An iteration of ITERATION_SECONDS of play: its positions, its seconds, and those of the learner."""
    each, plies = of["selfplay"]["evaluations for a position"], of["selfplay"]["plies of a game"]
    positions = workers * evaluations * ITERATION_SECONDS / each
    games = positions / plies
    slices = workers * ITERATION_SECONDS / max(SLICE_SECONDS, workers / SLICES_PER_SECOND)
    driver = slices * give_seconds(of) + games / of["store"]["games/s kept 100 at once"]
    slowest = ITERATION_SECONDS * (
        1 + SPREAD * math.sqrt(2 * math.log(workers))
    )  # of as many normal variables
    learning = positions * LEARNED * uses / H200_BATCH / H200_STEPS
    added = games / of["learner"]["games/s into the window"]
    return positions, max(slowest, driver, learning) + added, learning


def training_row(
    name: str, workers: int, evaluations: float, uses: float, of: dict[str, Numbers]
) -> Sequence[str]:
    """One row of the training tables."""
    positions, seconds, learning = iteration(workers, evaluations, uses, of)
    each, plies = of["selfplay"]["evaluations for a position"], of["selfplay"]["plies of a game"]
    return (
        name,
        f"{uses:g}",
        f"{positions * each / seconds:,.0f}",
        f"{positions / plies / seconds:,.1f}",
        f"{learning * H200_STEPS / seconds:,.1f}",
        f"{1 - ITERATION_SECONDS / seconds:.0%}",
        f"{learning / seconds:.0%}",
    )


def on_cores(of: dict[str, Numbers]) -> str:
    """Training with one worker per core, and a learner with a GPU."""
    speed = of["selfplay"]["evaluations/s in self-play"]
    rows = [
        training_row(f"{cores:,}", cores, speed, uses, of)
        for cores in (10, 100, 1000, 4000)
        for uses in (10, 2)
    ]
    return table(("cores", *TRAINING), rows)


def on_gpus(of: dict[str, Numbers]) -> str:
    """Training with a GPU and 16 cores per worker, and one more GPU for the learner."""
    rows = [
        training_row(f"{gpus}", gpus, H200_EVALUATIONS, uses, of)
        for gpus in (1, 2, 4, 7, 15)
        for uses in (10, 4, 1)
    ]
    return table(("GPUs that play", *TRAINING), rows)


def plan(of: dict[str, Numbers]) -> str:
    """A plan for a thousand cores and eight GPUs."""
    sent = of["selfplay"]
    players, free = PLAN_GPUS - 1, PLAN_CORES - PLAN_GPUS * H200_CORES
    positions, seconds, once = iteration(players, H200_EVALUATIONS, 1.0, of)
    uses = 0.9 * seconds / once  # nearly as many as the learner has time for
    rate = positions / seconds
    games = rate / sent["plies of a game"]
    traffic = games * (sent["bytes of a game, to learn from"] + sent["bytes of a game, as a record"])
    arena = games_per_second(free, GAME_SECONDS, of)
    evaluations = rate * sent["evaluations for a position"]
    speed = f"{evaluations:,.0f} evaluations/s, {rate:,.0f} positions/s, {games:,.0f} games/s"
    steps = rate * LEARNED * uses / H200_BATCH
    learning = f"{steps:.1f} steps/s of {H200_BATCH:,} positions, which is `samples_per_position={uses:.1f}`"
    disk = games * of["store"]["bytes of a game in the file"] * 86_400
    progress = players * H200_GAMES * sent["bytes of a game in progress"]
    rows: Rows = [
        ("self-play", f"{players} GPUs, {players * H200_CORES} cores", speed),
        ("learner, driver, store", f"1 GPU, {H200_CORES} cores", learning),
        ("arena", f"{free} cores", f"{arena:,.0f} games/s of {GAME_SECONDS:g} s each"),
        (
            "an iteration",
            "",
            f"{ITERATION_SECONDS:g} s, {rate * ITERATION_SECONDS / 1e6:.1f} million positions",
        ),
        ("weights to each node", "", f"{_mebibytes(sent['bytes of the weights'])} an iteration"),
        ("games to the driver", "", f"{_mebibytes(traffic)}/s"),
        ("games in progress, to and fro", "", f"{_mebibytes(progress)} an iteration"),
        ("the driver's time for records", "", f"{games / of['store']['games/s kept 100 at once']:.0%}"),
        ("store", "", f"{_mebibytes(disk)} a day"),
    ]
    return table(("what", "where", "how much"), rows)


def _mebibytes(count: float) -> str:
    return f"{count / 2**20:,.1f} MiB"


TABLES = {each.__name__: each for each in (measured, tournaments, on_cores, on_gpus, plan)}


def with_tables(page: str, of: dict[str, Numbers]) -> str:
    """The page with its tables updated."""
    return PLACE.sub(lambda place: f"{place[1]}\n{TABLES[place[2]](of)}\n{place[3]}", page)


def main(arguments: Sequence[str] | None = None) -> None:
    """Print all figures, or one; or write the page."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--only", metavar="FIGURE", choices=FIGURES, help=", ".join(FIGURES))
    parser.add_argument("--seconds", type=float, default=10.0, help="duration of each measurement")
    parser.add_argument("--game", default="hex", help="game for self-play and the learner")
    parser.add_argument("--games", type=int, default=32, help="parallel games per worker")
    parser.add_argument("--threads", type=int, default=1, help="search threads per worker")
    parser.add_argument("--batch", type=int, default=256, help="positions per learner step")
    parser.add_argument("--device", default="cpu", help="device for self-play and the learner")
    parser.add_argument("--on", action="append", metavar="SPEC", help="executor for `tasks`; may be repeated")
    parser.add_argument("--json", type=Path, metavar="FILE", help="also write the figures to a file")
    parser.add_argument(
        "--write", action="store_true", help=f"write the tables of {PAGE.name} from {KEPT.name}"
    )
    given = parser.parse_args(arguments)
    if given.write:
        page = with_tables(PAGE.read_text(encoding="utf-8"), json.loads(KEPT.read_text()))
        PAGE.write_text(page, encoding="utf-8")
        return
    given.on = given.on or ["processes:workers=2"]
    found: dict[str, Any] = {}
    for name in [given.only] if given.only else FIGURES:
        print(f"{name}: {FIGURES[name].__doc__}", flush=True)
        found[name] = FIGURES[name](given)
        for what, number in found[name].items():
            print(f"  {what:44} {number:>14,.6g}", flush=True)
    if given.json is not None:
        given.json.write_text(json.dumps(found, indent=2) + "\n")


if __name__ == "__main__":
    main()
