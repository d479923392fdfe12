"""Learning: AdamW on batches of positions, and the average of the weights along the way.

    loss = CE(policy, target) + w_v·BCE(value, score) + w_r·CE(reply, target) + w_m·Huber(moves left)

each for the positions that have such a target: a position searched in haste has no policy worth learning, the
last one of a game no reply. The averaged weights play, in self-play and afterwards: they are steadier than
the last ones (Polyak and Juditsky, 1992).
"""

from __future__ import annotations

import copy
import math
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn import functional

from tesuji.learn.zero.checkpoint import part_of
from tesuji.learn.zero.config import ZeroConfig
from tesuji.learn.zero.net import Outputs, decayed

LEAST_RATE = 0.1  # of the learning rate, at the end of the schedule


class TrainingError(ValueError):
    """Training has gone wrong, and cannot go on from here; one line."""


class Samples(NamedTuple):
    """A batch of positions, as tensors."""

    planes: Tensor
    policy: Tensor
    """[batch, policy]: adds up to 1, or to 0 where there is no target."""
    value: Tensor
    """[batch]: the final score of the player to move."""
    value_weight: Tensor
    """[batch]: 1, or 0 where nobody knows how the game ends; of the moves left, too."""
    reply: Tensor
    """As `policy`, of the opponent's next move."""
    moves_left: Tensor
    """[batch]: plies to the end."""


class Losses(NamedTuple):
    """Means over a batch."""

    total: Tensor
    policy: Tensor
    value: Tensor
    reply: Tensor
    moves_left: Tensor


class Learner:
    """A network in training: `Learner(network, config, device).learn(samples)`."""

    def __init__(
        self, network: nn.Module, config: ZeroConfig, device: torch.device, *, padded: bool = False
    ) -> None:
        self.config, self.device, self.step = config, device, 0
        self.progress = 0.0
        """How much of the run is over, from 0 to 1, where no number of steps says it."""
        self._padded = padded
        self.network = network.to(device)
        if device.type == "cuda":
            self.network = self.network.to(memory_format=torch.channels_last)  # type: ignore[call-overload]
        self.averaged = copy.deepcopy(self.network).requires_grad_(False)
        shrinking, free = decayed(self.network)
        groups: list[dict[str, Any]] = [{"params": shrinking}, {"params": free, "weight_decay": 0.0}]
        fused = {"fused": True} if device.type == "cuda" else {}
        self._optimiser = torch.optim.AdamW(
            groups, lr=0.0, betas=(0.9, 0.99), weight_decay=config.weight_decay, **fused
        )
        self._losses: Callable[[Samples], Losses] = self._compute
        if device.type == "cuda" and config.compile:
            self._losses = torch.compile(self._compute, dynamic=False)

    @property
    def rate(self) -> float:
        """The learning rate of the next step: linear warm-up, a plateau, half a cosine down to a tenth."""
        config = self.config
        rate = config.learning_rate * min(1.0, (self.step + 1) / max(config.warm_up, 1))
        progress = self.progress if config.steps is None else self.step / config.steps
        if config.fall == 0:
            return rate
        fallen = min(1.0, max(0.0, 1 - (1 - progress) / config.fall))
        return rate * (LEAST_RATE + (1 - LEAST_RATE) * (1 + math.cos(math.pi * fallen)) / 2)

    def learn(self, samples: Samples) -> Losses:
        """One step. The losses stay on the device, so that nothing waits for them."""
        for group in self._optimiser.param_groups:
            group["lr"] = self.rate
        self._optimiser.zero_grad(set_to_none=True)
        losses = self._losses(samples)
        losses.total.backward()  # type: ignore[no-untyped-call]
        nn.utils.clip_grad_norm_(self.network.parameters(), self.config.clip)
        self._optimiser.step()
        self.step += 1
        # A short history first: the average forgets the random weights of the start.
        keep = min(self.config.average, self.step / (self.step + 10))
        with torch.no_grad():
            theirs: list[Tensor] = list(self.averaged.parameters())
            ours: list[Tensor] = list(self.network.parameters())
            torch._foreach_lerp_(theirs, ours, 1 - keep)
        return Losses(*(loss.detach() for loss in losses))

    def check(self) -> None:
        """TrainingError where a weight is not a number any more."""
        for name, weight in self.network.named_parameters():
            if not torch.isfinite(weight).all():
                raise TrainingError(
                    f"after step {self.step} the weight {name} holds a number that is not finite"
                )

    def arrays(self) -> dict[str, NDArray[Any]]:
        """All that it knows: weights, averaged weights, and the optimiser's moments."""
        arrays = {}
        for prefix, network in (("net/", self.network), ("averaged/", self.averaged)):
            for name, weight in network.named_parameters():
                arrays[prefix + name] = _array(weight)
        for name, weight in self.network.named_parameters():
            for key, moment in self._optimiser.state.get(weight, {}).items():
                arrays[f"optimiser/{key}/{name}"] = _array(moment)
        return arrays

    def restore(self, arrays: Mapping[str, NDArray[Any]], step: int) -> None:
        """Go on from there; ValueError where these are not the arrays of such a network."""
        for prefix, network in (("net/", self.network), ("averaged/", self.averaged)):
            load_weights(network, part_of(arrays, prefix))
        for name, weight in self.network.named_parameters():
            state = {
                key: torch.from_numpy(arrays[f"optimiser/{key}/{name}"].copy())
                for key in ("step", "exp_avg", "exp_avg_sq")
                if f"optimiser/{key}/{name}" in arrays
            }
            if state:
                # In the weight's own layout in memory, which the fused optimiser insists on.
                self._optimiser.state[weight] = {
                    key: moment.to(self.device).reshape(())
                    if key == "step"
                    else torch.empty_like(weight, requires_grad=False).copy_(moment.reshape(weight.shape))
                    for key, moment in state.items()
                }
        self.step = step

    def _compute(self, samples: Samples) -> Losses:
        with torch.autocast("cuda", torch.bfloat16, enabled=self.device.type == "cuda"):
            outputs: Outputs = self.network(samples.planes, self._padded)
        policy = _cross_entropy(outputs.policy.float(), samples.policy)
        reply = _cross_entropy(outputs.reply.float(), samples.reply)
        known = samples.value_weight
        value = _weighted(
            functional.binary_cross_entropy_with_logits(
                outputs.value.float(), samples.value, reduction="none"
            ),
            known,
        )
        moves_left = _weighted(
            functional.huber_loss(
                outputs.moves_left.float(), torch.log1p(samples.moves_left), reduction="none"
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


def load_weights(network: nn.Module, arrays: Mapping[str, NDArray[Any]]) -> None:
    """Put these weights into a network; ValueError where they are not those of such a network."""
    weights = dict(network.named_parameters())
    for name in {**weights, **arrays}:
        if name not in weights or name not in arrays or tuple(weights[name].shape) != arrays[name].shape:
            raise ValueError(f"these are not the weights of this network: they differ in {name}")
    with torch.no_grad():
        for name, weight in weights.items():
            weight.copy_(torch.from_numpy(arrays[name].copy()))


def weights_of(network: nn.Module) -> dict[str, NDArray[Any]]:
    """A copy of a network's weights, which stays as it is when the network learns on."""
    return {name: _array(weight).copy() for name, weight in network.named_parameters()}


def _weighted(losses: Tensor, weights: Tensor) -> Tensor:
    """Mean over the positions that count."""
    return (losses * weights).sum() / weights.sum().clamp(min=1e-6)


def _cross_entropy(logits: Tensor, target: Tensor) -> Tensor:
    """Mean over the positions that have a target, in nats."""
    there = target.sum(1).sum().clamp(min=1e-6)
    return -(target * functional.log_softmax(logits, 1)).sum() / there


def _array(tensor: Tensor) -> NDArray[Any]:
    return np.asarray(tensor.detach().cpu().contiguous().numpy())
