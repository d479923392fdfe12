"""`tesuji engine`: run as an engine for other programs, by GTP or the Gomocup protocol."""

from __future__ import annotations

import contextlib
import sys
from typing import Annotated, TypeAlias, cast

from tesuji.cli.shared.arguments import Load, option
from tesuji.cli.shared.errors import BadInput, input_errors
from tesuji.cli.shared.inputs import read_game
from tesuji.options import unknown

FORMS = ("pieces", "sides", "mohex")

Game: TypeAlias = Annotated[str | None, option("SPEC", "Game spec; the controller may change the size.")]
Bot: TypeAlias = Annotated[str | None, option("SPEC", "Bot that plays; defaults to the game's own.")]
Seed: TypeAlias = Annotated[int | None, option("N", "Seed for the bot.", min=0)]

HELP = """Run as an engine for other programs.

Reads commands from standard input and writes answers to standard output."""


def gtp(
    game: Game = None,
    bot: Bot = None,
    swap: Annotated[str | None, option("FORM", "Form of the swap: pieces (default), sides or mohex.")] = None,
    seed: Seed = None,
    files: Load = None,
) -> int:
    """Run a GTP engine (HexGui and others).

    Implements version 2 of the protocol. The game's spec turns the swap rule on, and --swap sets its form:

    \b
    pieces  the stone is mirrored and changes colour
    sides   the stone stays and the players change colours
    mohex   as sides, under the name swap-pieces
    """  # noqa: D301 (\b keeps the lines apart)
    if swap is not None and swap not in FORMS:
        raise BadInput(unknown(f"swap {swap!r}", swap, FORMS))
    from tesuji.engines.gtp import GtpEngine
    from tesuji.engines.gtp.wire import SwapForm
    from tesuji.engines.server import serve

    with contextlib.redirect_stdout(sys.stderr):  # a user's file may print; not to the controller
        _, rules = read_game(game, files, for_a_bot=True)
        with input_errors():
            engine = GtpEngine(rules, bot, seed=seed, swap=cast(SwapForm, swap or "pieces"))
        serve(engine)
    return 0


def gomocup(game: Game = None, bot: Bot = None, seed: Seed = None, files: Load = None) -> int:
    """Run a Gomocup engine (Piskvork and others).

    The program pbrain-tesuji is the same command, under the name that Gomocup managers look for.
    """
    from tesuji.engines.gomocup import GomocupEngine
    from tesuji.engines.server import serve

    with contextlib.redirect_stdout(sys.stderr):  # a user's file may print; not to the manager
        spec, _ = read_game(game or "gomoku", files)
        with input_errors():
            engine = GomocupEngine(bot, rules=spec, seed=seed)
        engine.exits = True
        serve(engine)
    return 0


COMMANDS = (
    ("gtp", gtp, "tesuji engine gtp --game hex:swap=on --bot mcts:seconds=5"),
    ("gomocup", gomocup, "tesuji engine gomocup --game gomoku:rule=renju --bot alphabeta"),
)
