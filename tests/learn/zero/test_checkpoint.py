"""Checkpoints: restored bit for bit, in files of bounded size, with damage detected."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from tesuji.learn.zero import checkpoint


def arrays(seed: int = 1) -> dict[str, NDArray[Any]]:
    random = np.random.default_rng(seed)
    return {
        "net/a": random.normal(size=(7, 3, 3)).astype(np.float32),
        "window/moves": random.integers(0, 225, 5000).astype(np.uint16),
        "window/none": np.empty((0, 4), np.float16),
        "step": np.array(3, np.float32),
        "window/flags": random.integers(0, 2, 100).astype(np.uint8),
    }


def equal(one: dict[str, NDArray[Any]], other: dict[str, NDArray[Any]]) -> bool:
    return one.keys() == other.keys() and all(
        one[name].dtype == other[name].dtype
        and one[name].shape == other[name].shape
        and one[name].tobytes() == other[name].tobytes()
        for name in one
    )


@pytest.mark.parametrize("limit", [64, 1001, 1 << 20])
def test_a_checkpoint_round_trips_in_files_of_bounded_size(tmp_path: Path, limit: int) -> None:
    checkpoint.save(tmp_path, 5, arrays(), {"step": 12}, limit=limit)
    found, facts = checkpoint.load(tmp_path)
    assert facts == {"step": 12}
    assert equal(found, arrays())
    files = list(tmp_path.glob("*.safetensors"))
    total = sum(array.nbytes for array in arrays().values())
    assert len(files) >= total // limit
    header = 4096
    assert all(file.stat().st_size <= limit + header for file in files)


def test_a_new_checkpoint_replaces_the_old_one(tmp_path: Path) -> None:
    checkpoint.save(tmp_path, 1, arrays(1), {}, limit=2000)
    checkpoint.save(tmp_path, 2, arrays(2), {})
    assert sorted(os.listdir(tmp_path)) == ["000002-0.safetensors", "checkpoint.json"]
    assert equal(checkpoint.load(tmp_path)[0], arrays(2))


@pytest.mark.parametrize("writes", range(4))
def test_a_crash_at_any_moment_leaves_a_complete_checkpoint(
    tmp_path: Path, writes: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    checkpoint.save(tmp_path, 1, arrays(1), {}, limit=8000)
    left = [writes]
    replace = Path.replace

    def stop(path: Path, target: Path) -> Path:
        if left[0] == 0:
            raise KeyboardInterrupt
        left[0] -= 1
        return replace(path, target)

    monkeypatch.setattr(Path, "replace", stop)
    try:
        checkpoint.save(tmp_path, 2, arrays(2), {}, limit=8000)  # two files and their list
        wanted = 2
    except KeyboardInterrupt:
        wanted = 1
    assert wanted == (2 if writes == 3 else 1)
    assert equal(checkpoint.load(tmp_path)[0], arrays(wanted))


def test_damage_is_reported_in_one_line(tmp_path: Path) -> None:
    checkpoint.save(tmp_path, 1, arrays(), {}, limit=4000)
    manifest, file = tmp_path / "checkpoint.json", tmp_path / "000001-1.safetensors"
    whole, content = manifest.read_text(), file.read_bytes()

    def refused(says: str) -> None:
        with pytest.raises(ValueError, match=says) as caught:
            checkpoint.load(tmp_path)
        assert "\n" not in str(caught.value)

    file.write_bytes(content[:-1] + bytes([content[-1] ^ 1]))
    refused("checksum of 000001-1.safetensors")
    file.unlink()
    refused("No such file")
    file.write_bytes(content)
    found = json.loads(whole)
    for change, says in (
        ({"kind": "linear value"}, "not a zero checkpoint: its kind is 'linear value'"),
        ({"format": 2}, "its format is 2; this version reads format 1"),
        ({"files": {"../000001-0.safetensors": ""}}, "outside its directory"),
        ({"arrays": {**found["arrays"], "net/a": ["float32", [64, 3, 3]]}}, "'net/a' is incomplete"),
        ({"arrays": {**found["arrays"], "net/a": ["float32", "x"]}}, "must have a type and a shape"),
    ):
        manifest.write_text(json.dumps({**found, **change}))
        refused(says)
    manifest.write_text("{")
    refused("not JSON")
