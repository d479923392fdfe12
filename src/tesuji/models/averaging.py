"""A network's outputs averaged over the symmetries of the board."""

from __future__ import annotations

import numpy as np

from tesuji.models.network import Evaluate, Evaluation, PlaneBatch
from tesuji.planes import NativePlanes


class Averaged:
    """A network whose logits are averaged over all symmetries of the board: `Averaged(network, planes)`.

    A position costs as many evaluations as there are symmetries: two in Hex, eight in Gomoku.
    """

    def __init__(self, evaluate: Evaluate, planes: NativePlanes) -> None:
        self._evaluate = evaluate
        native, (_, rows, columns) = planes.native, planes.shape
        cells = np.arange(rows * columns, dtype=np.float32).reshape(rows, columns)
        # Turning a plane of cell numbers tells which cell each one came from.
        images = [
            np.asarray(native.transform_planes(one, np.repeat(cells[np.newaxis], planes.shape[0], 0)))[0]
            for one in range(native.symmetries)
        ]
        self._cells = np.stack(images).astype(np.intp).reshape(native.symmetries, -1)
        self._moves = np.array(
            [
                [native.transform_index(one, move) for move in range(planes.policy_size)]
                for one in range(native.symmetries)
            ]
        )

    def __call__(self, planes: PlaneBatch) -> Evaluation:
        """Policy logits [batch, moves] and value log-odds [batch] for a batch of planes."""
        count, symmetries = len(planes), len(self._cells)
        turned = planes.reshape(count, planes.shape[1], -1)[:, :, self._cells].transpose(2, 0, 1, 3)
        policy, value = self._evaluate(
            np.ascontiguousarray(turned).reshape(symmetries * count, *planes.shape[1:])
        )
        policy = policy.reshape(symmetries, count, -1)
        seen = np.stack([policy[one][:, moves] for one, moves in enumerate(self._moves)])
        return seen.mean(0, dtype=np.float32), value.reshape(symmetries, count).mean(0, dtype=np.float32)
