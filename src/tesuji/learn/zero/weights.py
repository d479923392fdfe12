"""A network's weights as a file: safetensors with the description inside. It plays too, where torch is there.

Large weights are 16-bit floats, as in an exported network. Reading runs no code.
"""

from __future__ import annotations

import json
import struct
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import nn

from tesuji.learn.zero.files import write_whole
from tesuji.learn.zero.learner import load_weights
from tesuji.learn.zero.net import make_network
from tesuji.learn.zero.network import METADATA, Answer, Description, read_file

NETWORK = "network.safetensors"
"""The averaged network's file in the folder of a run."""
SMALLEST_HALVED = 64  # numbers; short vectors are no size worth the rounding


def save_weights(network: nn.Module, description: Description, path: Path) -> None:
    """Write the file, whole or not at all; OSError where that cannot be."""
    from safetensors.numpy import save

    arrays = {}
    for name, weight in network.named_parameters():
        array = weight.detach().float().cpu().contiguous().numpy()
        arrays[name] = array.astype(np.float16) if array.size >= SMALLEST_HALVED else array
    write_whole(path, save(arrays, {METADATA: description.text()}))


def read_network(content: bytes) -> tuple[nn.Module, Description]:
    """The network that a file of weights holds; ValueError where it is none, or damaged."""
    from safetensors import SafetensorError
    from safetensors.numpy import load

    try:
        arrays = load(content)
        (length,) = struct.unpack("<Q", content[:8])
        described = json.loads(content[8 : 8 + length]).get("__metadata__", {}).get(METADATA)
    except (SafetensorError, ValueError, KeyError) as error:
        raise ValueError(f"it is no file of weights, or damaged ({error})") from None
    if described is None:
        raise ValueError("it does not say what it is for: it was not written by tesuji learn zero")
    description = Description.read(described)
    network = make_network(description.net, description.shape, seed=0)
    load_weights(network, {name: array.astype(np.float32) for name, array in arrays.items()})
    return network.requires_grad_(False).eval(), description


def take_over(network: nn.Module, path: Path, planes: Any) -> dict[str, Any]:
    """Begin with the weights of a file; gives how those were trained.

    The planes must be the same. A network with more blocks may begin with those of a smaller one: a fresh
    block changes nothing. ValueError where the file does not fit.
    """
    try:
        theirs, description = read_network(read_file(path))
        if description.names != tuple(planes.names) or description.version != planes.version:
            raise ValueError(
                f"its planes are {', '.join(description.names)}, version {description.version}, and not "
                f"{', '.join(planes.names)}, version {planes.version}"
            )
        weights, given = dict(network.named_parameters()), dict(theirs.named_parameters())
        for name, weight in given.items():
            if name not in weights or weights[name].shape != weight.shape:
                raise ValueError(
                    f"its network is {description.net}, which does not fit into this one: {name}"
                )
    except ValueError as error:
        raise ValueError(f"cannot start from {path}: {error}") from error
    with torch.no_grad():
        for name, weight in given.items():
            weights[name].copy_(weight)
    return {"net": description.net, "game": description.game, **description.training}


class TorchNetwork:
    """A file of weights in play."""

    def __init__(self, content: bytes, threads: int) -> None:
        self._network, self.description = read_network(content)
        torch.set_num_threads(threads)

    def __call__(self, planes: NDArray[Any]) -> Answer:
        """Policy logits [batch, moves] and value log-odds [batch] of positions as planes."""
        with torch.inference_mode():
            outputs = self._network(torch.from_numpy(planes))
            return outputs.policy.numpy(), outputs.value.numpy()
