"""A torch network as self-play calls it: planes in, policy logits and value log-odds out.

On a GPU every batch has the same size, so that the whole computation is one CUDA graph: captured once,
replayed with one call. It runs in bf16 and channels-last, from and to pinned memory, whose copies need no
processor. A smaller batch takes the place of the first positions, and the rest is computed in vain.
"""

from __future__ import annotations

import copy
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from tesuji.learn.zero.network import Shape

Answer = tuple[NDArray[np.float32], NDArray[np.float32]]


class Evaluator:
    """A twin of a network, for playing: `Evaluator(network, shape, device, batch=512)(planes)`.

    `update` gives it new weights.
    """

    def __init__(
        self, network: nn.Module, shape: Shape, device: torch.device, *, batch: int = 1, compiled: bool = True
    ) -> None:
        self.batch, self.device = batch, device
        self._network = copy.deepcopy(network).requires_grad_(False).eval()
        self._graph: _Graph | None = None
        if device.type == "cuda":
            self._network = self._network.to(device, torch.bfloat16, memory_format=torch.channels_last)  # type: ignore[call-overload]
            self._graph = _Graph(self._network, shape, device, batch, compiled=compiled)

    def update(self, network: nn.Module) -> None:
        """Take over the weights of a network of the same kind."""
        with torch.no_grad():
            for ours, theirs in zip(self._network.parameters(), network.parameters(), strict=True):
                ours.copy_(theirs)

    def __call__(self, planes: NDArray[Any]) -> Answer:
        """Policy logits [batch, moves] and value log-odds [batch]; valid until the next call."""
        if self._graph is not None:
            return self._graph(planes)
        with torch.inference_mode():
            outputs = self._network(torch.from_numpy(planes))
            return outputs.policy.numpy(), outputs.value.numpy()


class _Graph:
    """A CUDA graph of a network, with the memory that goes in and out."""

    def __init__(
        self, network: nn.Module, shape: Shape, device: torch.device, batch: int, *, compiled: bool
    ) -> None:
        sizes = (batch, shape.planes, shape.rows, shape.columns)
        self._batch = batch
        self._host_planes = torch.zeros(sizes, pin_memory=True)
        self._planes = torch.zeros(sizes, device=device)
        run = torch.compile(network, dynamic=False) if compiled else network

        def compute() -> tuple[Tensor, Tensor]:
            planes = self._planes.to(torch.bfloat16, memory_format=torch.channels_last)
            outputs = run(planes)
            return outputs.policy.float().contiguous(), outputs.value.float().contiguous()

        self._stream: Any = torch.cuda.Stream(device)  # type: ignore[no-untyped-call]
        self._stream.wait_stream(torch.cuda.current_stream(device))
        with torch.inference_mode(), torch.cuda.stream(self._stream):
            for _ in range(3):  # compiling and choosing kernels happens here, not in the graph
                compute()
            self._stream.synchronize()
            self._graph = torch.cuda.CUDAGraph()
            with torch.cuda.graph(self._graph, stream=self._stream):
                self._policy, self._value = compute()
        self._host_policy = torch.zeros(self._policy.shape, pin_memory=True)
        self._host_value = torch.zeros(self._value.shape, pin_memory=True)

    def __call__(self, planes: NDArray[Any]) -> Answer:
        count = len(planes)
        if count > self._batch:
            raise ValueError(f"a batch has at most {self._batch} positions here, not {count}")
        self._host_planes[:count].copy_(torch.from_numpy(planes))
        with torch.cuda.stream(self._stream):
            self._planes[:count].copy_(self._host_planes[:count], non_blocking=True)
            self._graph.replay()
            self._host_policy[:count].copy_(self._policy[:count], non_blocking=True)
            self._host_value[:count].copy_(self._value[:count], non_blocking=True)
        self._stream.synchronize()  # without the interpreter's lock
        return self._host_policy[:count].numpy(), self._host_value[:count].numpy()
