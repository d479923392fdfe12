"""The optimiser: AdamW on batches of positions, with an exponential moving average of the weights.

    loss = CE(policy, target) + w_v·BCE(value, score) + w_r·CE(reply, target) + w_m·Huber(moves left)

each averaged over the positions that have the target: there is no policy target without a full search, and
no reply after the last move. The averaged weights are the ones that play, in self-play and afterwards
(Polyak and Juditsky, 1992).
"""

from __future__ import annotations

import copy
import math
from collections.abc import Callable
from typing import NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn import functional

from tesuji.learn.zero.checkpoint import with_prefix
from tesuji.learn.zero.config import ZeroConfig
from tesuji.models.resnet import Outputs, weight_decay_groups
from tesuji.models.tensor_file import Arrays
from tesuji.models.weights import load_weights, tensor_to_array

FINAL_RATE = 0.1  # fraction of the learning rate at the end of the schedule


class TrainingError(ValueError):
    """Training failed and cannot continue; the message is one line."""


class TensorBatch(NamedTuple):
    """A batch of positions and targets, as tensors."""

    planes: Tensor
    policy: Tensor
    """[batch, policy]: sums to 1, or to 0 without a target."""
    value: Tensor
    """[batch]: the final score of the side to move."""
    value_weight: Tensor
    """[batch]: weight of the value and the moves left; 0 if the result is unknown."""
    reply: Tensor
    """[batch, policy]: the opponent's policy one move later, as `policy`."""
    moves_left: Tensor
    """[batch]: plies to the end of the game."""


class Losses(NamedTuple):
    """Mean losses of a batch."""

    total: Tensor
    policy: Tensor
    value: Tensor
    reply: Tensor
    moves_left: Tensor


class Learner:
    """A network in training: `Learner(network, config, device).learn(batch)`."""

    def __init__(
        self, network: nn.Module, config: ZeroConfig, device: torch.device, *, padded: bool = False
    ) -> None:
        self.config, self.device, self.step = config, device, 0
        self.progress = 0.0
        """The elapsed fraction of the run, for the learning rate if `steps` is off."""
        self._arguments = {"padded": True} if padded else {}  # other networks need not know it
        self.network = network.to(device)
        if device.type == "cuda":
            self.network = self.network.to(memory_format=torch.channels_last)  # type: ignore[call-overload]
        self.averaged = copy.deepcopy(self.network).requires_grad_(False)
        decaying, others = weight_decay_groups(self.network)
        groups: list[dict[str, object]] = [{"params": decaying}, {"params": others, "weight_decay": 0.0}]
        fused = {"fused": True} if device.type == "cuda" else {}
        self._optimiser = torch.optim.AdamW(
            groups, lr=0.0, betas=(0.9, 0.99), weight_decay=config.weight_decay, **fused
        )
        self._losses: Callable[[TensorBatch], Losses] = self._compute
        if device.type == "cuda" and config.compile != "off":
            self._losses = torch.compile(self._compute, dynamic=False)

    @property
    def rate(self) -> float:
        """The learning rate of the next step: linear warm-up, constant, then a cosine decay to a tenth."""
        config = self.config
        rate = config.learning_rate * min(1.0, (self.step + 1) / max(config.warm_up, 1))
        progress = self.progress if config.steps is None else self.step / config.steps
        if config.decay_share == 0:
            return rate
        decay = min(1.0, max(0.0, 1 - (1 - progress) / config.decay_share))
        return rate * (FINAL_RATE + (1 - FINAL_RATE) * (1 + math.cos(math.pi * decay)) / 2)

    def learn(self, batch: TensorBatch) -> Losses:
        """Take one step. The losses stay on the device, so that the step does not wait for the GPU."""
        losses = self.compute_gradients(batch)
        self.apply_gradients()
        return losses

    def compute_gradients(self, batch: TensorBatch) -> Losses:
        """The first part of a step, which takes nearly all of its time and changes no weight."""
        self._optimiser.zero_grad(set_to_none=True)
        losses = self._losses(batch)
        losses.total.backward()  # type: ignore[no-untyped-call]
        return Losses(*(loss.detach() for loss in losses))

    def apply_gradients(self) -> None:
        """The second part of a step: change the weights."""
        for group in self._optimiser.param_groups:
            group["lr"] = self.rate
        nn.utils.clip_grad_norm_(self.network.parameters(), self.config.clip)
        self._optimiser.step()
        self.step += 1
        # A shorter average at first, to forget the initial random weights.
        keep = min(self.config.average, self.step / (self.step + 10))
        with torch.no_grad():
            averaged: list[Tensor] = list(self.averaged.parameters())
            current: list[Tensor] = list(self.network.parameters())
            torch._foreach_lerp_(averaged, current, 1 - keep)

    def check(self) -> None:
        """TrainingError if a weight is not finite."""
        for name, weight in self.network.named_parameters():
            if not torch.isfinite(weight).all():
                raise TrainingError(f"the weight {name} is not finite after step {self.step}")

    def arrays(self) -> dict[str, NDArray[np.generic]]:
        """Weights, averaged weights and the optimiser's state, for a checkpoint."""
        arrays: dict[str, NDArray[np.generic]] = {}
        for prefix, network in (("net/", self.network), ("averaged/", self.averaged)):
            for name, weight in network.named_parameters():
                arrays[prefix + name] = tensor_to_array(weight)
        for name, weight in self.network.named_parameters():
            for key, moment in self._optimiser.state.get(weight, {}).items():
                arrays[f"optimiser/{key}/{name}"] = tensor_to_array(moment)
        return arrays

    def restore(self, arrays: Arrays, step: int) -> None:
        """Restore `arrays()`; ValueError if they are of another network."""
        for prefix, network in (("net/", self.network), ("averaged/", self.averaged)):
            load_weights(network, with_prefix(arrays, prefix))
        for name, weight in self.network.named_parameters():
            state = {
                key: torch.from_numpy(arrays[f"optimiser/{key}/{name}"].copy())
                for key in ("step", "exp_avg", "exp_avg_sq")
                if f"optimiser/{key}/{name}" in arrays
            }
            if state:
                # The fused optimiser requires the memory layout of the weight.
                self._optimiser.state[weight] = {
                    key: moment.to(self.device).reshape(())
                    if key == "step"
                    else torch.empty_like(weight, requires_grad=False).copy_(moment.reshape(weight.shape))
                    for key, moment in state.items()
                }
        self.step = step

    def _compute(self, batch: TensorBatch) -> Losses:
        with torch.autocast("cuda", torch.bfloat16, enabled=self.device.type == "cuda"):
            outputs: Outputs = self.network(batch.planes, **self._arguments)
        policy = _cross_entropy(outputs.policy.float(), batch.policy)
        reply = _cross_entropy(outputs.reply.float(), batch.reply)
        known = batch.value_weight
        value = _weighted(_log_loss(outputs.value, batch.value), known)
        moves_left = _weighted(
            functional.huber_loss(
                outputs.moves_left.float(), torch.log1p(batch.moves_left), reduction="none"
            ),
            known,
        )
        config = self.config
        total = (
            policy
            + config.value_loss_weight * value
            + config.reply_loss_weight * reply
            + config.moves_left_loss_weight * moves_left
        )
        return Losses(total, policy, value, reply, moves_left)


def _log_loss(log_odds: Tensor, target: Tensor) -> Tensor:
    """The log loss of each prediction."""
    return functional.binary_cross_entropy_with_logits(log_odds.float(), target, reduction="none")


def _weighted(losses: Tensor, weights: Tensor) -> Tensor:
    """Weighted mean."""
    return (losses * weights).sum() / weights.sum().clamp(min=1e-6)


def _cross_entropy(logits: Tensor, target: Tensor) -> Tensor:
    """Mean over the positions with a target, in nats."""
    count = target.sum(1).sum().clamp(min=1e-6)
    return -(target * functional.log_softmax(logits, 1)).sum() / count
