"""The file of a linear value: a self-describing JSON object. Reading validates every value and runs no code.

    {"kind": "linear value", "format": 1, "game": "hex:size=5",
     "features": {"names": [...], "version": 1, "constant": [...], "dependent": [[...], ...]},
     "weights": {"theta": [...], "bias": 0.1, "mean": [...], "deviation": [...], "epsilon": 1e-08},
     "training": {"l1": 1.0, "l2": 0.1, "gamma": 0.97, "draws": "half", "weighting": "...", "rule": "best",
                  "seed": 1, "without": [], "baseline": [...],
                  "losses": [{"l1":, "l2":, "folds": [...], "nonzero":}, ...],
                  "calibration": [{"predicted":, "observed":, "error":, "states":, "weight":}, ...]},
     "data": {"games": 200, "states": 9000, "draws": 0, "left_out": {}, "store": "games.db"}}

The file may be compressed by gzip, which the names `.gz` of new files ask for.

A value with codes has format 2, with `"codes": [...]` among its weights and their number, `"codes": 4400`,
among its features. The weights of codes are whole numbers of 1/65,536, as the core adds them up. Numbers
survive a round trip bit for bit.
"""

from __future__ import annotations

import gzip
import io
import json
import math
import os
import zlib
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar

from tesuji import _core
from tesuji._helpers.atomic_write import write_atomically
from tesuji._helpers.clipping import clip
from tesuji._helpers.json_reader import MAX_ITEMS, ObjectReader, parse_json

KIND, FORMAT, CODED_FORMAT = "linear value", 1, 2
Model = TypeVar("Model")

LARGEST_FILE = 32 << 20  # bytes, decompressed; enough for four million codes, most of them without a weight
GZIP = b"\x1f\x8b"
"""The first bytes of a compressed file."""
CODE_UNIT = 1 / 65536
"""The weights of codes are multiples of this."""
LARGEST_CODE_WEIGHT = 63 * 65536
WEIGHTING = "gamma^(plies to the last non-terminal position)"
DRAWS = ("half", "skip")
RULES = ("best", "one-standard-error")
TRAINING = (
    *("l1", "l2", "gamma", "draws", "weighting", "rule", "seed", "without"),
    *("baseline", "losses", "calibration"),
)
CALIBRATION = ("predicted", "observed", "error", "states", "weight")


@dataclass(frozen=True)
class PenaltyResult:
    """The cross-validation result of one pair of penalties."""

    l1: float
    l2: float
    losses: tuple[float, ...]
    """The weighted log-loss of each fold."""
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


@dataclass(frozen=True, kw_only=True)
class LinearModel:
    """The content of a file."""

    game: str
    names: tuple[str, ...]
    version: int
    theta: tuple[float, ...]
    bias: float
    mean: tuple[float, ...]
    deviation: tuple[float, ...]
    epsilon: float
    l1: float
    l2: float
    gamma: float
    draws: str
    rule: str
    seed: int
    without: tuple[str, ...]
    """Patterns of the features that were excluded."""
    baseline: tuple[float, ...]
    """The loss of each fold with the bias alone."""
    losses: tuple[PenaltyResult, ...]
    calibration: tuple[dict[str, float], ...]
    constant: tuple[str, ...]
    dependent: tuple[tuple[str, ...], ...]
    codes: tuple[int, ...] = ()
    """The weights of the codes, in units of `CODE_UNIT`."""
    data: dict[str, Any] = field(default_factory=dict)

    @property
    def weights(self) -> _core.LinearWeights:
        """The weights as the core takes them, for reports and for play."""
        return _core.LinearWeights(
            list(self.theta),
            self.bias,
            list(self.mean),
            list(self.deviation),
            self.epsilon,
            [CODE_UNIT * weight for weight in self.codes],
        )


def as_dict(model: LinearModel) -> dict[str, Any]:
    """The model as plain data for JSON."""
    return {
        "kind": KIND,
        "format": CODED_FORMAT if model.codes else FORMAT,
        "game": model.game,
        "features": {
            "names": list(model.names),
            "version": model.version,
            "constant": list(model.constant),
            "dependent": [list(names) for names in model.dependent],
        }
        | ({"codes": len(model.codes)} if model.codes else {}),
        "weights": {
            "theta": list(model.theta),
            "bias": model.bias,
            "mean": list(model.mean),
            "deviation": list(model.deviation),
            "epsilon": model.epsilon,
        }
        | ({"codes": list(model.codes)} if model.codes else {}),
        "training": {
            "l1": model.l1,
            "l2": model.l2,
            "gamma": model.gamma,
            "draws": model.draws,
            "weighting": WEIGHTING,
            "rule": model.rule,
            "seed": model.seed,
            "without": list(model.without),
            "baseline": list(model.baseline),
            "losses": [
                {"l1": row.l1, "l2": row.l2, "folds": list(row.losses), "nonzero": row.nonzero}
                for row in model.losses
            ],
            "calibration": [dict(each) for each in model.calibration],
        },
        "data": dict(model.data),
    }


def from_dict(found: object) -> LinearModel:
    """The model in a dictionary; ValueError if a key is missing, unknown or out of range."""
    if not isinstance(found, dict) or found.get("kind") != KIND:
        kind = found.get("kind") if isinstance(found, dict) else found
        raise ValueError(f"not a {KIND}: its kind is {clip(kind)}")
    if found.get("format") not in (FORMAT, CODED_FORMAT):
        known = f"formats {FORMAT} and {CODED_FORMAT}"
        raise ValueError(f"its format is {clip(found.get('format'))}; this version reads {known}")
    coded = ("codes",) if found["format"] == CODED_FORMAT else ()
    whole = ObjectReader(
        found, "model", ("kind", "format", "game", "features", "weights", "training", "data")
    )
    features = whole.inner("features", ("names", "version", "constant", "dependent", *coded))
    names = features.texts("names", most=_core.MAX_FEATURES)
    if not (names or coded) or len(set(names)) != len(names):
        raise ValueError("its features must have distinct names")
    weights = whole.inner("weights", ("theta", "bias", "mean", "deviation", "epsilon", *coded))
    training = whole.inner(
        "training",
        TRAINING,
    )
    training.word("weighting", (WEIGHTING,))
    baseline = training.numbers("baseline", most=MAX_ITEMS)
    rows = [ObjectReader(row, "losses", ("l1", "l2", "folds", "nonzero")) for row in training.items("losses")]
    bins = [ObjectReader(each, "calibration", CALIBRATION) for each in training.items("calibration")]
    return LinearModel(
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
            {key: each.number(key, low=0.0) for key in CALIBRATION} | {"states": each.integer("states", 1)}
            for each in bins
        ),
        codes=weights.integers(
            "codes",
            exactly=features.integer("codes", 1),
            low=-LARGEST_CODE_WEIGHT,
            high=LARGEST_CODE_WEIGHT,
            most=_core.MAX_CODES,
        )
        if coded
        else (),
        data=_data(whole.inner("data", ("games", "states", "draws", "left_out", "store"))),
    )


def write_model(model: LinearModel, path: str | os.PathLike[str]) -> None:
    """Write a model file atomically; OSError if it cannot be written."""
    write_text(as_text(as_dict(model)), path)


def write_text(text: str, path: str | os.PathLike[str]) -> None:
    """Write a model file atomically, compressed if its name ends in .gz."""
    path = Path(path)
    write_atomically(path, gzip.compress(text.encode(), mtime=0) if path.suffix == ".gz" else text)


def as_text(found: dict[str, Any]) -> str:
    """JSON with a line for each value, but one line for all weights of codes."""
    codes = found["weights"].get("codes")
    if codes is None:
        return json.dumps(found, indent=1, ensure_ascii=False, allow_nan=False) + "\n"
    short = {**found, "weights": {**found["weights"], "codes": []}}
    text = json.dumps(short, indent=1, ensure_ascii=False, allow_nan=False)
    head, weights, tail = text.rpartition('"weights": {')
    return head + weights + tail.replace('"codes": []', f'"codes": {json.dumps(codes)}', 1) + "\n"


def read_model(path: str | os.PathLike[str]) -> LinearModel:
    """Read a model file; ValueError, in one line, if it is missing or invalid."""
    return read_file(path, from_dict)


def read_file(path: str | os.PathLike[str], from_dict: Callable[[Any], Model]) -> Model:
    """What `from_dict` makes of a JSON file; ValueError, in one line, if it is missing or invalid."""
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
        return from_dict(parse_json(content))
    except ValueError as error:
        raise ValueError(f"cannot use {path}: {error}") from error


def _decompressed(content: bytes) -> bytes:
    try:
        with gzip.open(io.BytesIO(content)) as file:
            return file.read(LARGEST_FILE + 1)
    except (OSError, EOFError, zlib.error) as error:
        raise ValueError(f"it is damaged: {error}") from None


def _data(data: ObjectReader) -> dict[str, Any]:
    return {
        "games": data.integer("games", 1),
        "states": data.integer("states", 1),
        "draws": data.integer("draws", 0),
        "left_out": data.counts("left_out"),
        "store": data.text("store"),
    }
