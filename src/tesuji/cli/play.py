"""`tesuji play`: a game at the terminal, against bots or between bots."""

from __future__ import annotations

import random
import sys
from pathlib import Path
from typing import Annotated

import typer

from tesuji.bots import Bot
from tesuji.cli.errors import BadInput, input_errors
from tesuji.cli.inputs import GameSpec, Load, PositionFile, read_bot, read_start
from tesuji.game import Game, players_of, start
from tesuji.registry import spec_of

EXHIBITION_BOT = "hard"  # a game between two of these takes seconds


def play(
    game: GameSpec = None,
    bot: Annotated[
        str | None, typer.Option(metavar="SPEC", help="Your opponent; defaults to the game's own bot.")
    ] = None,
    seat: Annotated[
        str,
        typer.Option(metavar="SEAT", help="Your seat, from 0; none: bots only."),
    ] = "0",
    seed: Annotated[int | None, typer.Option(metavar="N", help="Seed for deals and bots.", min=0)] = None,
    store: Annotated[
        Path | None, typer.Option("--store", metavar="FILE", help="Store the game here.")
    ] = None,
    position: PositionFile = None,
    files: Load = None,
) -> int:
    """Play against a bot at the terminal.

    Type a move, or help. Ctrl-C makes a thinking bot move at once. If standard input is not a terminal, bots
    play all seats. A bot limited by seconds uses several cores, unless its spec sets threads or a seed.
    """
    _, rules = read_start(game, files, position)
    human = _read_seat(seat, rules)
    if not sys.stdin.isatty():
        human = None
    spec = bot or (EXHIBITION_BOT if human is None else None)
    bots: dict[int, tuple[str, Bot]] = {}
    for player in range(players_of(rules)):
        if player != human:  # each with its own search and seed
            own = None if seed is None else seed + player
            bots[player] = read_bot(spec, rules, seed=own, threads=True)

    from tesuji.cli.session import Session

    if store is None:
        return Session(rules, start(rules, seed), bots, random.Random(seed)).play()

    from tesuji.records.store import Store

    with input_errors():
        kept = Store(store)
    with kept:
        # The record needs the seed, so that a replay deals the same cards.
        dealt = random.SystemRandom().getrandbits(63) if seed is None else seed
        session = Session(rules, start(rules, dealt), bots, random.Random(seed))
        try:
            return session.play()
        finally:
            if session.moves:
                number = kept.add(session.record(spec_of(rules), dealt))
                print(f"Stored as game {number} in {store}.")


def _read_seat(text: str, game: Game) -> int | None:
    seats = [str(player) for player in range(players_of(game))]
    if text == "none":
        return None
    if text not in seats:
        raise BadInput(f"--seat must be {', '.join(seats)} or none, not {text!r}")
    return int(text)
