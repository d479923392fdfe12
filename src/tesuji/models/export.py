"""Export of a trained network to ONNX, for other programs, with its description in the metadata.

Weights are stored as 16-bit floats and cast to 32 bits when the file is loaded: it is half as large, and the
arithmetic is in full precision.
"""

from __future__ import annotations

import copy
import io
import warnings
from typing import Any

import torch
from torch import nn

from tesuji.models.network_format import METADATA, MIN_HALF_PRECISION, Description, Shape
from tesuji.models.resnet import PolicyAndValue

OPSET = 17


def to_onnx(network: nn.Module, description: Description) -> bytes:
    """The content of the ONNX file; ImportError without the package onnx."""
    import onnx

    model: Any = onnx.load_from_string(_trace(network, description.shape))
    _halve(model.graph)
    del model.metadata_props[:]
    model.producer_name = "tesuji"
    model.producer_version = ""
    entry = model.metadata_props.add()
    entry.key, entry.value = METADATA, description.text()
    onnx.checker.check_model(model)
    content: bytes = model.SerializeToString(deterministic=True)
    return content


def _trace(network: nn.Module, shape: Shape) -> bytes:
    """The network as ONNX in full precision, without a description."""
    inference = PolicyAndValue(copy.deepcopy(network).cpu().float().eval())
    example = torch.zeros(2, shape.planes, shape.rows, shape.columns)
    axes = {"planes": {0: "batch"}, "policy": {0: "batch"}, "value": {0: "batch"}}
    if shape.any_size:
        axes["planes"] |= {2: "rows", 3: "columns"}
        axes["policy"] |= {1: "moves"}
    buffer: Any = io.BytesIO()
    with warnings.catch_warnings():
        # This exporter needs no further package, but warns about the newer one at each call.
        warnings.simplefilter("ignore")
        torch.onnx.export(
            inference,
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
    """Store large weights as 16-bit floats, each followed by a cast to 32 bits."""
    from onnx import TensorProto, helper, numpy_helper

    casts = []
    for number, weight in enumerate(graph.initializer):
        array = numpy_helper.to_array(weight)
        if weight.data_type != TensorProto.FLOAT or array.size < MIN_HALF_PRECISION:
            continue
        name = weight.name
        graph.initializer[number].CopyFrom(numpy_helper.from_array(array.astype("float16"), f"{name}_half"))
        casts.append(helper.make_node("Cast", [f"{name}_half"], [name], to=TensorProto.FLOAT))
    for place, cast in enumerate(casts):
        graph.node.insert(place, cast)
