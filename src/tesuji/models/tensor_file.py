"""Files of arrays in the format safetensors. Reading one checks every number, and runs no code.

A header in JSON, whose length is in the first 8 bytes, and then the arrays without gaps:

    {"__metadata__": {"sha256": "…", …},
     "stem.weight": {"dtype": "F16", "shape": [96, 9, 3, 3], "data_offsets": [0, 15552]}, …}

`sha256` is the digest of the file itself with 64 zeros in its place, so any changed bit is noticed. Files
of older versions and of other programs have none.
"""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Mapping
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from tesuji._helpers.clipping import clip
from tesuji._helpers.json_reader import ObjectReader, parse_json

METADATA, CHECKSUM = "__metadata__", "sha256"
ALIGNMENT = 8  # bytes; the first array begins at a multiple
ZEROS = b"0" * 64
LARGEST_SIZE = 1 << 31
DTYPES = {
    "BOOL": "?",
    **{f"{kind}{bits}": f"<{kind.lower()}{bits // 8}" for kind in "IU" for bits in (8, 16, 32, 64)},
    **{f"F{bits}": f"<f{bits // 8}" for bits in (16, 32, 64)},
}
NAMES = {np.dtype(code): name for name, code in DTYPES.items()}

Arrays: TypeAlias = Mapping[str, NDArray[np.generic]]


def write_tensors(arrays: Arrays, metadata: Mapping[str, str] | None = None) -> bytes:
    """The content of a file: `write_tensors({"a": np.zeros(3)}, {"made by": "me"})`."""
    # The largest numbers first, so that all are aligned.
    names = sorted(arrays, key=lambda name: (-arrays[name].itemsize, name))
    header: dict[str, object] = {METADATA: {CHECKSUM: ZEROS.decode(), **(metadata or {})}}
    end = 0
    for name in names:
        begin, end = end, end + arrays[name].nbytes
        kind = NAMES[arrays[name].dtype]
        header[name] = {"dtype": kind, "shape": list(arrays[name].shape), "data_offsets": [begin, end]}
    text = json.dumps(header, ensure_ascii=False, allow_nan=False, separators=(",", ":")).encode()
    text += b" " * (-len(text) % ALIGNMENT)
    content = len(text).to_bytes(8, "little") + text + b"".join(arrays[name].tobytes() for name in names)
    return content.replace(ZEROS, hashlib.sha256(content).hexdigest().encode(), 1)


def read_tensors(content: bytes) -> tuple[dict[str, NDArray[np.generic]], dict[str, str]]:
    """The arrays, read-only, and the metadata; ValueError if it is not such a file, or damaged.

    >>> read_tensors(write_tensors({"a": np.zeros(3)}, {"made by": "me"}))
    ({'a': array([0., 0., 0.])}, {'made by': 'me'})
    """
    length = int.from_bytes(content[:8], "little")
    if len(content) < 8 or length > len(content) - 8:
        raise ValueError("not a safetensors file, or damaged: it ends in its header")
    try:
        header = parse_json(content[8 : 8 + length])
        if not isinstance(header, dict):
            raise ValueError(f"its header must be an object, not {clip(header)}")
        metadata = _metadata(header.pop(METADATA, {}))
        _check(content, metadata.pop(CHECKSUM, None))
        arrays = _arrays(header, memoryview(content)[8 + length :])
    except ValueError as error:
        raise ValueError(f"not a safetensors file, or damaged: {error}") from None
    return arrays, metadata


def _metadata(found: object) -> dict[str, str]:
    if not isinstance(found, dict) or not all(isinstance(value, str) for value in found.values()):
        raise ValueError(f"its metadata must be texts, not {clip(found)}")
    return dict(found)


def _check(content: bytes, digest: str | None) -> None:
    if digest is None:
        return
    place = content.find(digest.encode())
    sums = hashlib.sha256(content[:place] + ZEROS)
    sums.update(memoryview(content)[place + len(ZEROS) :])
    if sums.hexdigest() != digest:
        raise ValueError("its checksum is wrong")


def _arrays(header: dict[str, object], data: memoryview) -> dict[str, NDArray[np.generic]]:
    arrays, begins = {}, {}
    for name, found in header.items():
        one = ObjectReader(found, "array", ("dtype", "shape", "data_offsets"))
        dtype = np.dtype(DTYPES[one.word("dtype", tuple(DTYPES))])
        match found:
            case {"shape": [*shape], "data_offsets": [int(begin), int(end)]} if all(
                type(size) is int and 0 <= size <= LARGEST_SIZE for size in shape
            ):
                if 0 <= begin <= end <= len(data) and end - begin == math.prod(shape) * dtype.itemsize:
                    arrays[name] = np.frombuffer(data[begin:end], dtype).reshape(shape)
                    begins[name] = begin
                    continue
        raise ValueError(f"{clip(name)} has an impossible shape or place")
    end = 0
    for name in sorted(arrays, key=lambda name: (begins[name], arrays[name].nbytes)):
        if begins[name] != end:
            raise ValueError(f"{clip(name)} does not begin where the array before it ends")
        end += arrays[name].nbytes
    if end != len(data):
        raise ValueError(f"its arrays have {end} bytes, but {len(data)} follow its header")
    return arrays
