"""`tesuji play`: a game at the terminal, against bots or between them."""

from __future__ import annotations

import random
import sys
from pathlib import Path
from typing import Annotated

import typer

from tesuji.bots import Bot
from tesuji.cli.errors import BadInput, reading
from tesuji.cli.inputs import GameSpec, Load, read_bot, read_game
from tesuji.game import Game, players_of, start
from tesuji.registry import spec_of

EXHIBITION_BOT = "hard"  # a whole game between two of these takes seconds


def play(
    game: GameSpec = None,
    bot: Annotated[
        str | None, typer.Option(metavar="SPEC", help="Your opponent; the game's own where none is given.")
    ] = None,
    seat: Annotated[
        str,
        typer.Option(metavar="SEAT", help="Where you sit, from 0; none: the bots play each other."),
    ] = "0",
    seed: Annotated[
        int | None, typer.Option(metavar="N", help="For what the game deals, and for the bots.", min=0)
    ] = None,
    store: Annotated[
        Path | None, typer.Option("--store", metavar="FILE", help="Keep the game in this store.")
    ] = None,
    file: Load = None,
) -> int:
    """Play against a bot at the terminal.

    Type a move, or help. Ctrl-C while the bot thinks makes it move at once. Where standard input is not a
    terminal, the bots play each other.
    """
    _, rules = read_game(game, file)
    human = _read_seat(seat, rules)
    if not sys.stdin.isatty():
        human = None
    spec = bot or (EXHIBITION_BOT if human is None else None)
    bots: dict[int, tuple[str, Bot]] = {}
    for player in range(players_of(rules)):
        if player != human:  # each with a search of its own, and not the same luck
            bots[player] = read_bot(spec, rules, seed=None if seed is None else seed + player)

    from tesuji.cli.session import Session

    if store is None:
        return Session(rules, start(rules, seed), bots, random.Random(seed)).play()

    from tesuji.records.store import Store

    with reading():
        kept = Store(store)
    with kept:
        # A game that is dealt is dealt the same when it is shown again: the record needs to know how.
        dealt = random.SystemRandom().getrandbits(63) if seed is None else seed
        session = Session(rules, start(rules, dealt), bots, random.Random(seed))
        try:
            return session.play()
        finally:
            if session.moves:
                number = kept.add(session.record(spec_of(rules), dealt))
                print(f"Kept as game {number} in {store}.")


def _read_seat(text: str, game: Game) -> int | None:
    seats = [str(player) for player in range(players_of(game))]
    if text == "none":
        return None
    if text not in seats:
        raise BadInput(f"--seat must be {', '.join(seats)} or none, not {text!r}")
    return int(text)
