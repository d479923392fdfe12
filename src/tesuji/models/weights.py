"""Networks in torch and their weights files: saving, loading and averaging."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import nn

from tesuji._helpers.atomic_write import write_atomically
from tesuji.models.native import REMOVED_HEADS
from tesuji.models.network import read_network_file
from tesuji.models.network_format import Description, read_weights, write_weights
from tesuji.models.resnet import make_network
from tesuji.models.tensor_file import Arrays
from tesuji.planes import NativePlanes

NETWORK_FILE = "network.safetensors"
"""The averaged network in the directory of a run."""
STEM = "stem.weight"
"""The weights of the first convolution, which takes the planes."""


def save_weights(network: nn.Module, description: Description, path: Path) -> None:
    """Write a weights file atomically; OSError if it cannot be written."""
    write_atomically(path, as_safetensors(network, description))


def as_safetensors(network: nn.Module, description: Description) -> bytes:
    """The content of a weights file."""
    weights = {name: tensor_to_array(weight.float()) for name, weight in network.named_parameters()}
    return write_weights(weights, description)


def read_network(content: bytes) -> tuple[nn.Module, Description]:
    """The network in a weights file; ValueError if the file is not one, or damaged."""
    arrays, description = read_weights(content)
    network = make_network(description.net, description.shape, seed=0)
    load_weights(network, arrays)
    return network.requires_grad_(False).eval(), description


def read_mean(paths: Sequence[Path]) -> tuple[nn.Module, Description]:
    """A network with the mean of the weights of several files; ValueError if they do not fit together.

    `read_mean([Path("run1/network.safetensors"), Path("run2/network.safetensors")])` is described as run2's.
    The mean of networks that were trained from each other is often better than any of them (Wortsman et al.,
    Model soups, 2022).
    """
    networks: list[tuple[nn.Module, Description]] = []
    for path in paths:
        try:
            networks.append(read_network(read_network_file(path)))
            first, added = networks[0][1], networks[-1][1]
            if added.net != first.net:
                raise ValueError(f"its network is {added.net}, that of {paths[0]} {first.net}")
            if _planes(added) != _planes(first):
                raise ValueError(f"it has other planes than {paths[0]}, a network for {first.game}")
        except ValueError as error:
            raise ValueError(f"cannot use {path}: {error}") from error
    mean, description = networks[-1]
    weights = [copy_weights(network) for network, _ in networks]
    load_weights(mean, {name: np.mean([each[name] for each in weights], axis=0) for name in weights[0]})
    return mean, replace(description, training={**description.training, "averaged": len(networks)})


def _planes(description: Description) -> tuple[object, ...]:
    return description.names, description.version, description.options


def initialize_from(network: nn.Module, path: Path, planes: NativePlanes) -> dict[str, Any]:
    """Copy the weights of a file into a network; returns how the file's network was trained.

    The planes must be the same, or the file's and more: the first convolution ignores the new ones at first.
    The network may have more blocks than the file: a fresh block is the identity. The optional heads may
    differ. ValueError if the file does not fit.
    """
    try:
        source, description = read_network(read_network_file(path))
        names = tuple(planes.names)
        description.check_planes(planes, more=True)
        weights, given = dict(network.named_parameters()), dict(source.named_parameters())
        if description.names != names and STEM in given:
            given[STEM] = _spread(given[STEM], [names.index(name) for name in description.names], len(names))
        for name, weight in given.items():
            if name not in weights or weights[name].shape != weight.shape:
                raise ValueError(f"its network is {description.net}, which does not fit: {name} differs")
    except ValueError as error:
        raise ValueError(f"cannot start from {path}: {error}") from error
    with torch.no_grad():
        for name, weight in given.items():
            weights[name].copy_(weight)
    return {"net": description.net, "game": description.game, **description.training}


def _spread(stem: torch.Tensor, places: list[int], planes: int) -> nn.Parameter:
    """The weights of a first convolution for more planes: zero except at `places`."""
    wider = stem.new_zeros(stem.shape[0], planes, *stem.shape[2:])
    wider[:, places] = stem
    return nn.Parameter(wider)


def load_weights(network: nn.Module, arrays: Arrays) -> None:
    """Set a network's weights; ValueError if names or shapes differ. Removed heads are left out."""
    weights = dict(network.named_parameters())
    arrays = {name: array for name, array in arrays.items() if not name.startswith(REMOVED_HEADS)}
    for name in {**weights, **arrays}:
        if name not in weights or name not in arrays or tuple(weights[name].shape) != arrays[name].shape:
            raise ValueError(f"the weights do not fit this network: {name} differs")
    with torch.no_grad():
        for name, weight in weights.items():
            weight.copy_(torch.from_numpy(arrays[name].copy()))


def copy_weights(network: nn.Module) -> dict[str, NDArray[np.float32]]:
    """A copy of a network's weights, which does not change as the network trains on."""
    return {name: tensor_to_array(weight).copy() for name, weight in network.named_parameters()}


def tensor_to_array(tensor: torch.Tensor) -> NDArray[np.float32]:
    """A float32 tensor as a contiguous array in main memory."""
    return np.asarray(tensor.detach().cpu().contiguous().numpy())
