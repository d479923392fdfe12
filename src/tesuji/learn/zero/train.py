"""Training: self-play and learning, for as long as there is time.

One iteration: games are played by the averaged network until enough positions are searched; they enter the
window; the network learns from batches of the window, so many that each position is used a few times; the
averaged weights go back to self-play. Metrics of each iteration are one line of `metrics.jsonl`.

In one process the two take turns. With an executor its workers play, and what they have played in one
iteration is learned from while they play the next: the weights that play are one iteration behind, no more
and no less, and whoever is faster waits for the other.

Everything random follows from the seed and from counters, and a checkpoint begins the searches anew. So a run
that goes on from a checkpoint is the run that was never stopped, bit for bit on a processor, as long as
nothing was cut short by the clock.
"""

from __future__ import annotations

import contextlib
import math
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import torch
from numpy.typing import NDArray

from tesuji.arena.playing import derived_seed
from tesuji.game import Game, players_of
from tesuji.learn.zero import checkpoint
from tesuji.learn.zero.alone import Alone
from tesuji.learn.zero.batches import Batches
from tesuji.learn.zero.boards import Boards
from tesuji.learn.zero.config import ZeroConfig, plane_options, read_config
from tesuji.learn.zero.evaluator import find_device
from tesuji.learn.zero.keeping import Keeper
from tesuji.learn.zero.ladder import Ladder
from tesuji.learn.zero.learner import Learner, Losses, TrainingError
from tesuji.learn.zero.metrics import Metrics, measured
from tesuji.learn.zero.net import count_weights, make_network
from tesuji.learn.zero.network import Description, shape_of
from tesuji.learn.zero.weights import NETWORK, save_weights, take_over
from tesuji.learn.zero.window import newest
from tesuji.learn.zero.workers import Together
from tesuji.planes import planes_of
from tesuji.registry import spec_of
from tesuji.scale import cores
from tesuji.scale.executor import Executor

Watch = Callable[[dict[str, Any]], object]


class Training:
    """A run in a folder: `Training(game, folder, given={"visits": "64"}).run(seconds=540)`.

    Where the folder has a checkpoint, the run goes on from it, with its settings and, above them, those
    given. Otherwise it begins with the weights of the network `start`, or with random ones. The workers of
    the executor `on` play the games, each after `setup`; without one they are played here. A file `store`
    gets the games as records.
    """

    def __init__(
        self,
        game: Game,
        folder: Path,
        *,
        file: Path | None = None,
        given: dict[str, str] | None = None,
        device: str = "auto",
        on: Executor | None = None,
        setup: Callable[[], object] | None = None,
        store: Path | None = None,
        start: Path | None = None,
    ) -> None:
        self.game, self.spec, self.folder = game, spec_of(game), folder
        if players_of(game) != 2:
            raise ValueError(f"self-play is for games of two, and {self.spec} has {players_of(game)} players")
        arrays, facts = checkpoint.load(folder) if checkpoint.exists(folder) else ({}, {})
        self.config = self._settings(facts, file, given or {})
        self.boards = Boards.read(game, self.config.boards)
        self.planes = planes_of(game, **plane_options(self.config))
        self.shape = shape_of(self.planes)
        self.device = find_device(device)
        torch.set_num_threads(self.config.network_threads or max(1, cores() - 1))
        network = make_network(self.config.net, self.shape, derived_seed(self.config.seed, "network"))
        self.weights = count_weights(network)
        self.started_from: dict[str, Any] = facts.get("started_from", {})
        """How the network was trained that this run began with, where there was one."""
        if start is not None and not facts:
            self.started_from = take_over(network, start, self.planes)
        self.learner = Learner(network, self.config, self.device, padded=self.boards.mixed)
        self._batches = Batches(self.boards, self.planes, self.config, self.device)
        self.window = self._batches.window
        self.iteration = self.positions = self.games = self.evaluations = 0
        self.seconds = self._owed = 0.0
        if facts:
            self._restore(arrays, facts)
        self.resumed = self.iteration
        """The iteration of the checkpoint that it went on from."""
        self._ladder = Ladder(game, folder, self.config, setup)
        workers = 0 if on is None else on.workers
        self._keeper = (
            None if store is None else Keeper(store, self.spec, self.config, folder, workers=workers)
        )
        self._play: Alone | Together
        if on is None:
            self._play = Alone(self.boards, self.planes, self.config, self.learner, self._keeper)
        else:
            self._play = Together(
                on, workers, self.spec, self.config, self.learner, device, self._keeper, setup
            )
        self._play.restore(arrays, self.iteration)
        self._stopping = False

    def run(
        self, *, seconds: float | None = None, iterations: int | None = None, watch: Watch | None = None
    ) -> None:
        """Train until the time is over, or for so many iterations, or to the end of the schedule."""
        self.folder.mkdir(parents=True, exist_ok=True)
        with self._keeper or contextlib.nullcontext():
            self._run(seconds, iterations, watch)

    def stop(self) -> None:
        """End the run at the next good moment; from a signal handler or another thread."""
        self._stopping = True
        self._play.stop()

    def _run(self, seconds: float | None, iterations: int | None, watch: Watch | None) -> None:
        log = Metrics(self.folder, iteration=self.iteration)
        began, last = time.monotonic(), self.iteration + (iterations or 0)
        if seconds is not None and self._ladder.opponents:
            seconds -= min(self.config.ladder_seconds or 0.0, seconds / 2)

        def tell(row: dict[str, Any]) -> None:
            if row:
                log.add(row)
                if watch is not None:
                    watch(row)

        try:
            while not (self._stopping or self._finished or (iterations and self.iteration >= last)):
                left = None if seconds is None else seconds - (time.monotonic() - began)
                if left is not None and left <= 0:
                    break
                if seconds is not None:
                    self.learner.progress = 1 - (left or 0.0) / seconds
                tell(self._iterate(left))
                if self.iteration % self.config.checkpoint_every == 0:
                    self._pause()
                if not self._ladder.climbing:
                    tell(self._ladder.finish())
                    if self.config.ladder_every and self.iteration % self.config.ladder_every == 0:
                        self._start_climb()
            if self.iteration % self.config.checkpoint_every:
                self._pause()
            if self._ladder.iteration != self.iteration:
                tell(self._ladder.finish(0.0))
                if self._ladder.opponents and not self._stopping:
                    self._start_climb()
            tell(self._ladder.finish(0.0 if self._stopping else self.config.ladder_seconds))
        finally:
            self._play.drop()
            self._ladder.finish(0.0)
        log.draw(self.spec)

    def save(self) -> dict[str, NDArray[Any]]:
        """Write a checkpoint, and the averaged network as a file that plays; gives the games in progress."""
        self.learner.check()
        games = self._play.arrays()
        arrays: dict[str, Any] = self.learner.arrays() | games
        window = self.window.to_arrays()
        if self.config.checkpoint_size is not None:
            room = (self.config.checkpoint_size << 20) - sum(array.nbytes for array in arrays.values())
            window = newest(window, room)
        arrays |= {f"window/{name}": array for name, array in window.items()}
        facts = {
            "game": self.spec,
            "config": self.config.changed(),
            "iteration": self.iteration,
            "step": self.learner.step,
            "positions": self.positions,
            "games": self.games,
            "evaluations": self.evaluations,
            "seconds": self.seconds,
            "owed": self._owed,
            "started_from": self.started_from,
        }
        checkpoint.save(self.folder, self.iteration, arrays, facts)
        save_weights(self.learner.averaged, self.description, self.folder / NETWORK)
        return games

    @property
    def description(self) -> Description:
        """What the network is for, and how it came to be."""
        return Description(
            game=self.spec,
            net=self.config.net,
            names=tuple(self.planes.names),
            version=self.planes.version,
            options=plane_options(self.config),
            shape=self.shape,
            training={
                "iterations": self.iteration,
                "steps": self.learner.step,
                "games": self.games,
                "positions": self.positions,
                "evaluations": self.evaluations,
                "seconds": round(self.seconds, 1),
                "config": self.config.changed(),
                **({"started_from": self.started_from} if self.started_from else {}),
            },
        )

    @property
    def _finished(self) -> bool:
        return self.config.steps is not None and self.learner.step >= self.config.steps

    @property
    def visits(self) -> int:
        """Simulations of a full search by now: they grow evenly on a logarithmic scale."""
        config = self.config
        if config.first_visits is None:
            return config.visits
        share = min(1.0, self.positions / config.grow_positions)
        return round(math.exp((1 - share) * math.log(config.first_visits) + share * math.log(config.visits)))

    def _iterate(self, seconds: float | None) -> dict[str, Any]:
        began, visits, play = time.monotonic(), self.visits, self._play
        play.start(self.iteration, visits=visits, seconds=seconds)
        losses, learning = self._learn() if play.ahead else ({}, 0.0)
        self._batches.grow(round(self.positions * self.config.full_share))
        played = play.finish(self.window)
        counted = played.counters
        self.games += counted["games"]
        self.positions += counted["plies"]
        self.evaluations += counted["evaluations"]
        if self.window.positions:
            self._owed += counted["full"] * self.config.uses / self.config.batch
        if not play.ahead:
            losses, learning = self._learn()
        self.iteration += 1
        took = time.monotonic() - began
        self.seconds += took
        so_far: dict[str, Any] = {
            "iteration": self.iteration,
            "step": self.learner.step,
            "games": self.games,
            "positions": self.positions,
            "window": self.window.positions,
            "visits": visits,
            "rate": self.learner.rate,
            "seconds": round(self.seconds, 3),
        }
        return (
            so_far
            | measured(played, learning / took)
            | {f"{name}_loss": loss for name, loss in losses.items()}
        )

    def _pause(self) -> None:
        """A checkpoint. It keeps games, not trees: a run that goes on at once begins searches anew too."""
        self._play.restore(self.save(), self.iteration)

    def _start_climb(self) -> None:
        save_weights(self.learner.averaged, self.description, self.folder / NETWORK)
        self._ladder.start(self.folder / NETWORK, {"iteration": self.iteration, "positions": self.positions})

    def _learn(self) -> tuple[dict[str, float], float]:
        """Steps enough to use each new position as often as wanted; the mean losses, and the seconds."""
        began, steps = time.monotonic(), int(self._owed)
        self._owed -= steps
        if steps == 0:
            return {}, 0.0
        sums = torch.zeros(len(Losses._fields), device=self.device)
        for samples in self._batches.draw(self.learner.step, steps):
            sums += torch.stack(self.learner.learn(samples))
        means = dict(zip(Losses._fields, (sums / steps).tolist(), strict=True))
        if not all(map(math.isfinite, means.values())):
            shown = ", ".join(f"{name} {loss:g}" for name, loss in means.items())
            raise TrainingError(f"the losses are not finite any more at step {self.learner.step}: {shown}")
        return means, time.monotonic() - began

    def _settings(self, facts: dict[str, Any], file: Path | None, given: dict[str, str]) -> ZeroConfig:
        if not facts:
            return read_config(file, given)
        there = self.folder / checkpoint.MANIFEST
        if facts.get("game") != self.spec:
            raise ValueError(f"{there} is about {facts.get('game')}, and the game is {self.spec}")
        saved = read_config(given=facts["config"])
        changed = read_config(file).changed() if file is not None else {}
        config = read_config(given={**facts["config"], **changed, **given})
        for name in ("net", "planes"):
            if getattr(config, name) != getattr(saved, name):
                raise ValueError(f"{there} was begun with {name}={getattr(saved, name)}: it cannot change")
        return config

    def _restore(self, arrays: dict[str, Any], facts: dict[str, Any]) -> None:
        self.iteration, self.games = int(facts["iteration"]), int(facts["games"])
        self.positions, self.evaluations = int(facts["positions"]), int(facts["evaluations"])
        self.seconds, self._owed = float(facts["seconds"]), float(facts["owed"])
        self.learner.restore(arrays, int(facts["step"]))
        self._batches.grow(round(self.positions * self.config.full_share))
        self.window.add_arrays(checkpoint.part_of(arrays, "window/"))
