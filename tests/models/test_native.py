"""Networks in the native core compute what torch does, but for rounding."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import tesuji
from tests.learn.zero.nets import shaken_network
from tesuji import _core
from tesuji.models.bundled import bundled_networks, runs_natively
from tesuji.models.native import open_natively
from tesuji.models.network import Network
from tesuji.planes import planes_of

torch = pytest.importorskip("torch")

from tesuji.models.weights import save_weights  # noqa: E402

WITH_POOLING = "resnet:blocks=3,channels=40,head=12"
KERNELS = _core.network_kernels()
fast = pytest.mark.skipif(not runs_natively(), reason="this processor has the slow kernels only")


def saved(folder: Path, game: str, net: str) -> tuple[Path, Any]:
    """A file of random weights, and the network."""
    network, description = shaken_network(game, net)
    save_weights(network, description, folder / "network.safetensors")
    return folder / "network.safetensors", network


def opened(path: Path, kernels: str = KERNELS[0]) -> _core.ResNet:
    network = open_natively(path.read_bytes(), kernels=kernels)
    assert network is not None
    return network[0]


def random_planes(game: str, count: int = 6) -> Any:
    """Planes with zeros, ones and numbers in between."""
    random = np.random.default_rng(1)
    shape = (count, *planes_of(tesuji.game(game)).shape)
    planes = random.integers(0, 2, shape) * np.where(random.random(shape) < 0.5, random.random(shape), 1)
    return planes.astype(np.float32)


def in_full_precision(network: Any, planes: Any) -> tuple[Any, Any]:
    with torch.inference_mode():
        outputs = network(torch.from_numpy(planes))
    return outputs.policy.numpy(), outputs.value.numpy()


# Boards with whole and with cut tiles, moves on cells, beside the board and on no cell.
GAMES = [
    "hex:size=3",
    "hex:size=4,swap=on",
    "gomoku:size=9",
    "gomoku:size=15",
    "onitama:cards=crab-tiger-monkey-crane-ox",
]


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("kernels", KERNELS)
def test_outputs_are_those_of_torch_but_for_rounding(tmp_path: Path, game: str, kernels: str) -> None:
    path, network = saved(tmp_path, game, WITH_POOLING)
    planes = random_planes(game)
    planes[:, planes_of(tesuji.game(game)).names.index("board") if "onitama" not in game else 0] = 1
    found, exact = opened(path, kernels)(planes), in_full_precision(network, planes)
    for ours, theirs in zip(found, exact, strict=True):
        assert ours.shape == theirs.shape
        error = np.abs(ours - theirs)
        assert 0 < error.max() < 0.1 * np.abs(theirs).max()
        assert error.mean() < 0.03 * np.abs(theirs).mean() + 0.003


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("net", [WITH_POOLING, "resnet:blocks=1,channels=96,head=32"])
@pytest.mark.parametrize("kernels", KERNELS[:-1])
def test_all_processors_compute_the_same_bit_for_bit(
    tmp_path: Path, game: str, net: str, kernels: str
) -> None:
    path, _ = saved(tmp_path, game, net)
    planes = random_planes(game, count=2)
    for ours, theirs in zip(opened(path, kernels)(planes), opened(path, "portable")(planes), strict=True):
        assert np.array_equal(ours, theirs)


@pytest.mark.threads
def test_outputs_depend_neither_on_the_batch_nor_on_other_threads(tmp_path: Path) -> None:
    path, _ = saved(tmp_path, "hex:size=5", WITH_POOLING)
    network, planes = opened(path), random_planes("hex:size=5", 12)
    policy, value = network(planes)
    other = random_planes("hex:size=7", 3)
    with ThreadPoolExecutor(4) as threads:
        singly = list(threads.map(lambda i: network(planes[i : i + 1]), range(12)))
        assert len(list(threads.map(network, [other] * 4))) == 4
    assert np.array_equal(policy, np.concatenate([each[0] for each in singly]))
    assert np.array_equal(value, np.concatenate([each[1] for each in singly]))


def test_one_network_evaluates_boards_of_every_size(tmp_path: Path) -> None:
    path, network = saved(tmp_path, "hex:size=4", WITH_POOLING)
    native = opened(path)
    for size in (2, 5, 11):
        planes = random_planes(f"hex:size={size}")
        planes[:, 2] = 1  # the board
        policy, exact = native(planes)[0], in_full_precision(network, planes)[0]
        assert np.abs(policy - exact).max() < 0.1 * np.abs(exact).max()


def test_weights_that_do_not_fit_are_refused(tmp_path: Path) -> None:
    from safetensors.numpy import load

    path, _ = saved(tmp_path, "hex:size=4", WITH_POOLING)
    weights = load(path.read_bytes())
    shape = {
        "planes": 6,
        "blocks": 3,
        "channels": 40,
        "head": 12,
        "policy_planes": 1,
        "extras": 0,
        "cells": 16,
    }
    floats = {name: array.astype(np.float32) for name, array in weights.items()}
    assert _core.ResNet(floats, **shape, kernels="portable") is not None
    wrong = [
        {name: array for name, array in floats.items() if name != "value.cells.bias"},
        {**floats, "value.cells.bias": np.zeros(11, np.float32)},
        {**floats, "value.rows.bias": np.zeros(12, np.float32)},
        {**floats, "blocks.0.pool_affine.factor": np.zeros(40, np.float32)},
    ]
    names = ["value.cells.bias", "value.cells.bias", "value.rows.bias", "blocks.0.pool_affine.factor"]
    for given, name in zip(wrong, names, strict=True):
        with pytest.raises(ValueError, match=f"the weights do not fit this network: {name} differs"):
            _core.ResNet(given, **shape, kernels="portable")
    with pytest.raises(ValueError, match="the network takes 6 planes, not 5"):
        _core.ResNet(floats, **shape, kernels="portable")(np.zeros((1, 5, 4, 4), np.float32))
    with pytest.raises(ValueError, match="there are no kernels 'abacus' for this processor"):
        _core.ResNet(floats, **shape, kernels="abacus")


@fast
@pytest.mark.parametrize("name", bundled_networks())
def test_a_bundled_network_is_played_from_its_weights(name: str) -> None:
    assert runs_natively()
    network = Network(name, tesuji.game(name))
    assert network.path.suffix == ".safetensors"
    assert isinstance(network._evaluate, _core.ResNet)
