"""Self-play games as flat arrays, for checkpoints and for transfer between machines, and as records."""

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

UNLIMITED = 2**62  # positions
VALUE_DIGITS = 4  # of the value in a record's notes


def encode_finished(
    boards: Boards, planes: NativePlanes, games: Sequence[_core.PlayedGame]
) -> dict[str, NDArray[Any]]:
    """Finished games, one array per column, as `Window.add_arrays` takes them."""
    window = Window(boards, planes, capacity=UNLIMITED)
    window.add(games)
    return window.to_arrays()


def concatenate_games(parts: Sequence[Arrays]) -> dict[str, NDArray[Any]]:
    """The games of all parts, in order; empty if there are none."""
    return {name: np.concatenate([part[name] for part in parts]) for name in (parts[0] if parts else ())}


def to_records(
    boards: Boards, planes: NativePlanes, games: Arrays, *, player: str, leg: int = 0
) -> list[Record]:
    """Encoded finished games as records: `player` has both seats, legs are numbered from `leg`."""
    columns = {name: iter(games[name].tolist()) for name in ("moves", "values")}
    now = datetime.now(UTC)
    records: list[Record] = []
    names = ("boards", "move_counts", "openings", "scores", "resigned_by")
    for board, count, opening, score, resigned_by in zip(
        *(games[name].tolist() for name in names), strict=True
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


def encode_unfinished(games: Sequence[_core.PlayedGame]) -> dict[str, NDArray[Any]]:
    """Games in progress, one array per column; they have no scores yet."""
    searched = [search for game in games for search in game.searched]
    values, surprises, full, targets = zip(*searched, strict=True) if searched else ((), (), (), ())
    return {
        "boards": np.array([game.board for game in games], np.uint8),
        "moves": np.array([move for game in games for move in game.moves], np.uint32),
        "move_counts": np.array([len(game.moves) for game in games], np.uint32),
        "openings": np.array([game.opening for game in games], np.uint32),
        "values": np.array(values, np.float32),
        "surprises": np.array(surprises, np.float32),
        "full": np.array(full, np.uint8),
        "target_counts": np.array([len(target) for target in targets], np.uint32),
        "indices": np.array([index for target in targets for index in target], np.uint32),
        "shares": np.array([share for target in targets for share in target.values()], np.float32),
    }


def decode_unfinished(arrays: Arrays) -> list[_core.PlayedGame]:
    """The games of `encode_unfinished`; ValueError if they are damaged."""
    try:
        columns = {name: iter(arrays[name].tolist()) for name in encode_unfinished([])}
    except KeyError as error:
        raise ValueError(f"the games in progress have no array {error}") from None
    games = []
    for board, count, opening in zip(
        columns["boards"], columns["move_counts"], columns["openings"], strict=True
    ):
        moves = list(islice(columns["moves"], count))
        searched = []
        for value, surprise, full, size in islice(
            zip(*(columns[name] for name in ("values", "surprises", "full", "target_counts")), strict=False),
            count - opening,
        ):
            indices, shares = islice(columns["indices"], size), islice(columns["shares"], size)
            searched.append((value, surprise, bool(full), dict(zip(indices, shares, strict=True))))
        games.append(_core.PlayedGame(moves, [0.5, 0.5], opening, searched, board=board))
    return games
