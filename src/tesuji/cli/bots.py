"""`tesuji bots`: list the bots with their options."""

from __future__ import annotations

from tesuji.cli.inputs import Json, Load, load
from tesuji.cli.listing import show
from tesuji.registry import bots as registry


def bots(files: Load = None, as_json: Json = False) -> None:
    """List the bots with their options."""
    load(files)
    show(registry, as_json=as_json)
