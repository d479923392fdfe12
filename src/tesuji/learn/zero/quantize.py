"""Int8 quantisation of the tower's convolutions, which makes a network two to three times as fast.

Weights have a scale per channel, activations one per tensor. Weights have 7 bits: with 8, CPUs without VNNI
instructions would overflow. All scales are calibrated on positions from games that the network plays against
itself by sampling its policy, on all boards that it was trained on. Four things keep the outputs close to
those in full precision:

- Channels get similar ranges first (equalize.py).
- A ReLU between two convolutions is computed by the first of them, which then needs no negative outputs.
- The ranges of activations may clip, and rounding errors of weights compensate each other (rounding.py).
- Only what a convolution reads or writes is rounded; the sums of the tower are floats.

Only plain 3×3 convolutions are quantised, as in `ResNet`; others stay floats.
"""

from __future__ import annotations

import copy
import logging
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import nn
from torch.nn import functional

from tesuji.game import Game
from tesuji.learn.zero.calibration import Images, calibration_batches
from tesuji.learn.zero.equalize import equalize
from tesuji.learn.zero.export import trace, with_description
from tesuji.learn.zero.rounding import Histogram, quantized, round_weights, weight_scales
from tesuji.models.network_format import Description
from tesuji.models.resnet import ResNet

MAX_WEIGHT = 64
"""The largest integer weight: two products with 8-bit activations fit in 16 bits."""
MAX_BIAS = 1 << 30
SAMPLED = 1 / 3
"""The fraction of cells that is used for the second moments of inputs: neighbours are similar."""
PLAIN: dict[str, Any] = {
    "kernel_shape": [3, 3],
    "pads": [1] * 4,
    "strides": [1, 1],
    "dilations": [1, 1],
    "group": 1,
}
"""Attributes of the convolutions that are quantised."""


def to_int8(network: nn.Module, description: Description, game: Game) -> bytes:
    """The content of the ONNX file; ImportError without the package onnx."""
    batches = calibration_batches(network, description, game)
    if isinstance(network, ResNet):
        network = equalize(network, batches)
    return with_description(_quantize(_fused(network, description), batches), description)


def _fused(network: nn.Module, description: Description) -> Any:
    """The ONNX model in full precision, whose convolutions include the affine layers behind them."""
    import onnx
    from onnxruntime.quantization.shape_inference import quant_pre_process

    with tempfile.TemporaryDirectory() as folder, _quiet():
        plain, fused = (str(Path(folder) / f"{name}.onnx") for name in ("plain", "fused"))
        Path(plain).write_bytes(trace(network, description.shape))
        quant_pre_process(plain, fused, skip_symbolic_shape=True)
        return onnx.load(fused)


class _Graph:
    """A graph being rewritten: `values` has its weights, `readers` the nodes that read each value."""

    def __init__(self, graph: Any) -> None:
        from onnx import numpy_helper

        self.values = {each.name: numpy_helper.to_array(each) for each in graph.initializer}
        self.readers: dict[str, list[Any]] = {}
        for node in graph.node:
            for name in node.input:
                self.readers.setdefault(name, []).append(node)
        # The 3×3 convolutions but the first, whose input is the planes: they take most of the time.
        self.tower = [
            node
            for node in graph.node
            if node.op_type == "Conv"
            and node.input[0] != "planes"
            and _attributes(node).items() >= PLAIN.items()
            and all(name in self.values for name in node.input[1:])
        ]
        self.tower_outputs = {conv.output[0] for conv in self.tower}

    def only_feeds_tower(self, name: str) -> bool:
        """Whether a value is read by a ReLU alone, whose output only convolutions of the tower read."""
        readers = self.readers.get(name, [])
        if [reader.op_type for reader in readers] != ["Relu"]:
            return False
        return all(reader.output[0] in self.tower_outputs for reader in self.readers[readers[0].output[0]])

    def activations(self) -> list[str]:
        """What the tower's convolutions read and write, in order; without outputs that are rounded later."""
        names = [conv.input[0] for conv in self.tower]
        names += [conv.output[0] for conv in self.tower if not self.only_feeds_tower(conv.output[0])]
        return list(dict.fromkeys(names))


def _attributes(conv: Any) -> dict[str, Any]:
    from onnx import helper

    return {each.name: helper.get_attribute_value(each) for each in conv.attribute}


def _quantize(model: Any, batches: Sequence[Images]) -> Any:
    """The model with its tower in QDQ format: rounded values, each followed by its float."""
    graph = _Graph(model.graph)
    scales = _activation_scales(model, graph.activations(), batches)
    moments = _second_moments(model, {conv.input[0]: scales[conv.input[0]] for conv in graph.tower}, batches)
    writer = _Writer()
    for node in model.graph.node:
        quantizes = node.output[0] in graph.tower_outputs
        if quantizes:
            source = node.input[0]
            if source not in writer.floats:
                writer.round_activation(source, *scales[source])
            weights = [graph.values[name] for name in node.input[1:]]
            rounded = _rounded(weights, scales[source][0], moments[source])
            for place, constant in enumerate(rounded, 1):
                # A name of its own: equal weights of several convolutions may be one constant.
                node.input[place] = f"{node.output[0]}_weight{place}"
                writer.add_constant(node.input[place], *constant)
        for place, name in enumerate(node.input):
            node.input[place] = writer.floats.get(name, name)
        writer.nodes.append(node)
        if quantizes and node.output[0] in scales:
            writer.round_activation(node.output[0], *scales[node.output[0]])
    return writer.write(model)


def _rounded(
    weights: Sequence[NDArray[np.float32]], input_scale: float, moments: NDArray[np.float64]
) -> Iterator[tuple[NDArray[Any], NDArray[np.float32]]]:
    """The integers and scales of a convolution's weights and, if it has one, of its bias."""
    kernel, bias = weights[0], weights[1] if len(weights) > 1 else np.zeros(1, np.float32)
    rows = kernel.reshape(len(kernel), -1)
    # A bias is a 32-bit multiple of the scales of its weights and of the input.
    scales = np.maximum(weight_scales(rows, MAX_WEIGHT), np.abs(bias) / (np.float32(input_scale) * MAX_BIAS))
    yield round_weights(rows, scales, MAX_WEIGHT, moments).reshape(kernel.shape), scales
    if len(weights) > 1:
        scales = scales * np.float32(input_scale)
        yield np.round(bias / scales).astype(np.int32), scales


class _Writer:
    """Nodes and constants of the quantised graph; `floats` maps a value to its rounded one."""

    def __init__(self) -> None:
        self.nodes: list[Any] = []
        self.constants: list[Any] = []
        self.floats: dict[str, str] = {}

    def round_activation(self, name: str, scale: float, zero: int) -> None:
        """Round a value to 8 bits for the nodes that follow."""
        from onnx import helper

        constants = self._scale(name, np.float32(scale), np.uint8(zero))
        self.nodes.append(helper.make_node("QuantizeLinear", [name, *constants], [f"{name}_rounded"]))
        self._dequantize(name, constants)

    def add_constant(self, name: str, integers: NDArray[Any], scales: NDArray[np.float32]) -> None:
        """Add a weight as integers, with a scale for each channel."""
        from onnx import numpy_helper

        self.constants.append(numpy_helper.from_array(integers, f"{name}_rounded"))
        self._dequantize(name, self._scale(name, scales, np.zeros(len(scales), integers.dtype)), axis=0)

    def _scale(self, name: str, scale: Any, zero: Any) -> list[str]:
        from onnx import numpy_helper

        names = [f"{name}_scale", f"{name}_zero"]
        self.constants += [
            numpy_helper.from_array(np.asarray(value), of)
            for of, value in zip(names, (scale, zero), strict=True)
        ]
        return names

    def _dequantize(self, name: str, constants: list[str], **axis: int) -> None:
        from onnx import helper

        self.floats[name] = f"{name}_float"
        inputs = [f"{name}_rounded", *constants]
        node: Any = helper.make_node(
            "DequantizeLinear", inputs, [f"{name}_float"], None, None, None, None, **axis
        )
        self.nodes.append(node)

    def write(self, model: Any) -> Any:
        """Put the nodes and constants into the model, without the constants that nothing reads any more."""
        nodes = list(self.nodes)
        read = {name for node in nodes for name in node.input}
        kept = [each for each in model.graph.initializer if each.name in read]
        del model.graph.node[:], model.graph.initializer[:]
        model.graph.node.extend(nodes)
        model.graph.initializer.extend([*kept, *self.constants])
        return model


def _activation_scales(
    model: Any, names: Sequence[str], batches: Sequence[Images]
) -> dict[str, tuple[float, int]]:
    """The scale and the zero point of each value."""
    limits = dict.fromkeys(names, (0.0, 0.0))
    for values in _values(model, names, batches):
        for name, value in values.items():
            low, high = limits[name]
            limits[name] = (min(low, float(value.min())), max(high, float(value.max())))
    histograms = {name: Histogram(*limits[name]) for name in names}
    for values in _values(model, names, batches):
        for name, value in values.items():
            histograms[name].add(value)
    return {name: histogram.best_scale() for name, histogram in histograms.items()}


def _second_moments(
    model: Any, scales: dict[str, tuple[float, int]], batches: Sequence[Images]
) -> dict[str, NDArray[np.float64]]:
    """XᵀX of the 3×3 surroundings X that convolutions of these rounded values read."""
    sums: dict[str, NDArray[np.float64]] = {}
    random = torch.Generator().manual_seed(0)
    for values in _values(model, list(scales), batches):
        for name, value in values.items():
            rounded = torch.from_numpy(quantized(value, *scales[name]))
            cells = functional.unfold(rounded, 3, padding=1).transpose(1, 2).flatten(0, 1)
            cells = cells[torch.rand(len(cells), generator=random) < SAMPLED]
            sums[name] = sums.get(name, 0.0) + (cells.T @ cells).double().numpy()
    return sums


def _values(
    model: Any, names: Sequence[str], batches: Sequence[Images]
) -> Iterator[dict[str, NDArray[np.float32]]]:
    """Values inside the model, batch by batch."""
    if not names:
        return
    import onnxruntime
    from onnx import TensorProto, helper

    watched = copy.deepcopy(model)
    watched.graph.output.extend(
        helper.make_tensor_value_info(name, TensorProto.FLOAT, None) for name in names
    )
    session = onnxruntime.InferenceSession(watched.SerializeToString(), providers=["CPUExecutionProvider"])
    for batch in batches:
        yield dict(zip(names, session.run(list(names), {"planes": batch}), strict=True))


@contextmanager
def _quiet() -> Iterator[None]:
    """Suppress the log messages of the quantiser."""
    before = logging.root.manager.disable
    logging.disable(logging.WARNING)
    try:
        yield
    finally:
        logging.disable(before)
