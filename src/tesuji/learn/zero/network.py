"""A trained network in play: an ONNX file that describes itself, run by onnxruntime.

The description is JSON in the file's metadata:

    {"kind": "zero network", "format": 1, "game": "gomoku", "net": "resnet:blocks=6,channels=96",
     "planes": {"names": [...], "version": 1, "options": {}, "rows": 15, "columns": 15, "policy_planes": 1,
                "extras": 0},
     "training": {...}}

A network for boards of every size has one more key among its planes, "board": which one is 1 on the board's
cells. Its rows and columns are those of training.

It maps `planes` [batch, planes, rows, columns] to `policy` [batch, moves] (logits) and `value` [batch] (the
side to move's log-odds). Opening a file runs none of its code: ONNX holds arithmetic alone, and every
promise of the description is compared with what is there.
"""

from __future__ import annotations

import functools
import json
import os
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, field, replace
from importlib import resources
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from tesuji.clipping import clip
from tesuji.game import Game
from tesuji.learn.checked import Reader, parse
from tesuji.registry import spec_of
from tesuji.spec import Spec

KIND, FORMAT = "zero network", 1
BOARD = "board"
"""The name of the plane that is 1 on the cells of the board."""
METADATA = "tesuji"
"""The key of the description in the file's metadata."""
IN_THE_BOX = {"gomoku15": "gomoku", "hex11": "hex"}
"""The networks that come with the package, and their games."""
LARGEST_FILE = 256 << 20
KEPT = 4  # networks, opened
MOST_PLANES = 1024
MOST_CELLS = 4096
MOST_MOVES = 1 << 16

Batch: TypeAlias = NDArray[np.float32]
Answer: TypeAlias = tuple[NDArray[np.float32], NDArray[np.float32]]
"""Policy logits [batch, moves] and value log-odds [batch]."""


@dataclass(frozen=True, kw_only=True)
class Shape:
    """The numbers that go into a network and come out: `Shape(planes=3, rows=5, columns=5, …).policy`."""

    planes: int
    rows: int
    columns: int
    policy_planes: int
    extras: int
    board: int | None = None
    """Where boards of every size fit, the plane that is 1 on their cells."""

    @property
    def any_size(self) -> bool:
        """Whether rows and columns are those of training alone."""
        return self.board is not None

    @property
    def cells(self) -> int:
        """Cells of the board."""
        return self.rows * self.columns

    @property
    def policy(self) -> int:
        """Numbers of a policy: plane by plane one for each cell, then the extras."""
        return self.policy_planes * self.cells + self.extras


@dataclass(frozen=True, kw_only=True)
class Description:
    """What a network was made for."""

    game: str
    net: str
    """The spec of its architecture."""
    names: tuple[str, ...]
    """One for each plane."""
    version: int
    """Of the planes' meaning."""
    options: dict[str, Any] = field(default_factory=dict)
    """What the planes were told, such as `{"patterns": False}`."""
    shape: Shape
    training: dict[str, Any] = field(default_factory=dict)
    """How it was trained, for people."""

    def as_dict(self) -> dict[str, Any]:
        """The description as JSON knows it."""
        planes = {"names": list(self.names), "version": self.version, "options": self.options}
        shape = asdict(self.shape)
        del shape["planes"]
        if self.shape.board is None:
            del shape["board"]
        return {
            "kind": KIND,
            "format": FORMAT,
            "game": self.game,
            "net": self.net,
            "planes": {**planes, **shape},
            "training": self.training,
        }

    def text(self) -> str:
        """The description as JSON."""
        return json.dumps(self.as_dict(), ensure_ascii=False, allow_nan=False)

    @classmethod
    def read(cls, content: bytes | str) -> Description:
        """The description that a text holds; ValueError where anything in it makes no sense."""
        found = parse(content.encode() if isinstance(content, str) else content)
        kind = found.get("kind") if isinstance(found, dict) else found
        if kind != KIND or not isinstance(found, dict):
            raise ValueError(f"not a {KIND}: its kind is {clip(kind)}")
        if found.get("format") != FORMAT:
            raise ValueError(
                f"its format is {clip(found.get('format'))}, and this version reads format {FORMAT}"
            )
        whole = Reader(found, "network", ("kind", "format", "game", "net", "planes", "training"))
        keys = ["names", "version", "options", "rows", "columns", "policy_planes", "extras"]
        any_size = isinstance(found["planes"], dict) and "board" in found["planes"]
        planes = whole.inner("planes", (*keys, "board") if any_size else tuple(keys))
        names = planes.texts("names", most=MOST_PLANES)
        shape = Shape(
            planes=len(names),
            rows=planes.integer("rows", 1),
            columns=planes.integer("columns", 1),
            policy_planes=planes.integer("policy_planes", 0),
            extras=planes.integer("extras", 0),
            board=planes.integer("board", 0) if any_size else None,
        )
        if any_size and planes.found["board"] >= len(names):
            raise ValueError(f"'board' must name one of {len(names)} planes, not {planes.found['board']}")
        if not names or shape.cells > MOST_CELLS or not 1 <= shape.policy <= MOST_MOVES:
            raise ValueError(f"no board has this shape: {shape}")
        for key, there in (("options", planes.found["options"]), ("training", found["training"])):
            if not isinstance(there, dict):
                raise ValueError(f"{key!r} must be an object, not {clip(there)}")
        return cls(
            game=whole.text("game"),
            net=whole.text("net"),
            names=names,
            version=planes.integer("version", 1),
            options=planes.found["options"],
            shape=shape,
            training=found["training"],
        )


Opened: TypeAlias = tuple[Callable[[Batch], Answer], Description]
"""What computes, and what it is for."""


class Network:
    """A network file, opened: `Network("gomoku15", game)(planes)` gives policy logits and value log-odds.

    A name is that of a network that comes with the package, anything else a path. ValueError, of one line,
    where the file is damaged, is for another game or for another version of its planes.
    """

    def __init__(self, source: str | os.PathLike[str], game: Game | None = None, *, threads: int = 1) -> None:
        self.path = find_network(source)
        self._run: Callable[[Batch], Answer]
        try:
            stamp = os.stat(self.path)
            self._run, self.description = _opened(self.path, stamp.st_mtime_ns, stamp.st_size, threads)
            if game is not None:
                self.planes = check_game_of(self.description, game)
        except OSError as error:
            raise ValueError(f"cannot use {self.path}: {error.strerror}") from error
        except ValueError as error:
            raise ValueError(f"cannot use {self.path}: {error}") from error

    def __call__(self, planes: Batch) -> Answer:
        """Policy logits [batch, moves] and value log-odds [batch] of positions as planes."""
        return self._run(planes)


def shipped_networks() -> list[str]:
    """The names of the networks that come with the package."""
    folder = resources.files("tesuji") / "models"
    names = (entry.name for entry in folder.iterdir()) if folder.is_dir() else ()
    return sorted(name.removesuffix(".onnx") for name in names if name.endswith(".onnx"))


def find_network(source: str | os.PathLike[str]) -> Path:
    """The file of a network, by the name of one that comes with the package or by its path."""
    path = Path(source)
    if isinstance(source, str) and source in shipped_networks():
        return Path(str(resources.files("tesuji") / "models" / f"{source}.onnx"))
    if not os.path.isfile(path):  # also False for what can be no path at all
        known = ", ".join([*shipped_networks(), "or a file: .onnx, .safetensors"])
        raise ValueError(f"there is no network {str(source)!r} ({known})")
    return path


def shape_of(planes: Any) -> Shape:
    """The shape of a network for these planes."""
    return Shape(
        planes=len(planes.names),
        rows=planes.native.rows,
        columns=planes.native.columns,
        policy_planes=planes.native.policy_planes,
        extras=planes.native.extras,
        board=planes.names.index(BOARD) if planes.native.any_size else None,
    )


def check_game_of(description: Description, game: Game) -> Any:
    """The planes of the game as this network wants them; ValueError where they are others."""
    from tesuji.planes import plane_switches, planes_of

    asked = spec_of(game)
    same_family = Spec.parse(description.game).name == Spec.parse(asked).name
    if description.game != asked and not (same_family and description.shape.any_size):
        raise ValueError(f"this network was trained for {description.game}, and the game is {asked}")
    # Without a plane for a rule that the network does not know, where the game can do without it.
    offered = [{}, *({name: False} for name in plane_switches(game))] if same_family else [{}]
    for options in offered:
        planes = planes_of(game, **{**options, **description.options})
        if tuple(planes.names) == description.names:
            break
    else:
        planes = planes_of(game, **description.options)
    if tuple(planes.names) != description.names or planes.version != description.version:
        theirs = f"version {description.version} with {', '.join(description.names)}"
        ours = f"version {planes.version} with {', '.join(planes.names)}"
        raise ValueError(f"its planes are {theirs}, and those of {asked} are {ours}")
    shape = shape_of(planes)
    if not description.shape.any_size:  # a file for one size, even where the game's planes fit any
        shape = replace(shape, board=None)
    elif shape.any_size:
        shape = replace(shape, rows=description.shape.rows, columns=description.shape.columns)
    if shape != description.shape:
        raise ValueError(f"its board is {description.shape}, and that of {asked} is {shape_of(planes)}")
    return planes


def read_file(path: Path) -> bytes:
    """The bytes of a network's file; ValueError where there are none, too many, or those of a pickle."""
    try:
        with open(path, "rb") as file:
            content = file.read(LARGEST_FILE + 1)
    except OSError as error:
        raise ValueError(f"{error.strerror}") from error
    if len(content) > LARGEST_FILE:
        raise ValueError(f"it has more than {LARGEST_FILE >> 20} MiB, and no network has")
    if content[:1] == b"\x80" or content[:2] == b"PK":
        raise ValueError("it is a pickle or an archive of one: these run code when opened, so we never do")
    return content


@functools.lru_cache(maxsize=KEPT)
def _opened(
    path: Path, changed: int, size: int, threads: int
) -> tuple[Callable[[Batch], Answer], Description]:
    """A file that was opened before and has not changed: a match makes its bots anew for every game."""
    run, description = _open(read_file(path), threads)
    shape = description.shape
    answers = run(np.ones((1, shape.planes, shape.rows, shape.columns), np.float32))
    if answers[0].shape != (1, shape.policy):
        raise ValueError(
            f"its policy has {answers[0].shape[1]} moves, and its description says {shape.policy}"
        )
    if not all(np.isfinite(answer).all() for answer in answers):  # weights of damaged bytes, most often
        raise ValueError("it is damaged: it does not answer with finite numbers")
    return run, description


def _open(content: bytes, threads: int) -> Opened:
    if content[8:9] == b"{":  # safetensors: the weights alone, of a network whose code is here
        try:
            from tesuji.learn.zero.weights import TorchNetwork
        except ImportError:
            raise ValueError("a file of weights needs torch; tesuji models export makes ONNX of it") from None
        network = TorchNetwork(content, threads)
        return network, network.description
    session = _session(content, threads)

    def run(planes: Batch) -> Answer:
        policy, value = session.run(["policy", "value"], {"planes": planes})
        return policy, value

    return run, _described(session)


def _session(content: bytes, threads: int) -> Any:
    try:
        import onnxruntime
    except ImportError:
        raise ValueError("playing with a network needs onnxruntime: pip install onnxruntime") from None
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = threads
    options.inter_op_num_threads = 1
    options.log_severity_level = 4  # what is wrong is said once, by the exception
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")  # other bots need the processor
    try:
        return onnxruntime.InferenceSession(content, options, providers=["CPUExecutionProvider"])
    except Exception as error:  # onnxruntime has a class of its own for each kind of fault
        said = " ".join(str(error).split())
        raise ValueError(f"it is no ONNX file, or damaged ({clip(said)})") from None


def _described(session: Any) -> Description:
    """The description of a network, whose every promise the network keeps."""
    metadata: Mapping[str, str] = session.get_modelmeta().custom_metadata_map
    if METADATA not in metadata:
        raise ValueError("it does not say what it is for: it was not written by tesuji models export")
    description = Description.read(metadata[METADATA])
    shape = description.shape
    there = {node.name: node for node in [*session.get_inputs(), *session.get_outputs()]}
    if set(there) != {"planes", "policy", "value"}:
        raise ValueError(f"its inputs and outputs are {', '.join(there)}, not planes, policy, value")
    wanted: dict[str, list[int | str]] = {
        "planes": [shape.planes, *(("rows", "columns") if shape.any_size else (shape.rows, shape.columns))],
        "policy": ["moves" if shape.any_size else shape.policy],
        "value": [],
    }
    for name, sizes in wanted.items():
        node = there[name]
        if node.type != "tensor(float)" or list(node.shape[1:]) != sizes or isinstance(node.shape[0], int):
            raise ValueError(
                f"its {name} have the shape {node.shape}, and its description says {['batch', *sizes]}"
            )
    return description
