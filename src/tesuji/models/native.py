"""A weights file in play by the native core: convolutions with 8-bit products, where the processor has them.

It needs neither torch nor onnxruntime, and is about twice as fast as onnxruntime with an 8-bit file.
"""

from __future__ import annotations

import numpy as np

from tesuji import _core
from tesuji.models.network_format import Description
from tesuji.models.resnet_options import OPTIONAL_HEADS, ResNetOptions
from tesuji.options import read_options
from tesuji.spec import Spec


def open_natively(content: bytes, *, kernels: str | None = None) -> tuple[_core.ResNet, Description] | None:
    """The network in a weights file, with its description; None if its architecture is not a ResNet.

    `kernels` is one of `_core.network_kernels()`, the fastest unless given; all give the same results.
    ValueError if the file is damaged.
    """
    from tesuji.models.weights_file import read_weights

    weights, description = read_weights(content)
    net = Spec.parse(description.net)
    if net.name != "resnet":
        return None
    options = ResNetOptions(**read_options(ResNetOptions, net.options, thing=net.name))
    shape = description.shape
    weights = {name: array for name, array in weights.items() if not name.startswith(OPTIONAL_HEADS)}
    if not all(np.isfinite(array).all() for array in weights.values()):
        raise ValueError("it is damaged: its weights are not finite")
    network = _core.ResNet(
        weights,
        planes=shape.planes,
        blocks=options.blocks,
        channels=options.channels,
        head=options.head,
        policy_planes=shape.policy_planes,
        extras=shape.extras,
        cells=shape.cells,
        kernels=kernels or _core.network_kernels()[0],
    )
    return network, description
