"""Fingerprints of play: digests that change when a bot plays differently, and only then.

A bot searches a few positions of random games of its game, with a fixed seed, one thread, and small budgets
in place of its own. Its moves, visits and values are digested, with the files that it was given. Values are
rounded: the mathematical functions of two machines may differ in the last digit.

Only the bots of this package are played. The fingerprint of a user's bot is its source file; an external
engine has none.
"""

from __future__ import annotations

import contextlib
import hashlib
import inspect
import os
import random
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from tesuji._helpers.seeds import derived_seed
from tesuji.any_game import Game, after_chance, parse_move
from tesuji.any_game import game as as_game
from tesuji.arena.openings import NearOpenings, RandomOpenings
from tesuji.bots import RESIGN
from tesuji.bots import bot as make_bot
from tesuji.bots.levels import LEVELS, level_spec
from tesuji.full_bot import FullBot
from tesuji.full_game import FullGame, FullState
from tesuji.registry import bots, spec_of
from tesuji.search.zero import Zero
from tesuji.spec import Spec

DIGITS = 16
SEED = 1
PLIES = (1, 3, 6, 10, 15, 24)
"""Random moves before each position; fewer where a game is shorter."""
BUDGETS = {"iterations": 300, "visits": 40, "nodes": 4000}
"""Most work per position, whatever the spec allows."""
SLOWER = 5
"""How much less of it with rules in Python."""
FILE_OPTIONS = ("value", "net", "tablebase", "move_ordering", "playout_policy")
"""Options of bots whose value may be a file."""
PLAYED = ("tesuji.bots.", "tesuji.search.", "tesuji.games.")
"""Modules whose bots are played."""


def fingerprint(bot: str, game: str | Game) -> str:
    """The fingerprint of a bot in a game; empty for an external engine.

    It does not depend on the bot's budget beyond a few simulations, nor on its seed and threads.

    >>> fingerprint("mcts", "hex:size=5") == fingerprint("mcts:iterations=5000,seed=3", "hex:size=5")
    True
    >>> fingerprint("mcts", "hex:size=5") == fingerprint("mcts:rave=off", "hex:size=5")
    False
    """
    rules = as_game(game)
    spec = Spec.parse(bot)
    if spec.name in LEVELS:
        spec = level_spec(rules, spec.name)
    files = [digest for key in FILE_OPTIONS for digest in _file_digests(spec.options.get(key, ""))]
    cls = bots.get(spec.name)
    if cls.__module__.startswith(PLAYED):
        kind: type = type(rules.own)  # for the cache: a notebook may have redefined the game
        return _played(_limited(spec, rules), spec_of(rules), kind, tuple(files))
    files += source_digests(cls)
    return _digest([str(spec), *files]) if files else ""


def default_bots(game: str | Game) -> list[str]:
    """The names of the bots and levels that play a game with default options, without external engines.

    >>> default_bots("onitama")
    ['mcts', 'alphabeta', 'greedy', 'heuristic', 'random', 'easy', 'medium', 'hard', 'expert']
    """
    rules, found = as_game(game), []
    for name in bots.names():
        with contextlib.suppress(ValueError):  # it does not play this game, or needs options
            if bots.get(name).__module__.startswith(PLAYED):
                make_bot(name, rules).close()
                found.append(name)
    return found


def source_digests(cls: type) -> list[str]:
    """The digest of the file of a user's class; none for a class of this package, or typed in by hand."""
    if not cls.__module__.startswith("tesuji."):
        with contextlib.suppress(OSError, TypeError):  # defined interactively
            return _file_digests(inspect.getfile(cls))
    return []


def _file_digests(path: str) -> list[str]:
    with contextlib.suppress(OSError, ValueError):  # not a path
        if Path(path).is_file():
            found = os.stat(path)
            return [_file_digest(os.path.abspath(path), found.st_size, found.st_mtime_ns)]
    return []


@cache
def _file_digest(path: str, size: int, changed: int) -> str:
    """Cached while the file is unchanged: tablebases are large."""
    with open(path, "rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()[:DIGITS]


def _limited(spec: Spec, game: FullGame) -> Spec:
    """The spec with small budgets, one thread and a fixed seed."""
    options = {key: value for key, value in spec.options.items() if key not in ("seconds", "device")}
    for info in bots.describe(spec.name):
        if info.name in BUDGETS:
            own = options.get(info.name, "auto")
            limit = BUDGETS[info.name] // (1 if game.native else SLOWER)
            options[info.name] = str(limit if own in ("auto", "off") else min(limit, int(float(own))))
        elif info.name in ("threads", "seed"):
            options[info.name] = "1" if info.name == "threads" else str(SEED)
    return Spec(spec.name, options)


@cache
def _played(spec: Spec, game: str, kind: type, files: tuple[str, ...]) -> str:
    """The digest of what the bot plays; of its failure where bot or rules raise, which a game will show."""
    rules = as_game(game)
    bot = make_bot(spec, rules)
    found = list(files)
    with contextlib.closing(bot):
        if isinstance(bot.own, Zero):
            found += _file_digests(str(bot.own.network.path))
        try:
            for state in _positions(rules):
                bot.reset()
                found += _choice(bot, state)
        except Exception as error:
            found.append(type(error).__name__)
    return _digest(found)


def _positions(game: FullGame) -> Iterator[FullState]:
    kind = RandomOpenings if game.knowledge.proximity is None else NearOpenings
    for number, plies in enumerate(PLIES):
        state = game.start(derived_seed(SEED, "deal", number))
        for text in kind(game, plies).opening(SEED, number):
            state = state.play(parse_move(state, text))
        state = after_chance(state, random.Random(SEED))
        if state.scores() is None:
            yield state


def _choice(bot: FullBot, state: FullState) -> list[str]:
    """What a bot chooses, and what it thinks of each move."""
    if not bot.analyses:
        move = bot.choose(state)
        return ["resigned" if move is RESIGN else state.text(move)]
    found = bot.analyse(state)
    moves = (
        f"{state.text(one.move)} {one.visits} {one.value:.4f} {one.prior:.4f} {one.proven}"
        for one in found.candidates
    )
    return [f"{state.text(found.move)} {found.value:.4f}", *sorted(moves)]


def _digest(parts: list[str]) -> str:
    return hashlib.sha256("\n".join(parts).encode()).hexdigest()[:DIGITS]
