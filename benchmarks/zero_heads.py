"""Measure what auxiliary heads of a network bring, on 6×6 Hex against the exact truth.

    python benchmarks/zero_heads.py [--iterations 40] [--seeds 2] [--positions 400] [--out zero-heads]

Trains one small network for each head and seed with equally many positions of self-play, on a CPU; "fast
searches" have a quarter of the batches where they are named. Then each network judges the same random
positions, whose winners the solver knows: the log loss of its value, and how often the
move with the highest policy keeps a win. Runs are resumed. Takes about 15 minutes on one core.
"""

from __future__ import annotations

import argparse
import math
import random
from pathlib import Path
from typing import NamedTuple

import numpy as np

from tesuji.games.hex import Hex, HexState
from tesuji.games.hex.solver import HexSolver
from tesuji.learn.zero.train import Training
from tesuji.models.network import Network

GAME = Hex(size=6)
SETTINGS = {
    "net": "resnet:blocks=3,channels=32",
    "games": "64",
    "positions": "1000",
    "visits": "32",
    "fast_visits": "4",
    "full_share": "0.5",
    "batch": "128",
    "uses": "8",
    "learning_rate": "0.002",
    "warm_up": "20",
    "average": "0.98",
    "window": "10000",
    "opening_plies": "2",
    "threads": "1",
    "network_threads": "1",
    "ladder": "off",
    "ladder_games": "off",
}
HEADS: dict[str, dict[str, str]] = {
    "none": {},
    "none, fast searches": {"cheap": "0.25"},
    "move values, fast searches": {"move_value_loss_weight": "1", "cheap": "0.25"},
    "short values": {"short_value_loss_weight": "0.5"},
    "soft policy": {"soft_policy_loss_weight": "8"},
}
PLIES = range(2, 9)  # random moves before a question


class Question(NamedTuple):
    """A position, and the moves that win."""

    state: HexState
    winning: frozenset[int]


def questions(count: int) -> list[Question]:
    """Random positions that are not over."""
    solver, rng, found = HexSolver(GAME.size), random.Random(5), list[Question]()
    while len(found) < count:
        state = GAME.start()
        for _ in range(rng.choice(PLIES)):
            state = state.play(rng.choice(state.moves()))
        if state.scores() is None:
            found.append(Question(state, frozenset(solver.solve_moves(state).winning)))
    return found


def judge(folder: Path, asked: list[Question]) -> tuple[float, float]:
    """The mean log loss of the value, and how often the policy's first move keeps a win."""
    network = Network(str(folder / "network.safetensors"), GAME, exact=True)
    planes = np.stack([network.planes(each.state) for each in asked]).astype(np.float32)
    policy, value = network(planes)
    loss, kept, open_positions = 0.0, 0, 0
    for each, logits, logit in zip(asked, policy, value, strict=True):
        sign = 1 if each.winning else -1
        loss += math.log1p(math.exp(-sign * float(logit)))
        moves = each.state.moves()
        if 0 < len(each.winning) < len(moves):
            open_positions += 1
            kept += max(moves, key=lambda move: logits[move]) in each.winning
    return loss / len(asked), kept / open_positions


def main() -> None:
    """Train and judge."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--iterations", type=int, default=40)
    parser.add_argument("--seeds", type=int, default=2)
    parser.add_argument("--positions", type=int, default=400)
    parser.add_argument("--out", type=Path, default=Path("zero-heads"))
    options = parser.parse_args()
    asked = questions(options.positions)
    print("head                        seed  value loss  win kept")
    for head, settings in HEADS.items():
        for seed in range(1, options.seeds + 1):
            folder = options.out / f"{head.replace(',', '').replace(' ', '-')}-{seed}"
            training = Training(GAME, folder, given={**SETTINGS, **settings, "seed": str(seed)})
            if training.iteration < options.iterations:
                training.run(iterations=options.iterations - training.iteration)
            loss, kept = judge(folder, asked)
            print(f"{head:<27} {seed:>4}  {loss:>10.4f}  {kept:>7.1%}", flush=True)


if __name__ == "__main__":
    main()
