"""Speed of self-play: the tree alone, and with a network compared with the network alone.

    python benchmarks/zero.py [--only FIGURE] [--game gomoku] [--net resnet:blocks=10,channels=128]
                              [--device cuda] [--games 4096] [--threads 15] [--seconds 20]

`tree` measures everything except the network, on one core: a dummy network instantly returns the same output
for every position. It uses 400 visits per move, with planes, symmetries, priors and proofs. `share` (needs
torch) alternates between self-play with a network of random weights and repeated calls of the same network
with the same batch.
"""

from __future__ import annotations

import argparse
import importlib.util
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from statistics import median
from typing import Any

import numpy as np

import tesuji

sys.path.insert(0, str(Path(__file__).parents[1]))
from tesuji import _core
from tesuji.planes import planes_of
from tesuji.scale import cores

ROUNDS = 3


def selfplay(game: Any, *, games: int, threads: int, **given: Any) -> _core.SelfPlay:
    """Parallel games, searched as in training."""
    search = _core.NetworkOptions()
    search.prior_weight, search.memory = 1.25, 1 << 28
    options = _core.SelfPlayOptions()
    for name, value in {"games": games, "threads": threads, **given}.items():
        setattr(options, name, value)
    return _core.SelfPlay(
        [game.start().core], [1.0], planes_of(game).native, search, options, game.from_core, {}
    )


def tree(given: argparse.Namespace) -> None:
    """Simulations per second of processor time, with a network that costs nothing."""
    game: Any = tesuji.game(given.game)
    for root in ("puct", "gumbel"):
        played = selfplay(game, games=64, threads=0, visits=400, full_share=1.0, gumbel=root == "gumbel")
        random = np.random.default_rng(1)
        policy = 2 * random.normal(size=(played.batch_size, planes_of(game).policy_size)).astype(np.float32)
        value = random.normal(size=played.batch_size).astype(np.float32)
        rates = []
        for _ in range(ROUNDS):
            began, before = time.process_time(), evaluations(played)
            played.run(lambda planes: (policy, value), seconds=given.seconds / ROUNDS)  # noqa: B023
            rates.append((evaluations(played) - before) / (time.process_time() - began))
        print(f"tree, {given.game}, {root}: {median(rates):,.0f} simulations per second on one core")


def evaluations(played: _core.SelfPlay) -> float:
    return float(played.counters()["evaluations"])


def share(given: argparse.Namespace) -> None:
    """Evaluations per second in self-play, and of the network alone with the same batches."""
    if importlib.util.find_spec("torch") is None:
        print("share: needs torch")
        return
    from tesuji.learn.zero.evaluator import Evaluator, find_device
    from tesuji.models.network_format import shape_of
    from tesuji.models.resnet import make_network

    game: Any = tesuji.game(given.game)
    planes, device = planes_of(game), find_device(given.device)
    played = selfplay(
        game, games=given.games, threads=given.threads, visits=200, fast_visits=40, gumbel=given.gumbel
    )
    network = make_network(given.net, shape_of(planes), 1)
    evaluator = Evaluator(network, shape_of(planes), device, batch=played.batch_size, buffers=2)
    played.use_arrays(*evaluator.buffers)
    played.run(evaluator, seconds=given.seconds / ROUNDS)  # warm-up, and games at all stages
    with_games, alone = [], []
    for _ in range(ROUNDS):
        began, before = time.perf_counter(), evaluations(played)
        played.run(evaluator, seconds=given.seconds / ROUNDS)
        with_games.append((evaluations(played) - before) / (time.perf_counter() - began))
        calls, began = 0, time.perf_counter()
        while time.perf_counter() - began < given.seconds / ROUNDS:
            evaluator(evaluator.buffers[calls % 2])
            calls += 1
        alone.append(calls * played.batch_size / (time.perf_counter() - began))
    ours, bare = median(with_games), median(alone)
    clocks: Any = played.counters()
    print(
        f"share, {given.game}, {given.net}, {device.type}, {given.threads} threads, "
        f"batch {played.batch_size}: "
        f"{ours:,.0f} evaluations per second in self-play, {bare:,.0f} of the network alone; "
        f"{ours / bare:.1%} (waiting for the search {clocks['waiting'] / clocks['seconds']:.1%} of the time)"
    )


FIGURES: dict[str, Callable[[argparse.Namespace], None]] = {
    figure.__name__: figure for figure in (tree, share)
}


def main(arguments: Sequence[str] | None = None) -> None:
    """Print both figures, or the selected one."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--only", metavar="FIGURE", choices=FIGURES, help=", ".join(FIGURES))
    parser.add_argument("--game", default="gomoku")
    parser.add_argument("--net", default="resnet:blocks=4,channels=32")
    parser.add_argument("--device", default="auto")
    parser.add_argument("--games", type=int, default=256, help="parallel games")
    parser.add_argument("--threads", type=int, default=cores(), help="search threads")
    parser.add_argument("--gumbel", action="store_true", help="use Gumbel roots instead of PUCT")
    parser.add_argument("--seconds", type=float, default=15.0, help="duration of each measurement")
    given = parser.parse_args(arguments)
    for name in [given.only] if given.only else FIGURES:
        FIGURES[name](given)


if __name__ == "__main__":
    main()
