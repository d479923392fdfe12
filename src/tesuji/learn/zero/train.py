"""Training: self-play and learning in turns, on one machine, for as long as there is time.

One iteration: games are played by the averaged network until enough positions are searched; they enter the
window; the network learns from batches of the window, so many that each position is used a few times; the
averaged weights go back to self-play. Metrics of each iteration are one line of `metrics.jsonl`.

Everything random follows from the seed and from counters, and a checkpoint begins the searches anew. So a run
that goes on from a checkpoint is the run that was never stopped, bit for bit on a processor, as long as
nothing was cut short by the clock.
"""

from __future__ import annotations

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
from tesuji.learn.zero.batches import Batches
from tesuji.learn.zero.config import ZeroConfig, read_config
from tesuji.learn.zero.evaluator import Evaluator
from tesuji.learn.zero.ladder import Ladder
from tesuji.learn.zero.learner import Learner, Losses, TrainingError
from tesuji.learn.zero.metrics import Metrics
from tesuji.learn.zero.net import count_weights, make_network
from tesuji.learn.zero.network import Description, shape_of
from tesuji.learn.zero.selfplay import SelfPlay
from tesuji.learn.zero.weights import NETWORK, save_weights
from tesuji.planes import planes_of
from tesuji.registry import spec_of
from tesuji.scale import cores
from tesuji.spec import Spec

Watch = Callable[[dict[str, Any]], object]


class Training:
    """A run in a folder: `Training(game, folder, given={"visits": "64"}).run(seconds=540)`.

    Where the folder has a checkpoint, the run goes on from it, with its settings and, above them, those
    given.
    """

    def __init__(
        self,
        game: Game,
        folder: Path,
        *,
        file: Path | None = None,
        given: dict[str, str] | None = None,
        device: str = "auto",
    ) -> None:
        self.game, self.spec, self.folder = game, spec_of(game), folder
        if players_of(game) != 2:
            raise ValueError(f"self-play is for games of two, and {self.spec} has {players_of(game)} players")
        arrays, facts = checkpoint.load(folder) if checkpoint.exists(folder) else ({}, {})
        self.config = self._settings(facts, file, given or {})
        options = dict(Spec.parse(f"planes:{self.config.planes}" if self.config.planes else "planes").options)
        self._plane_options = {key: value == "on" for key, value in options.items()}
        self.planes = planes_of(game, **self._plane_options)
        self.shape = shape_of(self.planes)
        self.device = find_device(device)
        torch.set_num_threads(self.config.network_threads or max(1, cores() - 1))
        network = make_network(self.config.net, self.shape, derived_seed(self.config.seed, "network"))
        self.weights = count_weights(network)
        self.learner = Learner(network, self.config, self.device)
        self._batches = Batches(game, self.planes, self.config, self.device)
        self.window = self._batches.window
        self.iteration = self.positions = self.games = self.evaluations = 0
        self.seconds = self._owed = 0.0
        if facts:
            self._restore(arrays, facts)
        self.resumed = self.iteration
        """The iteration of the checkpoint that it went on from."""
        self._selfplay = self._new_selfplay(checkpoint.part_of(arrays, "games/"))
        self._evaluator = Evaluator(
            self.learner.averaged,
            self.shape,
            self.device,
            batch=self._selfplay.rows,
            buffers=2,
            compiled=self.config.compile,
        )
        self._ladder = Ladder(game, folder, self.config)
        self._stopping = False

    def run(
        self, *, seconds: float | None = None, iterations: int | None = None, watch: Watch | None = None
    ) -> None:
        """Train until the time is over, or for so many iterations, or to the end of the schedule."""
        self.folder.mkdir(parents=True, exist_ok=True)
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
            self._ladder.finish(0.0)
        log.draw(self.spec)

    def stop(self) -> None:
        """End the run at the next good moment; from a signal handler or another thread."""
        self._stopping = True
        self._selfplay.cancel()

    def save(self) -> dict[str, NDArray[Any]]:
        """Write a checkpoint, and the averaged network as a file that plays; gives the games in progress."""
        self.learner.check()
        games = self._selfplay.to_arrays()
        arrays: dict[str, Any] = self.learner.arrays()
        arrays |= {f"window/{name}": array for name, array in self.window.to_arrays().items()}
        arrays |= {f"games/{name}": array for name, array in games.items()}
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
            options=self._plane_options,
            shape=self.shape,
            training={
                "iterations": self.iteration,
                "steps": self.learner.step,
                "games": self.games,
                "positions": self.positions,
                "evaluations": self.evaluations,
                "seconds": round(self.seconds, 1),
                "config": self.config.changed(),
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
        began = time.monotonic()
        self._selfplay.visits = self.visits
        before = self._selfplay.counters()
        games = self._selfplay.run(self._evaluator, positions=self.config.positions, seconds=seconds)
        after = self._selfplay.counters()
        counted = {key: after[key] - before[key] for key in after}
        self._batches.grow(round(self.positions * self.config.full_share))
        self.window.add(games)
        self.games += len(games)
        self.positions += counted["plies"]
        self.evaluations += counted["evaluations"]
        played = time.monotonic()
        losses = self._learn(counted["full"])
        self._evaluator.update(self.learner.averaged)
        self.iteration += 1
        now = time.monotonic()
        self.seconds += now - began
        return self._metrics(counted, losses, played - began, now - played)

    def _pause(self) -> None:
        """A checkpoint. It keeps games, not trees: a run that goes on at once begins searches anew too."""
        self._selfplay = self._new_selfplay(self.save())

    def _start_climb(self) -> None:
        save_weights(self.learner.averaged, self.description, self.folder / NETWORK)
        self._ladder.start(self.folder / NETWORK, {"iteration": self.iteration, "positions": self.positions})

    def _learn(self, fresh: int) -> dict[str, float]:
        """Steps enough to use each new position as often as wanted; the mean losses."""
        if self.window.positions == 0:
            return {}
        self._owed += fresh * self.config.uses / self.config.batch
        steps = int(self._owed)
        self._owed -= steps
        if steps == 0:
            return {}
        sums = torch.zeros(len(Losses._fields), device=self.device)
        for samples in self._batches.draw(self.learner.step, steps):
            sums += torch.stack(self.learner.learn(samples))
        means = dict(zip(Losses._fields, (sums / steps).tolist(), strict=True))
        if not all(map(math.isfinite, means.values())):
            shown = ", ".join(f"{name} {loss:g}" for name, loss in means.items())
            raise TrainingError(f"the losses are not finite any more at step {self.learner.step}: {shown}")
        return means

    def _new_selfplay(self, games: dict[str, NDArray[Any]]) -> SelfPlay:
        """Self-play with fresh searches and random numbers, which goes on with these games."""
        seed = derived_seed(self.config.seed, "games", self.iteration)
        selfplay = SelfPlay(self.game, self.planes, self.config, seed=seed)
        if games:
            selfplay.restore(games)
        return selfplay

    def _metrics(
        self, counted: dict[str, Any], losses: dict[str, float], playing: float, learning: float
    ) -> dict[str, Any]:
        games, plies, full = (max(counted[key], 1) for key in ("games", "plies", "full"))
        metrics: dict[str, Any] = {
            "iteration": self.iteration,
            "step": self.learner.step,
            "games": self.games,
            "positions": self.positions,
            "window": self.window.positions,
            "visits": self._selfplay.visits,
            "rate": self.learner.rate,
            "seconds": round(self.seconds, 3),
            "games_per_second": counted["games"] / max(playing, 1e-9),
            "evaluations_per_second": counted["evaluations"] / max(playing, 1e-9),
            "waiting_share": counted["waiting"] / max(counted["seconds"], 1e-9),
            "learning_share": learning / max(playing + learning, 1e-9),
            "length": plies / games,
            "first_player_wins": counted["first_player_wins"] / games,
            "draws": counted["draws"] / games,
            "distant": counted["distant"] / max(counted["placed"], 1),
            "border": counted["border"] / max(counted["placed"], 1),
            "top_share": counted["top_share"] / full,
            "resigned": counted["resigned"] / games,
            "wrongly_resigned": counted["control_wrong"] / max(counted["control"], 1),
        }
        return metrics | {f"{name}_loss": loss for name, loss in losses.items()}

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


def find_device(name: str) -> torch.device:
    """The device of that name; `auto` is a GPU where there is one; ValueError where there is none such."""
    if name == "auto":
        name = "cuda" if torch.cuda.is_available() else "cpu"
    if name not in ("cpu", "cuda"):
        raise ValueError(f"the device must be auto, cpu or cuda, not {name!r}")
    if name == "cuda" and not torch.cuda.is_available():
        raise ValueError("there is no CUDA device here; cpu is slower, and works")
    return torch.device(name)
