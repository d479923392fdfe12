"""Settings that fit a game, a machine and a time.

The game and the machine are measured for a few seconds: the speed of rules and networks, the length of games,
and the number of moves.

A position of self-play costs

    visits × (1/rules + 1/network)  +  samples × (share with a target) × 3/network        seconds

where `rules` and `network` are evaluations per second, and training on a position takes about three
evaluations. The time divided by that is the number of positions that a run can search. A larger network is
worth its time only with more positions, so the largest is taken that gets its number (`SIZES`). The rest
follows from the number of positions: games at the same time, so that the first ones end early; iterations; a
batch that gives some hundred steps; and a ladder whose games fit into the time kept for it, against `mcts`
with the time of the network.
"""

from __future__ import annotations

import math
import random
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, cast

import numpy as np
import torch
from numpy.typing import NDArray

from tesuji.any_game import Game
from tesuji.learn.zero.boards import Boards
from tesuji.learn.zero.config import ZeroConfig, read_config
from tesuji.learn.zero.evaluator import Evaluator
from tesuji.learn.zero.learner import TrainingError
from tesuji.learn.zero.selfplay import SelfPlay
from tesuji.models.network_format import shape_of
from tesuji.models.resnet import make_network
from tesuji.planes import NativePlanes

DECIDED_BY = ("net", "games", "positions", "visits", "batch")
"""Settings that leave nothing to choose when all of them are given."""
WITHOUT_LIMIT = 600.0
"""Seconds for which settings are chosen if the run has no time limit."""
LEAST_POSITIONS, LEAST_GAMES = 800, 24
"""Fewer teach a network nothing that could be measured."""
TRAINING_COST = 3.0  # of a position, in evaluations: one forward and two backward
ITERATIONS = 30
STEPS = 300  # at least, as long as batches are not smaller than LEAST_BATCH
LEAST_BATCH = 32
START_SECONDS = 3.0  # until the games of a ladder begin
LADDER_SHARE, LADDER_SECONDS = 0.2, (6.0, 60.0)
LADDER_GAMES = 20
GAMES, VISITS = 32, 16  # of the games that measure the rules
BATCH_ON_GPU = 512
FASTEST = 1e-6  # seconds, so that nothing is divided by 0
ALONE = 3.0  # how much longer an evaluation takes in a game than in a large batch


class Size(NamedTuple):
    """A network, its searches, and the number of positions from which on it is worth its time."""

    net: str
    visits: int
    fast_visits: int
    full_share: float
    samples_per_position: float
    positions: int


# Hex 6×6 learned with the third in 25,000 positions; the last is that of the bundled networks.
SIZES = (
    Size("resnet:blocks=2,channels=16", 16, 4, 0.5, 8, 0),
    Size("resnet:blocks=2,channels=16", 32, 8, 0.5, 8, 4_000),
    Size("resnet:blocks=3,channels=32", 32, 8, 0.5, 8, 16_000),
    Size("resnet:blocks=4,channels=64", 64, 12, 0.25, 4, 150_000),
    Size("resnet:blocks=6,channels=96", 128, 16, 0.25, 4, 1_000_000),
)


@dataclass(frozen=True)
class Preset:
    """Chosen settings: `choose(measured, {}, seconds=120)`."""

    settings: dict[str, str]
    """All settings that were chosen; those that were given are not among them."""
    positions: float
    """Positions that the run will search, about."""
    games: float


def nets(given: Mapping[str, str]) -> list[str]:
    """The networks to measure, small ones first: `nets({"net": "resnet"}) == ["resnet"]`."""
    return [given["net"]] if "net" in given else list(dict.fromkeys(size.net for size in SIZES))


def choose(
    measured: Measured,
    given: Mapping[str, str],
    *,
    seconds: float | None,
    started: float = 0.0,
    cores: int = 1,
    workers: int = 1,
    gpu: bool = False,
) -> Preset:
    """Settings for a run besides those given; TrainingError if it could not learn anything.

    It has `seconds`, of which its start took `started`.
    """
    fixed = read_config(given=given)
    total = WITHOUT_LIMIT if seconds is None else max(seconds - started, 0.0)
    ladder = min(max(LADDER_SECONDS[0], LADDER_SHARE * total), LADDER_SECONDS[1], total / 2)
    if "ladder_seconds" in given and fixed.ladder_seconds is not None:
        ladder = min(fixed.ladder_seconds, total / 2)
    if fixed.ladder_games is None:
        ladder = 0.0
    size, positions = _size(measured, given, fixed, max(total - ladder, 0.0), workers)
    games = positions / measured.plies
    if seconds is not None and (positions < LEAST_POSITIONS or games < LEAST_GAMES):
        raise TrainingError(_refusal(measured, given, size, positions, seconds, started))
    at_once = _even(_within(games / (8 * workers), 16, 1024 if gpu else 64))
    samples = positions * size.full_share * size.samples_per_position
    batch = int(2 ** math.floor(math.log2(_within(samples / STEPS, LEAST_BATCH, 1024 if gpu else 256))))
    steps = samples / batch
    chosen: dict[str, object] = {
        "net": size.net,
        "visits": size.visits,
        "fast_visits": size.fast_visits,
        "full_share": size.full_share,
        "games": at_once,
        "positions": _rounded(max(positions / ITERATIONS, 4.0 * at_once * workers, 100)),
        "opening_plies": int(min(2, measured.plies // 8)),
        "window": _rounded(_within(positions * size.full_share / 2, 1000, 250_000)),
        "batch": batch,
        "samples_per_position": size.samples_per_position,
        "learning_rate": 2e-3 if positions < SIZES[3].positions else 1e-3,
        "warm_up": int(_within(steps / 20, 5, 100)),
        "average": round(_within(1 - 10 / max(steps, 1), 0.9, 0.998), 4),
    }
    if fixed.ladder_games is not None:
        chosen |= _ladder(measured, size, fixed, ladder, cores)
    texts = {name: f"{value:g}" if isinstance(value, float) else str(value) for name, value in chosen.items()}
    return Preset({name: text for name, text in texts.items() if name not in given}, positions, games)


def explain(spec: str, measured: Measured, preset: Preset, seconds: float | None) -> list[str]:
    """What was measured and chosen, in a few lines."""
    shown = ("net", "games", "visits", "positions", "batch", "ladder")
    chosen = "  ".join(
        f"--set {name}={text}" if " " not in text else f'--set {name}="{text}"'
        for name in shown
        if (text := preset.settings.get(name)) is not None
    )
    plies = f"{measured.plies:.0f}" if measured.ended else f"more than {measured.plies:.0f}"
    time = "10m, as there is no limit" if seconds is None else _time(seconds)
    rates = ", ".join(f"{net} {rate:,.0f}" for net, rate in measured.networks.items())
    return [
        f"Measured {spec} for {measured.seconds:.1f} s: random games of {plies} plies with "
        f"{measured.moves:.0f} moves each; evaluations/s: rules and search {measured.rules:,.0f}, {rates}.",
        f"Chosen for {time}: {chosen}",
        f"That makes about {_about(preset.positions)} positions in {_about(preset.games)} games. "
        "Any --set overrides a choice; with --config nothing is measured.",
    ]


def _size(
    measured: Measured, given: Mapping[str, str], fixed: ZeroConfig, seconds: float, workers: int
) -> tuple[Size, float]:
    """The largest size that gets its positions in this time, and how many it gets."""
    found: tuple[Size, float] | None = None
    names = set(given) & {"net", "visits", "fast_visits", "full_share", "samples_per_position"}
    for size in SIZES:
        size = size._replace(**{name: vars(fixed)[name] for name in names})
        rate = measured.networks.get(size.net)
        if rate is None:  # the one before was too slow already
            break
        each = size.full_share * size.visits + (1 - size.full_share) * size.fast_visits
        playing = each * (1 / measured.rules + 1 / rate) / workers
        training = size.samples_per_position * size.full_share * TRAINING_COST / rate
        positions = seconds / (max(playing, training) if workers > 1 else playing + training)
        if found is not None and positions < size.positions:
            break
        found = size, positions
    assert found is not None
    return found


def _ladder(
    measured: Measured, size: Size, fixed: ZeroConfig, seconds: float, cores: int
) -> dict[str, object]:
    """Opponents, and visits with which some games against each fit into the time."""
    evaluation = 1 / measured.rules + ALONE / measured.networks[size.net]
    games = 6 * 2  # pairs of games against both opponents, at least
    visits = 64
    while visits > 8 and games * measured.plies * visits * evaluation / cores > seconds - START_SECONDS:
        visits //= 2
    equal = int(_within(measured.iterations * visits * evaluation, 10, 10_000))
    return {
        "ladder": f"random mcts:iterations={_rounded(equal)}",
        "ladder_visits": visits,
        "ladder_seconds": float(round(seconds, 1)),
        "ladder_games": LADDER_GAMES,
        "ladder_processes": min(cores, LADDER_GAMES),
    }


def _refusal(
    measured: Measured, given: Mapping[str, str], size: Size, positions: float, seconds: float, started: float
) -> str:
    games = positions / measured.plies
    factor = max(LEAST_POSITIONS / max(positions, 1e-9), LEAST_GAMES / max(games, 1e-9))
    longer = started + (seconds - started) * factor * 1.25 + LADDER_SECONDS[0]
    slow = "the rules" if measured.rules < measured.networks[size.net] else "the network"
    fewer = "fewer visits, " if "visits" in given else ""
    return (
        f"nothing can be learned in {_time(seconds)}, which is about {positions:,.0f} positions in "
        f"{games:,.0f} games of {measured.plies:.0f} plies, and it takes {LEAST_POSITIONS} in {LEAST_GAMES}; "
        f"most of the time goes to {slow}. What would work: --for {_time(longer)}, {fewer}a smaller board, "
        "or more processors with --on processes:workers=N"
    )


def _time(seconds: float) -> str:
    """As `--for` takes it, rounded up: `_time(200) == "4m"`."""
    if seconds <= 120:
        return f"{max(1, math.ceil(seconds))}s"
    return f"{math.ceil(seconds / 60)}m" if seconds <= 7200 else f"{math.ceil(seconds / 3600)}h"


def _within(number: float, least: float, most: float) -> float:
    return min(max(number, least), most)


def _even(number: float) -> int:
    return 2 * round(number / 2)


def _rounded(number: float) -> int:
    """To two digits: `_rounded(1234) == 1200`."""
    return int(round(number, 1 - math.floor(math.log10(max(number, 1)))))


def _about(number: float) -> str:
    return f"{_rounded(number):,}"


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

    def __call__(self, planes: NDArray[np.generic]) -> tuple[NDArray[np.generic], NDArray[np.generic]]:
        return self._answer


def _rules(boards: Boards, planes: NativePlanes, seconds: float) -> float:
    """Evaluations per second of self-play without the network's time."""
    config = ZeroConfig(games=GAMES, visits=VISITS, fast_visits=VISITS)
    selfplay = SelfPlay(boards, planes, config, seed=1)
    began = time.monotonic()
    selfplay.run(cast(Any, _NoNetwork(selfplay.batch_size, planes)), positions=10**9, seconds=seconds)
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
