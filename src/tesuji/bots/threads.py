"""How many threads a search uses for a person who plays: one function decides."""

from __future__ import annotations

from tesuji.adapter import full_game
from tesuji.any_game import Game
from tesuji.registry import bots
from tesuji.scale import cores
from tesuji.spec import Spec

MOST_THREADS = 16
"""More have not been measured."""
UNLIMITED = (None, "off", "auto")
COUNTS = ("iterations", "visits", "nodes", "depth")


def with_threads(spec: Spec, game: Game, available: int | None = None) -> Spec:
    """The spec with as many threads as help on this machine, if it leaves them open.

    Only a search limited by seconds alone gets more than one thread: it becomes stronger. With any other
    limit it would be no stronger, only sooner done, and no longer the same on every machine. A seed asks for
    a repeatable search. Games written in Python use one thread.

    >>> from tesuji.games import Hex
    >>> str(with_threads(Spec.parse("mcts:seconds=2"), Hex(), 8))
    'mcts:seconds=2,threads=8'
    >>> str(with_threads(Spec.parse("mcts:iterations=1000"), Hex(), 8))
    'mcts:iterations=1000'
    """
    game, given = full_game(game), spec.options
    open_to_us = bots.has_option(spec.name, "threads") and not {"threads", "seed"} & set(given)
    timed = given.get("seconds", "off") != "off" and all(given.get(name) in UNLIMITED for name in COUNTS)
    if not (open_to_us and timed) or not game.native:
        return spec
    if spec.name == "alphabeta" and given.get("memory") == "off":  # its threads share the table
        return spec
    threads = min(MOST_THREADS, cores() if available is None else available)
    return spec.with_options({"threads": str(threads)}) if threads > 1 else spec
