"""`tesuji games`: list the games with their options."""

from __future__ import annotations

from tesuji.cli.inputs import Json, Load, load
from tesuji.cli.listing import show
from tesuji.registry import games as registry


def games(files: Load = None, as_json: Json = False) -> None:
    """List the games with their options."""
    load(files)
    show(registry, as_json=as_json)
