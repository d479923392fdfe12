"""Checkpoints: everything that training needs to go on as if it had never stopped.

A folder holds `checkpoint.json` and the files that it names:

    {"kind": "zero checkpoint", "format": 1, "facts": {...},
     "arrays": {"net/stem.weight": ["float32", [96, 9, 3, 3]], ...},
     "files": {"000042-0.safetensors": "sha256 …", ...}}

Arrays lie in safetensors files of a bounded size, in order; one that does not fit goes on in the next file.
Random numbers follow from the seed and from counters among the facts, so there is no other random state.

New files are written beside the old ones; then `checkpoint.json` is replaced, in one step; then the old ones
go. Whenever the machine stops, there is one whole checkpoint.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from tesuji.clipping import clip
from tesuji.learn.checked import Reader, parse
from tesuji.learn.zero.files import write_whole

KIND, FORMAT = "zero checkpoint", 1
MANIFEST = "checkpoint.json"
FILE_BYTES = 15 << 20
"""A file holds so much of the arrays: a little less than the 16 MiB that many places take."""
MOST_ARRAYS = 100_000

Arrays: TypeAlias = Mapping[str, NDArray[Any]]


def save(
    folder: Path, number: int, arrays: Arrays, facts: Mapping[str, Any], *, limit: int = FILE_BYTES
) -> None:
    """Make this the folder's checkpoint; OSError where it cannot be written, and then the one before stays.

    `number` must grow from one checkpoint of a folder to the next.
    """
    from safetensors.numpy import save as as_bytes

    files: dict[str, str] = {}
    for place, pieces in enumerate(_shards(arrays, limit)):
        content = as_bytes(pieces)
        name = f"{number:06}-{place}.safetensors"
        files[name] = hashlib.sha256(content).hexdigest()
        write_whole(folder / name, content)
    kinds = {name: [str(array.dtype), list(array.shape)] for name, array in arrays.items()}
    manifest = {"kind": KIND, "format": FORMAT, "facts": dict(facts), "arrays": kinds, "files": files}
    write_whole(folder / MANIFEST, json.dumps(manifest, allow_nan=False).encode())
    for old in folder.glob("[0-9]*-*.safetensors"):
        if old.name not in files:
            old.unlink(missing_ok=True)


def load(folder: Path) -> tuple[dict[str, NDArray[Any]], dict[str, Any]]:
    """The arrays and facts of the folder's checkpoint; a ValueError of one line where it is damaged."""
    from safetensors import SafetensorError
    from safetensors.numpy import load as from_bytes

    path = folder / MANIFEST
    try:
        manifest = _manifest(path.read_bytes())
        parts: dict[str, list[NDArray[Any]]] = {name: [] for name in manifest.found["arrays"]}
        for name, digest in manifest.found["files"].items():
            if Path(name).name != name:
                raise ValueError(f"it names a file outside its folder, {clip(name)}")
            content = (folder / name).read_bytes()
            if hashlib.sha256(content).hexdigest() != digest:
                raise ValueError(f"{name} is not the file that was written")
            for piece, array in from_bytes(content).items():
                parts.setdefault(piece.rpartition("#")[0], []).append(array)
        arrays = {name: _joined(name, parts[name], *kind) for name, kind in manifest.found["arrays"].items()}
    except (OSError, SafetensorError) as error:
        said = error.strerror if isinstance(error, OSError) else str(error)
        raise ValueError(f"cannot use the checkpoint {path}: {said}") from error
    except ValueError as error:
        raise ValueError(f"cannot use the checkpoint {path}: {error}") from error
    return arrays, manifest.found["facts"]


def exists(folder: Path) -> bool:
    """Whether there is a checkpoint to go on from."""
    return (folder / MANIFEST).exists()


def part_of(arrays: Arrays, prefix: str) -> dict[str, NDArray[Any]]:
    """The arrays whose names begin so, by the rest of their names: `part_of(arrays, "net/")`."""
    return {name.removeprefix(prefix): array for name, array in arrays.items() if name.startswith(prefix)}


def _shards(arrays: Arrays, limit: int) -> Iterator[dict[str, NDArray[Any]]]:
    """The arrays as flat pieces, so many bytes together in each shard."""
    shard: dict[str, NDArray[Any]] = {}
    left = limit
    for name, array in arrays.items():
        flat, begin = np.ascontiguousarray(array).reshape(-1), 0
        while begin < flat.size or (flat.size == 0 and begin == 0):
            if left < flat.itemsize:
                yield shard
                shard, left = {}, limit
            piece = flat[begin : begin + left // flat.itemsize]
            shard[f"{name}#{begin}"] = piece
            left -= piece.nbytes
            begin += max(piece.size, 1)
    yield shard


def _joined(name: str, pieces: list[NDArray[Any]], dtype: str, shape: list[int]) -> NDArray[Any]:
    whole = np.concatenate(pieces) if pieces else np.empty(0)
    if str(whole.dtype) != dtype or whole.size != np.prod(shape, dtype=np.int64):
        raise ValueError(f"the array {clip(name)} is not whole")
    return whole.reshape(shape)


def _manifest(content: bytes) -> Reader:
    found = parse(content)
    kind = found.get("kind") if isinstance(found, dict) else found
    if kind != KIND or not isinstance(found, dict):
        raise ValueError(f"not a {KIND}: its kind is {clip(kind)}")
    if found.get("format") != FORMAT:
        raise ValueError(f"its format is {clip(found.get('format'))}, and this version reads format {FORMAT}")
    manifest = Reader(found, "checkpoint", ("kind", "format", "facts", "arrays", "files"))
    for key in ("facts", "arrays", "files"):
        if not isinstance(found[key], dict) or len(found[key]) > MOST_ARRAYS:
            raise ValueError(f"{key!r} must be an object, not {clip(found[key])}")
    for name, kinds in found["arrays"].items():
        match kinds:
            case [str(), [*shape]] if all(isinstance(size, int) and size >= 0 for size in shape):
                pass
            case _:
                raise ValueError(f"the array {clip(name)} must have a type and a shape, not {clip(kinds)}")
    return manifest
