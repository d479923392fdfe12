"""Files of arrays: they are those of the package safetensors, and impossible ones are refused."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest

from tesuji.models.tensor_file import DTYPES, read_tensors, write_tensors

ARRAYS: dict[str, Any] = {
    **{f"of {name}": np.arange(6).reshape(2, 3).astype(code) for name, code in DTYPES.items()},
    "one number": np.array(7, np.float32),
    "nothing": np.empty((0, 4), np.uint8),
}


def same(one: Any, other: Any) -> bool:
    return one.keys() == other.keys() and all(
        one[name].dtype == other[name].dtype and np.array_equal(one[name], other[name]) for name in one
    )


def test_arrays_round_trip_and_the_package_safetensors_agrees() -> None:
    package = pytest.importorskip("safetensors.numpy")
    found, metadata = read_tensors(write_tensors(ARRAYS, {"made by": "me"}))
    assert same(found, ARRAYS) and metadata == {"made by": "me"}
    assert same(package.load(write_tensors(ARRAYS)), ARRAYS)
    assert same(read_tensors(package.save(ARRAYS))[0], ARRAYS)
    assert read_tensors(package.save(ARRAYS, {"a": "b"}))[1] == {"a": "b"}


def with_header(header: object, data: bytes = bytes(8)) -> bytes:
    text = header if isinstance(header, bytes) else json.dumps(header).encode()
    return len(text).to_bytes(8, "little") + text + data


def one(**changes: Any) -> dict[str, Any]:
    return {"a": {"dtype": "F32", "shape": [2], "data_offsets": [0, 8], **changes}}


REFUSED: dict[str, bytes] = {
    "empty": b"",
    "too short": bytes(7),
    "a header beyond the end": (1 << 63).to_bytes(8, "little") + b"{}",
    "no JSON": with_header(b"{"),
    "nested": with_header(b"[" * 100_000),
    "no object": with_header([]),
    "twice the same name": with_header(b'{"a": 1, "a": 1}'),
    "no array": with_header({"a": 1}),
    "an unknown key": with_header(one(stride=1)),
    "an unknown type": with_header(one(dtype="BF16")),
    "a type that is no text": with_header(one(dtype=["F32"])),
    "a negative size": with_header(one(shape=[-2])),
    "a size that is no number": with_header(one(shape=["2"])),
    "another size": with_header(one(shape=[3])),
    "a huge size": with_header(one(shape=[0, 1 << 70], data_offsets=[0, 0])),
    "many sizes": with_header(one(shape=[2] + 200 * [1])),
    "backwards": with_header(one(data_offsets=[8, 0])),
    "behind the end": with_header(one(data_offsets=[8, 16])),
    "three offsets": with_header(one(data_offsets=[0, 4, 8])),
    "a gap": with_header(one(data_offsets=[8, 16]), bytes(16)),
    "more behind the arrays": with_header(one(), bytes(9)),
    "metadata that is no text": with_header({"__metadata__": {"a": 1}, **one()}),
    "metadata that is a list": with_header({"__metadata__": [], **one()}),
    "a checksum that is none": with_header({"__metadata__": {"sha256": ""}, **one()}),
}


@pytest.mark.parametrize("name", REFUSED)
def test_an_impossible_file_is_refused_in_one_line(name: str) -> None:
    with pytest.raises(ValueError, match="not a safetensors file, or damaged") as caught:
        read_tensors(REFUSED[name])
    assert "\n" not in str(caught.value) and len(str(caught.value)) < 300


def test_a_file_that_is_possible_is_read() -> None:
    assert same(read_tensors(with_header(one()))[0], {"a": np.zeros(2, np.float32)})
