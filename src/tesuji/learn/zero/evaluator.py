"""A torch network as self-play calls it: planes in, policy logits and value log-odds out.

On a GPU every batch has the same size, so that the whole computation is one CUDA graph: captured once,
replayed with one call. It runs in bf16 and channels-last, from and to pinned memory, whose copies need no
processor; self-play writes its planes there at once. A smaller batch takes the place of the first
positions, and the rest is computed in vain.
"""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from tesuji.learn.zero.net import Outputs
from tesuji.learn.zero.network import Answer, Shape


def find_device(name: str) -> torch.device:
    """The device of that name; `auto` is a GPU where there is one; ValueError where there is none such."""
    if name == "auto":
        name = "cuda" if torch.cuda.is_available() else "cpu"
    if name not in ("cpu", "cuda"):
        raise ValueError(f"the device must be auto, cpu or cuda, not {name!r}")
    if name == "cuda" and not torch.cuda.is_available():
        raise ValueError("there is no CUDA device here; cpu is slower, and works")
    return torch.device(name)


class Evaluator:
    """A twin of a network, for playing: `Evaluator(network, shape, device, batch=512)(planes)`.

    `update` gives it new weights. `buffers` are arrays for the planes of batches, one for each group of
    games: what is there need not be copied, and the answer to it is valid until the next call with the same
    one. `padded` planes have boards of several sizes in them.
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
        self.batch, self.device, self._padded = batch, device, padded
        self._shape, self._count = shape, buffers
        self._network = copy.deepcopy(network).requires_grad_(False).eval()
        self._graph: _Graph | None = None
        if device.type == "cuda":
            self._network = self._network.to(device, torch.bfloat16, memory_format=torch.channels_last)  # type: ignore[call-overload]
            self._run = torch.compile(self._network, dynamic=False) if compiled else self._network
        self._make_buffers()

    def twin(self) -> Evaluator:
        """Another one with the same weights and a batch of its own: two threads may call the two at once."""
        twin = copy.copy(self)
        twin._make_buffers()
        return twin

    def _make_buffers(self) -> None:
        shape = self._shape
        if self.device.type == "cuda":
            self._graph = _Graph(self._run, shape, self.device, self.batch, self._count, self._padded)
            self.buffers = self._graph.buffers
        else:
            sizes = (self.batch, shape.planes, shape.rows, shape.columns)
            self.buffers = [np.zeros(sizes, np.float32) for _ in range(self._count)]

    def update(self, network: nn.Module) -> None:
        """Take over the weights of a network of the same kind, for all twins; none is called meanwhile."""
        with torch.no_grad():
            for ours, theirs in zip(self._network.parameters(), network.parameters(), strict=True):
                ours.copy_(theirs)
        if self._graph is not None:
            torch.cuda.synchronize(self.device)  # the graphs have streams of their own

    def __call__(self, planes: NDArray[Any]) -> Answer:
        """Policy logits [batch, moves] and value log-odds [batch]."""
        if self._graph is not None:
            return self._graph(planes)
        with torch.inference_mode():
            outputs = self._network(torch.from_numpy(planes), self._padded)
            return outputs.policy.numpy(), outputs.value.numpy()


class _Slot:
    """Pinned memory for one batch and its answer."""

    def __init__(self, planes: Tensor, policy: Tensor, value: Tensor) -> None:
        self.planes, self.policy, self.value = (
            torch.zeros(each.shape, pin_memory=True) for each in (planes, policy, value)
        )


class _Graph:
    """A CUDA graph of a network, with the memory that goes in and out."""

    def __init__(
        self,
        network: Callable[[Tensor, bool], Outputs],
        shape: Shape,
        device: torch.device,
        batch: int,
        buffers: int,
        padded: bool,
    ) -> None:
        self._batch = batch
        self._planes = torch.zeros(batch, shape.planes, shape.rows, shape.columns, device=device)

        def compute() -> tuple[Tensor, Tensor]:
            planes = self._planes.to(torch.bfloat16, memory_format=torch.channels_last)
            outputs = network(planes, padded)
            return outputs.policy.float().contiguous(), outputs.value.float().contiguous()

        self._stream: Any = torch.cuda.Stream(device)  # type: ignore[no-untyped-call]
        self._stream.wait_stream(torch.cuda.current_stream(device))
        with torch.no_grad(), torch.cuda.stream(self._stream):
            for _ in range(3):  # compiling and choosing kernels happens here, not in the graph
                compute()
            self._stream.synchronize()
            self._graph = torch.cuda.CUDAGraph()
            with torch.cuda.graph(self._graph, stream=self._stream):
                self._policy, self._value = compute()
        slots = [_Slot(self._planes, self._policy, self._value) for _ in range(buffers + 1)]
        self._spare = slots.pop()
        self.buffers = [slot.planes.numpy() for slot in slots]
        self._slots = {slot.planes.data_ptr(): slot for slot in slots}

    def __call__(self, planes: NDArray[Any]) -> Answer:
        count = len(planes)
        if count > self._batch:
            raise ValueError(f"a batch has at most {self._batch} positions here, not {count}")
        slot = self._slots.get(planes.ctypes.data)
        if slot is None:
            slot = self._spare
            slot.planes[:count].copy_(torch.from_numpy(planes))
        with torch.cuda.stream(self._stream):
            self._planes[:count].copy_(slot.planes[:count], non_blocking=True)
            self._graph.replay()
            slot.policy[:count].copy_(self._policy[:count], non_blocking=True)
            slot.value[:count].copy_(self._value[:count], non_blocking=True)
        self._stream.synchronize()  # without the interpreter's lock
        return slot.policy[:count].numpy(), slot.value[:count].numpy()
