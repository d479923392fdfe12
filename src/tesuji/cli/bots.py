"""`tesuji bots`: the bots there are, and what each can be told."""

from __future__ import annotations

from tesuji.cli.inputs import Json, Load, load
from tesuji.cli.listing import show
from tesuji.registry import bots as registry


def bots(file: Load = None, as_json: Json = False) -> None:
    """List the bots, with every option."""
    load(file)
    show(registry, as_json=as_json)
