"""Samples training batches from the window and the tactical positions, as tensors on the training device.

A batch depends on the seed, the step and the window. The next batch is sampled while the network trains on
the current one.

With a teacher, another network's policy and value are part of the targets (distillation):

    target = (1 − share)·(target of the search) + share·(output of the teacher)

The student plays its own games; the teacher judges the positions of every batch. Positions without a policy
target, those of fast searches, get the teacher's policy alone (Hinton, Vinyals and Dean 2015).
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import torch
from torch import Tensor

from tesuji._helpers.seeds import derived_seed
from tesuji.learn.zero.boards import Boards
from tesuji.learn.zero.config import ZeroConfig
from tesuji.learn.zero.learner import TensorBatch
from tesuji.learn.zero.window import Batch, Window
from tesuji.models.network import read_network_file
from tesuji.models.weights import read_network
from tesuji.planes import NativePlanes
from tesuji.scale import cores
from tesuji.scale.threads import BackgroundThread, Future

WINDOW_POWER = 0.75
"""α in window·(1 + growth·((N/window)^α − 1)/α) for N positions so far (Wu 2019)."""


class BatchSampler:
    """The window of a run and its batches: `BatchSampler(boards, planes, config, device)`."""

    def __init__(
        self, boards: Boards, planes: NativePlanes, config: ZeroConfig, device: torch.device
    ) -> None:
        self._config, self._device = config, device
        self._threads = config.threads or cores()
        self.window = Window(
            boards,
            planes,
            capacity=config.window,
            surprise=config.surprise,
            fast_search_weight=config.fast_search_weight,
        )
        self._tactics: Window | None = None
        if config.tactics:
            from tesuji.learn.zero.augment import tactical_window

            seed = derived_seed(config.seed, "tactics")
            self._tactics = tactical_window(
                boards, planes, config.tactics_positions, seed=seed, threads=self._threads
            )
        self.thread = BackgroundThread()
        """Where batches are sampled. Slow rules take seconds, for which an ending run does not wait."""

    def grow_window(self, positions: int) -> None:
        """Set the capacity of the window for a run that has generated `positions` samplable positions."""
        first, growth = self._config.window, self._config.window_growth
        ratio = max(positions / first, 1.0)
        self.window.capacity = int(first * (1 + growth * (ratio**WINDOW_POWER - 1) / WINDOW_POWER))

    def batches(self, first: int, steps: int) -> Iterator[TensorBatch]:
        """The batches of `steps` steps, beginning with step `first`."""
        following: Future[Batch] = self.thread.submit(self._sample, first)
        for step in range(first, first + steps):
            batch = following.result()
            if step + 1 < first + steps:
                following = self.thread.submit(self._sample, step + 1)
            yield self._to_tensors(batch)

    def _sample(self, step: int) -> Batch:
        config = self._config
        seed = derived_seed(config.seed, "batch", step)
        tactical = 0 if self._tactics is None else round(config.batch * config.tactics)
        batch = self.window.sample(config.batch - tactical, seed=seed, threads=self._threads)
        if self._tactics is None or tactical == 0:
            return batch
        return batch.concatenate(self._tactics.sample(tactical, seed=seed, threads=self._threads))

    def _to_tensors(self, batch: Batch) -> TensorBatch:
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
        return TensorBatch(*tensors)


class Teacher:
    """A trained network that teaches another: `Teacher(path, planes, device, share=0.5).teach(batch)`.

    It may have any architecture but needs the same planes; ValueError if they differ.
    """

    def __init__(
        self, path: Path, planes: NativePlanes, device: torch.device, *, share: float, padded: bool = False
    ) -> None:
        try:
            network, description = read_network(read_network_file(path))
            description.check_planes(planes)
        except ValueError as error:
            raise ValueError(f"cannot learn from {path}: {error}") from error
        self.facts = {"net": description.net, "game": description.game, **description.training}
        """How the teacher was trained."""
        self._share, self._device = share, device
        self._arguments = {"padded": True} if padded else {}
        self._network = network.to(device)

    def teach(self, batch: TensorBatch) -> TensorBatch:
        """The batch with the teacher's outputs mixed into the policy and value targets."""
        with torch.no_grad(), torch.autocast("cuda", torch.bfloat16, enabled=self._device.type == "cuda"):
            outputs = self._network(batch.planes, **self._arguments)
        policy = torch.softmax(outputs.policy.float(), 1)
        searched = batch.policy.sum(1, keepdim=True) > 0
        return batch._replace(
            policy=torch.where(searched, self._mixed(batch.policy, policy), policy),
            value=self._mixed(batch.value, torch.sigmoid(outputs.value.float())),
        )

    def _mixed(self, target: Tensor, taught: Tensor) -> Tensor:
        return torch.lerp(target, taught, self._share)
