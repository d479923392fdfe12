"""The training loop: self-play and learning by turns.

One iteration: the averaged network plays games until enough positions are searched; the games enter the
window; the network trains on batches from the window until each new position has been used
`samples_per_position` times on average; the averaged weights return to self-play. Each iteration adds one
line of metrics to `metrics.jsonl`.

In one process the two alternate. With an executor, or with `overlap`, the network trains on the games of one
iteration while the next one is played, so the weights that play are always exactly one iteration behind.

All random numbers derive from the seed and from counters, and searches start afresh at each checkpoint. So
on a CPU a resumed run equals an uninterrupted one bit for bit, unless a time limit cut an iteration short.
"""

from __future__ import annotations

import contextlib
import math
import time
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

from tesuji._helpers.seeds import derived_seed
from tesuji.full_game import FullGame
from tesuji.learn.zero import checkpoint, preset
from tesuji.learn.zero.batches import BatchSampler, Teacher
from tesuji.learn.zero.boards import Boards
from tesuji.learn.zero.config import ZeroConfig, plane_options, read_config
from tesuji.learn.zero.evaluator import find_device
from tesuji.learn.zero.ladder import Ladder
from tesuji.learn.zero.learner import Learner, Losses, TrainingError
from tesuji.learn.zero.limit import GRACE_SECONDS, Abandoned, Limit
from tesuji.learn.zero.local_selfplay import LocalSelfPlay
from tesuji.learn.zero.metrics import Metrics, iteration_metrics
from tesuji.learn.zero.record_sink import RecordSink
from tesuji.learn.zero.remote_selfplay import RemoteSelfPlay
from tesuji.learn.zero.window import newest_games
from tesuji.models.network_format import Description, shape_of
from tesuji.models.resnet import count_weights, make_network
from tesuji.models.tensor_file import Arrays
from tesuji.models.weights import NETWORK_FILE, initialize_from, save_weights
from tesuji.options import without_removed
from tesuji.planes import planes_of
from tesuji.registry import spec_of
from tesuji.scale import cores
from tesuji.scale.executor import Executor

Watch = Callable[[dict[str, Any]], object]

MEASURING, MEASURING_SHARE = 4.0, 0.05
"""Seconds for which the game and the machine are measured before a run, and their share of it at most."""


class Training:
    """A run in a directory: `Training(game, folder, given={"visits": "64"}).run(seconds=540)`.

    If the directory has a checkpoint, the run resumes with its settings, overridden by `file` and `given`.
    Otherwise it starts with random weights, or with those of the network file `start`. The network file
    `teacher` has a share in the targets. The workers of the executor `on` play the games, each after calling
    `setup`; without one they are played in this process. With `store` the games are also written there as
    records.
    """

    def __init__(
        self,
        game: FullGame,
        folder: Path,
        *,
        file: Path | None = None,
        given: dict[str, str] | None = None,
        device: str = "auto",
        on: Executor | None = None,
        setup: Callable[[], object] | None = None,
        store: Path | None = None,
        start: Path | None = None,
        teacher: Path | None = None,
    ) -> None:
        self.game, self.spec, self.folder = game, spec_of(game), folder
        if game.players != 2:
            raise ValueError(f"self-play needs a two-player game; {self.spec} has {game.players} players")
        self._given = without_removed(ZeroConfig, given or {}, "learning")
        self._device, self._on, self._setup = device, on, setup
        self._store, self._start, self._teacher_file = store, start, teacher
        self.limit = Limit()
        """When the run ends."""
        arrays, facts = checkpoint.load(folder) if checkpoint.exists(folder) else ({}, {})
        self.measured: dict[str, object] = facts.get("measured", {})
        """What the choice of settings rests on, if they were chosen."""
        self._fixed = bool(facts) or file is not None
        self._prepare(self._settings(facts, file, self._given), arrays, facts)

    def _prepare(self, config: ZeroConfig, arrays: Arrays, facts: dict[str, Any]) -> None:
        """Make everything that depends on the settings."""
        game, self.config = self.game, config
        self.net = self.config.net
        """The spec of the network, with its auxiliary heads."""
        self.boards = Boards.parse(game, self.config.boards)
        self.planes = planes_of(game, **plane_options(self.config))
        self.shape = shape_of(self.planes)
        self.device = find_device(self._device)
        torch.set_num_threads(self.config.network_threads or max(1, cores() - 1))
        network = make_network(self.net, self.shape, derived_seed(self.config.seed, "network"))
        self.weights = count_weights(network)
        self.started_from: dict[str, Any] = facts.get("started_from", {})
        """How the network in `start` was trained."""
        if self._start is not None and not facts:
            self.started_from = initialize_from(network, self._start, self.planes)
        self.learner = Learner(network, self.config, self.device, padded=self.boards.mixed)
        share, padded = self.config.teacher_share, self.boards.mixed
        self._teacher = (
            None
            if self._teacher_file is None
            else Teacher(self._teacher_file, self.planes, self.device, share=share, padded=padded)
        )
        self._sampler = BatchSampler(self.boards, self.planes, self.config, self.device)
        self.window = self._sampler.window
        self.iteration = self.positions = self.games = self.evaluations = 0
        self.seconds = self._steps_due = 0.0
        if facts:
            self._restore(arrays, facts)
        self.resumed = self.iteration
        """The iteration of the checkpoint that the run resumed from."""
        self._ladder = Ladder(game, self.folder, self.config, self._setup)
        on, workers = self._on, self._workers
        self._sink = (
            None
            if self._store is None
            else RecordSink(self._store, self.spec, self.config, self.folder, workers=workers)
        )
        self._selfplay: LocalSelfPlay | RemoteSelfPlay
        if on is None:
            self._selfplay = LocalSelfPlay(
                self.boards, self.planes, self.config, self.learner, self._sink, self.limit
            )
        else:
            self._selfplay = RemoteSelfPlay(
                on,
                workers,
                self.spec,
                self.config,
                self.learner,
                self._device,
                self.limit,
                self._sink,
                self._setup,
            )
        self._selfplay.restore(arrays, self.iteration)

    @property
    def _workers(self) -> int:
        return 0 if self._on is None else self._on.workers

    def choose_settings(self, seconds: float | None, started: float = 0.0) -> list[str]:
        """Measure for a few seconds, and choose what was not given; says what and why, in lines.

        The run has `seconds`, None for no limit, of which its start took `started`.

        A resumed run, or one with a settings file, or with all settings of `DECIDED_BY`, stays as it is.
        TrainingError if nothing could be learned in that time.
        """
        if self._fixed or set(preset.DECIDED_BY) <= self._given.keys():
            return []
        began = time.monotonic()
        self.limit.begin(None if seconds is None else seconds - started)
        budget = MEASURING if seconds is None else min(MEASURING, MEASURING_SHARE * seconds)
        try:
            self.limit.call(torch.set_num_threads, torch.get_num_threads())
            found = self.limit.call(
                preset.measure, self.boards, self.planes, self.device, preset.nets(self._given), budget
            )
        except Abandoned:
            return []
        chosen = preset.choose(
            found,
            self._given,
            seconds=seconds,
            started=started + time.monotonic() - began,
            cores=cores(),
            workers=max(1, self._workers),
            gpu=self.device.type == "cuda",
        )
        self.measured = asdict(found)
        self._prepare(read_config(given={**chosen.settings, **self._given}), {}, {})
        return preset.explain(self.spec, found, chosen, seconds)

    def run(
        self, *, seconds: float | None = None, iterations: int | None = None, watch: Watch | None = None
    ) -> None:
        """Train for this time, this number of iterations, or until `steps` is reached, whichever is first."""
        self.folder.mkdir(parents=True, exist_ok=True)
        with self._sink or contextlib.nullcontext():
            self._run(seconds, iterations, watch)

    def stop(self) -> None:
        """End the run with a checkpoint; callable from a signal handler or another thread."""
        self.limit.stop()
        self._selfplay.stop()
        self._ladder.stop()

    @property
    def abandoned(self) -> bool:
        """Whether something that did not end in time is still being computed."""
        return self.limit.busy or self._sampler.thread.busy

    def _run(self, seconds: float | None, iterations: int | None, watch: Watch | None) -> None:
        metrics = Metrics(self.folder, iteration=self.iteration)
        saved, last, limit, reserved = self.iteration, self.iteration + (iterations or 0), self.limit, 0.0
        if seconds is not None and self._ladder.opponents:
            reserved = min(self.config.ladder_seconds or 0.0, seconds / 2)
            seconds -= reserved
        limit.begin(seconds)

        def report(row: dict[str, object]) -> None:
            if row:
                metrics.add(row)
                if watch is not None:
                    watch(row)

        try:
            while not (limit.reached or self._steps_done or (iterations and self.iteration >= last)):
                if seconds is not None:
                    self.learner.progress = 1 - (limit.left or 0.0) / seconds
                report(self._iterate())
                if limit.reached:
                    break
                if self.iteration % self.config.checkpoint_every == 0:
                    self._checkpoint()
                    saved = self.iteration
                if not self._ladder.running:
                    report(self._ladder.finish())
                    if self.config.ladder_every and self.iteration % self.config.ladder_every == 0:
                        self._start_ladder()
            if self.iteration != saved:
                self._checkpoint()
            limit.extend(reserved)
            if self._ladder.iteration != self.iteration:
                report(self._ladder.finish(0.0))
                if self.iteration and self._ladder.opponents and not limit.reached:
                    self._start_ladder()
            timed = limit.stopped or (seconds is not None and self.config.ladder_seconds is not None)
            report(self._ladder.finish(limit.left if timed else self.config.ladder_seconds))
        finally:
            self._selfplay.abort()
            self._ladder.finish(0.0)
            limit.settle(GRACE_SECONDS)
        metrics.draw(self.spec)

    def save(self) -> dict[str, NDArray[np.generic]]:
        """Write a checkpoint and the averaged network; returns the games in progress."""
        self.learner.check()
        games = self._games_in_progress()
        arrays: dict[str, NDArray[np.generic]] = self.learner.arrays() | games
        window = self.window.to_arrays()
        if self.config.checkpoint_size is not None:
            room = (self.config.checkpoint_size << 20) - sum(array.nbytes for array in arrays.values())
            window = newest_games(window, room)
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
            "owed": self._steps_due,
            "started_from": self.started_from,
            **({"measured": self.measured} if self.measured else {}),
        }
        checkpoint.save(self.folder, self.iteration, arrays, facts)
        save_weights(self.learner.averaged, self.description, self.folder / NETWORK_FILE)
        return games

    def _games_in_progress(self) -> dict[str, NDArray[np.generic]]:
        """The games of self-play; those of the last checkpoint if encoding them takes the rules too long."""
        try:
            return self.limit.call(self._selfplay.arrays)
        except Abandoned:
            self._selfplay.abandon()
            return self._selfplay.arrays()

    @property
    def description(self) -> Description:
        """What the network is for, and how it was trained so far."""
        return Description(
            game=self.spec,
            net=self.net,
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
                **({"teacher": self._teacher.facts} if self._teacher else {}),
            },
        )

    @property
    def _steps_done(self) -> bool:
        return self.config.steps is not None and self.learner.step >= self.config.steps

    @property
    def visits(self) -> int:
        """Simulations of a full search, growing geometrically from `first_visits` to `visits`."""
        config = self.config
        if config.first_visits is None:
            return config.visits
        share = min(1.0, self.positions / config.grow_positions)
        return round(math.exp((1 - share) * math.log(config.first_visits) + share * math.log(config.visits)))

    def _iterate(self) -> dict[str, object]:
        """One iteration, and its metrics; nothing if the run ended before a position was evaluated."""
        started, visits, selfplay = time.monotonic(), self.visits, self._selfplay
        step = self.learner.step
        try:
            self.limit.call(torch.set_num_threads, torch.get_num_threads())  # each thread has its own number
            selfplay.start(self.iteration, visits=visits)
            losses, learning = self._learn() if selfplay.overlaps_training else ({}, 0.0)
            self._sampler.grow_window(round(self.positions * self.config.full_share))
            stats = selfplay.finish(self.window)
        except Abandoned:
            selfplay.abandon()
            return {}
        if self.limit.reached and not stats.counters["evaluations"]:
            return {}
        self.games += stats.counters["games"]
        self.positions += stats.counters["plies"]
        self.evaluations += stats.counters["evaluations"]
        if self.window.positions:
            self._steps_due += stats.counters["full"] * self.config.samples_per_position / self.config.batch
        if not selfplay.overlaps_training:
            losses, learning = self._learn()
        self.iteration += 1
        elapsed = time.monotonic() - started
        self.seconds += elapsed
        totals: dict[str, object] = {
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
            totals
            | iteration_metrics(stats, learning / elapsed)
            | {"samples_per_second": (self.learner.step - step) * self.config.batch / elapsed}
            | {f"{name}_loss": loss for name, loss in losses.items()}
        )

    def _checkpoint(self) -> None:
        """Save, and restart all searches: a checkpoint has no trees, so a resumed run has to do the same."""
        self._selfplay.restore(self.save(), self.iteration)

    def _start_ladder(self) -> None:
        save_weights(self.learner.averaged, self.description, self.folder / NETWORK_FILE)
        progress = {"iteration": self.iteration, "positions": self.positions}
        self._ladder.start(self.folder / NETWORK_FILE, progress)

    def _learn(self) -> tuple[dict[str, float], float]:
        """Take the steps that are due; returns the mean losses and the time in seconds."""
        started, due, steps = time.monotonic(), int(self._steps_due), 0
        sums = torch.zeros(len(Losses._fields), device=self.device)
        batches = self._sampler.batches(self.learner.step, due)

        def compute() -> Losses:
            batch = next(batches)
            return self.learner.compute_gradients(
                batch if self._teacher is None else self._teacher.teach(batch)
            )

        with contextlib.suppress(Abandoned):  # no weight has changed since the last step
            while steps < due and not self.limit.reached:
                sums += torch.stack(self.limit.call(compute))
                self.learner.apply_gradients()
                steps += 1
        self._steps_due -= steps
        if steps == 0:
            return {}, 0.0
        means = dict(zip(Losses._fields, (sums / steps).tolist(), strict=True))
        if not all(map(math.isfinite, means.values())):
            shown = ", ".join(f"{name} {loss:g}" for name, loss in means.items())
            raise TrainingError(f"the loss is not finite at step {self.learner.step}: {shown}")
        return means, time.monotonic() - started

    def _settings(self, facts: dict[str, Any], file: Path | None, given: dict[str, str]) -> ZeroConfig:
        if not facts:
            return read_config(file, given)
        path = self.folder / checkpoint.MANIFEST
        if facts.get("game") != self.spec:
            raise ValueError(f"{path} is a run of {facts.get('game')}, not of {self.spec}")
        texts = {ZeroConfig.renamed.get(name, name): text for name, text in facts["config"].items()}
        known = without_removed(ZeroConfig, texts, str(path))
        saved = read_config(given=known)
        changed = read_config(file).changed() if file is not None else {}
        config = read_config(given={**known, **changed, **given})
        for name, new, old in (("net", config.net, saved.net), ("planes", config.planes, saved.planes)):
            if new != old:
                raise ValueError(f"{name} cannot change in a resumed run: {path} has {name}={old}, not {new}")
        return config

    def _restore(self, arrays: Arrays, facts: dict[str, Any]) -> None:
        self.iteration, self.games = int(facts["iteration"]), int(facts["games"])
        self.positions, self.evaluations = int(facts["positions"]), int(facts["evaluations"])
        self.seconds, self._steps_due = float(facts["seconds"]), float(facts["owed"])
        self.learner.restore(arrays, int(facts["step"]))
        self._sampler.grow_window(round(self.positions * self.config.full_share))
        self.window.add_arrays(checkpoint.with_prefix(arrays, "window/"))
