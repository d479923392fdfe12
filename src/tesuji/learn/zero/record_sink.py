"""Writes the self-play games of a run to a record store.

They form one match, whose key follows from the game, directory, settings and number of workers. Each
iteration and worker has its own range of rounds, so games that are played again after a resume or a lost
worker are not stored twice.
"""

from __future__ import annotations

import itertools
import json
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import Self

from tesuji._helpers.seeds import derived_seed
from tesuji.learn.zero.config import ZeroConfig
from tesuji.models.weights import NETWORK_FILE
from tesuji.records import Record
from tesuji.records.serialization import MAX_LEGS
from tesuji.records.store import Store
from tesuji.spec import Spec

ROUNDS_PER_TASK = 1_000_000
"""Rounds reserved for each task, of MAX_LEGS games each: far more than any task plays."""


class RecordSink:
    """A store for a run: `with RecordSink(path, "hex:size=3", config, folder, workers=2) as sink: …`."""

    def __init__(self, path: Path, game: str, config: ZeroConfig, folder: Path, *, workers: int) -> None:
        self._path = path
        options = {"net": str((folder / NETWORK_FILE).absolute()), "visits": str(config.visits)}
        self.player = str(Spec("zero", options))
        """The bot in both seats: the run's network, in an earlier state."""
        self._plan = {"game": game, "bots": [self.player], "settings": config.changed(), "workers": workers}
        self.key = f"{derived_seed('self-play', json.dumps(self._plan)):016x}"

    def __enter__(self) -> Self:
        self._store = Store(self._path)
        self._store.set_plan(self.key, self._plan)
        return self

    def __exit__(self, *_: object) -> None:
        self._store.close()

    def add(self, records: Iterable[Record], *, task: int) -> None:
        """Store games of one task, numbered by their legs; games already stored stay unchanged."""
        for number, group in itertools.groupby(records, key=lambda record: record.leg // MAX_LEGS):
            games = [replace(record, leg=record.leg % MAX_LEGS) for record in group]
            self._store.add_round(games, match=self.key, round=task * ROUNDS_PER_TASK + number)
