"""Files of linear values and priors: self-describing JSON. Reading validates every value and runs no code.

    {"kind": "linear value", "format": 1, "game": "hex:size=5",
     "features": {"names": [...], "version": 1, "constant": [...], "dependent": [[...], ...]},
     "weights": {"theta": [...], "bias": 0.1, "mean": [...], "deviation": [...], "epsilon": 1e-08},
     "training": {"l1": 1.0, "l2": 0.1, "gamma": 0.97, "draws": "half", "weighting": "...", "rule": "best",
                  "seed": 1, "without": [], "baseline": [...],
                  "losses": [{"l1":, "l2":, "folds": [...], "nonzero":}, ...],
                  "calibration": [{"predicted":, "observed":, "error":, "states":, "weight":}, ...]},
     "data": {"games": 200, "states": 9000, "draws": 0, "left_out": {}, "store": "games.db"}}

A value with sparse features has format 2, with their weights, `"codes": [...]`, among its weights, and their
number, `"codes": 4400`, among its features.

    {"kind": "linear prior", "format": 1, "game": "hex:size=11",
     "features": {"version": 1, "codes": 4000, "names": []},
     "training": {"l2": 10.0, "seed": 1, "losses": [{"l2":, "folds": [...]}, ...],
                  "held_out": {"prior": {"log_loss":, "top1":, "top5":}, "uniform": {...}, ...}},
     "data": {"games": 200, "positions": 9000, "left_out": {}, "store": "games.db"},
     "weights": [...]}

`names` has the features of a prior of a game written in Python, one for each weight; the sparse features of a
native game have none.

Weights of sparse features are whole numbers of 1/65,536, as the core adds them up. Numbers survive a round
trip bit for bit. A file may be compressed by gzip, which the names `.gz` of new files ask for.
"""

from __future__ import annotations

import gzip
import io
import json
import math
import os
import zlib
from abc import ABC, abstractmethod
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Self, TypeVar

from tesuji import _core
from tesuji._helpers.atomic_write import write_atomically
from tesuji._helpers.clipping import clip
from tesuji._helpers.json_reader import MAX_ITEMS, ObjectReader, checked_kind, parse_json

VALUE, VALUE_FORMAT, SPARSE_VALUE_FORMAT = "linear value", 1, 2
PRIOR, PRIOR_FORMAT = "linear prior", 1

LARGEST_FILE = 32 << 20  # bytes, decompressed; enough for four million weights, most of them 0
GZIP = b"\x1f\x8b"
"""The first bytes of a compressed file."""
SPARSE_UNIT = 1 / 65536
"""The weights of sparse features are multiples of this."""
LARGEST_SPARSE_WEIGHT = 63 * 65536
WEIGHTING = "gamma^(plies to the last non-terminal position)"
DRAWS = ("half", "skip")
RULES = ("best", "one-standard-error")
FEATURES = ("names", "version", "constant", "dependent")
WEIGHTS = ("theta", "bias", "mean", "deviation", "epsilon")
TRAINING = (
    *("l1", "l2", "gamma", "draws", "weighting", "rule", "seed", "without"),
    *("baseline", "losses", "calibration"),
)
CALIBRATION = ("predicted", "observed", "error", "states", "weight")
QUALITIES = ("prior", "uniform", "ordering")
_ON_ONE_LINE = "the weights of sparse features"


@dataclass(frozen=True)
class PenaltyResult:
    """The cross-validation result of one pair of penalties."""

    l1: float
    l2: float
    losses: tuple[float, ...]
    """The log-loss of each fold."""
    nonzero: float
    """Non-zero weights, averaged over the folds."""

    @property
    def mean(self) -> float:
        """Mean loss over the folds."""
        return math.fsum(self.losses) / len(self.losses)

    @property
    def error(self) -> float:
        """The standard error of the mean, treating folds as independent."""
        mean, count = self.mean, len(self.losses)
        return math.sqrt(math.fsum((loss - mean) ** 2 for loss in self.losses) / (count - 1) / count)


@dataclass(frozen=True)
class PriorQuality:
    """How well weights of moves predict the moves of games."""

    log_loss: float | None
    """The mean of −log P(move played); None for an ordering without weights."""
    top1: float
    """The share of positions in which the move played has the largest weight."""
    top5: float
    """… or one of the five largest."""


@dataclass(frozen=True, kw_only=True)
class _Model(ABC):
    """What the files of values and priors have in common."""

    game: str
    names: tuple[str, ...]
    """The named features."""
    version: int
    """The version of the features."""
    sparse: tuple[int, ...] = ()
    """The weights of the sparse features, in units of `SPARSE_UNIT`; of a prior, all weights."""
    l2: float
    seed: int
    data: dict[str, Any] = field(default_factory=dict)

    def as_dict(self) -> dict[str, object]:
        """The model as plain data for JSON."""
        return self._plain(list(self.sparse))

    @abstractmethod
    def _plain(self, sparse: object) -> dict[str, object]:
        """The same with this for the weights of the sparse features."""

    @classmethod
    @abstractmethod
    def from_dict(cls, found: object) -> Self:
        """The model in a dictionary; ValueError if a key is missing, unknown or out of range."""

    def as_text(self) -> str:
        """JSON with a line for each value, but one line for all weights of sparse features."""
        text = json.dumps(self._plain(_ON_ONE_LINE), indent=1, ensure_ascii=False, allow_nan=False)
        head, _, tail = text.rpartition(f'"{_ON_ONE_LINE}"')
        return f"{head}{json.dumps(self.sparse) if head else ''}{tail}\n"

    def write(self, path: str | os.PathLike[str]) -> None:
        """Write a file atomically, compressed if its name ends in .gz; OSError if it cannot be written."""
        path, text = Path(path), self.as_text()
        write_atomically(path, gzip.compress(text.encode(), mtime=0) if path.suffix == ".gz" else text)


Model = TypeVar("Model", bound=_Model)


@dataclass(frozen=True, kw_only=True)
class LinearModel(_Model):
    """The content of the file of a value."""

    theta: tuple[float, ...]
    bias: float
    mean: tuple[float, ...]
    deviation: tuple[float, ...]
    epsilon: float
    l1: float
    gamma: float
    draws: str
    rule: str
    without: tuple[str, ...]
    """Patterns of the features that were excluded."""
    baseline: tuple[float, ...]
    """The loss of each fold with the bias alone."""
    losses: tuple[PenaltyResult, ...]
    calibration: tuple[dict[str, float], ...]
    constant: tuple[str, ...]
    dependent: tuple[tuple[str, ...], ...]

    @property
    def weights(self) -> _core.LinearWeights:
        """The weights as the core takes them, for reports and for play."""
        return _core.LinearWeights(
            list(self.theta),
            self.bias,
            list(self.mean),
            list(self.deviation),
            self.epsilon,
            [SPARSE_UNIT * weight for weight in self.sparse],
        )

    def _plain(self, sparse: object) -> dict[str, object]:
        own = vars(self)
        return {
            "kind": VALUE,
            "format": SPARSE_VALUE_FORMAT if self.sparse else VALUE_FORMAT,
            "game": self.game,
            "features": {name: own[name] for name in FEATURES}
            | ({"codes": len(self.sparse)} if self.sparse else {}),
            "weights": {name: own[name] for name in WEIGHTS} | ({"codes": sparse} if self.sparse else {}),
            "training": {name: own.get(name) for name in TRAINING}
            | {
                "weighting": WEIGHTING,
                "losses": [
                    {"l1": row.l1, "l2": row.l2, "folds": row.losses, "nonzero": row.nonzero}
                    for row in self.losses
                ],
            },
            "data": dict(self.data),
        }

    @classmethod
    def from_dict(cls, found: object) -> Self:
        """The model in a dictionary; ValueError if a key is missing, unknown or out of range."""
        keys = ("kind", "format", "game", "features", "weights", "training", "data")
        whole = ObjectReader(checked_kind(found, VALUE, VALUE_FORMAT, SPARSE_VALUE_FORMAT), "model", keys)
        sparse = ("codes",) if whole.found["format"] == SPARSE_VALUE_FORMAT else ()
        features = whole.inner("features", (*FEATURES, *sparse))
        names = features.texts("names", most=_core.MAX_FEATURES)
        if not (names or sparse) or len(set(names)) != len(names):
            raise ValueError("its features must have distinct names")
        weights = whole.inner("weights", (*WEIGHTS, *sparse))
        training = whole.inner("training", TRAINING)
        training.word("weighting", (WEIGHTING,))
        baseline = training.numbers("baseline", most=MAX_ITEMS)
        rows = [
            ObjectReader(row, "losses", ("l1", "l2", "folds", "nonzero")) for row in training.items("losses")
        ]
        bins = [ObjectReader(each, "calibration", CALIBRATION) for each in training.items("calibration")]
        return cls(
            game=whole.text("game"),
            names=names,
            version=features.integer("version", 1),
            constant=features.known("constant", features.found["constant"], names),
            dependent=tuple(features.known("dependent", each, names) for each in features.items("dependent")),
            theta=weights.numbers("theta", exactly=len(names)),
            bias=weights.number("bias"),
            mean=weights.numbers("mean", exactly=len(names)),
            deviation=weights.numbers("deviation", exactly=len(names), low=0.0),
            epsilon=weights.number("epsilon", above=0.0, high=1.0),
            l1=training.number("l1", low=0.0),
            l2=training.number("l2", low=0.0),
            gamma=training.number("gamma", above=0.0, high=1.0),
            draws=training.word("draws", DRAWS),
            rule=training.word("rule", RULES),
            seed=training.integer("seed", 0),
            without=training.texts("without", most=_core.MAX_FEATURES),
            baseline=baseline,
            losses=tuple(
                PenaltyResult(
                    row.number("l1", low=0.0),
                    row.number("l2", low=0.0),
                    row.numbers("folds", exactly=len(baseline), low=0.0),
                    row.number("nonzero", low=0.0),
                )
                for row in rows
            ),
            calibration=tuple(
                {key: each.number(key, low=0.0) for key in CALIBRATION}
                | {"states": each.integer("states", 1)}
                for each in bins
            ),
            sparse=_sparse(weights, "codes", features.integer("codes", 1)) if sparse else (),
            data=_data(whole, {"games": 1, "states": 1, "draws": 0}),
        )


@dataclass(frozen=True, kw_only=True)
class PriorModel(_Model):
    """The content of the file of a prior."""

    losses: tuple[tuple[float, tuple[float, ...]], ...]
    """For each λ2, the log-loss of each fold."""
    held_out: dict[str, PriorQuality]
    """On held-out games: of the prior, of equal weights, and of the game's own ordering, if it has one."""

    def _plain(self, sparse: object) -> dict[str, object]:
        return {
            "kind": PRIOR,
            "format": PRIOR_FORMAT,
            "game": self.game,
            "features": {"version": self.version, "codes": len(self.sparse), "names": self.names},
            "training": {
                "l2": self.l2,
                "seed": self.seed,
                "losses": [{"l2": l2, "folds": folds} for l2, folds in self.losses],
                "held_out": {name: vars(quality) for name, quality in self.held_out.items()},
            },
            "data": dict(self.data),
            "weights": sparse,
        }

    @classmethod
    def from_dict(cls, found: object) -> Self:
        """The model in a dictionary; ValueError if a key is missing, unknown or out of range."""
        keys = ("kind", "format", "game", "features", "training", "data", "weights")
        whole = ObjectReader(checked_kind(found, PRIOR, PRIOR_FORMAT), "model", keys)
        features = whole.inner("features", ("version", "codes", "names"))
        count = features.integer("codes", 1)
        names = features.texts("names", most=_core.MAX_CODES)
        if names and (len(names) != count or len(set(names)) != count):
            raise ValueError(f"its features must have {count} distinct names, or none")
        training = whole.inner("training", ("l2", "seed", "losses", "held_out"))
        rows = [ObjectReader(row, "losses", ("l2", "folds")) for row in training.items("losses")]
        return cls(
            game=whole.text("game"),
            version=features.integer("version", 1),
            names=names,
            sparse=_sparse(whole, "weights", count),
            l2=training.number("l2", low=0.0),
            seed=training.integer("seed", 0),
            losses=tuple(
                (row.number("l2", low=0.0), row.numbers("folds", most=MAX_ITEMS, low=0.0)) for row in rows
            ),
            held_out=_held_out(training.found["held_out"]),
            data=_data(whole, {"games": 1, "positions": 1}),
        )


def read_model(path: str | os.PathLike[str], kind: type[Model]) -> Model:
    """Read the file of a `LinearModel` or `PriorModel`; ValueError, in one line, if missing or invalid."""
    try:
        with open(path, "rb") as file:
            content = file.read(LARGEST_FILE + 1)
    except OSError as error:
        raise ValueError(f"cannot read {path}: {error.strerror}") from error
    try:
        if content.startswith(GZIP):
            content = _decompressed(content)
        if len(content) > LARGEST_FILE:
            raise ValueError(f"it is larger than {LARGEST_FILE >> 20} MiB")
        return kind.from_dict(parse_json(content))
    except ValueError as error:
        raise ValueError(f"cannot use {path}: {error}") from error


def _decompressed(content: bytes) -> bytes:
    try:
        with gzip.open(io.BytesIO(content)) as file:
            return file.read(LARGEST_FILE + 1)
    except (OSError, EOFError, zlib.error) as error:
        raise ValueError(f"it is damaged: {error}") from None


def _sparse(found: ObjectReader, key: str, count: int) -> tuple[int, ...]:
    limit = LARGEST_SPARSE_WEIGHT
    return found.integers(key, exactly=count, low=-limit, high=limit, most=_core.MAX_CODES)


def _held_out(found: object) -> dict[str, PriorQuality]:
    if not isinstance(found, dict) or not set(found) <= set(QUALITIES):
        raise ValueError(f"'held_out' must have the keys {', '.join(QUALITIES)}, not {clip(found)}")
    qualities = {}
    for name in found:
        one = ObjectReader(found[name], name, ("log_loss", "top1", "top5"))
        loss = None if one.found["log_loss"] is None else one.number("log_loss", low=0.0)
        top = [one.number(key, low=0.0, high=1.0) for key in ("top1", "top5")]
        qualities[name] = PriorQuality(loss, *top)
    return qualities


def _data(whole: ObjectReader, counts: dict[str, int]) -> dict[str, Any]:
    """The training data: numbers, each with its least value, what was left out, and the store."""
    data = whole.inner("data", (*counts, "left_out", "store"))
    numbers = {name: data.integer(name, least) for name, least in counts.items()}
    return {**numbers, "left_out": data.counts("left_out"), "store": data.text("store")}
