"""From a trained network to a file that plays: ONNX, half precision, with its description inside.

Weights are stored as 16-bit floats and turned back into 32 bits when the file is opened: it is half as large,
and what is computed is as exact as before. `halved` rounds the weights of a torch network in the same way.
"""

from __future__ import annotations

import copy
import io
import os
import warnings
from pathlib import Path
from typing import Any

import torch
from torch import Tensor, nn

from tesuji.learn.zero.files import write_whole
from tesuji.learn.zero.net import Outputs
from tesuji.learn.zero.network import METADATA, Description, Shape
from tesuji.learn.zero.weights import SMALLEST_HALVED

OPSET = 17


class _Playing(nn.Module):
    """The network without what only training needs."""

    def __init__(self, network: nn.Module) -> None:
        super().__init__()
        self.network = network

    def forward(self, planes: Tensor) -> tuple[Tensor, Tensor]:
        outputs: Outputs = self.network(planes)
        return outputs.policy, outputs.value


def halved(network: nn.Module) -> nn.Module:
    """A copy whose large weights have gone through 16 bits, as those of an exported file have."""
    twin = copy.deepcopy(network)
    with torch.no_grad():
        for weight in twin.parameters():
            if weight.numel() >= SMALLEST_HALVED:
                weight.copy_(weight.half())
    return twin


def export(network: nn.Module, description: Description, path: str | os.PathLike[str]) -> None:
    """Write the file, whole or not at all; OSError where that cannot be."""
    write_whole(Path(path), as_onnx(network, description))


def as_onnx(network: nn.Module, description: Description) -> bytes:
    """The file's content; ImportError where the package onnx is missing."""
    import onnx

    model = onnx.load_from_string(traced(network, description.shape))
    _halve(model.graph)
    return described(model, description)


def described(model: Any, description: Description) -> bytes:
    """The content of an ONNX model with the description inside."""
    import onnx

    del model.metadata_props[:]
    model.producer_name = "tesuji"
    model.producer_version = ""
    entry = model.metadata_props.add()
    entry.key, entry.value = METADATA, description.text()
    onnx.checker.check_model(model)
    content: bytes = model.SerializeToString(deterministic=True)
    return content


def traced(network: nn.Module, shape: Shape) -> bytes:
    """The network as ONNX in full precision, without a description."""
    twin = _Playing(copy.deepcopy(network).cpu().float().eval())
    example = torch.zeros(2, shape.planes, shape.rows, shape.columns)
    axes = {"planes": {0: "batch"}, "policy": {0: "batch"}, "value": {0: "batch"}}
    if shape.any_size:
        axes["planes"] |= {2: "rows", 3: "columns"}
        axes["policy"] |= {1: "moves"}
    buffer: Any = io.BytesIO()
    with warnings.catch_warnings():
        # The exporter that takes no further package; it says at each call that there is another.
        warnings.simplefilter("ignore")
        torch.onnx.export(
            twin,
            (example,),
            buffer,
            input_names=["planes"],
            output_names=["policy", "value"],
            dynamic_axes=axes,
            opset_version=OPSET,
            dynamo=False,
        )
    content: bytes = buffer.getvalue()
    return content


def _halve(graph: Any) -> None:
    """Large weights as 16-bit floats, each with a cast to 32 bits behind it."""
    from onnx import TensorProto, helper, numpy_helper

    casts = []
    for number, weight in enumerate(graph.initializer):
        array = numpy_helper.to_array(weight)
        if weight.data_type != TensorProto.FLOAT or array.size < SMALLEST_HALVED:
            continue
        name = weight.name
        graph.initializer[number].CopyFrom(numpy_helper.from_array(array.astype("float16"), f"{name}_half"))
        casts.append(helper.make_node("Cast", [f"{name}_half"], [name], to=TensorProto.FLOAT))
    for place, cast in enumerate(casts):
        graph.node.insert(place, cast)
