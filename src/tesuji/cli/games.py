"""`tesuji games`: the games there are, and what each can be told."""

from __future__ import annotations

from tesuji.cli.inputs import Json, Load, load
from tesuji.cli.listing import show
from tesuji.registry import games as registry


def games(file: Load = None, as_json: Json = False) -> None:
    """List the games, with every option."""
    load(file)
    show(registry, as_json=as_json)
