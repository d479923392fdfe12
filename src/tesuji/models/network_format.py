"""The file of a network: its weights in safetensors, and a description of what it is for, without torch.

The description is JSON among the metadata:

    {"kind": "zero network", "format": 1, "game": "gomoku", "net": "resnet:blocks=6,channels=96",
     "planes": {"names": [...], "version": 1, "options": {}, "rows": 15, "columns": 15, "policy_planes": 1,
                "extras": 0},
     "training": {...}}

A network for any board size also has "board" among its planes: the index of the plane that is 1 on the
board's cells. Its rows and columns are those of training. "value_temperature" is there unless it is 1.
"""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tesuji._helpers.clipping import clip
from tesuji._helpers.json_reader import ObjectReader, checked_kind, parse_json
from tesuji.models.tensor_file import read_tensors, write_tensors
from tesuji.planes import NativePlanes

KIND, FORMAT = "zero network", 1
BOARD = "board"
"""The name of the plane that is 1 on the cells of the board."""
METADATA = "tesuji"
"""The key of the description in the file's metadata."""
TEMPERATURE = "value_temperature"
MAX_PLANES = 1024
MAX_CELLS = 4096
MAX_MOVES = 1 << 16
MIN_TEMPERATURE, MAX_TEMPERATURE = 0.1, 10.0
MIN_HALF_PRECISION = 64  # elements; shorter vectors stay 32-bit, as halving them saves nothing


@dataclass(frozen=True, kw_only=True)
class Shape:
    """The sizes of a network's input and policy: `Shape(planes=3, rows=5, columns=5, …).policy`."""

    planes: int
    rows: int
    columns: int
    policy_planes: int
    extras: int
    """Moves that are on no cell."""
    board: int | None = None
    """For networks of any board size, the index of the plane that is 1 on the board's cells."""

    @property
    def any_size(self) -> bool:
        """Whether the network fits boards of other sizes, too."""
        return self.board is not None

    @property
    def cells(self) -> int:
        """Cells of the board."""
        return self.rows * self.columns

    @property
    def policy(self) -> int:
        """The length of the policy: one entry per policy plane and cell, then the extras."""
        return self.policy_planes * self.cells + self.extras


@dataclass(frozen=True, kw_only=True)
class Description:
    """What a network was trained for, and how."""

    game: str
    net: str
    """The spec of its architecture."""
    names: tuple[str, ...]
    """The names of its planes."""
    version: int
    """The version of the planes."""
    options: dict[str, bool] = field(default_factory=dict)
    """The options of the planes, such as `{"patterns": False}`."""
    shape: Shape
    training: dict[str, Any] = field(default_factory=dict)
    """How it was trained: for display, and the boards to calibrate a quantised network on."""
    value_temperature: float = 1.0
    """T of `calibrate`: how a search's value becomes the win probability that it reports."""

    def check_planes(self, planes: NativePlanes, *, more: bool = False) -> None:
        """ValueError unless the network was trained with these planes; `more`: or with some of them."""
        names = tuple(planes.names)
        known = set(self.names) <= set(names) if more else self.names == names
        if not known or self.version != planes.version:
            raise ValueError(
                f"its planes are {', '.join(self.names)}, version {self.version}, not {', '.join(names)}, "
                f"version {planes.version}"
            )

    def as_dict(self) -> dict[str, object]:
        """The description as plain data for JSON."""
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
            **({TEMPERATURE: self.value_temperature} if self.value_temperature != 1 else {}),
        }

    def text(self) -> str:
        """The description as JSON text."""
        return json.dumps(self.as_dict(), ensure_ascii=False, allow_nan=False)

    @classmethod
    def read(cls, content: bytes | str) -> Description:
        """Parse a description; ValueError if anything in it is invalid."""
        content = content.encode() if isinstance(content, str) else content
        found = checked_kind(parse_json(content), KIND, FORMAT)
        optional = (TEMPERATURE,) if TEMPERATURE in found else ()
        known = ("kind", "format", "game", "net", "planes", "training", *optional)
        whole = ObjectReader(found, "network", known)
        keys = ["names", "version", "options", "rows", "columns", "policy_planes", "extras"]
        any_size = isinstance(found["planes"], dict) and "board" in found["planes"]
        planes = whole.inner("planes", (*keys, "board") if any_size else tuple(keys))
        names = planes.texts("names", most=MAX_PLANES)
        shape = Shape(
            planes=len(names),
            rows=planes.integer("rows", 1),
            columns=planes.integer("columns", 1),
            policy_planes=planes.integer("policy_planes", 0),
            extras=planes.integer("extras", 0),
            board=planes.integer("board", 0) if any_size else None,
        )
        if any_size and planes.found["board"] >= len(names):
            raise ValueError(f"'board' must be the index of one of {len(names)} planes, not {shape.board}")
        if not names or shape.cells > MAX_CELLS or not 1 <= shape.policy <= MAX_MOVES:
            raise ValueError(f"impossible shape: {shape}")
        for key, value in (("options", planes.found["options"]), ("training", found["training"])):
            if not isinstance(value, dict):
                raise ValueError(f"{key!r} must be an object, not {clip(value)}")
        return cls(
            game=whole.text("game"),
            net=whole.text("net"),
            names=names,
            version=planes.integer("version", 1),
            options=planes.found["options"],
            shape=shape,
            training=found["training"],
            value_temperature=whole.number(TEMPERATURE, low=MIN_TEMPERATURE, high=MAX_TEMPERATURE)
            if optional
            else 1.0,
        )


def calibrate(value: float, temperature: float) -> float:
    """σ(logit(value) / T): temperature scaling (Guo et al., On calibration of modern neural networks, 2017).

    A network learns how often a position is won in quick games of self-play. Better players win it more often
    if it is good, and less often if it is bad: T below 1. 0, ½ and 1 are
    unchanged.

    >>> calibrate(0.75, 0.5), calibrate(0.5, 0.5), calibrate(1.0, 0.5)
    (0.9, 0.5, 1.0)
    """
    if temperature == 1 or not 0 < value < 1:
        return value
    odds: float = (value / (1 - value)) ** (1 / temperature)
    return odds / (1 + odds)


def shape_of(planes: NativePlanes) -> Shape:
    """The shape of a network for these planes."""
    return Shape(
        planes=len(planes.names),
        rows=planes.native.rows,
        columns=planes.native.columns,
        policy_planes=planes.native.policy_planes,
        extras=planes.native.extras,
        board=planes.names.index(BOARD) if planes.native.any_size else None,
    )


def write_weights(weights: dict[str, NDArray[np.float32]], description: Description) -> bytes:
    """The content of a file; large weights are rounded to 16 bits."""
    arrays = {
        name: array.astype(np.float16) if array.size >= MIN_HALF_PRECISION else array
        for name, array in weights.items()
    }
    return write_tensors(arrays, {METADATA: description.text()})


def read_weights(content: bytes) -> tuple[dict[str, NDArray[np.float32]], Description]:
    """The weights by name, and the description; ValueError if the file is not one, or damaged."""
    arrays, metadata = read_tensors(content)
    text = metadata.pop(METADATA, None)
    if text is None:
        raise ValueError("it has no description: it was not written by tesuji learn zero")
    if metadata:
        raise ValueError(f"it is damaged: it has unknown metadata, {clip(next(iter(metadata)))}")
    return {name: np.array(array, np.float32) for name, array in arrays.items()}, Description.read(text)
