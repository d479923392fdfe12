"""Evaluation of planes by a torch network, for self-play: policy logits and value log-odds.

On a GPU the computation is a CUDA graph of a fixed batch size, in bf16 and channels-last. Self-play writes
its planes directly into the graph's pinned memory.

Where all boards of a batch are smaller than the planes, fewer cells are computed. A padded board lies in one
of the four corners, depending on the symmetry under which it was encoded. So each position is cut out at the
corner of its board, and the policy is put back there.
"""

from __future__ import annotations

import copy
from collections.abc import Callable

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn import functional

from tesuji.models.cuda_graph import CudaGraph
from tesuji.models.network import Evaluation
from tesuji.models.network_format import Shape
from tesuji.models.resnet import OFF_BOARD_LOGIT, PolicyAndValue


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
    planes hold boards of several sizes, of at most `side` rows; the rest of the planes is not computed.
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
        side: int | None = None,
    ) -> None:
        self.batch, self.device, self._compiled, self._side = batch, device, compiled, side
        self._arguments = {"padded": True} if padded else {}  # other networks need not know it
        self._shape, self._buffer_count = shape, buffers
        self._network = copy.deepcopy(network).requires_grad_(False).eval()
        self._graph: CudaGraph | None = None
        if device.type == "cuda":
            self._network = self._network.to(device, torch.bfloat16, memory_format=torch.channels_last)  # type: ignore[call-overload]
        self._run = self._inference()
        self._make_buffers()

    def shared_copy(self, side: int | None = None) -> Evaluator:
        """An evaluator with the same weights but its own buffers, for use in another thread."""
        other = copy.copy(self)
        if side != self._side:  # otherwise what was compiled is shared
            other._side = side
            other._run = other._inference()
        other._make_buffers()
        return other

    def _inference(self) -> Callable[..., tuple[Tensor, Tensor]]:
        inference: nn.Module = PolicyAndValue(self._network)
        if self._side is not None and self._side < max(self._shape.rows, self._shape.columns):
            inference = CroppedToBoards(inference, self._shape, self._side)
        if self.device.type == "cuda" and self._compiled:
            return torch.compile(inference, dynamic=False)
        return inference

    def _make_buffers(self) -> None:
        shape = self._shape
        sizes = (self.batch, shape.planes, shape.rows, shape.columns)
        if self.device.type == "cuda":
            self._graph = CudaGraph(self._compute, sizes, self.device, buffers=self._buffer_count)
            self.buffers = self._graph.buffers
        else:
            self.buffers = [np.zeros(sizes, np.float32) for _ in range(self._buffer_count)]

    def _compute(self, planes: Tensor) -> tuple[Tensor, Tensor]:
        policy, value = self._run(
            planes.to(torch.bfloat16, memory_format=torch.channels_last), **self._arguments
        )
        return policy, value

    def update(self, network: nn.Module) -> None:
        """Copy the weights of a network, for all shared copies; no evaluation may run meanwhile."""
        with torch.no_grad():
            for own, new in zip(self._network.parameters(), network.parameters(), strict=True):
                own.copy_(new)
        if self._graph is not None:
            torch.cuda.synchronize(self.device)  # the graphs run in other streams

    def __call__(self, planes: NDArray[np.float32]) -> Evaluation:
        """Policy logits [batch, moves] and value log-odds [batch]."""
        if self._graph is not None:
            return self._graph(planes)
        with torch.inference_mode():
            policy, value = self._run(torch.from_numpy(planes), **self._arguments)
            return policy.numpy(), value.numpy()


class CroppedToBoards(nn.Module):
    """A network for padded planes, computed on fewer cells: `CroppedToBoards(network, shape, side=15)`.

    `network` returns policy logits and value log-odds. No board may have more than `side` rows.
    """

    def __init__(self, network: nn.Module, shape: Shape, side: int) -> None:
        super().__init__()
        if shape.board is None:
            raise ValueError("planes without a board plane cannot be cropped")
        self.network, self._shape, self._board = network, shape, shape.board
        self._rows, self._columns = min(side, shape.rows), min(side, shape.columns)

    def forward(self, planes: Tensor, **arguments: bool) -> tuple[Tensor, Tensor]:
        """Policy logits [batch, policy] and value log-odds [batch]."""
        shape, rows, columns = self._shape, self._rows, self._columns
        board = planes[:, self._board]
        top = (board[:, 0].amax(1) > 0)[:, None, None, None]
        left = (board[:, :, 0].amax(1) > 0)[:, None, None, None]
        cropped = torch.where(top, planes[:, :, :rows], planes[:, :, -rows:])
        cropped = torch.where(left, cropped[..., :columns], cropped[..., -columns:])
        policy, value = self.network(cropped, **arguments)

        cells = policy[:, : shape.policy_planes * rows * columns].unflatten(1, (-1, rows, columns))
        beside, below = shape.columns - columns, shape.rows - rows
        cells = torch.where(left, _padded(cells, 0, beside, 0, 0), _padded(cells, beside, 0, 0, 0))
        cells = torch.where(top, _padded(cells, 0, 0, 0, below), _padded(cells, 0, 0, below, 0))
        return torch.cat([cells.flatten(1), policy[:, policy.shape[1] - shape.extras :]], 1), value


def _padded(cells: Tensor, *margins: int) -> Tensor:
    """Cells with margins off the board: left, right, top, bottom."""
    return functional.pad(cells, margins, value=OFF_BOARD_LOGIT)
