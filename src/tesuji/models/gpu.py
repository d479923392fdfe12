"""A network on a GPU, by torch.

The computation for a batch size is a CUDA graph, captured once and replayed with one call. Sizes are powers
of two; a smaller batch fills the first rows.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias

import numpy as np
import torch
from torch import Tensor

from tesuji.models.batching import SharedNetwork
from tesuji.models.network import Evaluate, Evaluation, PlaneBatch

LARGEST_BATCH = 1024
SMALLEST_GRAPH = 16

Compute: TypeAlias = Callable[[Tensor], tuple[Tensor, Tensor]]


def open_on_gpu(content: bytes) -> Evaluate:
    """The network of a file on the GPU, shared by all threads; ValueError without a GPU."""
    if not torch.cuda.is_available():
        raise ValueError("no CUDA device found; use device=cpu")
    return SharedNetwork(TorchEvaluator(content, torch.device("cuda")), limit=LARGEST_BATCH)


class TorchEvaluator:
    """The network of an ONNX or safetensors file, computed by torch: `TorchEvaluator(content, device)`."""

    def __init__(self, content: bytes, device: torch.device) -> None:
        self._device = device
        self._compute = _open(content, device)
        self._graphs: dict[tuple[int, ...], _Graph] = {}

    def __call__(self, planes: PlaneBatch) -> Evaluation:
        """Policy logits [batch, moves] and value log-odds [batch] for a batch of planes."""
        if self._device.type == "cpu":
            with torch.inference_mode():
                policy, value = self._compute(torch.from_numpy(planes))
                return policy.numpy(), value.numpy()
        size = max(SMALLEST_GRAPH, 1 << (len(planes) - 1).bit_length())
        shape = (size, *planes.shape[1:])
        if shape not in self._graphs:
            self._graphs[shape] = _Graph(self._compute, shape, self._device)
        return self._graphs[shape](planes)


def _open(content: bytes, device: torch.device) -> Compute:
    if content[8:9] == b"{":
        from tesuji.models.resnet import PolicyAndValue
        from tesuji.models.weights import read_network

        network: Compute = PolicyAndValue(read_network(content)[0]).to(device)
        return network
    from tesuji.models.onnx_torch import TorchModel

    return TorchModel(content, device)


class _Graph:
    """The computation for one shape of planes, with its memory."""

    def __init__(self, compute: Compute, shape: tuple[int, ...], device: torch.device) -> None:
        self._planes = torch.zeros(shape, device=device)
        self._pinned = torch.zeros(shape, pin_memory=True)
        self._stream: Any = torch.cuda.Stream(device)  # type: ignore[no-untyped-call]
        self._done: Any = torch.cuda.Event(blocking=True)  # type: ignore[no-untyped-call]
        self._stream.wait_stream(torch.cuda.current_stream(device))
        with torch.no_grad(), torch.cuda.stream(self._stream):
            for _ in range(3):  # choose kernels before the capture
                compute(self._planes)
            self._stream.synchronize()
            self._graph = torch.cuda.CUDAGraph()
            with torch.cuda.graph(self._graph, stream=self._stream):
                policy, value = compute(self._planes)
                self._outputs = policy.float().contiguous(), value.float().contiguous()
        self._answers = [torch.zeros(each.shape, pin_memory=True) for each in self._outputs]

    def __call__(self, planes: PlaneBatch) -> Evaluation:
        rows = len(planes)
        self._pinned[:rows].copy_(torch.from_numpy(planes))
        with torch.cuda.stream(self._stream):
            self._planes[:rows].copy_(self._pinned[:rows], non_blocking=True)
            self._graph.replay()
            for answer, output in zip(self._answers, self._outputs, strict=True):
                answer[:rows].copy_(output[:rows], non_blocking=True)
            self._done.record(self._stream)
        self._done.synchronize()  # without the interpreter's lock
        policy, value = (
            np.array(answer[:rows].numpy()) for answer in self._answers
        )  # the next call overwrites
        return policy, value
