"""Networks in the native core: a weights file, evaluated with 8-bit integers, without torch.

See `Network files` in docs/zero.md for its arithmetic and speed.
"""

from __future__ import annotations

import numpy as np

from tesuji import _core
from tesuji.models.network_format import Description
from tesuji.models.resnet_options import REMOVED_HEADS, ResNetOptions
from tesuji.models.weights_file import read_weights
from tesuji.options import read_options
from tesuji.spec import Spec


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
