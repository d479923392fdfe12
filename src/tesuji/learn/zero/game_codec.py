"""Self-play games as flat arrays, for checkpoints and for transfer between machines, and as records."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from itertools import islice
from typing import Any, TypeAlias

from numpy.typing import NDArray

from tesuji import _core
from tesuji.learn.zero.boards import Boards
from tesuji.learn.zero.window import Window
from tesuji.planes import NativePlanes
from tesuji.records import Note, Record
from tesuji.registry import spec_of

Arrays: TypeAlias = Mapping[str, NDArray[Any]]

UNLIMITED = 2**62  # positions
VALUE_DIGITS = 4  # of the value in a record's notes


def encode_games(
    boards: Boards, planes: NativePlanes, games: Sequence[_core.PlayedGame]
) -> dict[str, NDArray[Any]]:
    """Games, finished or in progress, one array per column, as `Window.add_arrays` takes them."""
    window = Window(boards, planes, capacity=UNLIMITED)
    window.native.add_unchecked(list(games))  # whoever reads the arrays replays the games
    return window.to_arrays()


def decode_games(boards: Boards, planes: NativePlanes, arrays: Arrays) -> list[_core.PlayedGame]:
    """The games of `encode_games`; ValueError if they are damaged."""
    window = Window(boards, planes, capacity=UNLIMITED)
    window.add_arrays(arrays)
    return window.native.played()


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
