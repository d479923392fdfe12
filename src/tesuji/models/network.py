"""A trained network in play: a self-describing file.

ONNX is run by onnxruntime. A safetensors file of weights is evaluated by the native core (`native`), or by
torch where the processor lacks the instructions.

It maps `planes` [batch, planes, rows, columns] to `policy` [batch, moves] (logits) and `value` [batch] (the
log-odds that the side to move wins). Opening a file runs none of its code: ONNX holds only arithmetic, and
the description in its metadata (`network_format`) is checked against the actual inputs and outputs.
"""

from __future__ import annotations

import functools
import os
from collections.abc import Callable, Mapping
from dataclasses import replace
from itertools import combinations
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from tesuji import _core
from tesuji.clipping import clip
from tesuji.extras import MissingExtra, require
from tesuji.game import Game, rules_of
from tesuji.models.bundled import bundled_file, bundled_networks, has_fast_kernels
from tesuji.models.native import open_natively
from tesuji.models.network_format import METADATA, Description, shape_of
from tesuji.planes import plane_switches, planes_of
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
    `exact`: a weights file is evaluated in full precision, by torch.
    """

    engine: str
    """What evaluates it: the native core and its kernels, onnxruntime or torch."""

    def __init__(
        self,
        source: str | os.PathLike[str],
        game: Game | None = None,
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
    path = Path(source)
    if isinstance(source, str) and source in bundled_networks():
        return bundled_file(source)
    if not os.path.isfile(path):  # also False for strings that cannot be a path
        known = ", ".join([*bundled_networks(), "or a file: .onnx, .safetensors"])
        raise ValueError(f"there is no network {str(source)!r} ({known})")
    return path


def network_planes(description: Description, game: Game) -> Any:
    """The game's planes as this network expects them; ValueError if the network is not for this game."""
    asked = spec_of(rules_of(game))
    same_family = Spec.parse(description.game).name == Spec.parse(asked).name
    if description.game != asked and not (same_family and description.shape.any_size):
        raise ValueError(f"this network was trained for {description.game}, not for {asked}")
    # A network may lack optional planes, such as the swap in Hex: try them switched off, as few as possible.
    switches = plane_switches(game) if same_family else ()
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


def read_network_file(path: Path) -> bytes:
    """The content of a network file; ValueError if it cannot be read, is too large, or is a pickle."""
    try:
        with open(path, "rb") as file:
            content = file.read(LARGEST_FILE + 1)
    except OSError as error:
        raise ValueError(f"{error.strerror}") from error
    if len(content) > LARGEST_FILE:
        raise ValueError(f"it is larger than {LARGEST_FILE >> 20} MiB")
    if content[:1] == b"\x80" or content[:2] == b"PK":
        raise ValueError(
            "it is a pickle, which could run code when opened; only ONNX and safetensors are read"
        )
    return content


@functools.lru_cache(maxsize=CACHED_NETWORKS)  # a match creates its bots for every game
def _cached_network(path: Path, modified: int, size: int, device: str, exact: bool) -> _Opened:
    content = read_network_file(path)
    opened = _open(content, exact or device == "cuda")
    if device == "cuda":
        require("train", "a network on a GPU")
        from tesuji.models.gpu import open_on_gpu

        opened = opened._replace(evaluate=open_on_gpu(content), engine="torch on a GPU")
    evaluate, description, _ = opened
    shape = description.shape
    outputs = evaluate(np.ones((1, shape.planes, shape.rows, shape.columns), np.float32))
    if outputs[0].shape != (1, shape.policy):
        raise ValueError(f"its policy has {outputs[0].shape[1]} moves; its description says {shape.policy}")
    if not all(np.isfinite(output).all() for output in outputs):
        raise ValueError("it is damaged: its outputs are not finite")
    return opened


def forget_networks() -> None:
    """Free the networks that are kept for later bots; a bot keeps the one that it uses."""
    _cached_network.cache_clear()


def _open(content: bytes, exact: bool) -> _Opened:
    if content[8:9] == b"{":  # safetensors: a length of 8 bytes, then a JSON header
        purpose = "a network in a safetensors file"
        if not exact and has_fast_kernels():
            require("zero", purpose, ["safetensors"])
            if (native := open_natively(content)) is not None:
                return _Opened(*native, f"native core, {_core.network_kernels()[0]}")
        require("train", purpose)
        from tesuji.models.weights import TorchNetwork

        network = TorchNetwork(content)
        return _Opened(network, network.description, "torch")
    session = _onnx_session(content)

    def evaluate(planes: PlaneBatch) -> Evaluation:
        policy, value = session.run(["policy", "value"], {"planes": planes})
        return policy, value

    return _Opened(evaluate, _onnx_description(session), "onnxruntime")


def _onnx_session(content: bytes) -> Any:
    require("zero", "playing with a network", ["onnxruntime"])
    import onnxruntime

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1  # an evaluation runs in the thread that asks for it
    options.inter_op_num_threads = 1
    options.log_severity_level = 4  # errors are reported once, by the exception
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")  # leave the cores to other bots
    try:
        return onnxruntime.InferenceSession(content, options, providers=["CPUExecutionProvider"])
    except Exception as error:  # onnxruntime has a class of its own for each kind of error
        message = " ".join(str(error).split())
        raise ValueError(f"not an ONNX file, or damaged ({clip(message)})") from None


def _onnx_description(session: Any) -> Description:
    """The description in the metadata, checked against the inputs and outputs."""
    metadata: Mapping[str, str] = session.get_modelmeta().custom_metadata_map
    if METADATA not in metadata:
        raise ValueError("it has no description: it was not written by tesuji models export")
    description = Description.read(metadata[METADATA])
    shape = description.shape
    nodes = {node.name: node for node in [*session.get_inputs(), *session.get_outputs()]}
    if set(nodes) != {"planes", "policy", "value"}:
        raise ValueError(f"its inputs and outputs are {', '.join(nodes)}, not planes, policy, value")
    expected: dict[str, list[int | str]] = {
        "planes": [shape.planes, *(("rows", "columns") if shape.any_size else (shape.rows, shape.columns))],
        "policy": ["moves" if shape.any_size else shape.policy],
        "value": [],
    }
    for name, sizes in expected.items():
        node = nodes[name]
        if node.type != "tensor(float)" or list(node.shape[1:]) != sizes or isinstance(node.shape[0], int):
            raise ValueError(f"its {name} have the shape {node.shape}, not {['batch', *sizes]} as described")
    return description
