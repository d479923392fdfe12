"""Batches to learn from: positions of the window, some made from threats, as tensors where the network is.

A batch follows from the seed, the step and the window; the next one is drawn while the one before is
learned from.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import torch

from tesuji.arena.playing import derived_seed
from tesuji.learn.zero.boards import Boards
from tesuji.learn.zero.config import ZeroConfig
from tesuji.learn.zero.learner import Samples
from tesuji.learn.zero.window import Batch, Window, joined
from tesuji.planes import NativePlanes
from tesuji.scale import cores
from tesuji.scale.threads import Future, pool

WINDOW_POWER = 0.75
"""α in window·(1 + growth·((N/window)^α − 1)/α) for N positions so far (Wu 2019)."""


class Batches:
    """Where a run's positions are, and its batches come from: `Batches(boards, planes, config, device)`."""

    def __init__(
        self, boards: Boards, planes: NativePlanes, config: ZeroConfig, device: torch.device
    ) -> None:
        self._config, self._device = config, device
        self._threads = config.threads or cores()
        self.window = Window(
            boards, planes, capacity=config.window, surprise=config.surprise, cheap=config.cheap
        )
        self._tactics: Window | None = None
        if config.tactics:
            from tesuji.learn.zero.augment import tactical_window  # it knows Gomoku

            seed = derived_seed(config.seed, "tactics")  # the same ones whenever the run goes on
            self._tactics = tactical_window(
                boards.games[0], planes, config.tactics_positions, seed=seed, threads=self._threads
            )

    def grow(self, positions: int) -> None:
        """Let the window be as large as it should be after so many positions that can be drawn."""
        first, growth = self._config.window, self._config.window_growth
        ratio = max(positions / first, 1.0)
        self.window.capacity = int(first * (1 + growth * (ratio**WINDOW_POWER - 1) / WINDOW_POWER))

    def draw(self, first: int, steps: int) -> Iterator[Samples]:
        """The batches of these steps."""
        with pool(1) as thread:
            ahead: Future[Batch] = thread.submit(self._draw, first)
            for step in range(first, first + steps):
                batch = ahead.result()
                if step + 1 < first + steps:
                    ahead = thread.submit(self._draw, step + 1)
                yield self._samples(batch)

    def _draw(self, step: int) -> Batch:
        config = self._config
        seed = derived_seed(config.seed, "batch", step)
        tactical = 0 if self._tactics is None else round(config.batch * config.tactics)
        batch = self.window.sample(config.batch - tactical, seed=seed, threads=self._threads)
        if self._tactics is None or tactical == 0:
            return batch
        return joined(batch, self._tactics.sample(tactical, seed=seed, threads=self._threads))

    def _samples(self, batch: Batch) -> Samples:
        blend = self._config.value_blend
        value = (1 - blend) * batch.value + blend * batch.root_value
        arrays = (
            batch.planes,
            batch.policy,
            value.astype(np.float32),
            batch.value_weight,
            batch.reply,
            batch.moves_left,
        )
        tensors = [torch.from_numpy(array) for array in arrays]
        if self._device.type == "cuda":
            tensors = [tensor.pin_memory().to(self._device, non_blocking=True) for tensor in tensors]
            tensors[0] = tensors[0].contiguous(memory_format=torch.channels_last)
        return Samples(*tensors)
