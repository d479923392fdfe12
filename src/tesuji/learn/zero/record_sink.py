"""Self-play games as records, and the store of a run.

They form one match, whose key follows from the game, directory, settings and number of workers. Each
iteration and worker has its own range of rounds, so games that are played again after a resume or a lost
worker are not stored twice.
"""

from __future__ import annotations

import itertools
import json
from collections.abc import Iterable
from dataclasses import replace
from datetime import UTC, datetime
from itertools import islice
from pathlib import Path
from typing import Self

from tesuji._helpers.seeds import derived_seed
from tesuji.learn.zero.boards import Boards
from tesuji.learn.zero.config import ZeroConfig
from tesuji.models.tensor_file import Arrays
from tesuji.models.weights import NETWORK_FILE
from tesuji.planes import NativePlanes
from tesuji.records import Note, Record
from tesuji.records.serialization import MAX_LEGS
from tesuji.records.store import Store
from tesuji.registry import spec_of
from tesuji.spec import Spec

ROUNDS_PER_TASK = 1_000_000
"""Rounds reserved for each task, of MAX_LEGS games each: far more than any task plays."""
VALUE_DIGITS = 4  # of the value in a record's notes


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


def to_records(
    boards: Boards, planes: NativePlanes, games: Arrays, *, player: str, leg: int = 0
) -> list[Record]:
    """Encoded finished games as records: `player` has both seats, legs are numbered from `leg`."""
    columns = {name: iter(games[name].tolist()) for name in ("moves", "values")}
    now = datetime.now(UTC)
    records: list[Record] = []
    names = ("boards", "deals", "move_counts", "openings", "scores", "resigned_by")
    for board, deal, count, opening, score, resigned_by in zip(
        *(games[name].tolist() for name in names), strict=True
    ):
        game = boards.games[board]
        seed = deal or None
        state, texts, notes = game.start(seed), [], []
        for ply, number in enumerate(islice(columns["moves"], count)):
            move = planes.move(number)
            texts.append(state.text(move))
            value = None if ply < opening else round(next(columns["values"]), VALUE_DIGITS)
            notes.append(None if value is None else Note(state.player, value, None, 0.0))
            state = state.play(move)
        record = Record(
            game=spec_of(game),
            players=(player, player),
            seed=seed,
            leg=leg + len(records),
            moves=tuple(texts),
            notes=tuple(notes),
            opening=opening,
            scores=(score, 1 - score),
            ending="played" if resigned_by < 0 else "resigned",
            when=now,
        )
        records.append(record)
    return records
