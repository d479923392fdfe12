"""A match of two bots: rounds of two games from one opening, colours exchanged, every game in the store.

A match is its plan: game, bots, openings, seed, move limit, clock. The key of the plan is its place in the
store. What is there already is not played again, so the same command goes on where it was stopped, and asking
for more games plays only the new ones.

Whoever finishes first, rounds count in their order: a verdict after round n rests on rounds 1 to n, whatever
else is in the store. So the result does not depend on the number of processes, nor on being stopped.
"""

from __future__ import annotations

import contextlib
import functools
import hashlib
import inspect
import itertools
import json
import os
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from importlib.metadata import version
from pathlib import Path
from typing import Any

from tesuji.arena.clocks import TimeControl
from tesuji.arena.courses import Courses
from tesuji.arena.elo import PairCounts
from tesuji.arena.openings import make_openings
from tesuji.arena.playing import Task, derived_seed, lost_record, play_place
from tesuji.arena.sprt import SPRT
from tesuji.bots import close
from tesuji.game import Game, players_of
from tesuji.game import game as as_game
from tesuji.records import Record
from tesuji.records.store import Store
from tesuji.registry import bots, spec_of
from tesuji.scale.build_check import check_files, file_digests
from tesuji.scale.executor import Executor
from tesuji.scale.local import Processes
from tesuji.scale.processes import TaskLost
from tesuji.spec import Spec

PATIENCE = 120.0
"""Seconds without a move after which a bot counts as hung."""

FILE_OPTIONS = ("value", "net", "tablebase")
"""Options of bots that may name a file."""
SETTLED_ROUNDS = 20  # before this, an interval says too little to stop by it
FAR_APART = 500.0
"""Elo. Beyond this a smaller interval takes thousands of games, and would tell nobody anything new."""


class Contest:
    """Bots at one table: every round has one opening and deal, and one leg for each turn of the seats.

    `Contest("hex:size=5", ("mcts:iterations=100", "random")).task(round=0, leg=1).players[0] == "random"`
    """

    def __init__(
        self,
        game: str | Game,
        players: tuple[str, ...],
        *,
        openings: str | None = None,
        seed: int = 1,
        move_limit: int | None = None,
        clock: TimeControl | str | None = None,
    ) -> None:
        self.rules = as_game(game)
        self.game = spec_of(self.rules)
        self.bots = tuple(checked_bot(bot, self.game) for bot in players)
        if len(self.bots) != players_of(self.rules):
            raise ValueError(f"{self.game} has {players_of(self.rules)} seats, not {len(self.bots)}")
        if move_limit is not None and move_limit < 1:
            raise ValueError(f"the move limit must be at least 1, not {move_limit}")
        self.openings, self._openings = make_openings(openings, self.rules)
        self.seed, self.move_limit = seed, move_limit
        self.clock = TimeControl.parse(clock) if isinstance(clock, str) else clock
        self.legs = len(self.bots)
        specs = [Spec.parse(bot) for bot in self.bots]
        self._code = _code([type(self.rules), *(bots.get(spec.name) for spec in specs)])
        self._code += _files(spec.options.get(key, "") for spec in specs for key in FILE_OPTIONS)

    @property
    def plan(self) -> dict[str, Any]:
        """All that decides how the games go."""
        code = {"code": self._code} if self._code else {}
        clock = {} if self.clock is None else {"clock": str(self.clock)}
        return code | {
            "game": self.game,
            "bots": list(self.bots),
            "openings": self.openings,
            "lines": _digest(getattr(self._openings, "lines", None)),
            "seed": self.seed,
            "move_limit": self.move_limit,
            "version": version("tesuji"),
            **clock,
        }

    @property
    def key(self) -> str:
        """The name of the plan in a store."""
        return _digest(self.plan)

    def task(self, round: int, leg: int) -> Task:
        """One game of it. In each leg every bot moves on by one seat."""
        return Task(
            game=self.game,
            players=tuple(self.bots[(seat + leg) % self.legs] for seat in range(self.legs)),
            seed=derived_seed(self.seed, "deal", round),
            leg=leg,
            opening=self._openings.opening(self.seed, round),
            move_limit=self.move_limit,
            clock=self.clock,
        )

    def seat_of(self, bot: int, leg: int) -> int:
        """Where a bot sits: `seat_of(0, leg=1)` is the last seat."""
        return (bot - leg) % self.legs


@functools.cache
def checked_bot(spec: str, game: str) -> str:
    """The spec as it will be recorded, after making the bot once: what is wrong is said before the match."""
    bot = bots.make(spec, as_game(game))
    close(bot)
    return bots.spec_of(bot) or str(Spec.parse(spec))


def with_budget(spec: str, *, iterations: int | None = None, seconds: float | None = None) -> str:
    """The spec with a budget, where the bot takes it and its spec names none.

    >>> with_budget("mcts:rave=off", iterations=100), with_budget("random", iterations=100)
    ('mcts:rave=off,iterations=100', 'random')
    """
    parsed = Spec.parse(spec)
    if not {"iterations", "seconds"} & parsed.options.keys():
        for key, value in (("iterations", iterations), ("seconds", seconds)):
            if value is not None and bots.has_option(parsed.name, key):
                parsed = parsed.with_options({key: f"{value:g}" if isinstance(value, float) else str(value)})
    return str(parsed)


def with_budgets(
    specs: Sequence[str], *, iterations: int | None = None, seconds: float | None = None
) -> tuple[str, ...]:
    """All specs with a budget; ValueError where it reaches none of them."""
    changed = tuple(with_budget(spec, iterations=iterations, seconds=seconds) for spec in specs)
    if (iterations or seconds) and changed == tuple(str(Spec.parse(spec)) for spec in specs):
        what = "iterations" if iterations else "seconds"
        raise ValueError(
            f"--{what} is for bots that take it and whose spec names no budget: none of these does"
        )
    return changed


def play_contests(
    contests: Mapping[str, Contest],
    places: Iterator[tuple[str, int, int]],
    store: Store,
    *,
    processes: int = 1,
    on: Executor | None = None,
    patience: float | None = PATIENCE,
    setup: Callable[[], object] | None = None,
) -> Generator[tuple[str, int, int, Record], None, None]:
    """Play the games at (key, round, leg) and keep each in the store; gives them as they finish.

    They are played in so many processes, or on an executor. A bot that has a clock may think about one move
    for as long as it says, and for `patience` more.
    """

    def tasks() -> Iterator[tuple[str, int, Task]]:
        for key, round, leg in places:
            yield key, round, contests[key].task(round, leg)

    for key, contest in contests.items():
        store.set_plan(key, contest.plan)
    where = on or Processes(workers=processes)
    files = bot_files(bot for contest in contests.values() for bot in contest.bots)
    longest = max((contest.clock.seconds for contest in contests.values() if contest.clock), default=0.0)
    patience = None if patience is None else patience + longest
    games = where.map(play_place, tasks(), patience=patience, setup=partial(check_files, files, setup))
    with contextlib.closing(games):
        for (key, round, task), outcome in games:
            record = lost_record(task, outcome) if isinstance(outcome, TaskLost) else outcome
            number = store.add(record, match=key, round=round)
            yield key, round, task.leg, store.get(number)  # another process may have been quicker


@dataclass(frozen=True)
class Played:
    """What a match needs to know of a game: the first bot's score and seat, both bots' moves and time."""

    score: float
    seat: int
    plies: int
    chosen: tuple[int, int]
    seconds: tuple[float, float]
    ending: str
    fault: str
    course: int
    """Equal for games with equal moves, also turned or mirrored."""

    @classmethod
    def of(cls, record: Record, seat: int, courses: Courses) -> Played:
        """A record, seen from the bot in this seat."""
        assert record.scores is not None
        chosen, seconds = [0, 0], [0.0, 0.0]
        for thought in record.notes:
            if thought is not None:
                bot = 0 if thought.player == seat else 1
                chosen[bot] += 1
                seconds[bot] += thought.seconds
        both = (chosen[0], chosen[1]), (seconds[0], seconds[1])
        return cls(
            record.scores[seat],
            seat,
            len(record.moves),
            *both,
            record.ending,
            record.fault,
            courses.of(record),
        )


@dataclass(frozen=True, kw_only=True)
class Goal:
    """When a match ends: after so many games; by a sequential test; when the interval is small enough.

    The first that is reached. Games are even in number: an opening is played twice.
    """

    games: int | None = None
    sprt: SPRT | None = None
    error: float | None = None
    """Half the width of the 95 % interval, in Elo; or all of the interval is beyond FAR_APART."""

    def __post_init__(self) -> None:
        if self.games is not None and (self.games < 2 or self.games % 2):
            raise ValueError(
                f"games must be even and at least 2, not {self.games}: each opening is played twice"
            )
        if self.games is None and self.sprt is None and self.error is None:
            raise ValueError("a match needs an end: a number of games, a test, or an error")
        if self.error is not None and not self.error > 0:
            raise ValueError(f"the error must be more than 0 Elo, not {self.error:g}")

    def reached(self, counts: PairCounts) -> bool:
        """Whether these rounds, in their order, are enough."""
        if self.games is not None and 2 * counts.pairs >= self.games:
            return True
        if self.sprt is not None and self.sprt.decision(counts) is not None:
            return True
        if self.error is None or counts.pairs < SETTLED_ROUNDS:
            return False
        elo = counts.elo()
        return elo.high - elo.low <= 2 * self.error or elo.low > FAR_APART or elo.high < -FAR_APART


class Match:
    """Two bots, and what is known of their games: `Match(contest, goal, store)`, then `play()`.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder, Store(f"{folder}/games.db") as store:
    ...     contest = Contest("hex:size=4", ("mcts:iterations=200", "random"))
    ...     match = Match(contest, Goal(games=4), store)
    ...     for _ in match.play():
    ...         pass
    ...     match.counts.games, match.counts.points
    (4, 4.0)
    """

    def __init__(self, contest: Contest, goal: Goal, store: Store) -> None:
        if contest.legs != 2:
            raise ValueError(
                f"a match is for two players, and {contest.game} has {contest.legs}: see tournament"
            )
        self.contest, self.goal, self.store = contest, goal, store
        self.key = contest.key
        self.rounds: list[tuple[Played, Played]] = []
        """The rounds that count, in order."""
        self._waiting: dict[tuple[int, int], Played] = {}
        self._points: list[int] = [0, 0, 0, 0, 0]
        self._courses = Courses(contest.rules)
        self.reached = False
        for stored in store.records(match=self.key):  # one by one: there may be very many
            leg = stored.record.leg
            self._waiting[stored.round or 0, leg] = self._played(stored.record, leg)
        self._count()
        self.resumed = 2 * len(self.rounds) + len(self._waiting)
        """Games that were in the store already."""

    @property
    def counts(self) -> PairCounts:
        """The rounds that count, by their points for the first bot."""
        zero, half, one, more, two = self._points
        return PairCounts((zero, half, one, more, two))

    @property
    def repeats(self) -> int:
        """Games that went like an earlier one or an image of it: they say nothing new, but count."""
        return len(self.games) - len({(played.seat, played.course) for played in self.games})

    @property
    def games(self) -> list[Played]:
        """The games that count, in order."""
        return [played for both in self.rounds for played in both]

    def play(
        self,
        *,
        processes: int = 1,
        on: Executor | None = None,
        patience: float | None = PATIENCE,
        setup: Callable[[], object] | None = None,
    ) -> Generator[Record, None, None]:
        """Play on until the goal is reached; gives each game when it is in the store."""
        if self.reached:
            return
        games = play_contests(
            {self.key: self.contest},
            self._places(),
            self.store,
            processes=processes,
            on=on,
            patience=patience,
            setup=setup,
        )
        with contextlib.closing(games):
            for _, round, leg, record in games:
                self._waiting[round, leg] = self._played(record, leg)
                self._count()
                yield record
                if self.reached:
                    return

    def _played(self, record: Record, leg: int) -> Played:
        return Played.of(record, self.contest.seat_of(0, leg), self._courses)

    def _places(self) -> Iterator[tuple[str, int, int]]:
        """What is still to be played, in order, asked for one by one while results come in."""
        for round in itertools.count(len(self.rounds)):
            if self.goal.games is not None and 2 * round >= self.goal.games:
                return
            for leg in (0, 1):
                if (round, leg) not in self._waiting and round >= len(self.rounds):
                    yield self.key, round, leg

    def _count(self) -> None:
        """Let rounds count whose games, and all before them, are there."""
        while not self.reached:
            round = len(self.rounds)
            if (round, 0) not in self._waiting or (round, 1) not in self._waiting:
                return
            both = self._waiting.pop((round, 0)), self._waiting.pop((round, 1))
            self.rounds.append(both)
            self._points[round_points(both)] += 1
            self.reached = self.goal.reached(self.counts)


def round_points(both: tuple[Played, Played]) -> int:
    """The first bot's points of a round in halves, 0 to 4; a score is a win, a draw or a loss here."""
    return sum(0 if played.score < 0.5 else 2 if played.score > 0.5 else 1 for played in both)


def _code(classes: list[type]) -> list[str]:
    """Digests of the files in which users' games and bots are written: a changed bot is another bot."""
    digests = []
    for cls in classes:
        if not cls.__module__.startswith("tesuji."):
            with contextlib.suppress(OSError, TypeError):  # typed at a prompt: there is no file
                digests.append(hashlib.sha256(Path(inspect.getfile(cls)).read_bytes()).hexdigest()[:16])
    return digests


def bot_files(specs: Iterable[str]) -> dict[str, str]:
    """The files that bots name, as every worker must find them."""
    options = [Spec.parse(spec).options for spec in specs]
    return file_digests(given[key] for given in options for key in FILE_OPTIONS if key in given)


def _files(texts: Iterable[str]) -> list[str]:
    """Digests of the files that bots name: a value trained anew, or another tablebase, is another bot."""
    digests = []
    for text in texts:
        with contextlib.suppress(OSError, ValueError):  # not a path
            if Path(text).is_file():
                found = os.stat(text)
                digests.append(_file_digest(os.path.abspath(text), found.st_size, found.st_mtime_ns))
    return digests


@functools.cache
def _file_digest(path: str, size: int, changed: int) -> str:
    """Read once for all contests of a tournament, until it is another file: a tablebase can be large."""
    with open(path, "rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()[:16]


def _digest(value: object) -> str:
    text = json.dumps(value, sort_keys=True)
    return hashlib.sha256(text.encode()).hexdigest()[:16]
