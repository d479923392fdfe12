"""The file of a linear prior: a self-describing JSON object. Reading validates every value and runs no code.

    {"kind": "linear prior", "format": 1, "game": "hex:size=11",
     "features": {"version": 1, "codes": 4000, "names": []},
     "weights": [...],
     "training": {"l2": 10.0, "seed": 1, "losses": [{"l2":, "folds": [...]}, ...],
                  "held_out": {"prior": {"log_loss":, "top1":, "top5":}, "uniform": {...}, ...}},
     "data": {"games": 200, "positions": 9000, "left_out": {}, "store": "games.db"}}

Weights are whole numbers of 1/65,536, as the core adds them up. `names` has the features of a game written in
Python, one for each weight; the codes of a native game have none.
"""

from __future__ import annotations

import json
import os
from dataclasses import dataclass, field
from typing import Any

from tesuji import _core
from tesuji._helpers.clipping import clip
from tesuji._helpers.json_reader import MAX_ITEMS, ObjectReader
from tesuji.models.linear_file import LARGEST_CODE_WEIGHT, read_file, write_text

KIND, FORMAT = "linear prior", 1
QUALITIES = ("prior", "uniform", "ordering")


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
class PriorModel:
    """The content of a file."""

    game: str
    version: int
    names: tuple[str, ...]
    weights: tuple[int, ...]
    """In units of `linear_file.CODE_UNIT`."""
    l2: float
    seed: int
    losses: tuple[tuple[float, tuple[float, ...]], ...]
    """For each λ2, the log-loss of each fold."""
    held_out: dict[str, PriorQuality]
    """On held-out games: of the prior, of equal weights, and of the game's own ordering, if it has one."""
    data: dict[str, Any] = field(default_factory=dict)


def as_dict(model: PriorModel) -> dict[str, Any]:
    """The model as plain data for JSON."""
    return {
        "kind": KIND,
        "format": FORMAT,
        "game": model.game,
        "features": {"version": model.version, "codes": len(model.weights), "names": list(model.names)},
        "training": {
            "l2": model.l2,
            "seed": model.seed,
            "losses": [{"l2": l2, "folds": list(folds)} for l2, folds in model.losses],
            "held_out": {name: vars(quality) for name, quality in model.held_out.items()},
        },
        "data": dict(model.data),
        "weights": list(model.weights),
    }


def from_dict(found: object) -> PriorModel:
    """The model in a dictionary; ValueError if a key is missing, unknown or out of range."""
    if not isinstance(found, dict) or found.get("kind") != KIND:
        kind = found.get("kind") if isinstance(found, dict) else found
        raise ValueError(f"not a {KIND}: its kind is {clip(kind)}")
    if found.get("format") != FORMAT:
        raise ValueError(f"its format is {clip(found.get('format'))}; this version reads format {FORMAT}")
    whole = ObjectReader(
        found, "model", ("kind", "format", "game", "features", "training", "data", "weights")
    )
    features = whole.inner("features", ("version", "codes", "names"))
    count = features.integer("codes", 1)
    names = features.texts("names", most=_core.MAX_CODES)
    if names and (len(names) != count or len(set(names)) != count):
        raise ValueError(f"its features must have {count} distinct names, or none")
    training = whole.inner("training", ("l2", "seed", "losses", "held_out"))
    rows = [ObjectReader(row, "losses", ("l2", "folds")) for row in training.items("losses")]
    limit = LARGEST_CODE_WEIGHT
    return PriorModel(
        game=whole.text("game"),
        version=features.integer("version", 1),
        names=names,
        weights=whole.integers("weights", exactly=count, low=-limit, high=limit, most=_core.MAX_CODES),
        l2=training.number("l2", low=0.0),
        seed=training.integer("seed", 0),
        losses=tuple(
            (row.number("l2", low=0.0), row.numbers("folds", most=MAX_ITEMS, low=0.0)) for row in rows
        ),
        held_out=_held_out(training.found["held_out"]),
        data=_data(whole.inner("data", ("games", "positions", "left_out", "store"))),
    )


def write_prior(model: PriorModel, path: str | os.PathLike[str]) -> None:
    """Write a model file atomically; OSError if it cannot be written. All weights are on one line."""
    found = as_dict(model)
    weights = json.dumps(found.pop("weights"))
    text = json.dumps(found, indent=1, ensure_ascii=False, allow_nan=False)
    write_text(f'{text[:-2]},\n "weights": {weights}\n}}\n', path)


def read_prior(path: str | os.PathLike[str]) -> PriorModel:
    """Read a model file; ValueError, in one line, if it is missing or invalid."""
    return read_file(path, from_dict)


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


def _data(data: ObjectReader) -> dict[str, Any]:
    return {
        "games": data.integer("games", 1),
        "positions": data.integer("positions", 1),
        "left_out": data.counts("left_out"),
        "store": data.text("store"),
    }
