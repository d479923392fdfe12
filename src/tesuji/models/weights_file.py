"""Reading a network's weights from a safetensors file with the description inside, without torch."""

from __future__ import annotations

import json
import struct

import numpy as np
from numpy.typing import NDArray

from tesuji.models.network_format import METADATA, Description


def read_weights(content: bytes) -> tuple[dict[str, NDArray[np.float32]], Description]:
    """The weights by name, and the description; ValueError if the file is not one, or damaged."""
    from safetensors import SafetensorError
    from safetensors.numpy import load

    try:
        arrays = load(content)
        (length,) = struct.unpack("<Q", content[:8])
        text = json.loads(content[8 : 8 + length]).get("__metadata__", {}).get(METADATA)
    except (SafetensorError, ValueError, KeyError) as error:
        raise ValueError(f"not a safetensors file, or damaged ({error})") from None
    if text is None:
        raise ValueError("it has no description: it was not written by tesuji learn zero")
    weights = {name: np.ascontiguousarray(array, np.float32) for name, array in arrays.items()}
    return weights, Description.read(text)
