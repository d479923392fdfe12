"""Measures a game and the machine for a few seconds: speed of rules and networks, length of games, moves.

From this the settings of a run are chosen (`tesuji.learn.zero.preset`).
"""

from __future__ import annotations

import random
import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, cast

import numpy as np
import torch
from numpy.typing import NDArray

from tesuji.any_game import Game
from tesuji.learn.zero.boards import Boards
from tesuji.learn.zero.config import ZeroConfig
from tesuji.learn.zero.evaluator import Evaluator
from tesuji.learn.zero.selfplay import SelfPlay
from tesuji.models.network_format import shape_of
from tesuji.models.resnet import make_network
from tesuji.planes import NativePlanes

GAMES, VISITS = 32, 16  # of the games that measure the rules
BATCH_ON_GPU = 512
FASTEST = 1e-6  # seconds, so that nothing is divided by 0


@dataclass(frozen=True)
class Measured:
    """What measuring has shown: `measure(boards, planes, torch.device("cpu"), nets, seconds=2)`."""

    seconds: float
    """How long it took."""
    plies: float
    """Mean length of a game of random moves; of the longest one so far if none has ended."""
    ended: bool
    """Whether a game of random moves has ended."""
    moves: float
    """Mean number of legal moves."""
    rules: float
    """Evaluations per second of self-play with a network that takes no time."""
    networks: dict[str, float]
    """Positions per second that each network evaluates, alone."""
    iterations: float
    """Iterations per second of `mcts`."""


def measure(
    boards: Boards, planes: NativePlanes, device: torch.device, nets: Sequence[str], seconds: float
) -> Measured:
    """Measure for about `seconds`; a slow move may take longer. Larger networks come later in `nets`."""
    began, game = time.monotonic(), boards.games[-1]
    plies, ended, moves = _random_games(game, seconds / 6)
    rules = _rules(boards, planes, seconds / 4)
    networks: dict[str, float] = {}
    batch = BATCH_ON_GPU if device.type == "cuda" else GAMES // 2
    for net in nets:
        networks[net] = _speed(net, planes, device, batch, seconds / 4 / len(nets))
        if time.monotonic() - began > seconds:  # a larger one is slower yet
            break
    iterations = _iterations(game, seconds / 6)
    return Measured(time.monotonic() - began, plies, ended, moves, rules, networks, iterations)


def _random_games(game: Game, seconds: float) -> tuple[float, bool, float]:
    """The mean length of games of random moves, whether one has ended, and the mean number of moves."""
    rng, end = random.Random(1), time.monotonic() + seconds
    finished: list[int] = []
    counts: list[int] = []
    plies = 0
    while not finished or time.monotonic() < end:
        state, plies = game.start(), 0
        while state.scores() is None and (time.monotonic() < end or plies == 0):
            moves = list(state.moves())
            counts.append(len(moves))
            state, plies = state.play(rng.choice(moves)), plies + 1
        if state.scores() is None:
            break
        finished.append(plies)
    mean = float(np.mean(finished)) if finished else float(plies)
    return max(mean, 1.0), bool(finished), float(np.mean(counts)) if counts else 0.0


class _NoNetwork:
    """An evaluator that takes no time."""

    def __init__(self, rows: int, planes: NativePlanes) -> None:
        self.buffers = [np.zeros((rows, *planes.shape), np.float32) for _ in range(2)]
        self._answer = np.zeros((rows, planes.policy_size), np.float32), np.zeros(rows, np.float32)

    def __call__(self, planes: NDArray[Any]) -> tuple[NDArray[Any], NDArray[Any]]:
        return self._answer


def _rules(boards: Boards, planes: NativePlanes, seconds: float) -> float:
    """Evaluations per second of self-play without the network's time."""
    config = ZeroConfig(games=GAMES, visits=VISITS, fast_visits=VISITS)
    selfplay = SelfPlay(boards, planes, config, seed=1)
    began = time.monotonic()
    selfplay.run(cast(Any, _NoNetwork(selfplay.rows, planes)), positions=10**9, seconds=seconds)
    return float(max(1, selfplay.counters()["evaluations"]) / (time.monotonic() - began))


def _speed(net: str, planes: NativePlanes, device: torch.device, batch: int, seconds: float) -> float:
    """Positions per second of a network."""
    shape = shape_of(planes)
    evaluator = Evaluator(make_network(net, shape, 1), shape, device, batch=batch, compiled=False)
    inputs = np.zeros((batch, *planes.shape), np.float32)
    evaluator(inputs)
    began, batches = time.perf_counter(), 0
    while batches == 0 or time.perf_counter() - began < seconds:
        evaluator(inputs)
        batches += 1
    return batch * batches / max(time.perf_counter() - began, FASTEST)


def _iterations(game: Game, seconds: float) -> float:
    """Iterations per second of `mcts` from the start."""
    from tesuji.search import MCTS

    bot = MCTS(game, seconds=seconds, threads=1)
    began = time.monotonic()
    iterations = int(bot.analyse(game.start()).iterations)
    elapsed: float = time.monotonic() - began
    return iterations / max(elapsed, FASTEST)
