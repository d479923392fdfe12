"""The sparse features of positions or moves, in compressed rows.

Row i has `indices[offsets[i]:offsets[i + 1]]`, in any order. A feature that occurs twice counts twice.
Indices take two bytes each where the number of features allows it, and the ones of a sparse matrix are not
stored: 60 features a row take 128 bytes, a tenth of a CSR matrix of doubles.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from tesuji import _core, scale

Offsets: TypeAlias = NDArray[np.int64]
Indices: TypeAlias = NDArray[np.unsignedinteger]


@dataclass(frozen=True)
class SparseFeatures:
    """Rows of features, which are numbers below `count`.

    >>> features = SparseFeatures.of([[2, 0, 2], [], [1]], 3)
    >>> features.rows, features.take([2, 0]).indices.tolist()
    (3, [1, 2, 0, 2])
    """

    offsets: Offsets
    indices: Indices
    count: int
    values: NDArray[np.float64] | None = None
    """Parallel to the indices; None: every feature counts one."""

    @classmethod
    def of(cls, rows: Iterable[Sequence[int]], count: int) -> SparseFeatures:
        """From lists of features."""
        lists = list(rows)
        offsets = np.zeros(len(lists) + 1, dtype=np.int64)
        np.cumsum([len(row) for row in lists], out=offsets[1:])
        flat = [number for row in lists for number in row]
        return cls(offsets, np.array(flat, dtype=index_type(count)), count)

    @property
    def rows(self) -> int:
        """The number of rows."""
        return len(self.offsets) - 1

    @cached_property
    def native(self) -> _core.SparseRows:
        """The same arrays for the core, checked."""
        return _core.SparseRows(self.offsets, self.indices, self.values, self.count)

    def take(self, rows: slice | Sequence[int] | NDArray[np.int64] | NDArray[np.bool_]) -> SparseFeatures:
        """A copy of these rows, in this order."""
        chosen = np.arange(self.rows)[rows]
        lengths = np.diff(self.offsets)[chosen]
        offsets = np.zeros(len(chosen) + 1, dtype=np.int64)
        np.cumsum(lengths, out=offsets[1:])
        indices = np.empty(int(offsets[-1]), dtype=self.indices.dtype)
        for start in range(0, len(chosen), BLOCK):  # places take eight bytes for each index
            part = slice(start, start + BLOCK)
            begins = offsets[start : start + BLOCK + 1]
            shift = np.repeat(self.offsets[chosen[part]] - begins[:-1], lengths[part])
            indices[begins[0] : begins[-1]] = self.indices[shift + np.arange(begins[0], begins[-1])]
        return SparseFeatures(offsets, indices, self.count)

    def renumbered(self) -> tuple[SparseFeatures, NDArray[np.int64]]:
        """The same rows without the features that occur in none, and the number of each that is left.

        >>> features, left = SparseFeatures.of([[7, 2, 7], [2]], 9).renumbered()
        >>> features.indices.tolist(), left.tolist()
        ([1, 0, 1, 0], [2, 7])
        """
        occurs = np.zeros(self.count, dtype=bool)
        occurs[self.indices] = True
        left = np.flatnonzero(occurs)
        numbers = (np.cumsum(occurs) - 1).astype(index_type(len(left)))
        return SparseFeatures(self.offsets, numbers[self.indices], len(left), self.values), left

    def sums(self, first: int, last: int, weights: NDArray[np.float64]) -> NDArray[np.float64]:
        """For each of these rows, the sum of the weights of its features."""
        return self.native.sums(first, last, weights, scale.cores())

    @classmethod
    def join(cls, parts: Sequence[SparseFeatures]) -> SparseFeatures:
        """The rows of all parts, one after another."""
        begins = np.cumsum([0, *(int(part.offsets[-1]) for part in parts[:-1])])
        offsets = [part.offsets[1:] + begin for part, begin in zip(parts, begins, strict=True)]
        zero = np.zeros(1, dtype=np.int64)
        return cls(
            np.concatenate([zero, *offsets]), np.concatenate([p.indices for p in parts]), parts[0].count
        )


BLOCK = 1 << 16  # rows


def index_type(count: int) -> type[np.unsignedinteger]:
    """The type of the indices of so many features."""
    return np.uint16 if count <= 1 << 16 else np.uint32
