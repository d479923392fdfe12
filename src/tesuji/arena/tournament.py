"""A tournament: many bots, every table of them a contest, and one rating for all.

Every contest has its own place in the store, the same that a match of these bots has. So a tournament goes on
where it was stopped, and takes over what matches have played before it.
"""

from __future__ import annotations

import contextlib
import itertools
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Literal, TypeAlias

from tesuji.arena.clocks import TimeControl
from tesuji.arena.match import PATIENCE, Contest, checked_bot, play_contests
from tesuji.arena.ratings import Ratings, Result, fit_ratings
from tesuji.game import Game, players_of
from tesuji.game import game as as_game
from tesuji.records import Record
from tesuji.records.store import Store
from tesuji.registry import spec_of
from tesuji.scale.executor import Executor

Kind: TypeAlias = Literal["round-robin", "gauntlet"]


class Tournament:
    """Bots that meet at every table (round robin), or each with the first (gauntlet).

    In a round every table plays one opening, once for each turn of its seats.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder, Store(f"{folder}/games.db") as store:
    ...     bots = ["mcts:iterations=300", "mcts:iterations=30", "random"]
    ...     tournament = Tournament("hex:size=4", bots, store, rounds=2)
    ...     for _ in tournament.play():
    ...         pass
    ...     len(tournament.results), tournament.ratings().table[-1].name
    (12, 'random')
    """

    def __init__(
        self,
        game: str | Game,
        bots: Sequence[str],
        store: Store,
        *,
        kind: Kind = "round-robin",
        rounds: int = 10,
        openings: str | None = None,
        seed: int = 1,
        move_limit: int | None = None,
        clock: TimeControl | str | None = None,
    ) -> None:
        if rounds < 1:
            raise ValueError(f"rounds must be at least 1, not {rounds}")
        found = schedule(game, bots, kind, openings=openings, seed=seed, move_limit=move_limit, clock=clock)
        self.contests = {contest.key: contest for contest in found}
        self.bots = list(dict.fromkeys(bot for contest in found for bot in contest.bots))
        self.game, self.legs, self.clock = found[0].game, found[0].legs, found[0].clock
        self.rounds, self.store, self.kind = rounds, store, kind
        self._games: dict[tuple[str, int, int], Record] = {}
        for key in self.contests:
            for stored in store.records(match=key):  # one by one: there may be very many
                if (round := stored.round or 0) < rounds:
                    self._games[key, round, stored.record.leg] = _lean(stored.record)
        self.resumed = len(self._games)
        """Games that were in the store already."""

    @property
    def planned(self) -> int:
        """Games in all."""
        return len(self.contests) * self.rounds * self.legs

    @property
    def games(self) -> list[Record]:
        """The games so far, in the order of the plan, without their moves."""
        return [self._games[place] for place in self._places() if place in self._games]

    @property
    def results(self) -> list[Result]:
        """What the rating is made of."""
        found = []
        for key, round, leg in self._places():
            record = self._games.get((key, round, leg))
            if record is not None and record.scores is not None:
                found.append(Result(record.players, record.scores, (key, round)))
        return found

    def ratings(self) -> Ratings:
        """The bots' ratings; their mean is 0."""
        return fit_ratings(self.results)

    def cross_table(self) -> dict[str, dict[str, tuple[float, int]]]:
        """For each bot and each other: the points and the games."""
        return cross_table(self.bots, self.results)

    def play(
        self,
        *,
        processes: int = 1,
        on: Executor | None = None,
        patience: float | None = PATIENCE,
        setup: Callable[[], object] | None = None,
    ) -> Generator[Record, None, None]:
        """Play what is missing; gives each game when it is in the store."""
        missing = (place for place in self._places() if place not in self._games)
        games = play_contests(
            self.contests, missing, self.store, processes=processes, on=on, patience=patience, setup=setup
        )
        with contextlib.closing(games):
            for key, round, leg, record in games:
                self._games[key, round, leg] = _lean(record)
                yield record

    def _places(self) -> Iterator[tuple[str, int, int]]:
        """Round by round, so that a tournament that is stopped has given all bots alike."""
        for round in range(self.rounds):
            for key in self.contests:
                for leg in range(self.legs):
                    yield key, round, leg


def cross_table(bots: Iterable[str], results: Iterable[Result]) -> dict[str, dict[str, tuple[float, int]]]:
    """For each bot and each other: the points and the games, twice where one of them sits twice.

    >>> cross_table("ab", [Result(("a", "b"), (1.0, 0.0)), Result(("b", "a"), (0.5, 0.5))])
    {'a': {'b': (1.5, 2)}, 'b': {'a': (0.5, 2)}}
    """
    table: dict[str, dict[str, tuple[float, int]]] = {bot: {} for bot in bots}
    for result in results:
        pairs = zip(result.players, result.scores, strict=True)
        for (bot, score), (other, theirs) in itertools.permutations(pairs, 2):
            if bot != other:
                points, games = table[bot].get(other, (0.0, 0))
                won = 1.0 if score > theirs else 0.5 if score == theirs else 0.0
                table[bot][other] = points + won, games + 1
    return table


def schedule(
    game: str | Game,
    bots: Sequence[str],
    kind: Kind = "round-robin",
    *,
    openings: str | None = None,
    seed: int = 1,
    move_limit: int | None = None,
    clock: TimeControl | str | None = None,
) -> list[Contest]:
    """The contest of each table; ValueError where they cannot be.

    >>> [contest.bots for contest in schedule("hex:size=4", ["random", "mcts"])]
    [('random', 'mcts')]
    """
    rules = as_game(game)
    names = [checked_bot(bot, spec_of(rules)) for bot in bots]
    if len(names) < 2:
        raise ValueError(f"a tournament needs at least two bots, not {len(names)}")
    for name in names:
        if names.count(name) > 1:
            raise ValueError(f"the bot {name} is given twice; each plays once at a table")
    return [
        Contest(rules, table, openings=openings, seed=seed, move_limit=move_limit, clock=clock)
        for table in tables(names, players_of(rules), kind)
    ]


def tables(bots: Sequence[str], seats: int, kind: Kind) -> list[tuple[str, ...]]:
    """Who meets whom: `tables(["a", "b", "c"], 2, "gauntlet") == [("a", "b"), ("a", "c")]`.

    Where there are fewer bots than seats, all meet at one table, and sit down again until it is full.
    """
    if len(bots) < seats:
        return [tuple(itertools.islice(itertools.cycle(bots), seats))]
    found = list(itertools.combinations(bots, seats))
    return found if kind == "round-robin" else [table for table in found if table[0] == bots[0]]


def _lean(record: Record) -> Record:
    """What the tournament needs of a game: thousands are kept in memory."""
    return replace(record, moves=(), notes=())
