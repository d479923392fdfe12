"""Matches and tournaments in one call, for scripts and notebooks: `tesuji.match(game, a, b, games=100)`.

Bots are specs or objects. Games run in threads of this process, or with `processes=N` in worker processes,
which can play only what they can import: a class defined in a notebook's cell or in a script stays here.
"""

from __future__ import annotations

import itertools
import re
import sys
import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from functools import partial
from html import escape
from importlib import import_module
from pathlib import Path
from typing import Any, NamedTuple, Self, TypeAlias

from tesuji._helpers.tables import html_table, text_table
from tesuji.any_game import Game
from tesuji.any_game import game as as_game
from tesuji.arena.elo import Estimate
from tesuji.arena.match import Goal, Match, Pairing, Where
from tesuji.arena.progress import Status, open_bar, with_progress
from tesuji.arena.ratings import Ratings
from tesuji.arena.report import CrossTable, cross_columns, match_data, match_lines, rating_columns
from tesuji.arena.time_control import TimeControl
from tesuji.arena.tournament import Tournament, TournamentKind
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


@dataclass(frozen=True, repr=False)
class MatchResult:
    """The result of a match, from the first bot's point of view; `print` it for the report."""

    game: str
    bots: tuple[str, str]
    games: int
    wins: int
    draws: int
    losses: int
    elo: Estimate
    """The difference in strength with its 95 % interval."""
    note: str
    """Where the games were played, if not where they were asked to be."""
    data: Mapping[str, object] = field(compare=False)
    """Everything that `tesuji match --json` prints."""
    lines: tuple[str, ...] = field(compare=False)
    rows: tuple[dict[str, Any], ...] = field(compare=False)

    @property
    def points(self) -> float:
        """Wins, and half a point for each draw."""
        return self.wins + self.draws / 2

    def to_dicts(self) -> list[dict[str, Any]]:
        """One row for each game, in order: `pandas.DataFrame(result.to_dicts())`."""
        return [dict(row) for row in self.rows]

    def __repr__(self) -> str:
        return "\n".join(filter(None, [*self.lines, self.note]))

    def _repr_html_(self) -> str:
        columns = {
            "": list(self.bots),
            "wins": [str(self.wins), str(self.losses)],
            "draws": [str(self.draws)] * 2,
            "losses": [str(self.losses), str(self.wins)],
            "points": [f"{self.points:g}", f"{self.games - self.points:g}"],
        }
        if not self.draws:
            del columns["draws"]
        report = "\n".join(filter(None, [*self.lines[1:], self.note]))
        return f"{html_table(columns)}<pre>{escape(report)}</pre>"

    @classmethod
    def of(cls, match: Match, note: str) -> Self:
        """The result of a finished match."""
        data = match_data(match)
        first, second = match.pairing.bots
        rows = tuple(
            {
                "round": number // 2,
                "first_mover": match.pairing.bots[one.seat],
                "score": one.score,
                "plies": one.plies,
                "ending": one.ending,
                "fault": one.fault,
                "seconds": one.seconds[0],
                "opponent_seconds": one.seconds[1],
            }
            for number, one in enumerate(match.games)
        )
        return cls(
            game=match.pairing.game,
            bots=(first, second),
            **{name: data[name] for name in ("games", "wins", "draws", "losses")},
            elo=match.counts.elo(),
            note=note,
            data=data,
            lines=tuple(match_lines(match)),
            rows=rows,
        )


@dataclass(frozen=True, repr=False)
class TournamentResult:
    """The rating list of a tournament; `print` it, or take its rows."""

    game: str
    games: int
    ratings: Ratings
    names: Mapping[str, str]
    """The names that were given to bots, by spec."""
    cross_table: CrossTable
    note: str

    def to_dicts(self) -> list[dict[str, Any]]:
        """One row for each bot, best first: `pandas.DataFrame(result.to_dicts())`."""
        return [
            {"bot": self.names.get(name, name), "elo": elo, "low": low, "high": high, "games": games}
            | {"points": points}
            for name, elo, low, high, games, points in self.ratings.table
        ]

    def __repr__(self) -> str:
        lines = [f"{self.game}, {self.games} games", *text_table(self._columns(), left=["bot"])]
        return "\n".join(filter(None, [*lines, self.note]))

    def _repr_html_(self) -> str:
        note = f"<div>{escape(self.note)}</div>" if self.note else ""
        return f"<div>{escape(self.game)}, {self.games} games</div>{html_table(self._columns())}{note}"

    def _columns(self) -> dict[str, list[str]]:
        columns = rating_columns(self.ratings, self.names)
        return columns | cross_columns(self.ratings, self.cross_table, "vs {}")

    @classmethod
    def of(cls, tournament: Tournament, names: Mapping[str, str], note: str) -> Self:
        """The result of a finished tournament."""
        table = tournament.cross_table()
        return cls(tournament.game, len(tournament.games), tournament.ratings(), dict(names), table, note)


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
        bots = contest.specs[0], contest.specs[1]
        pairing = Pairing(
            contest.game, bots, openings=openings, seed=seed, move_limit=move_limit, clock=clock
        )
        played = Match(pairing, Goal(games=games), kept)
        _run(played.play(**contest.where), lambda: Status(len(played.games), games), progress)
        return MatchResult.of(played, contest.note)


def tournament(
    game: str | Game,
    bots: Sequence[Player] | Mapping[str, Player],
    *,
    rounds: int = 10,
    kind: TournamentKind = "round-robin",
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
        _run(played.play(**contest.where), lambda: Status(len(played.games), played.planned), progress)
        # The arena writes specs in its own way, so the names are matched by position.
        names = dict(zip(played.bots, bots, strict=True)) if isinstance(bots, Mapping) else {}
        return TournamentResult.of(played, names, contest.note)


def _run(games: Iterable[object], status: Callable[[], Status], shown: bool) -> None:
    for _ in with_progress(games, status, bar=open_bar() if shown else None):
        pass


class _Contest(NamedTuple):
    """What both kinds need: the game, the bots as specs, where to play, and a remark about it."""

    game: FullGame
    specs: list[str]
    where: Where
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
        yield _Contest(rules, specs, {"on": stack.enter_context(on), "setup": setup}, here)


def _spec(player: Player, game: FullGame) -> str | None:
    """The spec of a bot; None for an object that has none, such as one with a function as an option."""
    if isinstance(player, str):
        return player
    theirs = full_bot(player).game
    if isinstance(theirs, FullGame) and theirs.display_name != game.display_name:
        raise ValueError(f"{player!r} plays {theirs.display_name}, not {game.display_name}")
    try:
        return spec_of(player)
    except ValueError:
        return None


@contextmanager
def _temporary(player: Bot) -> Iterator[str]:
    """A name for a bot that has no spec, while it plays."""
    base = re.sub(r"[^a-z0-9]+", "-", type(player).__name__.lower()).strip("-") or "bot"
    known = bot_registry.names()
    names = itertools.chain([base], (f"{base}-{number}" for number in itertools.count(2)))
    name = next(name for name in names if name not in known)

    class Given(_Given):
        inner = player

    bot_registry.register(name)(Given)
    try:
        yield name
    finally:
        bot_registry.forget(name)


class _Given:
    """Stands for a bot that exists already. It is not closed with the games: it is its owner's."""

    inner: object

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
