"""A network on a GPU, by torch, in half precision.

The computation for a batch size is a CUDA graph. Sizes are powers of two, the smallest 64, which takes about
as long as one position; a smaller batch fills the first rows.
"""

from __future__ import annotations

import copy
from typing import Literal

import numpy as np
import torch
from torch import Tensor

from tesuji.models.batching import SharedNetwork
from tesuji.models.cuda_graph import Compute, CudaGraph
from tesuji.models.network import Evaluate, Evaluation, PlaneBatch

LARGEST_BATCH = 1024
SMALLEST_GRAPH = 64
STREAMS = 2
"""Batches on the GPU at once: one is copied and started while the other is computed."""

Precision = Literal["half", "rounded"]
"""`half`: 16-bit floats. `rounded`: 32 bits, with activations rounded as in a quantised file."""


def open_on_gpu(content: bytes) -> Evaluate:
    """The network of a file on the GPU, shared by all threads; ValueError without a GPU."""
    if not torch.cuda.is_available():
        raise ValueError("no CUDA device found; use device=cpu")
    first = TorchEvaluator(content, torch.device("cuda"))
    return SharedNetwork([first, *(first.shared_copy() for _ in range(STREAMS - 1))], limit=LARGEST_BATCH)


class TorchEvaluator:
    """The network of an ONNX or safetensors file, computed by torch: `TorchEvaluator(content, device)`.

    Not for several threads at once: each needs a `shared_copy`.
    """

    def __init__(
        self,
        content: bytes,
        device: torch.device,
        *,
        precision: Precision = "half",
        waits: str = "awake",
    ) -> None:
        self._device, self._waits = device, waits
        self._compute = _open(content, device, precision)
        self._graphs: dict[tuple[int, ...], CudaGraph] = {}

    def shared_copy(self) -> TorchEvaluator:
        """An evaluator with the same weights but its own graphs, for use in another thread."""
        other = copy.copy(self)
        other._graphs = {}
        return other

    def __call__(self, planes: PlaneBatch) -> Evaluation:
        """Policy logits [batch, moves] and value log-odds [batch] for a batch of planes."""
        if self._device.type == "cpu":
            with torch.inference_mode():
                policy, value = self._compute(torch.from_numpy(planes))
                return policy.float().numpy(), value.float().numpy()
        size = max(SMALLEST_GRAPH, 1 << (len(planes) - 1).bit_length())
        shape = (size, *planes.shape[1:])
        if shape not in self._graphs:
            self._graphs[shape] = CudaGraph(self._compute, shape, self._device, waits=self._waits)
        outputs = self._graphs[shape](planes)
        return np.array(outputs[0]), np.array(outputs[1])  # the next call overwrites


def _open(content: bytes, device: torch.device, precision: Precision) -> Compute:
    dtype = torch.float16 if precision == "half" else torch.float32
    network: Compute
    if content[8:9] == b"{":
        from tesuji.models.resnet import PolicyAndValue
        from tesuji.models.weights import read_network

        module = PolicyAndValue(read_network(content)[0])
        network = module.to(device, dtype, memory_format=torch.channels_last)  # type: ignore[call-overload]
    else:
        from tesuji.models.onnx_torch import TorchModel

        network = TorchModel(content, device, dtype=dtype, rounded=precision == "rounded")

    def compute(planes: Tensor) -> tuple[Tensor, Tensor]:
        return network(planes.to(dtype, memory_format=torch.channels_last))

    return compute
