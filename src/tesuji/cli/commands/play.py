"""`tesuji play`: a game at the terminal, against bots or between bots."""

from __future__ import annotations

import itertools
import random
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated

from tesuji.cli.shared.arguments import GameSpec, Load, PositionFile, option
from tesuji.cli.shared.errors import BadInput, input_errors
from tesuji.cli.shared.inputs import read_bot, read_start
from tesuji.full_bot import FullBot
from tesuji.full_game import FullGame
from tesuji.registry import spec_of

EXHIBITION_BOT = "hard"  # a game between two of these takes seconds


def play(
    game: GameSpec = None,
    bot: Annotated[str | None, option("SPEC", "Your opponent; defaults to the game's own bot.")] = None,
    seat: Annotated[str, option("SEAT", "Your seat, from 0; none: bots only.")] = "0",
    seed: Annotated[int | None, option("N", "Seed for deals and bots.", min=0)] = None,
    store: Annotated[Path | None, option("FILE", "Store the game here.", "--store")] = None,
    position: PositionFile = None,
    files: Load = None,
) -> int:
    """Play against a bot at the terminal.

    Type a move, or help. Ctrl-C makes a thinking bot move at once. Moves may also come from a pipe, one a
    line; if standard input is empty, bots play all seats. A bot limited by seconds uses several cores, unless
    its spec sets threads or a seed.
    """
    _, rules = read_start(game, files, position)
    human = _read_seat(seat, rules)
    piped = None
    if human is not None and not sys.stdin.isatty():
        piped = _piped_lines()
        human = None if piped is None else human
    spec = bot or (EXHIBITION_BOT if human is None else None)
    bots: dict[int, tuple[str, FullBot]] = {}
    for player in range(rules.players):
        if player != human:  # each with its own search and seed
            own = None if seed is None else seed + player
            bots[player] = read_bot(spec, rules, seed=own, threads=True)

    from tesuji.cli.shared.session import Session

    if store is None:
        return Session(rules, rules.start(seed), bots, random.Random(seed), piped).play()

    from tesuji.records.store import Store

    with input_errors():
        kept = Store(store)
    with kept:
        # The record needs the seed, so that a replay deals the same cards.
        dealt = random.SystemRandom().getrandbits(63) if seed is None else seed
        session = Session(rules, rules.start(dealt), bots, random.Random(seed), piped)
        try:
            return session.play()
        finally:
            if session.played.moves:
                number = kept.add(session.played.record(spec_of(rules), seed=dealt))
                print(f"Stored as game {number} in {store}.")


def _piped_lines() -> Iterator[str] | None:
    """The lines of standard input, read when they are needed; None if there are none."""
    with input_errors("standard input"):
        first = sys.stdin.readline()
    return itertools.chain([first], sys.stdin) if first else None


def _read_seat(text: str, game: FullGame) -> int | None:
    seats = [str(player) for player in range(game.players)]
    if text == "none":
        return None
    if text not in seats:
        raise BadInput(f"--seat must be {', '.join(seats)} or none, not {text!r}")
    return int(text)
