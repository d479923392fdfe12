"""The options of a residual network, for those who play with it without torch."""

from __future__ import annotations

from dataclasses import dataclass

from tesuji.options import Options, option

OPTIONAL_HEADS = ("policy.soft.", "policy.move_values.", "value.short_values.")
"""Prefixes of the weights that only training needs."""


@dataclass(frozen=True, kw_only=True)
class ResNetOptions(Options):
    """Options of `ResNet`."""

    blocks: int = option(6, "residual blocks", minimum=1, maximum=100)
    channels: int = option(96, "channels of the tower", minimum=8, maximum=1024)
    head: int = option(32, "channels of the heads", minimum=4, maximum=1024)
    soft: bool = option(False, "auxiliary head for a softened policy")
    move_values: bool = option(False, "auxiliary head for the value after each move")
    short_values: bool = option(False, "auxiliary head for the value in a few plies")
