"""A network's computation on a GPU as a CUDA graph: captured once, replayed with one call.

Inputs and outputs pass through pinned memory, so that copies are asynchronous. A batch smaller than the
graph's fills the first rows, and the rest is computed in vain.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any, TypeAlias

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from tesuji.models.network import Evaluation

_capturing = threading.Lock()
"""Another capture would synchronise the device, which ends this one with an error."""

Compute: TypeAlias = Callable[[Tensor], tuple[Tensor, Tensor]]
"""From float32 planes [batch, planes, rows, columns] to policy and value."""


class CudaGraph:
    """The computation for one shape of planes, with its memory: `CudaGraph(compute, shape, device)(planes)`.

    `buffers` is the number of input arrays in pinned memory: planes written there need not be copied, and the
    outputs are valid until the next call with the same buffer. `waits` says how a thread waits for the GPU,
    without the interpreter's lock: `asleep`, or `awake`, which takes a core but notices the end sooner.
    """

    def __init__(
        self,
        compute: Compute,
        shape: tuple[int, ...],
        device: torch.device,
        *,
        buffers: int = 0,
        waits: str = "asleep",
    ) -> None:
        self._batch = shape[0]
        self._planes = torch.zeros(shape, device=device)
        # Before the training that runs at the same time: games wait for the answer.
        self._stream: Any = torch.cuda.Stream(device, priority=-1)  # type: ignore[no-untyped-call]
        self._done: Any = torch.cuda.Event(blocking=waits == "asleep")  # type: ignore[no-untyped-call]
        self._stream.wait_stream(torch.cuda.current_stream(device))
        with _capturing, torch.no_grad(), torch.cuda.stream(self._stream):
            for _ in range(3):  # compile and choose kernels before the capture
                compute(self._planes)
            self._stream.synchronize()
            self._graph = torch.cuda.CUDAGraph()
            # Other threads may use the GPU meanwhile.
            with torch.cuda.graph(self._graph, stream=self._stream, capture_error_mode="thread_local"):
                policy, value = compute(self._planes)
                self._outputs = policy.float().contiguous(), value.float().contiguous()
        pinned = [_PinnedBuffers(self._planes, *self._outputs) for _ in range(buffers + 1)]
        self._spare = pinned.pop()
        self.buffers = [each.planes.numpy() for each in pinned]
        self._by_address = {each.planes.data_ptr(): each for each in pinned}

    def __call__(self, planes: NDArray[np.float32]) -> Evaluation:
        """Policy logits [batch, moves] and value log-odds [batch]."""
        count = len(planes)
        if count > self._batch:
            raise ValueError(f"the batch has {count} positions; the limit is {self._batch}")
        pinned = self._by_address.get(planes.ctypes.data)
        if pinned is None:
            pinned = self._spare
            pinned.planes[:count].copy_(torch.from_numpy(planes))
        with torch.cuda.stream(self._stream):
            self._planes[:count].copy_(pinned.planes[:count], non_blocking=True)
            self._graph.replay()
            for answer, output in zip(pinned.outputs, self._outputs, strict=True):
                answer[:count].copy_(output[:count], non_blocking=True)
            self._done.record(self._stream)
        # Without the interpreter's lock. Synchronizing the stream would always keep a core busy.
        self._done.synchronize()
        policy, value = (answer[:count].numpy() for answer in pinned.outputs)
        return policy, value


class _PinnedBuffers:
    """Pinned memory for one batch and its outputs."""

    def __init__(self, planes: Tensor, policy: Tensor, value: Tensor) -> None:
        self.planes = torch.zeros(planes.shape, pin_memory=True)
        self.outputs = [torch.zeros(each.shape, pin_memory=True) for each in (policy, value)]
