"""What the parts of a cluster's work cost on this machine: the figures that a plan is made from.

    python benchmarks/cluster_sizing.py [--only FIGURE] [--seconds 10] [--device cpu] [--json FILE]

All is measured on one core, in processor time, unless it says otherwise; `store` waits for the disk and takes
the clock. `cluster_model.py` reads the JSON, and says what follows for many cores.
"""

from __future__ import annotations

import argparse
import copy
import json
import pickle
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

import tesuji

sys.path.insert(0, str(Path(__file__).parents[1]))
from tesuji.arena.playing import Task, play
from tesuji.learn.zero.network import IN_THE_BOX, Network, shape_of
from tesuji.planes import planes_of
from tesuji.records.store import Store
from tesuji.scale.executor import executor

NET = "resnet:blocks=6,channels=96"
"""As of the networks in the box."""
PAIRS = (
    ("hex", "mcts:iterations=1000"),
    ("gomoku", "mcts:iterations=1000"),
    ("onitama", "alphabeta:nodes=20000"),
    ("hex", "zero:visits=64"),
)
BATCH = 16
TASKS = 2000
GAMES = 1000

Numbers = dict[str, float]


def bots(given: argparse.Namespace) -> Numbers:
    """Games a second of a few bots against themselves."""
    found: Numbers = {}
    for game, bot in PAIRS:
        games, began = 0, time.process_time()
        while time.process_time() - began < given.seconds:
            play(Task(game=game, players=(bot, bot), seed=games))
            games += 1
        found[f"{game} {bot} games/s"] = games / (time.process_time() - began)
    return found


def networks(given: argparse.Namespace) -> Numbers:
    """Evaluations a second of the networks in the box, by onnxruntime."""
    found: Numbers = {}
    for name, game in IN_THE_BOX.items():
        network = Network(name, tesuji.game(game))
        shape = network.description.shape
        planes = np.ones((BATCH, shape.planes, shape.rows, shape.columns), np.float32)
        calls, began = 0, time.process_time()
        while time.process_time() - began < given.seconds:
            network(planes)
            calls += 1
        found[f"{name} evaluations/s"] = calls * BATCH / (time.process_time() - began)
    return found


def selfplay(given: argparse.Namespace) -> Numbers:
    """A worker of training, with a network of random weights: its speed, and what it sends."""
    from tesuji.learn.zero.learner import weights_of
    from tesuji.learn.zero.net import make_network
    from tesuji.learn.zero.worker import Part, SelfPlayWorker

    shape = shape_of(planes_of(tesuji.game(given.game)))
    found: Numbers = {}
    settings = {"games": str(given.games), "threads": str(given.threads), "prover": "off"}
    settings |= {"visits": "160", "fast_visits": "24", "opening_plies": "2", "compile": "off"}
    small = "resnet:blocks=1,channels=8"
    for net in (NET, small):
        worker = SelfPlayWorker(given.game, {**settings, "net": net}, given.device, "zero")
        weights = weights_of(make_network(net, shape, 1))
        worker.begin(weights, Part(0, 1, 160, 10**9, {}), 0.2)  # a warm machine
        worker.begin(weights, Part(1, 1, 160, 10**9, {}), given.seconds)
        over = worker.leave(1)
        assert over is not None
        if net == NET:
            found["evaluations/s in self-play"] = over.counters["evaluations"] / over.counters["seconds"]
            found["bytes of the weights"] = sum(array.nbytes for array in weights.values())
    games = 0
    sizes = np.zeros(2)
    plies = 0
    worker.begin(weights, Part(2, 1, 160, 10**9, {}), 0.2)
    while games < 2 * given.games:  # of all lengths
        piece = worker.go_on(2, 1.0)
        assert piece is not None
        games += len(piece.records)
        plies += int(piece.games["move_counts"].sum()) if piece.games else 0
        sizes += len(pickle.dumps(piece.games)), len(pickle.dumps(piece.records))
    found["plies of a game"] = plies / games
    found["bytes of a game, to learn from"], found["bytes of a game, as a record"] = sizes / games
    began = time.perf_counter()
    over = worker.leave(2)
    assert over is not None
    found["evaluations for a position"] = over.counters["evaluations"] / over.counters["plies"]
    found["bytes of a game in progress"] = len(pickle.dumps(over.left)) / given.games
    found["seconds to pack a game in progress"] = (time.perf_counter() - began) / given.games
    return found


def quick_games(given: argparse.Namespace) -> dict[str, Any]:
    """Games of self-play with little search, as workers send them."""
    from tesuji.learn.zero.learner import weights_of
    from tesuji.learn.zero.net import make_network
    from tesuji.learn.zero.worker import Part, SelfPlayWorker

    net = "resnet:blocks=1,channels=8"
    settings = {
        "net": net,
        "games": "64",
        "visits": "8",
        "fast_visits": "2",
        "prover": "off",
        "resign": "off",
    }
    weights = weights_of(make_network(net, shape_of(planes_of(tesuji.game(given.game))), 1))
    part = Part(0, 1, 8, 20 * given.batch, {})
    return SelfPlayWorker(given.game, settings, "cpu").begin(weights, part, 60.0).games


def learner(given: argparse.Namespace) -> Numbers:
    """Steps a second of the learner, and what else the one driver does for each game; by the clock."""
    import torch

    from tesuji.learn.zero.config import ZeroConfig
    from tesuji.learn.zero.evaluator import find_device
    from tesuji.learn.zero.learner import Learner, Samples
    from tesuji.learn.zero.net import make_network
    from tesuji.learn.zero.window import Window

    if given.device == "cpu":
        torch.set_num_threads(1)
    game = tesuji.game(given.game)
    planes, device = planes_of(game), find_device(given.device)
    shape = shape_of(planes)
    config = ZeroConfig(net=NET, batch=given.batch)
    trained = Learner(make_network(NET, shape, 1), config, device)
    games = quick_games(given)
    window = Window(game, planes, capacity=10**6)
    began = time.perf_counter()
    window.add_arrays(games)
    found: Numbers = {"games/s into the window": len(games["scores"]) / (time.perf_counter() - began)}
    began, drawn = time.perf_counter(), 0
    while time.perf_counter() - began < given.seconds / 4:
        batch = window.sample(config.batch, seed=drawn)
        drawn += 1
    found["batches/s drawn"] = drawn / (time.perf_counter() - began)
    arrays_of = (batch.planes, batch.policy, batch.value, batch.reply, batch.moves_left)
    samples = Samples(*(torch.from_numpy(array).to(device) for array in arrays_of))
    float(trained.learn(samples).total)
    steps, began = 0, time.perf_counter()
    while time.perf_counter() - began < given.seconds:
        float(trained.learn(samples).total)
        steps += 1
    rate = steps / (time.perf_counter() - began)
    return found | {"positions in a step": config.batch, "steps/s": rate, "positions/s": rate * config.batch}


def store(given: argparse.Namespace) -> Numbers:
    """Games a second that one writer can keep, one by one and in rounds; bytes of a game in the file."""
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
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "games.db"
            with Store(path) as kept:
                began = time.perf_counter()
                fill(kept)
                took = time.perf_counter() - began
                count = kept.count()
            found[f"games/s kept {name}"] = count / took
            found["bytes of a game in the file"] = path.stat().st_size / count
    return found


def tasks(given: argparse.Namespace) -> Numbers:
    """Tasks that cost nothing: how many a second come back, by the clock, and the driver's time for each."""
    record = play(Task(game="hex", players=("random",) * 2, seed=1))
    found: Numbers = {}
    for spec in given.on:
        with executor(spec) as on:
            _exhaust(on.map(copy.copy, iter([record] * 100)))  # until all workers are there
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


def main(arguments: Sequence[str] | None = None) -> None:
    """Print all figures, or one."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--only", metavar="FIGURE", choices=FIGURES, help=", ".join(FIGURES))
    parser.add_argument("--seconds", type=float, default=10.0, help="for each measurement")
    parser.add_argument("--game", default="hex", help="of self-play and the learner")
    parser.add_argument("--games", type=int, default=32, help="of a worker, at once")
    parser.add_argument("--threads", type=int, default=1, help="of a worker, that search")
    parser.add_argument("--batch", type=int, default=256, help="positions in a step of the learner")
    parser.add_argument("--device", default="cpu", help="of self-play and the learner")
    parser.add_argument("--on", action="append", metavar="SPEC", help="for `tasks`; several times")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the figures there, too")
    given = parser.parse_args(arguments)
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
