"""An ONNX network computed by torch, for devices that onnxruntime does not have.

Only the operators that exported networks use are known. Quantised weights are turned back into floats when
the file is opened. If activations are `rounded` as in the file, the outputs are those of onnxruntime;
without, they are those of the network before it was quantised, except for its weights.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor
from torch.nn import functional

Operator = Callable[..., Tensor]


class TorchModel:
    """The graph of an ONNX file: `TorchModel(content, device)(planes)` gives policy and value."""

    def __init__(
        self,
        content: bytes,
        device: torch.device,
        *,
        dtype: torch.dtype = torch.float32,
        rounded: bool = True,
    ) -> None:
        import onnx
        from onnx import numpy_helper

        graph = onnx.load_from_string(content).graph
        self._constants = {
            each.name: self._to_device(torch.from_numpy(numpy_helper.to_array(each).copy()), device)
            for each in graph.initializer
        }
        self._steps: list[tuple[Operator, dict[str, Any], list[str], str]] = []
        same: dict[str, str] = {}  # names of one value
        for node in graph.node:
            attributes = {each.name: onnx.helper.get_attribute_value(each) for each in node.attribute}
            inputs, output = [same.get(name, name) for name in node.input], node.output[0]
            if node.op_type == "Constant":
                value = torch.from_numpy(numpy_helper.to_array(attributes["value"]).copy())
                self._constants[output] = self._to_device(value, device)
                continue
            if node.op_type not in OPERATORS:
                raise ValueError(f"its operator {node.op_type} is not supported by torch here")
            operator = OPERATORS[node.op_type]
            if all(name == "" or name in self._constants for name in inputs):  # a weight: compute it once
                given = [self._constants.get(name) for name in inputs]
                self._constants[output] = operator(*given, **attributes)
            elif node.op_type in ROUNDING and not rounded:
                same[output] = inputs[0]
            else:
                self._steps.append((operator, attributes, inputs, output))
        self._constants = {
            name: _in_channels_last(value.to(dtype)) if value.is_floating_point() else value
            for name, value in self._constants.items()
        }

    @staticmethod
    def _to_device(value: Tensor, device: torch.device) -> Tensor:
        # Shapes and indices stay in main memory: reading them from a GPU would wait for it.
        return value.to(device) if value.is_floating_point() or value.dtype in QUANTISED else value

    def __call__(self, planes: Tensor) -> tuple[Tensor, Tensor]:
        """Policy logits [batch, moves] and value log-odds [batch]."""
        values: dict[str, Any] = {**self._constants, "planes": planes, "": None}
        for operator, attributes, inputs, output in self._steps:
            values[output] = operator(*(values[name] for name in inputs), **attributes)
        return values["policy"], values["value"]


QUANTISED = (torch.int8, torch.uint8, torch.int32)
ROUNDING = ("QuantizeLinear", "DequantizeLinear")


def _in_channels_last(value: Tensor) -> Tensor:
    return value.contiguous(memory_format=torch.channels_last) if value.dim() == 4 else value


def _quantise(x: Tensor, scale: Tensor, zero: Tensor, axis: int = 1) -> Tensor:
    """The rounded value itself: `_dequantise` leaves it as it is."""
    limits = torch.iinfo(zero.dtype)
    offset = zero.float()
    return ((x / scale).round_().add_(offset).clamp_(limits.min, limits.max) - offset) * scale


def _dequantise(x: Tensor, scale: Tensor, zero: Tensor | None = None, axis: int = 1) -> Tensor:
    if x.is_floating_point():  # an activation
        return x
    if scale.dim() == 1:
        shape = [-1 if place == axis else 1 for place in range(x.dim())]
        scale, zero = scale.reshape(shape), None if zero is None else zero.reshape(shape)
    return (x.float() - (0 if zero is None else zero.float())) * scale


def _conv(x: Tensor, weight: Tensor, bias: Tensor | None = None, **attributes: Any) -> Tensor:
    pads = attributes.get("pads", [0, 0, 0, 0])
    return functional.conv2d(
        x.to(weight.dtype),
        weight,
        bias,
        stride=attributes.get("strides", [1, 1]),
        padding=pads[: len(pads) // 2],
        dilation=attributes.get("dilations", [1, 1]),
        groups=attributes.get("group", 1),
    )


def _gemm(
    x: Tensor,
    weight: Tensor,
    bias: Tensor | None = None,
    *,
    alpha: float = 1.0,
    beta: float = 1.0,
    transA: int = 0,
    transB: int = 0,
) -> Tensor:
    x = x.to(weight.dtype)  # sizes and their quotients are float32
    product = alpha * ((x.T if transA else x) @ (weight.T if transB else weight))
    return product if bias is None else product + beta * bias


def _slice(
    x: Tensor, starts: Tensor, ends: Tensor, axes: Tensor | None = None, steps: Tensor | None = None
) -> Tensor:
    where = range(len(starts)) if axes is None else axes.tolist()
    strides = [1] * len(starts) if steps is None else steps.tolist()
    for axis, start, end, step in zip(where, starts.tolist(), ends.tolist(), strides, strict=True):
        cut = [slice(None)] * x.dim()
        cut[axis] = slice(start, end, step)
        x = x[tuple(cut)]
    return x


def _reshape(x: Tensor, shape: Tensor, allowzero: int = 0) -> Tensor:
    sizes = [x.shape[place] if size == 0 else size for place, size in enumerate(shape.tolist())]
    return x.reshape(sizes)


def _gather(x: Tensor, indices: Tensor, axis: int = 0) -> Tensor:
    if indices.dim() == 0:
        return x.select(axis, int(indices))
    return x.index_select(axis, indices.to(x.device))


def _unsqueeze(x: Tensor, axes: Tensor) -> Tensor:
    for axis in sorted(axes.tolist()):
        x = x.unsqueeze(axis)
    return x


def _cast(x: Tensor, to: int) -> Tensor:
    from onnx import TensorProto

    return x.float() if to == TensorProto.FLOAT else x.long()


OPERATORS: dict[str, Operator] = {
    "Add": lambda a, b: a + b,
    "Cast": _cast,
    "Clip": lambda x, low=None, high=None: x.clamp(low, high),
    "Concat": lambda *parts, axis: torch.cat(parts, axis),
    "Conv": _conv,
    "DequantizeLinear": _dequantise,
    "Div": lambda a, b: a / b,
    "Gather": _gather,
    "Gemm": _gemm,
    "Mod": lambda a, b, fmod=0: torch.remainder(a, b),
    "Mul": lambda a, b: a * b,
    "QuantizeLinear": _quantise,
    "ReduceMax": lambda x, axes, keepdims=1: x.amax(axes, bool(keepdims)),
    "ReduceMean": lambda x, axes, keepdims=1: x.mean(axes, bool(keepdims)),
    "ReduceSum": lambda x, axes, keepdims=1, noop_with_empty_axes=0: x.sum(axes.tolist(), bool(keepdims)),
    "Relu": functional.relu,
    "Reshape": _reshape,
    "Shape": lambda x, start=0: torch.tensor(x.shape[start:]),
    "Slice": _slice,
    "Sqrt": torch.sqrt,
    "Sub": lambda a, b: a - b,
    "Unsqueeze": _unsqueeze,
}
