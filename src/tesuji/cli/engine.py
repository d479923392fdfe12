"""`tesuji engine`: be an engine for other programs, by a protocol that they speak."""

from __future__ import annotations

import contextlib
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, cast

import typer

from tesuji.cli.errors import BadInput, reading
from tesuji.cli.inputs import Load, read_game
from tesuji.options import unknown

if TYPE_CHECKING:
    from tesuji.engines.server import Engine

PROTOCOLS = ("gtp", "gomocup")
FORMS = ("pieces", "sides", "mohex")


def engine(
    protocol: Annotated[str, typer.Argument(metavar="PROTOCOL", help="What to speak: gtp or gomocup.")],
    game: Annotated[
        str | None, typer.Option(metavar="SPEC", help="What to play; the size may be changed over the wire.")
    ] = None,
    bot: Annotated[
        str | None, typer.Option(metavar="SPEC", help="Who plays; the game's own bot where none is given.")
    ] = None,
    swap: Annotated[
        str | None, typer.Option(metavar="FORM", help="The swap in GTP: pieces, sides or mohex.")
    ] = None,
    seed: Annotated[int | None, typer.Option(metavar="N", help="For the bot.", min=0)] = None,
    file: Load = None,
) -> int:
    """Be an engine for HexGui, Piskvork and others.

    Commands come on standard input and answers go to standard output. gtp is GTP version 2: the game's spec
    says whether there is a swap; its form says what becomes of the stone: pieces (where none is given), it
    is mirrored and changes colour; sides, it stays and the players change; mohex, the same under the name
    swap-pieces. gomocup is what Gomoku's managers speak; pbrain-tesuji is another name for it.
    """
    if protocol not in PROTOCOLS:
        raise BadInput(unknown(f"protocol {protocol!r}", protocol, PROTOCOLS))
    if swap is not None and protocol != "gtp":
        raise BadInput(f"--swap is for gtp, and not for {protocol}")
    if swap is not None and swap not in FORMS:
        raise BadInput(unknown(f"swap {swap!r}", swap, FORMS))

    from tesuji.engines.server import serve

    with contextlib.redirect_stdout(sys.stderr):  # a user's file may print: not to the controller
        serve(_gomocup(game, bot, seed, file) if protocol == "gomocup" else _gtp(game, bot, swap, seed, file))
    return 0


def _gtp(game: str | None, bot: str | None, swap: str | None, seed: int | None, file: Path | None) -> Engine:
    from tesuji.engines.gtp import GtpEngine
    from tesuji.engines.gtp.wire import SwapForm

    _, rules = read_game(game, file)
    with reading():
        return GtpEngine(rules, bot, seed=seed, swap=cast(SwapForm, swap or "pieces"))


def _gomocup(game: str | None, bot: str | None, seed: int | None, file: Path | None) -> Engine:
    from tesuji.engines.gomocup import GomocupEngine

    spec, _ = read_game(game or "gomoku", file)
    with reading():
        speaker = GomocupEngine(bot, rules=spec, seed=seed)
    speaker.exits = True
    return speaker
