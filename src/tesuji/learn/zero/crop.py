"""Computing padded planes on fewer cells, where all boards of a batch are smaller than the planes.

A padded board lies in one of the four corners, depending on the symmetry under which it was encoded. So each
position is cut out at the corner of its board, and the policy is put back there.
"""

from __future__ import annotations

import torch
from torch import Tensor, nn
from torch.nn import functional

from tesuji.models.network_format import Shape
from tesuji.models.resnet import OFF_BOARD_LOGIT


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
