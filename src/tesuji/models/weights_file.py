"""A network's weights in a safetensors file with the description inside, without torch."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from tesuji._helpers.clipping import clip
from tesuji.models.network_format import METADATA, Description
from tesuji.models.tensor_file import read_tensors, write_tensors

MIN_HALF_PRECISION = 64  # elements; shorter vectors stay 32-bit, as halving them saves nothing


def write_weights(weights: dict[str, NDArray[np.float32]], description: Description) -> bytes:
    """The content of a file; large weights are rounded to 16 bits."""
    arrays = {
        name: array.astype(np.float16) if array.size >= MIN_HALF_PRECISION else array
        for name, array in weights.items()
    }
    return write_tensors(arrays, {METADATA: description.text()})


def read_weights(content: bytes) -> tuple[dict[str, NDArray[np.float32]], Description]:
    """The weights by name, and the description; ValueError if the file is not one, or damaged."""
    arrays, metadata = read_tensors(content)
    text = metadata.pop(METADATA, None)
    if text is None:
        raise ValueError("it has no description: it was not written by tesuji learn zero")
    if metadata:
        raise ValueError(f"it is damaged: it has unknown metadata, {clip(next(iter(metadata)))}")
    return {name: np.array(array, np.float32) for name, array in arrays.items()}, Description.read(text)
