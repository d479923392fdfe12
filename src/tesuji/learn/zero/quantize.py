"""Int8 quantisation of the tower's convolutions, which makes a network two to three times as fast.

Weights have a scale per channel, activations one per layer. The activations are calibrated on positions from
games that the network plays against itself by sampling its policy. Weights have 7 bits: with 8, CPUs without
VNNI instructions would overflow.
"""

from __future__ import annotations

import logging
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import nn

from tesuji.game import Game
from tesuji.learn.zero.export import trace, with_description
from tesuji.models.network_format import Description
from tesuji.planes import planes_of

GAMES = 32
PLIES = 200
POSITIONS = 512
"""Calibration positions, spaced evenly over the games; more change the scales little."""
BATCH = 32


def to_int8(network: nn.Module, description: Description, game: Game) -> bytes:
    """The content of the ONNX file; ImportError without the package onnx."""
    import onnx
    from onnxruntime.quantization import QuantFormat, QuantType, quantize_static
    from onnxruntime.quantization.shape_inference import quant_pre_process

    positions = calibration_positions(network, description, game)
    with tempfile.TemporaryDirectory() as folder, _quiet():
        plain, fused, small = (str(Path(folder) / f"{name}.onnx") for name in ("plain", "fused", "small"))
        Path(plain).write_bytes(trace(network, description.shape))
        quant_pre_process(plain, fused, skip_symbolic_shape=True)
        quantize_static(
            fused,
            small,
            _CalibrationReader(positions),
            quant_format=QuantFormat.QDQ,
            per_channel=True,
            reduce_range=True,
            activation_type=QuantType.QUInt8,
            weight_type=QuantType.QInt8,
            nodes_to_quantize=_tower(onnx.load(fused).graph),
        )
        model = onnx.load(small)
    return with_description(model, description)


def calibration_positions(network: nn.Module, description: Description, game: Game) -> NDArray[np.float32]:
    """Planes of positions from games that sample the policy, with a fixed seed."""
    planes, random = planes_of(game, **description.options), np.random.default_rng(0)
    states: list[Any] = [game.start() for _ in range(GAMES)]
    found = []
    for _ in range(PLIES):
        images = np.stack([planes(state) for state in states])
        found.append(images)
        with torch.inference_mode():
            policies = network(torch.from_numpy(images)).policy.numpy()
        after = []
        for state, logits in zip(states, policies, strict=True):
            moves = list(state.moves())
            chances = np.exp([logits[planes.index(state, move)] - logits.max() for move in moves])
            state = state.play(moves[random.choice(len(moves), p=chances / chances.sum())])
            if state.scores() is None:
                after.append(state)
        states = after
        if not states:
            break
    together = np.concatenate(found)
    evenly = np.linspace(0, len(together) - 1, min(POSITIONS, len(together))).astype(int)
    return np.ascontiguousarray(together[evenly], np.float32)


def _tower(graph: Any) -> list[str]:
    """The 3×3 convolutions but the first, whose input is the planes: they take most of the time."""
    kernels = {weight.name: list(weight.dims[2:]) for weight in graph.initializer}
    return [
        node.name
        for node in graph.node
        if node.op_type == "Conv" and node.input[0] != "planes" and kernels.get(node.input[1]) != [1, 1]
    ]


class _CalibrationReader:
    """Batches for the quantiser."""

    def __init__(self, positions: NDArray[np.float32]) -> None:
        self._batches = iter([positions[at : at + BATCH] for at in range(0, len(positions), BATCH)])

    def get_next(self) -> dict[str, NDArray[np.float32]] | None:
        batch = next(self._batches, None)
        return None if batch is None else {"planes": batch}


@contextmanager
def _quiet() -> Iterator[None]:
    """Suppress the log messages of the quantiser."""
    before = logging.root.manager.disable
    logging.disable(logging.WARNING)
    try:
        yield
    finally:
        logging.disable(before)
