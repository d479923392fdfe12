"""Evaluation time of networks on one core.

    python benchmarks/zero_networks.py gomoku hex mine.safetensors

Processor time, the best of several runs, for batches of 1, 4 and 16 positions. Each network is also compared
with the first one for the same game, in full precision (by torch). The positions are from games in which that
network plays itself by sampling its policy. Printed are the mean Kullback-Leibler divergence of the policies
(nats), how often they agree on the best move, and the mean difference of the win probabilities.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

import tesuji
from tesuji import _core
from tesuji.models.native import open_natively
from tesuji.models.network import Evaluate, Network
from tesuji.planes import NativePlanes, planes_of

BATCHES = (1, 4, 16)
TURNS = 5
POSITIONS = 512


def positions(network: Network) -> NDArray[np.float32]:
    """Planes of games that sample the network's policy."""
    game, random = tesuji.game(network.description.game), np.random.default_rng(1)
    planes = planes_of(game, **network.description.options)
    found: list[NDArray[np.float32]] = []
    state: Any = None
    while len(found) < POSITIONS:
        if state is None or state.scores() is not None:
            state = game.start()
        found.append(planes(state))
        state = state.play(sampled_move(planes, state, network(found[-1][np.newaxis])[0][0], random))
    return np.stack(found)


def sampled_move(planes: NativePlanes, state: Any, logits: NDArray[Any], random: np.random.Generator) -> Any:
    """A legal move, drawn from the policy with these logits."""
    moves = list(state.moves())
    legal = logits[[planes.index(state, move) for move in moves]]
    chances = np.exp(legal - legal.max())
    return moves[random.choice(len(moves), p=chances / chances.sum())]


def milliseconds(network: Evaluate, planes: NDArray[np.float32], batch: int) -> float:
    """Processor time per position."""
    network(planes[:batch])
    best = float("inf")
    for _ in range(TURNS):
        began = time.process_time()
        for at in range(0, 32, batch):
            network(planes[at : at + batch])
        best = min(best, (time.process_time() - began) / 32)
    return best * 1000


def compare(one: Network, other: Evaluate, planes: NDArray[np.float32]) -> str:
    """How much two networks differ."""
    (logits, value), (others, other_value) = one(planes), other(planes)
    logs, other_logs = (x - np.log(np.exp(x).sum(1, keepdims=True)) for x in (logits, others))
    divergence = (np.exp(logs) * (logs - other_logs)).sum(1).mean()
    agreed = (logits.argmax(1) == others.argmax(1)).mean()
    win = np.abs(1 / (1 + np.exp(-value)) - 1 / (1 + np.exp(-other_value))).mean()
    return f"policies {divergence:.4f} nats apart, best moves agree {agreed:.1%}, win rates {win:.1%} apart"


def main(arguments: Sequence[str] | None = None) -> None:
    """Print one line per network."""
    parser = argparse.ArgumentParser(description="Measure the evaluation time of networks.")
    parser.add_argument("networks", nargs="+", metavar="NETWORK")
    parser.add_argument(
        "--kernels",
        choices=_core.network_kernels(),
        help="instructions; the fastest unless set",
    )
    seen: dict[str, tuple[Network, NDArray[np.float32]]] = {}
    given = parser.parse_args(arguments)
    for name in given.networks:
        network = Network(name)
        if network.description.game not in seen:
            seen[network.description.game] = Network(name, exact=True), positions(network)
        first, planes = seen[network.description.game]
        evaluate: Evaluate = network
        if given.kernels:
            opened = open_natively(network.path.read_bytes(), kernels=given.kernels)
            evaluate = opened[0] if opened else network
        times = ", ".join(
            f"{milliseconds(evaluate, planes, batch):.2f} ms (batch {batch})" for batch in BATCHES
        )
        print(f"{name}: {times}")
        print(f"  compared with {first.path} in full precision: {compare(first, evaluate, planes)}")


if __name__ == "__main__":
    main()
