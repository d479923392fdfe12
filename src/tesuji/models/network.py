"""A trained network in play: a self-describing file of weights.

The native core evaluates it (`native`), with the same outputs on every processor; torch on a GPU, and where
the architecture is not a ResNet.

It maps `planes` [batch, planes, rows, columns] to `policy` [batch, moves] (logits) and `value` [batch] (the
log-odds that the side to move wins). Opening a file runs none of its code, and its checksum and the
description in its metadata (`network_format`) are checked.
"""

from __future__ import annotations

import functools
import hashlib
import os
from collections.abc import Callable
from dataclasses import replace
from itertools import combinations
from pathlib import Path
from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from tesuji import _core
from tesuji._helpers.extras import MissingExtra, require
from tesuji.any_game import game as as_game
from tesuji.full_game import FullGame
from tesuji.models.bundled import BUNDLED, bundled_file, find_weights
from tesuji.models.native import open_natively
from tesuji.models.network_format import Description, shape_of
from tesuji.planes import NativePlanes, planes_of
from tesuji.registry import spec_of
from tesuji.spec import Spec

LARGEST_FILE = 256 << 20  # bytes
CACHED_NETWORKS = 4

PlaneBatch: TypeAlias = NDArray[np.float32]
Evaluation: TypeAlias = tuple[NDArray[np.float32], NDArray[np.float32]]
"""Policy logits [batch, moves] and value log-odds [batch]."""
Evaluate: TypeAlias = Callable[[PlaneBatch], Evaluation]


class _Opened(NamedTuple):
    evaluate: Evaluate
    description: Description
    engine: str


class Network:
    """An open network file: `Network("gomoku", game)(planes)` gives policy logits and value log-odds.

    `source` is the name of a bundled network or a path. ValueError, in one line, if the file is damaged, or
    made for another game or another version of its planes. On the device `cuda`, all threads share one copy.
    `exact`: evaluated in full precision, by torch.
    """

    engine: str
    """What evaluates it: the native core and its kernels, or torch."""

    def __init__(
        self,
        source: str | os.PathLike[str],
        game: FullGame | None = None,
        *,
        device: str = "cpu",
        exact: bool = False,
    ) -> None:
        self.path = find_network(source)
        self._evaluate: Evaluate
        try:
            stat = os.stat(self.path)
            self._evaluate, self.description, self.engine = _cached_network(
                self.path, stat.st_mtime_ns, stat.st_size, device, exact
            )
            if game is not None:
                self.planes = network_planes(self.description, game)
        except OSError as error:
            raise ValueError(f"cannot use {self.path}: {error.strerror}") from error
        except MissingExtra:
            raise
        except ValueError as error:
            raise ValueError(f"cannot use {self.path}: {error}") from error

    def __call__(self, planes: PlaneBatch) -> Evaluation:
        """Policy logits [batch, moves] and value log-odds [batch] for a batch of planes."""
        return self._evaluate(planes)


def find_network(source: str | os.PathLike[str]) -> Path:
    """The path of a network, given the name of a bundled one or a path."""
    path = find_weights(Path(source))
    if not os.path.isfile(path):  # also False for strings that cannot be a path
        known = ", ".join([*BUNDLED, "or a file: .safetensors"])
        raise ValueError(f"there is no network {str(source)!r} ({known})")
    return path


def network_planes(description: Description, game: FullGame) -> NativePlanes:
    """The game's planes as this network expects them; ValueError if the network is not for this game."""
    rules = game.rules
    asked = spec_of(rules)
    same_rules = Spec.parse(description.game).name == Spec.parse(asked).name
    fits = same_rules and (description.shape.any_size or _includes(description.game, rules))
    if description.game != asked and not fits:
        raise ValueError(f"this network was trained for {description.game}, not for {asked}")
    # A network may lack optional planes, such as the swap in Hex: try them switched off, as few as possible.
    switches = game.plane_options if same_rules else ()
    for off in (off for count in range(len(switches) + 1) for off in combinations(switches, count)):
        planes = planes_of(game, **{**dict.fromkeys(off, False), **description.options})
        if tuple(planes.names) == description.names:
            break
    else:
        planes = planes_of(game, **description.options)
    if tuple(planes.names) != description.names or planes.version != description.version:
        expected = f"version {description.version} with {', '.join(description.names)}"
        actual = f"version {planes.version} with {', '.join(planes.names)}"
        raise ValueError(f"its planes are {expected}, but those of {asked} are {actual}")
    shape = shape_of(planes)
    if not description.shape.any_size:  # exported for one size, even if the game's planes fit any
        shape = replace(shape, board=None)
    elif shape.any_size:
        shape = replace(shape, rows=description.shape.rows, columns=description.shape.columns)
    if shape != description.shape:
        raise ValueError(f"its board is {description.shape}, but that of {asked} is {shape_of(planes)}")
    return planes


def _includes(trained_for: str, rules: FullGame) -> bool:
    """Whether the game of the training deals the start of another game, too."""
    return as_game(trained_for).includes(rules)


def read_network_file(path: Path) -> bytes:
    """The content of a network file; ValueError if it cannot be read, or is obviously none or damaged."""
    if path.suffix == ".onnx":
        raise ValueError(
            "ONNX files are written for other programs; what can be opened is a .safetensors file"
        )
    try:
        with open(path, "rb") as file:
            content = file.read(LARGEST_FILE + 1)
    except OSError as error:
        raise ValueError(f"{error.strerror}") from error
    if len(content) > LARGEST_FILE:
        raise ValueError(f"it is larger than {LARGEST_FILE >> 20} MiB")
    is_json = content[8:9] == b"{"  # behind the length of the header, which may begin with anything
    if not is_json and content.startswith((b"\x80", b"PK")):
        raise ValueError(
            "it is a pickle, which could run code when opened; only .safetensors files are opened"
        )
    digest = BUNDLED.get(path.stem) if path == bundled_file(path.stem) else None
    if digest is not None and hashlib.sha256(content).hexdigest() != digest:
        raise ValueError("it is damaged: its checksum is wrong; install tesuji again")
    return content


@functools.lru_cache(maxsize=CACHED_NETWORKS)  # a match creates its bots for every game
def _cached_network(path: Path, modified: int, size: int, device: str, exact: bool) -> _Opened:
    opened = _open(read_network_file(path), device, exact)
    shape = opened.description.shape
    outputs = opened.evaluate(np.ones((1, shape.planes, shape.rows, shape.columns), np.float32))
    if outputs[0].shape != (1, shape.policy):
        raise ValueError(f"its policy has {outputs[0].shape[1]} moves; its description says {shape.policy}")
    if not all(np.isfinite(output).all() for output in outputs):
        raise ValueError("it is damaged: its outputs are not finite")
    return opened


def _open(content: bytes, device: str, exact: bool) -> _Opened:
    if device == "cuda":
        require("train", "a network on a GPU")
        from tesuji.models.torch_network import open_on_gpu

        return _Opened(*open_on_gpu(content), "torch on a GPU")
    if not exact and (native := open_natively(content)) is not None:
        return _Opened(*native, f"native core, {_core.network_kernels()[0]}")
    require("train", "this network")
    import torch

    from tesuji.models.torch_network import TorchNetwork

    network = TorchNetwork(content, torch.device("cpu"))
    return _Opened(network, network.description, "torch")
