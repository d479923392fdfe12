"""Self-play in a worker: games of its own, evaluated by a network of its own, on the device that it finds.

An iteration's positions are played in parts, one for each worker. All that a part depends on comes with it:
the weights, the seed, the games in progress. So a part that is begun again, by whichever worker and wherever
it is, has the same games, and a worker that is lost costs time alone.

A part is played a few seconds at a time. In between its owner can end it, and sees the games so far.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import torch
from numpy.typing import NDArray

from tesuji.game import game as as_game
from tesuji.learn.zero.boards import Boards
from tesuji.learn.zero.config import plane_options, read_config
from tesuji.learn.zero.evaluator import Evaluator, find_device
from tesuji.learn.zero.finished import to_arrays, to_records
from tesuji.learn.zero.learner import load_weights
from tesuji.learn.zero.net import make_network
from tesuji.learn.zero.network import shape_of
from tesuji.learn.zero.selfplay import SelfPlay
from tesuji.planes import planes_of
from tesuji.records import Record
from tesuji.registry import games
from tesuji.spec import Spec


@dataclass(frozen=True)
class Part:
    """What one worker plays in one iteration."""

    iteration: int
    seed: int
    visits: int
    """Simulations of a full search."""
    positions: int
    """The part is over when so many were searched in games that ended."""
    games: Mapping[str, NDArray[Any]]
    """Those in progress, of `unfinished.to_arrays`; empty at first."""


@dataclass(frozen=True)
class Slice:
    """A few seconds of a part."""

    games: dict[str, NDArray[Any]]
    """Those that ended, of `finished.to_arrays`."""
    records: list[Record]
    """The same as records, where they are wanted."""
    over: bool
    left: dict[str, NDArray[Any]] = field(default_factory=dict)
    """The games in progress, where the part is over."""
    counters: dict[str, Any] = field(default_factory=dict)
    """What was done in the whole part, where it is over."""


class SelfPlayWorker:
    """The actor: `SelfPlayWorker("hex:size=3", {"visits": "8"}, "cpu").begin(weights, part, seconds=5)`.

    `player` names both seats in records; without a name there are none. Where the settings do not say how
    many threads search and compute, a worker has one: it is one of many. `setup` makes a game known that is
    not yet: it runs a user's file.
    """

    def __init__(
        self,
        game: str,
        settings: Mapping[str, str],
        device: str,
        player: str = "",
        setup: Callable[[], object] | None = None,
    ) -> None:
        if setup is not None and Spec.parse(game).name not in games.names():
            setup()
        given = {"threads": "1", "network_threads": "1", **settings}
        self._config, self._player = read_config(given=given), player
        self._boards = Boards.read(as_game(game), self._config.boards)
        self._planes = planes_of(as_game(game), **plane_options(self._config))
        self._device, self._shape = find_device(device), shape_of(self._planes)
        self._network = make_network(self._config.net, self._shape, 0)
        self._evaluator: Evaluator | None = None
        self._selfplay: SelfPlay
        self._part: Part | None = None

    def begin(self, weights: Mapping[str, NDArray[Any]], part: Part, seconds: float) -> Slice:
        """Begin a part with these weights, and play so long."""
        self._part, self._found, self._records = part, 0, 0
        load_weights(self._network, weights)
        self._selfplay = SelfPlay(self._boards, self._planes, self._config, seed=part.seed)
        if part.games:
            self._selfplay.restore(part.games)
        self._selfplay.visits = part.visits
        if self._evaluator is None:
            self._evaluator = Evaluator(
                self._network,
                self._shape,
                self._device,
                batch=self._selfplay.rows,
                buffers=2,
                compiled=self._config.compile,
                padded=self._boards.mixed,
            )
        else:
            self._evaluator.update(self._network)
        return self._play(part, seconds)

    def go_on(self, iteration: int, seconds: float) -> Slice | None:
        """Play on for so long; None where the worker does not know the part: it has replaced another."""
        part = self._part
        return None if part is None or part.iteration != iteration else self._play(part, seconds)

    def leave(self, iteration: int) -> Slice | None:
        """End the part as it is."""
        part = self._part
        return None if part is None or part.iteration != iteration else self._slice({}, over=True)

    def _play(self, part: Part, seconds: float) -> Slice:
        assert self._evaluator is not None
        torch.set_num_threads(
            self._config.network_threads or 1
        )  # here: it is a matter of the thread that runs
        wanted = part.positions - self._found
        games = self._selfplay.run(self._evaluator, positions=wanted, seconds=seconds)
        self._found += sum(len(game.moves) - game.opening for game in games)
        arrays = to_arrays(self._boards, self._planes, games) if games else {}
        return self._slice(arrays, over=self._found >= part.positions)

    def _slice(self, games: dict[str, NDArray[Any]], *, over: bool) -> Slice:
        records: list[Record] = []
        if self._player and games:
            records = to_records(self._boards, self._planes, games, player=self._player, leg=self._records)
            self._records += len(records)
        if not over:
            return Slice(games, records, over)
        self._part = None
        return Slice(games, records, over, self._selfplay.to_arrays(), self._selfplay.counters())
