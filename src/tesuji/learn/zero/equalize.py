"""Channels of equal range, for quantisation: the same network with other weights.

One scale quantises all channels of a tensor, so channels that are much smaller than the largest would lose
most of their bits. A factor can be moved from an affine layer to the following convolution, since
relu(s·x) = s·relu(x) for s > 0 (Nagel et al., Data-free quantization through weight equalization and bias
correction, 2019). Activations and weights share the burden: s = √(range of the activation / range of its
weights), as in SmoothQuant (Xiao et al., 2023).

The outputs of a block's second convolution are added to the tower's, which all blocks read through an affine
layer of their own: they are scaled by one factor per channel for the whole tower. In a pooling block the
outputs of the first convolution are scaled, too, since they are not only the input of a ReLU.
"""

from __future__ import annotations

import copy
from collections import defaultdict
from collections.abc import Iterable
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from tesuji.models.resnet import Affine, Block, ResNet

SMALLEST = 1e-4
"""The range of a channel that is always zero."""
LARGEST_FACTOR = 64.0


def equalize(network: ResNet, batches: Iterable[NDArray[np.float32]]) -> ResNet:
    """A network with the same outputs, whose channels have similar ranges on the planes in `batches`."""
    equalized = copy.deepcopy(network).float().eval()
    ranges = _ranges(equalized, batches)
    with torch.no_grad():
        for block in equalized.blocks:
            assert isinstance(block, Block)
            _equalize_input(block.affine1, block.conv1, ranges[block.conv1, "in"])
            _equalize_input(block.affine2, block.conv2, ranges[block.conv2, "in"])
            if block.pool:
                _equalize_pooling(block, _relative(ranges[block.conv1, "out"]))
        _equalize_tower(equalized, ranges)
    return equalized


def _ranges(network: ResNet, batches: Iterable[NDArray[np.float32]]) -> dict[tuple[nn.Module, str], Tensor]:
    """The largest magnitude of each channel that enters or leaves a convolution of the tower."""
    found: dict[tuple[nn.Module, str], Tensor] = defaultdict(lambda: torch.tensor(SMALLEST))

    def note(layer: nn.Module, inputs: tuple[Tensor, ...], output: Tensor) -> None:
        for name, tensor in (("in", inputs[0]), ("out", output)):
            found[layer, name] = torch.maximum(found[layer, name], tensor.abs().amax((0, 2, 3)))

    convolutions = [conv for block in network.blocks for conv in (block.conv1, block.conv2)]
    hooks = [conv.register_forward_hook(note) for conv in convolutions]  # type: ignore[union-attr]
    with torch.inference_mode():
        for batch in batches:
            network(torch.from_numpy(batch))
    for hook in hooks:
        hook.remove()
    return found


def _relative(ranges: Tensor) -> Tensor:
    """Ranges divided by their geometric mean, within limits."""
    return (ranges / ranges.log().mean().exp()).clamp(1 / LARGEST_FACTOR, LARGEST_FACTOR)


def _scale(affine: Affine, factor: Tensor) -> None:
    affine.factor.mul_(factor[:, None, None])


def _equalize_input(affine: Affine, conv: Any, ranges: Tensor) -> None:
    factor = _relative((ranges / conv.weight.abs().amax((0, 2, 3)).clamp(min=SMALLEST)).sqrt())
    _scale(affine, 1 / factor)
    affine.term.div_(factor[:, None, None])
    conv.weight.mul_(factor[None, :, None, None])


def _equalize_pooling(block: Block, ranges: Tensor) -> None:
    """Scale the first convolution's outputs: the pooled channels, and the others with their bias."""
    block.conv1.weight.div_(ranges[:, None, None, None])
    _scale(block.pool_affine, ranges[: block.pool])
    others = ranges[block.pool :]
    _scale(block.affine2, others)
    block.pooling.linear.weight.div_(others[:, None])
    block.pooling.linear.bias.div_(others)


def _equalize_tower(network: ResNet, ranges: dict[tuple[nn.Module, str], Tensor]) -> None:
    """Scale what the blocks add to the tower, averaged over the blocks."""
    each = [_relative(ranges[block.conv2, "out"]).log() for block in network.blocks]  # type: ignore[index]
    factor = torch.stack(each).mean(0).exp()
    network.stem.weight.div_(factor[:, None, None, None])
    for block in network.blocks:
        assert isinstance(block, Block)
        block.conv2.weight.div_(factor[:, None, None, None])
        _scale(block.affine1, factor)
    _scale(network.affine, factor)
