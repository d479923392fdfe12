"""How to round a network's numbers to integers: ranges of activations, and weights.

The range of an activation minimises the mean squared error of rounding and clipping: a few large values are
worth less than a finer scale for all others.

Weights are rounded one input at a time; after each, the weights of the inputs that are left are corrected so
that the convolution's outputs change least (Frantar et al., GPTQ: Accurate post-training quantization for
generative pre-trained transformers, 2022). It needs the second moments of the inputs, XᵀX. For a policy of
Gomoku this halves the loss of 7-bit weights.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

BINS = 4096
LEVELS = 255
"""Steps of an 8-bit number."""
RANGE_FRACTIONS = np.linspace(0.15, 1.0, 35)
"""Fractions of the whole range that are tried as ranges."""
WEIGHT_FRACTIONS = np.linspace(0.6, 1.0, 41)
DAMPING = 0.01
"""Added to the second moments, as a fraction of their mean: inputs that hardly vary are not relied on."""


class Histogram:
    """A histogram of values between two limits: `Histogram(-1.0, 3.0)`, then `add`."""

    def __init__(self, low: float, high: float) -> None:
        self.low, self.high = min(low, 0.0), max(high, 1e-6)
        self.counts = np.zeros(BINS)

    def add(self, values: NDArray[np.float32]) -> None:
        """Count the values."""
        self.counts += np.histogram(values, BINS, (self.low, self.high))[0]

    def best_scale(self) -> tuple[float, int]:
        """The scale and the zero point, from 0 to 255, with the least mean squared error."""
        edges = np.linspace(self.low, self.high, BINS + 1)
        centres, found = (edges[1:] + edges[:-1]) / 2, []
        for low in self.low * (RANGE_FRACTIONS if self.low < 0 else np.ones(1)):
            for high in self.high * RANGE_FRACTIONS:
                scale = (high - low) / LEVELS
                zero = round(-low / scale)
                error = self.counts @ (quantized(centres, scale, zero) - centres) ** 2
                found.append((float(error), float(scale), zero))
        return min(found)[1:]


def quantized(values: NDArray[Any], scale: float, zero: int) -> NDArray[np.float32]:
    """The values as they are after quantisation to 8 bits."""
    integers = np.clip(np.round(values / scale) + zero, 0, LEVELS)
    return np.asarray((integers - zero) * scale, np.float32)


def weight_scales(weights: NDArray[np.float32], most: int) -> NDArray[np.float32]:
    """The scale for each row of weights, rounded to integers up to `most`, with the least squared error."""
    largest = np.abs(weights).max(1)
    largest[largest == 0] = 1.0
    best, least = largest / most, np.full(len(weights), np.inf)
    for fraction in WEIGHT_FRACTIONS:
        scales = (largest * fraction / most)[:, None]
        rounded = np.clip(np.round(weights / scales), -most, most) * scales
        errors = ((rounded - weights) ** 2).sum(1)
        best = np.where(errors < least, scales[:, 0], best)
        least = np.minimum(errors, least)
    return np.asarray(best, np.float32)


def round_weights(
    weights: NDArray[np.float32], scales: NDArray[np.float32], most: int, moments: NDArray[np.float64]
) -> NDArray[np.int8]:
    """Integer weights [outputs, inputs] for the inputs' second moments [inputs, inputs].

    >>> weights, scales = np.array([[0.4, 0.4]], np.float32), np.ones(1, np.float32)
    >>> round_weights(weights, scales, 64, np.ones((2, 2)))  # two inputs that are always equal
    array([[0, 1]], dtype=int8)
    """
    inputs = weights.shape[1]
    damped = moments + np.eye(inputs) * max(DAMPING * float(np.diag(moments).mean()), 1e-8)
    order = np.argsort(-np.diag(damped), kind="stable")  # the most active inputs first
    left = weights[:, order].astype(np.float64)
    # H⁻¹ = UᵀU with U upper triangular: row k has what rounding input k means for those after it.
    upper = np.linalg.cholesky(np.linalg.inv(damped[np.ix_(order, order)])).T
    rounded = np.zeros_like(left)
    for k in range(inputs):
        rounded[:, k] = np.clip(np.round(left[:, k] / scales), -most, most)
        error = (left[:, k] - rounded[:, k] * scales) / upper[k, k]
        left[:, k:] -= np.outer(error, upper[k, k:])
    restored = np.empty_like(rounded)
    restored[:, order] = rounded
    return np.asarray(restored, np.int8)
