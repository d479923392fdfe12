"""The options of a residual network, for those who play with it without torch."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from tesuji.options import Options, option

POOL_EVERY = 3  # the last of every three blocks pools
REMOVED_HEADS = ("policy.soft.", "policy.move_values.", "value.short_values.")
"""Prefixes of weights of earlier versions, which only training needed."""


@dataclass(frozen=True, kw_only=True)
class ResNetOptions(Options):
    """Options of `ResNet`."""

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
