"""Games of self-play that are over: as flat arrays, which travel between machines, and as records."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from itertools import islice
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from tesuji import _core
from tesuji.game import text_of
from tesuji.learn.zero.boards import Boards
from tesuji.learn.zero.window import Window
from tesuji.planes import NativePlanes
from tesuji.records import Note, Record
from tesuji.registry import spec_of

Arrays: TypeAlias = Mapping[str, NDArray[Any]]

ALL = 2**62  # positions: a window that forgets nothing
VALUE_DIGITS = 4  # of a note


def to_arrays(
    boards: Boards, planes: NativePlanes, games: Sequence[_core.PlayedGame]
) -> dict[str, NDArray[Any]]:
    """The games column by column, as `Window.add_arrays` takes them."""
    window = Window(boards, planes, capacity=ALL)
    window.add(games)
    return window.to_arrays()


def joined(parts: Sequence[Arrays]) -> dict[str, NDArray[Any]]:
    """The games of all parts, in their order; nothing where there is no part."""
    return {name: np.concatenate([part[name] for part in parts]) for name in (parts[0] if parts else ())}


def to_records(
    boards: Boards, planes: NativePlanes, games: Arrays, *, player: str, leg: int = 0
) -> list[Record]:
    """The games of `to_arrays` as records: both seats are the same player, legs are counted from `leg` on."""
    columns = {name: iter(games[name].tolist()) for name in ("moves", "values")}
    now = datetime.now(UTC)
    records: list[Record] = []
    each = ("boards", "move_counts", "openings", "scores", "resigned_by")
    for board, count, opening, score, resigned_by in zip(
        *(games[name].tolist() for name in each), strict=True
    ):
        game = boards.games[board]
        state, texts, notes = game.start(), [], []
        for ply, number in enumerate(islice(columns["moves"], count)):
            move = planes.move(number)
            texts.append(text_of(state, move))
            value = None if ply < opening else round(next(columns["values"]), VALUE_DIGITS)
            notes.append(None if value is None else Note(state.player, value, None, 0.0))
            state = state.play(move)
        record = Record(
            game=spec_of(game),
            players=(player, player),
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
