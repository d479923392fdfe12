"""Evaluation of planes by a torch network, for self-play: policy logits and value log-odds.

On a GPU the computation is a CUDA graph of a fixed batch size, captured once and replayed with one call. It
runs in bf16 and channels-last. Inputs and outputs are in pinned memory, so that copies are asynchronous;
self-play writes its planes there directly. A smaller batch fills the first rows, and the rest is computed in
vain.
"""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from tesuji.models.network import Evaluation
from tesuji.models.network_format import Shape
from tesuji.models.resnet import PolicyAndValue


def find_device(name: str) -> torch.device:
    """The device of that name, `auto` preferring a GPU; ValueError if it is not available."""
    if name == "auto":
        name = "cuda" if torch.cuda.is_available() else "cpu"
    if name not in ("cpu", "cuda"):
        raise ValueError(f"the device must be auto, cpu or cuda, not {name!r}")
    if name == "cuda" and not torch.cuda.is_available():
        raise ValueError("no CUDA device found; use cpu or auto")
    return torch.device(name)


class Evaluator:
    """A copy of a network for evaluation: `Evaluator(network, shape, device, batch=512)(planes)`.

    `update` sets new weights. `buffers` is the number of input arrays, one per group of games: planes written
    there need not be copied, and the outputs are valid until the next call with the same buffer. `padded`
    planes hold boards of several sizes.
    """

    def __init__(
        self,
        network: nn.Module,
        shape: Shape,
        device: torch.device,
        *,
        batch: int,
        buffers: int = 0,
        compiled: bool = True,
        padded: bool = False,
    ) -> None:
        self.batch, self.device = batch, device
        self._arguments = {"padded": True} if padded else {}  # other networks need not know it
        self._shape, self._buffer_count = shape, buffers
        self._network = copy.deepcopy(network).requires_grad_(False).eval()
        self._graph: _Graph | None = None
        if device.type == "cuda":
            self._network = self._network.to(device, torch.bfloat16, memory_format=torch.channels_last)  # type: ignore[call-overload]
            inference = PolicyAndValue(self._network)
            self._run = torch.compile(inference, dynamic=False) if compiled else inference
        self._make_buffers()

    def shared_copy(self) -> Evaluator:
        """An evaluator with the same weights but its own buffers, for use in another thread."""
        other = copy.copy(self)
        other._make_buffers()
        return other

    def _make_buffers(self) -> None:
        shape = self._shape
        if self.device.type == "cuda":
            self._graph = _Graph(
                self._run, shape, self.device, self.batch, self._buffer_count, self._arguments
            )
            self.buffers = self._graph.buffers
        else:
            sizes = (self.batch, shape.planes, shape.rows, shape.columns)
            self.buffers = [np.zeros(sizes, np.float32) for _ in range(self._buffer_count)]

    def update(self, network: nn.Module) -> None:
        """Copy the weights of a network, for all shared copies; no evaluation may run meanwhile."""
        with torch.no_grad():
            for own, new in zip(self._network.parameters(), network.parameters(), strict=True):
                own.copy_(new)
        if self._graph is not None:
            torch.cuda.synchronize(self.device)  # the graphs run in other streams

    def __call__(self, planes: NDArray[Any]) -> Evaluation:
        """Policy logits [batch, moves] and value log-odds [batch]."""
        if self._graph is not None:
            return self._graph(planes)
        with torch.inference_mode():
            outputs = self._network(torch.from_numpy(planes), **self._arguments)
            return outputs.policy.numpy(), outputs.value.numpy()


class _PinnedBuffers:
    """Pinned memory for one batch and its outputs."""

    def __init__(self, planes: Tensor, policy: Tensor, value: Tensor) -> None:
        self.planes, self.policy, self.value = (
            torch.zeros(each.shape, pin_memory=True) for each in (planes, policy, value)
        )


class _Graph:
    """A CUDA graph of a network with its input and output memory."""

    def __init__(
        self,
        network: Callable[..., tuple[Tensor, Tensor]],
        shape: Shape,
        device: torch.device,
        batch: int,
        buffers: int,
        arguments: dict[str, bool],
    ) -> None:
        self._batch = batch
        self._planes = torch.zeros(batch, shape.planes, shape.rows, shape.columns, device=device)

        def compute() -> tuple[Tensor, Tensor]:
            planes = self._planes.to(torch.bfloat16, memory_format=torch.channels_last)
            policy, value = network(planes, **arguments)
            return policy.float().contiguous(), value.float().contiguous()

        # Before the training that runs at the same time: games wait for the answer.
        self._stream: Any = torch.cuda.Stream(device, priority=-1)  # type: ignore[no-untyped-call]
        self._done: Any = torch.cuda.Event(blocking=True)  # type: ignore[no-untyped-call]
        self._stream.wait_stream(torch.cuda.current_stream(device))
        with torch.no_grad(), torch.cuda.stream(self._stream):
            for _ in range(3):  # compile and choose kernels before the capture
                compute()
            self._stream.synchronize()
            self._graph = torch.cuda.CUDAGraph()
            with torch.cuda.graph(self._graph, stream=self._stream):
                self._policy, self._value = compute()
        buffers_and_spare = [
            _PinnedBuffers(self._planes, self._policy, self._value) for _ in range(buffers + 1)
        ]
        self._spare = buffers_and_spare.pop()
        self.buffers = [each.planes.numpy() for each in buffers_and_spare]
        self._by_address = {each.planes.data_ptr(): each for each in buffers_and_spare}

    def __call__(self, planes: NDArray[Any]) -> Evaluation:
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
            pinned.policy[:count].copy_(self._policy[:count], non_blocking=True)
            pinned.value[:count].copy_(self._value[:count], non_blocking=True)
            self._done.record(self._stream)
        # Releases the interpreter's lock, and sleeps: synchronizing the stream would keep a core busy.
        self._done.synchronize()
        return pinned.policy[:count].numpy(), pinned.value[:count].numpy()
