"""Small networks with something to say, and runs that take a second."""

from __future__ import annotations

import math
from pathlib import Path
from typing import TYPE_CHECKING, Any

import tesuji
from tesuji.models.network_format import Description, shape_of
from tesuji.planes import planes_of
from tesuji.registry import spec_of

if TYPE_CHECKING:
    from torch import nn

    from tesuji.learn.zero.train import Training

TINY = "resnet:blocks=1,channels=8,head=4"
SMALL_RUN = {
    "net": TINY,
    "games": "8",
    "threads": "1",
    "network_threads": "1",
    "positions": "100",
    "visits": "8",
    "fast_visits": "4",
    "full_share": "0.5",
    "batch": "32",
    "checkpoint_every": "2",
    "ladder_games": "off",
}


def shaken_network(game: str, net: str = TINY, seed: int = 1) -> tuple[nn.Module, Description]:
    """A network whose every weight is random, and its description."""
    import torch

    from tesuji.models.resnet import make_network

    rules = tesuji.game(game)
    planes = planes_of(rules)
    network = make_network(net, shape_of(planes), seed)
    random = torch.Generator().manual_seed(seed)
    with torch.no_grad():
        for weight in network.parameters():
            spread = 0.5 / math.sqrt(max(weight.numel() / weight.shape[0], 4))
            weight.add_(torch.randn(weight.shape, generator=random) * spread)
    description = Description(
        game=spec_of(rules), net=net, names=planes.names, version=planes.version, shape=shape_of(planes)
    )
    return network, description


def small_run(game: str, folder: Path, **given: Any) -> Training:
    """A run of this game that takes a second an iteration."""
    from tesuji.learn.zero.train import Training

    settings = {**SMALL_RUN, **{key: str(value) for key, value in given.items()}}
    return Training(tesuji.game(game), folder, given=settings, device="cpu")
