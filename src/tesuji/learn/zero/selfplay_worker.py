"""A self-play worker: plays its share of each iteration with its own copy of the network.

A `SelfPlayTask` holds everything the games depend on: the seed and the games in progress (the weights come
with it). So a task that is restarted, on any worker, plays the same games, and a lost worker costs only
time.

A task runs in slices of a few seconds, so that the training process can collect games and stop it in
between.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import torch
from numpy.typing import NDArray

from tesuji.any_game import game as as_game
from tesuji.learn.zero.boards import Boards
from tesuji.learn.zero.config import plane_options, read_config
from tesuji.learn.zero.evaluator import Evaluator, find_device
from tesuji.learn.zero.game_codec import encode_games, to_records
from tesuji.learn.zero.selfplay import SelfPlay
from tesuji.models.network_format import shape_of
from tesuji.models.resnet import make_network
from tesuji.models.weights import load_weights
from tesuji.planes import planes_of
from tesuji.records import Record
from tesuji.registry import games
from tesuji.spec import Spec


@dataclass(frozen=True)
class SelfPlayTask:
    """One worker's share of one iteration."""

    iteration: int
    seed: int
    visits: int
    """Simulations of a full search."""
    positions: int
    """Positions to search, counted when their games end."""
    games: Mapping[str, NDArray[Any]]
    """Games in progress, by `encode_games`; empty at first."""


@dataclass(frozen=True)
class SliceResult:
    """What a worker did in one slice of a task."""

    games: dict[str, NDArray[Any]]
    """Games that ended, by `encode_games`."""
    records: list[Record]
    """The same games as records, if requested."""
    done: bool
    """Whether this is the task's last slice."""
    unfinished: dict[str, NDArray[Any]] = field(default_factory=dict)
    """In the last slice, the games in progress."""
    counters: dict[str, Any] = field(default_factory=dict)
    """The counters of the task so far."""


class SelfPlayWorker:
    """The actor: `SelfPlayWorker("hex:size=3", {"visits": "8"}, "cpu").start(weights, task, seconds=5)`.

    `player` names both seats in records; if it is empty there are none. Unless the settings say otherwise, a
    worker uses one thread for searching and one for the network. `setup` runs the user's file that registers
    the game, if it is not registered yet.
    """

    def __init__(
        self,
        game: str,
        settings: Mapping[str, str],
        device: str,
        player: str = "",
        setup: Callable[[], object] | None = None,
    ) -> None:
        if setup is not None and not games.knows(Spec.parse(game).name):
            setup()
        given = {"threads": "1", "network_threads": "1", **settings}
        self._config, self._player = read_config(given=given), player
        self._boards = Boards.parse(as_game(game), self._config.boards)
        self._planes = planes_of(as_game(game), **plane_options(self._config))
        self._device, self._shape = find_device(device), shape_of(self._planes)
        self._network = make_network(self._config.net, self._shape, 0)
        self._evaluator: Evaluator | None = None
        self._selfplay: SelfPlay
        self._task: SelfPlayTask | None = None

    def start(self, weights: Mapping[str, NDArray[Any]], task: SelfPlayTask, seconds: float) -> SliceResult:
        """Start a task with these weights, and play for `seconds`."""
        self._task, self._positions, self._records = task, 0, 0
        load_weights(self._network, weights)
        self._selfplay = SelfPlay(self._boards, self._planes, self._config, seed=task.seed)
        if task.games:
            self._selfplay.restore(task.games)
        self._selfplay.visits = task.visits
        if self._evaluator is None:
            self._evaluator = Evaluator(
                self._network,
                self._shape,
                self._device,
                batch=self._selfplay.rows,
                buffers=2,
                compiled=self._config.compile == "on",
                padded=self._boards.mixed,
            )
        else:
            self._evaluator.update(self._network)
        return self._play(task, seconds)

    def resume(self, iteration: int, seconds: float) -> SliceResult | None:
        """Play on for `seconds`; None if this worker replaced the one that had the task."""
        task = self._task
        return None if task is None or task.iteration != iteration else self._play(task, seconds)

    def finish(self, iteration: int) -> SliceResult | None:
        """End the task early; None as in `resume`."""
        task = self._task
        return None if task is None or task.iteration != iteration else self._result({}, done=True)

    def _play(self, task: SelfPlayTask, seconds: float) -> SliceResult:
        assert self._evaluator is not None
        torch.set_num_threads(self._config.network_threads or 1)  # per thread, so set it in the one that runs
        remaining = task.positions - self._positions
        games = self._selfplay.run(self._evaluator, positions=remaining, seconds=seconds)
        self._positions += sum(len(game.moves) - game.opening for game in games)
        arrays = encode_games(self._boards, self._planes, games) if games else {}
        return self._result(arrays, done=self._positions >= task.positions)

    def _result(self, games: dict[str, NDArray[Any]], *, done: bool) -> SliceResult:
        records: list[Record] = []
        if self._player and games:
            records = to_records(self._boards, self._planes, games, player=self._player, leg=self._records)
            self._records += len(records)
        unfinished = {}
        if done:
            self._task, unfinished = None, self._selfplay.to_arrays()
        return SliceResult(games, records, done, unfinished, self._selfplay.counters())
