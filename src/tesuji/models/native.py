"""Residual networks in the native core: a weights file, evaluated with 8-bit integers, without torch.

See `Network files` in docs/zero.md for its arithmetic and speed.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from tesuji import _core
from tesuji.models.network_format import Description, read_weights
from tesuji.options import Options, option, read_options
from tesuji.spec import Spec

POOL_EVERY = 3  # the last of every three blocks pools
REMOVED_HEADS = ("policy.soft.", "policy.move_values.", "value.short_values.")
"""Prefixes of weights of earlier versions, which only training needed."""


@dataclass(frozen=True, kw_only=True)
class ResNetOptions(Options):
    """Options of a residual network, in torch and in the core."""

    removed: ClassVar[Mapping[str, str]] = dict.fromkeys(
        ("soft", "move_values", "short_values"), "the network plays the same without this auxiliary head"
    )

    blocks: int = option(6, "residual blocks", minimum=1, maximum=100)
    channels: int = option(96, "channels of the tower", minimum=8, maximum=1024)
    head: int = option(32, "channels of the heads", minimum=4, maximum=1024)

    @property
    def pooled(self) -> list[int]:
        """For each block, how many of its channels are pooled for the others.

        >>> ResNetOptions(blocks=4, channels=96).pooled
        [0, 0, 24, 0]
        """
        last = POOL_EVERY - 1
        return [self.channels // 4 if number % POOL_EVERY == last else 0 for number in range(self.blocks)]


def open_natively(content: bytes, *, kernels: str | None = None) -> tuple[_core.ResNet, Description] | None:
    """The network in a weights file, with its description; None if its architecture is not a ResNet.

    `kernels` is one of `_core.network_kernels()`, the fastest unless given; all give the same results.
    ValueError if the file is damaged.
    """
    weights, description = read_weights(content)
    net = Spec.parse(description.net)
    if net.name != "resnet":
        return None
    options = ResNetOptions(**read_options(ResNetOptions, net.options, thing=net.name))
    shape = description.shape
    weights = {name: array for name, array in weights.items() if not name.startswith(REMOVED_HEADS)}
    if not all(np.isfinite(array).all() for array in weights.values()):
        raise ValueError("it is damaged: its weights are not finite")
    network = _core.ResNet(
        weights,
        planes=shape.planes,
        channels=options.channels,
        pooled=options.pooled,
        head=options.head,
        policy_planes=shape.policy_planes,
        extras=shape.extras,
        rows=shape.rows,
        columns=shape.columns,
        kernels=kernels or _core.network_kernels()[0],
    )
    return network, description
