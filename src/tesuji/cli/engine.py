"""`tesuji engine`: be an engine for other programs, by a protocol that they speak."""

from __future__ import annotations

import contextlib
import sys
from typing import Annotated, cast, get_args

import typer

from tesuji.cli.errors import BadInput, reading
from tesuji.cli.inputs import Load, read_game
from tesuji.options import unknown

PROTOCOLS = ("gtp",)


def engine(
    protocol: Annotated[str, typer.Argument(metavar="PROTOCOL", help="What to speak: gtp.")],
    game: Annotated[
        str | None, typer.Option(metavar="SPEC", help="What to play; the size may be changed over the wire.")
    ] = None,
    bot: Annotated[
        str | None, typer.Option(metavar="SPEC", help="Who plays; the game's own bot where none is given.")
    ] = None,
    swap: Annotated[
        str, typer.Option(metavar="FORM", help="The swap on the wire: pieces, sides or mohex.")
    ] = "pieces",
    seed: Annotated[int | None, typer.Option(metavar="N", help="For the bot.", min=0)] = None,
    file: Load = None,
) -> int:
    """Be an engine for HexGui, referees and other programs.

    Commands come on standard input and answers go to standard output, in GTP version 2. The game's spec
    says whether there is a swap; its form says what becomes of the stone: pieces, it is mirrored and
    changes colour; sides, it stays and the players change; mohex, the same under the name swap-pieces.
    """
    if protocol not in PROTOCOLS:
        raise BadInput(unknown(f"protocol {protocol!r}", protocol, PROTOCOLS))

    from tesuji.engines.gtp import GtpEngine, serve
    from tesuji.engines.gtp.wire import SwapForm

    if swap not in get_args(SwapForm):
        raise BadInput(unknown(f"swap {swap!r}", swap, get_args(SwapForm)))
    with contextlib.redirect_stdout(sys.stderr):  # a user's file may print: not to the controller
        _, rules = read_game(game, file)
        with reading():
            player = GtpEngine(rules, bot, seed=seed, swap=cast(SwapForm, swap))
        serve(player)
    return 0
