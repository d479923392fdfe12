"""Quantisation: the same network with fewer bits."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import tesuji
from tests.learn.zero.nets import shaken_network
from tesuji.models.bundled import FOR_ALL_BOARDS
from tesuji.models.network import Network, find_network
from tesuji.planes import planes_of

torch = pytest.importorskip("torch")
onnx = pytest.importorskip("onnx")
nn = torch.nn

from tesuji.learn.zero.calibration import POSITIONS, calibration_batches, sampled_move  # noqa: E402
from tesuji.learn.zero.equalize import equalize  # noqa: E402
from tesuji.learn.zero.quantize import to_int8  # noqa: E402
from tesuji.learn.zero.rounding import (  # noqa: E402
    LEVELS,
    Histogram,
    quantized,
    round_weights,
    weight_scales,
)
from tesuji.models.resnet import Outputs, make_network  # noqa: E402

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


def outputs(network: Any, description: Any, path: Path) -> tuple[Any, Any]:
    """The policies of a network and of its quantised file on positions of its games."""
    path.write_bytes(to_int8(network, description, tesuji.game(description.game)))
    images = calibration_batches(network, description, tesuji.game(description.game))[0]
    with torch.inference_mode():
        exact = network(torch.from_numpy(images)).policy.numpy()
    return exact, Network(path)(images)[0]


def test_channels_that_are_always_zero_do_no_harm(tmp_path: Path) -> None:
    network: Any
    network, description = shaken_network(GAME, WITH_POOLING)
    with torch.no_grad():
        network.blocks[0].affine1.factor[0] = 0
        network.blocks[0].affine1.term[0] = 0
        network.blocks[1].conv1.weight[3] = 0
    exact, policy = outputs(network, description, tmp_path / "int8.onnx")
    assert np.abs(policy - exact).mean() < 0.05 * exact.std()


def test_an_untrained_network_whose_weights_are_equal_is_quantised(tmp_path: Path) -> None:
    _, description = shaken_network(GAME, WITH_POOLING)
    network = make_network(WITH_POOLING, description.shape, seed=1)
    exact, policy = outputs(network, description, tmp_path / "int8.onnx")
    assert np.array_equal(exact, policy)  # uniform


def test_a_network_for_several_boards_is_quantised_on_all_of_them(tmp_path: Path) -> None:
    network, description = shaken_network("hex:size=5", WITH_POOLING)
    config = {"boards": "size=4 size=5 size=5,swap=on"}
    described = replace(description, training={"config": config})
    exact, policy = outputs(network, described, tmp_path / "int8.onnx")
    assert np.abs(policy - exact).mean() < 0.05 * exact.std()


class OtherNetwork(nn.Module):  # type: ignore[name-defined, misc]
    """Not a ResNet: a wide convolution and one in groups, which stay floats, and a plain one."""

    def __init__(self, planes: int) -> None:
        super().__init__()
        self.wide = nn.Conv2d(planes, 8, 5, padding=2)
        self.grouped = nn.Conv2d(8, 8, 3, padding=1, groups=2)
        self.plain = nn.Conv2d(8, 8, 3, padding=1)
        self.policy = nn.Conv2d(8, 1, 1)
        self.value = nn.Linear(8, 1)

    def forward(self, planes: Any) -> Outputs:
        x = torch.relu(self.plain(torch.relu(self.grouped(torch.relu(self.wide(planes))))))
        value = self.value(x.mean((2, 3)))[:, 0]
        policy = self.policy(x).flatten(1)
        return Outputs(policy, value, policy, value)


def test_other_architectures_are_quantised_where_they_can_be(tmp_path: Path) -> None:
    torch.manual_seed(1)
    _, description = shaken_network(GAME)
    network = OtherNetwork(description.shape.planes).eval()
    exact, policy = outputs(network, description, tmp_path / "int8.onnx")
    assert np.abs(policy - exact).mean() < 0.05 * exact.std()
    kinds = [node.op_type for node in onnx.load(tmp_path / "int8.onnx").graph.node]
    assert kinds.count("QuantizeLinear") == 2


def test_quantisation_hardly_changes_an_uneven_network(tmp_path: Path) -> None:
    path = tmp_path / "int8.onnx"
    exact, policy = outputs(*uneven_network(), path)
    # Ranges from minimum to maximum and weights rounded to the nearest are 0.07 away.
    assert np.abs(policy - exact).mean() < 0.05 * exact.std()
    # A ReLU between two convolutions needs no rounding of its own.
    kinds = [node.op_type for node in onnx.load(path).graph.node]
    assert kinds.count("QuantizeLinear") == 6 + 3 + 1  # inputs, sums of the tower, the pooling convolution


@pytest.mark.parametrize("name", sorted(FOR_ALL_BOARDS))
@pytest.mark.parametrize("ending", [".onnx", ".safetensors"])
def test_a_bundled_network_is_close_to_full_precision(name: str, ending: str) -> None:
    path = find_network(name)
    game = tesuji.game(name)
    small = Network(path.with_suffix(ending), game)
    exact = Network(path.with_suffix(".safetensors"), game, exact=True)
    assert small.description.value_temperature == exact.description.value_temperature
    planes, random = planes_of(game, **small.description.options), np.random.default_rng(1)
    state: Any = game.start()
    images: list[Any] = []
    while state.scores() is None and len(images) < 24:
        images.append(planes(state))
        state = state.play(sampled_move(planes, state, exact(images[-1][np.newaxis])[0][0], random))
    (policy, value), (exact_policy, exact_value) = small(np.stack(images)), exact(np.stack(images))
    logs, exact_logs = (x - np.log(np.exp(x).sum(1, keepdims=True)) for x in (policy, exact_policy))
    assert (np.exp(exact_logs) * (exact_logs - logs)).sum(1).mean() < 0.02
    assert np.abs(1 / (1 + np.exp(-value)) - 1 / (1 + np.exp(-exact_value))).mean() < 0.03
