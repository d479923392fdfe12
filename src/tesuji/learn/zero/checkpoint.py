"""Checkpoints: everything that a run needs to resume as if it had never stopped.

A directory holds `checkpoint.json` and the files that it names:

    {"kind": "zero checkpoint", "format": 1, "facts": {...},
     "arrays": {"net/stem.weight": ["float32", [96, 9, 3, 3]], ...},
     "files": {"000042-0.safetensors": "sha256 …", ...}}

Arrays are in safetensors files of bounded size, in order; an array that does not fit continues in the next
file. Random numbers derive from the seed and from counters among the facts, so there is no other random
state.

New files are written beside the old ones, then `checkpoint.json` is replaced atomically, then the old files
are deleted. After a crash there is always one complete checkpoint.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tesuji._helpers.atomic_write import write_atomically
from tesuji._helpers.clipping import clip
from tesuji._helpers.json_reader import ObjectReader, checked_kind, parse_json
from tesuji.models.tensor_file import Arrays, read_tensors, write_tensors

KIND, FORMAT = "zero checkpoint", 1
MANIFEST = "checkpoint.json"
FILE_BYTES = 15 << 20
"""Array bytes per file, below the 16 MiB that some file hosts accept."""
MAX_ARRAYS = 100_000


def save(
    folder: Path, number: int, arrays: Arrays, facts: Mapping[str, object], *, limit: int = FILE_BYTES
) -> None:
    """Replace the directory's checkpoint; on OSError the previous one stays.

    `number` must increase from one checkpoint to the next.
    """
    files: dict[str, str] = {}
    for place, pieces in enumerate(_shards(arrays, limit)):
        content = write_tensors(pieces)
        name = f"{number:06}-{place}.safetensors"
        files[name] = hashlib.sha256(content).hexdigest()
        write_atomically(folder / name, content)
    kinds = {name: [str(array.dtype), list(array.shape)] for name, array in arrays.items()}
    manifest = {"kind": KIND, "format": FORMAT, "facts": dict(facts), "arrays": kinds, "files": files}
    write_atomically(folder / MANIFEST, json.dumps(manifest, allow_nan=False))
    for old in folder.glob("[0-9]*-*.safetensors"):
        if old.name not in files:
            old.unlink(missing_ok=True)


def load(folder: Path) -> tuple[dict[str, NDArray[np.generic]], dict[str, Any]]:
    """The arrays and facts of the directory's checkpoint; ValueError, in one line, if it is damaged."""
    path = folder / MANIFEST
    try:
        manifest = _manifest(path.read_bytes())
        parts: dict[str, list[NDArray[np.generic]]] = {name: [] for name in manifest.found["arrays"]}
        for name, digest in manifest.found["files"].items():
            if Path(name).name != name:
                raise ValueError(f"it names a file outside its directory: {clip(name)}")
            content = (folder / name).read_bytes()
            if hashlib.sha256(content).hexdigest() != digest:
                raise ValueError(f"the checksum of {name} is wrong")
            for piece, array in read_tensors(content)[0].items():
                parts.setdefault(piece.rpartition("#")[0], []).append(array)
        arrays = {
            name: _assemble(name, parts[name], *kind) for name, kind in manifest.found["arrays"].items()
        }
    except OSError as error:
        raise ValueError(f"cannot use the checkpoint {path}: {error.strerror}") from error
    except ValueError as error:
        raise ValueError(f"cannot use the checkpoint {path}: {error}") from error
    return arrays, manifest.found["facts"]


def exists(folder: Path) -> bool:
    """Whether the directory has a checkpoint."""
    return (folder / MANIFEST).exists()


def with_prefix(arrays: Arrays, prefix: str) -> dict[str, NDArray[np.generic]]:
    """The arrays whose names start with the prefix, which is removed: `with_prefix(arrays, "net/")`."""
    return {name.removeprefix(prefix): array for name, array in arrays.items() if name.startswith(prefix)}


def _shards(arrays: Arrays, limit: int) -> Iterator[dict[str, NDArray[np.generic]]]:
    """Split the arrays into flat pieces, at most `limit` bytes per shard."""
    shard: dict[str, NDArray[np.generic]] = {}
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


def _assemble(
    name: str, pieces: list[NDArray[np.generic]], dtype: str, shape: list[int]
) -> NDArray[np.generic]:
    whole = np.concatenate(pieces) if pieces else np.empty(0)
    if str(whole.dtype) != dtype or whole.size != np.prod(shape, dtype=np.int64):
        raise ValueError(f"the array {clip(name)} is incomplete")
    return whole.reshape(shape)


def _manifest(content: bytes) -> ObjectReader:
    found = checked_kind(parse_json(content), KIND, FORMAT)
    manifest = ObjectReader(found, "checkpoint", ("kind", "format", "facts", "arrays", "files"))
    for key in ("facts", "arrays", "files"):
        if not isinstance(found[key], dict) or len(found[key]) > MAX_ARRAYS:
            raise ValueError(f"{key!r} must be an object, not {clip(found[key])}")
    for name, kinds in found["arrays"].items():
        match kinds:
            case [str(), [*shape]] if all(isinstance(size, int) and size >= 0 for size in shape):
                pass
            case _:
                raise ValueError(f"the array {clip(name)} must have a type and a shape, not {clip(kinds)}")
    return manifest
