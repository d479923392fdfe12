"""GTP commands that set up positions: free placement, and games from SGF files."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path
from typing import Any

from tesuji._helpers.clipping import clip
from tesuji.any_game import parse_move
from tesuji.engines.gtp.engine import GtpEngine
from tesuji.engines.gtp.protocol import command
from tesuji.engines.gtp.wire import parse_colour
from tesuji.records import sgf
from tesuji.records.formats import read_records
from tesuji.spec import Spec

LARGEST_FILE = 16 << 20  # bytes


@command("set_position [COLOUR CELL]...")
def set_position(engine: GtpEngine, *words: str) -> None:
    """Start a new game from these stones; the side that put the last one has moved."""
    if len(words) % 2:
        raise ValueError("syntax error; expected a colour and a cell for each stone")
    stones = [(parse_colour(colour), cell) for colour, cell in zip(words[::2], words[1::2], strict=True)]
    _begin(engine, stones)


@command("set_free_handicap CELL [CELL]...")
def set_free_handicap(engine: GtpEngine, *cells: str) -> None:
    """Put black stones on the empty board; White is to move."""
    if any(engine.position.stones()):
        raise ValueError("board not empty")
    _begin(engine, [("black", cell) for cell in cells])


@command("loadsgf FILE [MOVE_NUMBER]")
def loadsgf(engine: GtpEngine, path: str, number: str | None = None) -> None:
    """Go to the position of an SGF file's first game, at its end or before this move."""
    if number is not None and not re.fullmatch("[0-9]{1,9}", number):
        raise ValueError(f"syntax error; a move number is a whole number, not {clip(number)}")
    try:
        with Path(path).open("rb") as file:
            data = file.read(LARGEST_FILE)
        record = read_records(sgf.decode(data), "sgf")[0]
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else error
        raise ValueError(f"cannot load file: {reason}") from error
    if Spec.parse(record.game).name != engine.game_spec.name:
        raise ValueError(f"cannot load file: it is a game of {Spec.parse(record.game).name}")
    first: Any = next(record.states())
    swaps = any(move.startswith("swap") for move in record.moves)
    try:
        options = {"swap": True} if swaps and engine.game.swap is not None else {}
        game = replace(engine.game.own, size=first.size, position=first.game.position, **options)
        state = game.start()
        words = record.moves[: len(record.moves) if number is None else max(int(number) - 1, 0)]
        for word in words:
            parse_move(state, word)
            state = state.play(state.parse(word))
    except ValueError as error:
        raise ValueError(f"cannot load file: {error}") from error
    engine.begin(game)
    for word in words:
        engine.advance(engine.position.read(word)[1])


def _begin(engine: GtpEngine, stones: list[tuple[str, str]]) -> None:
    empty = replace(engine.position, state=engine.game.start(), turned=False)
    after = empty.with_stones(stones)
    engine.begin(after.state.game)
