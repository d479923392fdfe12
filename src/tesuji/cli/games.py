"""`tesuji games`: list the games with their options."""

from __future__ import annotations

from typing import Annotated

import typer

from tesuji.cli.errors import input_errors
from tesuji.cli.inputs import Json, Load, load
from tesuji.cli.listing import show
from tesuji.registry import games as registry


def games(
    name: Annotated[
        str | None, typer.Argument(metavar="[GAME]", help="Only this game.", show_default=False)
    ] = None,
    every: Annotated[bool, typer.Option("--all", help="List expert and study options too.")] = False,
    files: Load = None,
    as_json: Json = False,
) -> None:
    """List the games with their options."""
    load(files)
    with input_errors():
        show(registry, name=name, every=every, as_json=as_json)
