"""Distillation: another network's policy and value as part of the training targets.

    target = (1 − share)·(target of the search) + share·(output of the teacher)

The student plays its own games; the teacher judges the positions of every batch. Positions without a policy
target, those of fast searches, get the teacher's policy alone (Hinton, Vinyals and Dean 2015).
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import torch
from torch import Tensor

from tesuji.learn.zero.learner import TensorBatch
from tesuji.models.network import read_network_file
from tesuji.models.weights import read_network


class Teacher:
    """A trained network that teaches another: `Teacher(path, planes, device, share=0.5).teach(batch)`.

    It may have any architecture but needs the same planes; ValueError if they differ.
    """

    def __init__(
        self, path: Path, planes: Any, device: torch.device, *, share: float, padded: bool = False
    ) -> None:
        try:
            network, description = read_network(read_network_file(path))
            if description.names != tuple(planes.names) or description.version != planes.version:
                raise ValueError(
                    f"its planes are {', '.join(description.names)}, version {description.version}, not "
                    f"{', '.join(planes.names)}, version {planes.version}"
                )
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
