"""A network in torch: on a GPU, in half precision; on a processor, in full precision.

The computation for a batch size on a GPU is a CUDA graph. Sizes are powers of two, the smallest 64, which
takes about as long as one position; a smaller batch fills the first rows.
"""

from __future__ import annotations

import copy

import numpy as np
import torch
from torch import Tensor

from tesuji.models.batching import SharedNetwork
from tesuji.models.cuda_graph import CudaGraph
from tesuji.models.network import Evaluate, Evaluation, PlaneBatch
from tesuji.models.network_format import Description
from tesuji.models.resnet import PolicyAndValue
from tesuji.models.weights import read_network

LARGEST_BATCH = 1024
SMALLEST_GRAPH = 64
STREAMS = 2
"""Batches on the GPU at once: one is copied and started while the other is computed."""


def open_on_gpu(content: bytes) -> tuple[Evaluate, Description]:
    """The network of a file on the GPU, shared by all threads; ValueError without a GPU."""
    if not torch.cuda.is_available():
        raise ValueError("no CUDA device found; use device=cpu")
    first = TorchNetwork(content, torch.device("cuda"))
    copies = [first, *(first.shared_copy() for _ in range(STREAMS - 1))]
    return SharedNetwork(copies, limit=LARGEST_BATCH), first.description


class TorchNetwork:
    """The network of a file, computed by torch: `TorchNetwork(content, torch.device("cuda"))`.

    Not for several threads at once: each needs a `shared_copy`.
    """

    def __init__(self, content: bytes, device: torch.device) -> None:
        network, self.description = read_network(content)
        self._device = device
        self._dtype = torch.float16 if device.type == "cuda" else torch.float32
        if device.type == "cpu":
            torch.set_num_threads(1)  # an evaluation runs in the thread that asks for it
        self._network = PolicyAndValue(network).to(  # type: ignore[call-overload]
            device, self._dtype, memory_format=torch.channels_last
        )
        self._graphs: dict[tuple[int, ...], CudaGraph] = {}

    def shared_copy(self) -> TorchNetwork:
        """One with the same weights but its own graphs, for use in another thread."""
        other = copy.copy(self)
        other._graphs = {}
        return other

    def __call__(self, planes: PlaneBatch) -> Evaluation:
        """Policy logits [batch, moves] and value log-odds [batch] for a batch of planes."""
        if self._device.type == "cpu":
            with torch.inference_mode():
                policy, value = self._compute(torch.from_numpy(planes))
                return policy.numpy(), value.numpy()
        size = max(SMALLEST_GRAPH, 1 << (len(planes) - 1).bit_length())
        shape = (size, *planes.shape[1:])
        if shape not in self._graphs:
            self._graphs[shape] = CudaGraph(self._compute, shape, self._device, waits="awake")
        outputs = self._graphs[shape](planes)
        return np.array(outputs[0]), np.array(outputs[1])  # the next call overwrites

    def _compute(self, planes: Tensor) -> tuple[Tensor, Tensor]:
        policy, value = self._network(planes.to(self._dtype, memory_format=torch.channels_last))
        return policy, value
