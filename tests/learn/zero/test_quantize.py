"""Quantisation: the same network with fewer bits."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import tesuji
from tests.learn.zero.nets import shaken_network
from tesuji.models.network import Network

torch = pytest.importorskip("torch")
onnx = pytest.importorskip("onnx")

from tesuji.learn.zero.calibration import POSITIONS, calibration_batches  # noqa: E402
from tesuji.learn.zero.equalize import equalize  # noqa: E402
from tesuji.learn.zero.quantize import to_int8  # noqa: E402
from tesuji.learn.zero.rounding import (  # noqa: E402
    LEVELS,
    Histogram,
    quantized,
    round_weights,
    weight_scales,
)

GAME = "hex:size=5"
WITH_POOLING = "resnet:blocks=3,channels=16"


def uneven_network() -> tuple[Any, Any]:
    """A network some of whose channels are much larger than others."""
    network: Any
    network, description = shaken_network(GAME, WITH_POOLING)
    random = torch.Generator().manual_seed(2)
    with torch.no_grad():
        for block in network.blocks:
            for affine in (block.affine1, block.affine2):
                affine.factor.mul_(torch.exp(1.5 * torch.randn(affine.factor.shape, generator=random)))
    return network, description


def test_equalized_networks_have_the_same_outputs_and_similar_channels() -> None:
    network, description = uneven_network()
    batches = calibration_batches(network, description, tesuji.game(GAME))
    equalized = equalize(network, batches)
    images = torch.from_numpy(batches[0])
    with torch.inference_mode():
        before, after = network(images), equalized(images)
    assert before.policy.std() > 0.1
    for ours, theirs in zip(before[:4], after[:4], strict=True):
        assert torch.allclose(ours, theirs, atol=1e-4, rtol=1e-4)

    def spread(of: Any) -> float:
        found = []
        hooks = [
            block.conv2.register_forward_hook(lambda _, inputs, __: found.append(inputs[0].amax((0, 2, 3))))
            for block in of.blocks
        ]
        with torch.inference_mode():
            of(images)
        for hook in hooks:
            hook.remove()
        return float(torch.stack([ranges[ranges > 1e-3].log().std() for ranges in found]).mean())

    assert spread(equalized) < 0.8 * spread(network)


def test_calibration_uses_every_board_of_the_training_by_its_weight() -> None:
    network, description = shaken_network("hex:size=4")
    config = {"boards": "size=3 size=4*3"}
    batches = calibration_batches(
        network, replace(description, training={"config": config}), tesuji.game("hex:size=4")
    )
    positions = {size: sum(len(batch) for batch in batches if batch.shape[2] == size) for size in (3, 4)}
    assert positions[3] >= POSITIONS // 8  # its games are short
    assert positions[4] > 2 * positions[3]
    assert {
        batch.shape[2] for batch in calibration_batches(network, description, tesuji.game("hex:size=4"))
    } == {4}


def test_the_range_of_an_activation_clips_long_tails_and_keeps_zero_exact() -> None:
    values = np.random.default_rng(1).laplace(size=100_000).astype(np.float32)
    histogram = Histogram(float(values.min()), float(values.max()))
    histogram.add(values)
    step, zero = histogram.best_scale()
    whole = float(values.max() - values.min()) / LEVELS

    def error(*scale: Any) -> float:
        return float(((quantized(values, *scale) - values) ** 2).mean())

    assert step < whole
    assert error(step, zero) < 0.9 * error(whole, round(float(-values.min()) / whole))
    assert quantized(np.zeros(1, np.float32), step, zero) == 0
    positive = Histogram(0.0, float(values.max()))
    positive.add(np.abs(values))
    assert positive.best_scale()[1] == 0


def test_rounded_weights_make_up_for_each_others_errors() -> None:
    random = np.random.default_rng(1)
    inputs = random.normal(size=(500, 4)) @ random.normal(size=(4, 24)) + 0.1 * random.normal(size=(500, 24))
    weights = random.normal(size=(8, 24)).astype(np.float32)
    scales = weight_scales(weights, 7)
    nearest = np.clip(np.round(weights / scales[:, None]), -7, 7)
    rounded = round_weights(weights, scales, 7, inputs.T @ inputs)

    def error(integers: Any) -> float:
        return float(((inputs @ (integers * scales[:, None] - weights).T) ** 2).mean())

    assert np.abs(rounded).max() <= 7
    assert error(rounded) < 0.3 * error(nearest)
    # Inputs that have nothing to do with each other cannot help.
    assert (round_weights(weights, scales, 7, np.eye(24)) == nearest).all()


def test_channels_that_are_always_zero_do_no_harm() -> None:
    network: Any
    network, description = shaken_network(GAME, WITH_POOLING)
    with torch.no_grad():
        network.blocks[0].affine1.factor[0] = 0
        network.blocks[0].affine1.term[0] = 0
        network.blocks[1].conv1.weight[3] = 0
    assert len(to_int8(network, description, tesuji.game(GAME))) > 1000


def test_quantisation_hardly_changes_an_uneven_network(tmp_path: Path) -> None:
    network, description = uneven_network()
    path = tmp_path / "int8.onnx"
    path.write_bytes(to_int8(network, description, tesuji.game(GAME)))
    images = calibration_batches(network, description, tesuji.game(GAME))[0]
    with torch.inference_mode():
        exact = network(torch.from_numpy(images)).policy.numpy()
    policy, _ = Network(path)(images)
    assert np.abs(policy - exact).mean() < 0.03 * exact.std()
    # A ReLU between two convolutions needs no rounding of its own.
    kinds = [node.op_type for node in onnx.load(path).graph.node]
    assert kinds.count("QuantizeLinear") == 6 + 3 + 1  # inputs, sums of the tower, the pooling convolution
