"""The games of a training run as records in a store, where somebody wants them there.

They are a match, whose key follows from game, folder, settings and number of workers, with a part for each
iteration and worker. So a run that goes on from a checkpoint, and plays some games again, finds their places
taken.
"""

from __future__ import annotations

import itertools
import json
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import Self

from tesuji.arena.playing import derived_seed
from tesuji.learn.zero.config import ZeroConfig
from tesuji.learn.zero.weights import NETWORK
from tesuji.records import Record
from tesuji.records.serialization import MAX_LEGS
from tesuji.records.store import Store
from tesuji.spec import Spec

PART_ROUNDS = 1_000_000
"""A part of the run takes so many rounds, of MAX_LEGS games each: nobody plays more."""


class Keeper:
    """Where games go: `with Keeper(path, "hex:size=3", config, folder, workers=2) as keeper: …`."""

    def __init__(self, path: Path, game: str, config: ZeroConfig, folder: Path, *, workers: int) -> None:
        self._path = path
        options = {"net": str((folder / NETWORK).absolute()), "visits": str(config.visits)}
        self.player = str(Spec("zero", options))
        """Both seats: the network of the run, which was younger then."""
        self._plan = {"game": game, "bots": [self.player], "settings": config.changed(), "workers": workers}
        self.key = f"{derived_seed('self-play', json.dumps(self._plan)):016x}"

    def __enter__(self) -> Self:
        self._store = Store(self._path)
        self._store.set_plan(self.key, self._plan)
        return self

    def __exit__(self, *_: object) -> None:
        self._store.close()

    def add(self, records: Iterable[Record], *, part: int) -> None:
        """Keep games of one part of the run, whose legs count them; those that are there stay as they are."""
        for number, some in itertools.groupby(records, key=lambda record: record.leg // MAX_LEGS):
            games = [replace(record, leg=record.leg % MAX_LEGS) for record in some]
            self._store.add_round(games, match=self.key, round=part * PART_ROUNDS + number)
