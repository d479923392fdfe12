"""Matches and tournaments in one call, for scripts and notebooks: `tesuji.match(game, a, b, games=100)`.

Bots are specs or objects. Games run in threads of this process, or with `processes=N` in worker processes,
which can play only what they can import: a class defined in a notebook's cell or in a script stays here.
"""

from __future__ import annotations

import itertools
import re
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias

from tesuji.adapter import full_game
from tesuji.any_game import Game, shown
from tesuji.any_game import game as as_game
from tesuji.arena.contest_results import MatchResult, TournamentResult
from tesuji.arena.match import PATIENCE, Goal, Match, Pairing
from tesuji.arena.progress import with_progress
from tesuji.arena.time_control import TimeControl
from tesuji.arena.tournament import Kind, Tournament
from tesuji.bots import Bot
from tesuji.full_bot import full_bot
from tesuji.full_game import FullGame
from tesuji.records.store import Store
from tesuji.registry import bots as bot_registry
from tesuji.registry import spec_of
from tesuji.scale import cores
from tesuji.scale.executor import Executor
from tesuji.scale.local import Processes, Threads
from tesuji.spec import Spec

Player: TypeAlias = str | Bot
"""A spec, or a bot."""


def match(
    game: str | Game,
    first: Player,
    second: Player,
    *,
    games: int = 100,
    openings: str | None = None,
    seed: int = 1,
    clock: TimeControl | str | None = None,
    move_limit: int | None = None,
    processes: int | None = None,
    store: str | Path | None = None,
    progress: bool = True,
) -> MatchResult:
    """Play a match of two bots, each opening twice with the seats exchanged.

    A bot is a spec or an object; one that has a spec is made anew for every game, with its own seed. `store`
    keeps the games, and the same call resumes them; without it they are forgotten.

    >>> result = match("hex:size=4", "mcts:iterations=200", "random", games=4)
    >>> result.games, result.points
    (4, 4.0)
    """
    with _contest(game, (first, second), processes) as contest, _opened(store) as kept:
        pairing = Pairing(
            contest.game,
            (contest.specs[0], contest.specs[1]),
            openings=openings,
            seed=seed,
            move_limit=move_limit,
            clock=clock,
        )
        played = Match(pairing, Goal(games=games), kept)
        running = played.play(on=contest.on, patience=PATIENCE, setup=contest.setup)
        for _ in with_progress(running, len(played.games), games, shown=progress):
            pass
        return MatchResult.of(played, contest.note)


def tournament(
    game: str | Game,
    bots: Sequence[Player] | Mapping[str, Player],
    *,
    rounds: int = 10,
    kind: Kind = "round-robin",
    openings: str | None = None,
    seed: int = 1,
    clock: TimeControl | str | None = None,
    move_limit: int | None = None,
    processes: int | None = None,
    store: str | Path | None = None,
    progress: bool = True,
) -> TournamentResult:
    """Play a tournament and rate the bots; a mapping gives them names. The rest is as in `match`.

    >>> result = tournament("hex:size=3", ["mcts:iterations=200", "random"], rounds=2)
    >>> [row["bot"] for row in result.to_dicts()]
    ['mcts:iterations=200', 'random']
    """
    players = list(bots.values()) if isinstance(bots, Mapping) else list(bots)
    with _contest(game, players, processes) as contest, _opened(store) as kept:
        played = Tournament(
            contest.game,
            contest.specs,
            kept,
            kind=kind,
            rounds=rounds,
            openings=openings,
            seed=seed,
            move_limit=move_limit,
            clock=clock,
        )
        running = played.play(on=contest.on, patience=PATIENCE, setup=contest.setup)
        for _ in with_progress(running, played.resumed, played.planned, shown=progress):
            pass
        # The arena writes specs in its own way, so the names are matched by position.
        names = dict(zip(played.bots, bots, strict=True)) if isinstance(bots, Mapping) else {}
        return TournamentResult.of(played, names, contest.note)


class _Contest(NamedTuple):
    """What both kinds need: the game, the bots as specs, where to play, and a remark about it."""

    game: FullGame
    specs: list[str]
    on: Executor
    setup: Any
    note: str


@contextmanager
def _contest(game: str | Game, players: Sequence[Player], processes: int | None) -> Iterator[_Contest]:
    rules = as_game(game)
    spec_of(rules)  # a ValueError that says how to register it
    if processes is not None and processes < 1:
        raise ValueError(f"processes must be at least 1, not {processes}")
    with ExitStack() as stack:
        specs, objects = [], 0
        for player in players:
            spec = _spec(player, rules)
            if spec is None and not isinstance(player, str):
                objects += 1
                spec = stack.enter_context(_temporary(player))
            specs.append(str(spec))
        classes = [type(rules.own), *(bot_registry.get(Spec.parse(spec).name) for spec in specs)]
        modules = sorted({cls.__module__ for cls in classes if not cls.__module__.startswith("tesuji.")})
        here = _reason(objects, modules) if processes is not None else ""
        setup = None
        if processes is None or here:
            # A bot that is given as an object plays one game at a time; rules in Python gain nothing.
            workers = cores() if not objects and rules.native else 1
            on: Executor = Threads(workers=workers)
        else:
            on = Processes(workers=processes)
            setup = partial(_import, tuple(modules)) if modules else None
        yield _Contest(rules, specs, stack.enter_context(on), setup, here)


def _spec(player: Player, game: FullGame) -> str | None:
    """The spec of a bot; None for an object that has none, such as one with a function as an option."""
    if isinstance(player, str):
        return player
    theirs = full_bot(player).game
    if isinstance(theirs, FullGame) and shown(full_game(theirs)) != shown(game):
        raise ValueError(f"{player!r} plays {shown(theirs)}, not {shown(game)}")
    try:
        return spec_of(player)
    except ValueError:
        return None


@contextmanager
def _temporary(player: Bot) -> Iterator[str]:
    """A name for a bot that has no spec, while it plays."""
    base = re.sub(r"[^a-z0-9]+", "-", type(player).__name__.lower()).strip("-") or "bot"
    known = bot_registry.names()
    number = next(n for n in itertools.count(1) if (base if n == 1 else f"{base}-{n}") not in known)
    name = base if number == 1 else f"{base}-{number}"

    class Given(_Given):
        inner = player

    bot_registry.register(name)(Given)
    try:
        yield name
    finally:
        bot_registry.forget(name)


class _Given:
    """Stands for a bot that exists already. It is not closed with the games: it is its owner's."""

    inner: Any

    def __init__(self, game: FullGame) -> None:
        self.game = game

    def __getattr__(self, name: str) -> Any:
        if name == "close":
            raise AttributeError(name)
        return getattr(self.inner, name)


def _reason(objects: int, modules: Sequence[str]) -> str:
    """Why worker processes cannot play this, in one sentence; '' if they can."""
    played = "Played in this process: worker processes"
    if objects:
        return f"{played} need bots that have a spec."
    main = getattr(sys.modules.get("__main__"), "__spec__", None)
    for name in modules:
        if name == "__main__" or main is not None and name == main.name:
            return f"{played} cannot import classes that are defined in {name}."
        if getattr(sys.modules.get(name), "__file__", None) is None:
            return f"{played} cannot import {name}."
    return ""


def _import(modules: Sequence[str]) -> None:
    """In a worker: import the modules that register the game and the bots."""
    for name in modules:
        import_module(name)


@contextmanager
def _opened(path: str | Path | None) -> Iterator[Store]:
    if path is not None:
        with Store(path) as store:
            yield store
        return
    with tempfile.TemporaryDirectory(prefix="tesuji-") as folder, Store(f"{folder}/games.db") as store:
        yield store
