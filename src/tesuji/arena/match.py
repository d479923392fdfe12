"""A match between two bots: rounds of two games from one opening, seats exchanged, every game in the store.

A match is identified by its plan: game, bots, openings, seed, move limit, clock. A hash of the plan is the
key of its games in the store. Stored games are not played again: running the same match again
resumes it, and more games play only the new ones.

Rounds are counted in order, whichever finishes first: the result after round n depends on rounds 1 to n only.
So it depends neither on the number of processes nor on interruptions.
"""

from __future__ import annotations

import contextlib
import functools
import hashlib
import itertools
import json
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TypedDict, TypeVar, Unpack

from tesuji import __version__
from tesuji._helpers.seeds import derived_seed
from tesuji.any_game import Game
from tesuji.any_game import game as as_game
from tesuji.arena.elo import PairCounts
from tesuji.arena.fingerprint import FILE_OPTIONS, fingerprint, source_digests
from tesuji.arena.openings import make_openings
from tesuji.arena.playing import Played, Task, lost_record, play_slot
from tesuji.arena.repeats import GameKeys
from tesuji.arena.sprt import SPRT
from tesuji.arena.time_control import TimeControl
from tesuji.bots import bot as make_bot
from tesuji.records import Record
from tesuji.records.store import Store
from tesuji.registry import bots, spec_of
from tesuji.scale.build_check import check_files, file_digests
from tesuji.scale.executor import Executor
from tesuji.scale.local import Processes
from tesuji.scale.processes import TaskLost
from tesuji.spec import Spec

T = TypeVar("T")
R = TypeVar("R")

PATIENCE = 120.0
"""Seconds per move after which a bot counts as hung."""

MIN_ROUNDS = 20  # before a match may stop by its confidence interval
DECISIVE_ELO = 500.0
"""Beyond this difference a narrower interval is not worth the thousands of games it takes."""


class PairingOptions(TypedDict, total=False):
    """What besides the game and the bots determines the games of a pairing."""

    openings: str | None
    seed: int
    move_limit: int | None
    clock: TimeControl | str | None


class Where(TypedDict, total=False):
    """Where and how the games of a contest are played."""

    processes: int
    """Worker processes; defaults to 1."""
    on: Executor | None
    """In place of processes of its own."""
    patience: float | None
    """Seconds per move after which a bot counts as hung; a clock's whole time is added."""
    setup: Callable[[], object] | None
    """What every worker calls first, to load the user's files."""


class Pairing:
    """Bots that play each other: a round has one opening and deal, and a game for each rotation of the seats.

    >>> Pairing("hex:size=5", ("mcts:iterations=9", "random")).task(round=0, rotation=1).players
    ('random', 'mcts:iterations=9')
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
        if len(self.bots) != self.rules.players:
            raise ValueError(f"{self.game} has {self.rules.players} seats, not {len(self.bots)}")
        if move_limit is not None and move_limit < 1:
            raise ValueError(f"move_limit must be at least 1, not {move_limit}")
        self.openings, self._openings = make_openings(openings, self.rules)
        self.seed, self.move_limit = seed, move_limit
        self.clock = TimeControl.parse(clock) if isinstance(clock, str) else clock
        self.rotations = len(self.bots)
        code = source_digests(type(self.rules.own))
        self.fingerprints = [fingerprint(bot, self.rules) for bot in self.bots]
        self.plan: dict[str, object] = {
            **({"code": code} if code else {}),
            "game": self.game,
            "bots": list(self.bots),
            "fingerprints": self.fingerprints,
            "openings": self.openings,
            "lines": _digest(self._openings.lines),
            "seed": seed,
            "move_limit": move_limit,
            "version": __version__,
            **({} if self.clock is None else {"clock": str(self.clock)}),
        }
        """Everything that determines the games."""
        self.key = _digest(self.plan)
        """The hash of the plan: the name of the match in a store."""

    def task(self, round: int, rotation: int) -> Task:
        """One game. In each rotation every bot moves on by one seat."""
        return Task(
            game=self.game,
            players=tuple(self.bots[(seat + rotation) % self.rotations] for seat in range(self.rotations)),
            seed=derived_seed(self.seed, "deal", round),
            rotation=rotation,
            opening=self._openings.opening(self.seed, round),
            move_limit=self.move_limit,
            clock=self.clock,
        )

    def seat_of(self, bot: int, rotation: int) -> int:
        """The seat of a bot: `seat_of(0, rotation=1)` is the last one."""
        return (bot - rotation) % self.rotations


@functools.cache
def checked_bot(spec: str, game: str) -> str:
    """The spec as it will be recorded. Creates the bot once, so that errors show before the match."""
    bot = make_bot(spec, as_game(game))
    bot.close()
    return bots.spec_of(bot) or str(Spec.parse(spec))


def with_budget(spec: str, *, iterations: int | None = None, seconds: float | None = None) -> str:
    """The spec with a budget, if the bot has that option and its spec sets none.

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
    """All specs with a budget; ValueError if it applies to none of them."""
    changed = tuple(with_budget(spec, iterations=iterations, seconds=seconds) for spec in specs)
    if (iterations or seconds) and changed == tuple(str(Spec.parse(spec)) for spec in specs):
        what = "iterations" if iterations else "seconds"
        raise ValueError(
            f"--{what} applies to none of these bots: they lack the option, or their spec sets a budget"
        )
    return changed


def play_pairings(
    pairings: Mapping[str, Pairing],
    slots: Iterator[tuple[str, int, int]],
    store: Store,
    **where: Unpack[Where],
) -> Generator[tuple[str, int, int, Played], None, None]:
    """Play the games of the slots (key, round, rotation) and store each; yields them as they are completed.

    With a clock, a bot may use its whole time for one move, so `patience` is added to that.
    """

    def tasks() -> Iterator[tuple[str, int, Task]]:
        for key, round, rotation in slots:
            yield key, round, pairings[key].task(round, rotation)

    for key, pairing in pairings.items():
        store.set_plan(key, pairing.plan)
    bots = [bot for pairing in pairings.values() for bot in pairing.bots]
    longest = max((pairing.clock.seconds for pairing in pairings.values() if pairing.clock), default=0.0)
    games = run_tasks(play_slot, tasks(), bot_files(bots), longest, **where)
    with contextlib.closing(games):
        for (key, round, task), outcome in games:
            played = Played(lost_record(task, outcome)) if isinstance(outcome, TaskLost) else outcome
            kept = store.add_first(played.record, match=key, round=round)
            yield key, round, task.rotation, played if kept is played.record else Played(kept)


def run_tasks(
    function: Callable[[T], R],
    tasks: Iterator[T],
    files: Mapping[str, str],
    longest: float = 0.0,
    **where: Unpack[Where],
) -> Generator[tuple[T, R | TaskLost], None, None]:
    """Run tasks in workers that have the same `files`; `longest` seconds are added to the patience."""
    executor = where.get("on") or Processes(workers=where.get("processes", 1))
    patience = where.get("patience", PATIENCE)
    return executor.map(
        function,
        tasks,
        patience=None if patience is None else patience + longest,
        setup=partial(check_files, dict(files), where.get("setup")),
    )


@dataclass(frozen=True)
class GameSummary:
    """What a match needs of a game: the first bot's score and seat, both bots' moves and time."""

    score: float
    seat: int
    plies: int
    chosen: tuple[int, int]
    """Number of moves that each bot chose; the opening and chance moves are not theirs."""
    seconds: tuple[float, float]
    """Total time that each bot took for them."""
    ending: str
    fault: str
    key: int
    """The same for games that are equal up to symmetry."""

    @classmethod
    def of(cls, record: Record, seat: int, key: int) -> GameSummary:
        """Summarize a record for the bot in this seat."""
        assert record.scores is not None
        chosen, seconds = [0, 0], [0.0, 0.0]
        for note in record.notes:
            if note is not None:
                bot = 0 if note.player == seat else 1
                chosen[bot] += 1
                seconds[bot] += note.seconds
        both = (chosen[0], chosen[1]), (seconds[0], seconds[1])
        return cls(record.scores[seat], seat, len(record.moves), *both, record.ending, record.fault, key)


@dataclass(frozen=True, kw_only=True)
class Goal:
    """When a match ends: by number of games, SPRT, or width of the Elo interval, whichever comes first."""

    games: int | None = None
    sprt: SPRT | None = None
    error: float | None = None
    """Half the width of the 95 % interval, in Elo; an interval beyond DECISIVE_ELO ends the match, too."""

    def __post_init__(self) -> None:
        if self.games is not None and (self.games < 2 or self.games % 2):
            raise ValueError(
                f"games must be even and at least 2, not {self.games}: each opening is played twice"
            )
        if self.games is None and self.sprt is None and self.error is None:
            raise ValueError("a match needs a goal: games, sprt or error")
        if self.error is not None and not self.error > 0:
            raise ValueError(f"error must be more than 0 Elo, not {self.error:g}")

    def reached(self, counts: PairCounts) -> bool:
        """Whether these rounds reach the goal."""
        if self.games is not None and 2 * counts.pairs >= self.games:
            return True
        if self.sprt is not None and self.sprt.decision(counts) is not None:
            return True
        if self.error is None or counts.pairs < MIN_ROUNDS:
            return False
        elo = counts.elo()
        return elo.high - elo.low <= 2 * self.error or elo.low > DECISIVE_ELO or elo.high < -DECISIVE_ELO


class Match:
    """A match of two bots: `Match(pairing, goal, store)`, then `play()`.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder, Store(f"{folder}/games.db") as store:
    ...     pairing = Pairing("hex:size=4", ("mcts:iterations=200", "random"))
    ...     match = Match(pairing, Goal(games=4), store)
    ...     for _ in match.play():
    ...         pass
    ...     match.counts.games, match.counts.points
    (4, 4.0)
    """

    def __init__(self, pairing: Pairing, goal: Goal, store: Store) -> None:
        if pairing.rotations != 2:
            raise ValueError(
                f"a match has two players, but {pairing.game} has {pairing.rotations}: use a tournament"
            )
        self.pairing, self.goal, self.store = pairing, goal, store
        self.key = pairing.key
        self.rounds: list[tuple[GameSummary, GameSummary]] = []
        """The counted rounds, in order."""
        self._waiting: dict[tuple[int, int], GameSummary] = {}
        """Finished games of rounds not yet counted, by round and rotation."""
        self._points: list[int] = [0, 0, 0, 0, 0]
        """Number of rounds in which the first bot made 0, ½, 1, 1½ and 2 points."""
        self._keys = GameKeys(pairing.rules)
        self.reached = False
        for stored in store.records(match=self.key):  # streamed: there may be very many
            rotation = stored.record.leg
            self._waiting[stored.round or 0, rotation] = self._summary(Played(stored.record), rotation)
        self._count()
        self.resumed = 2 * len(self.rounds) + len(self._waiting)
        """Number of games found in the store."""

    @property
    def counts(self) -> PairCounts:
        """Pentanomial counts of the counted rounds."""
        zero, half, one, more, two = self._points
        return PairCounts((zero, half, one, more, two))

    @property
    def repeats(self) -> int:
        """Number of games that repeat an earlier one up to symmetry."""
        return len(self.games) - len({(game.seat, game.key) for game in self.games})

    @property
    def games(self) -> list[GameSummary]:
        """The counted games, in order."""
        return [game for pair in self.rounds for game in pair]

    def play(self, **where: Unpack[Where]) -> Generator[Record, None, None]:
        """Play until the goal is reached; yields each game once it is stored."""
        if self.reached:
            return
        games = play_pairings({self.key: self.pairing}, self._slots(), self.store, **where)
        with contextlib.closing(games):
            for _, round, rotation, played in games:
                self._waiting[round, rotation] = self._summary(played, rotation)
                self._count()
                yield played.record
                if self.reached:
                    return

    def _summary(self, played: Played, rotation: int) -> GameSummary:
        key = self._keys.key(played.record) if played.key is None else played.key
        return GameSummary.of(played.record, self.pairing.seat_of(0, rotation), key)

    def _slots(self) -> Iterator[tuple[str, int, int]]:
        """The slots to play, in order; consumed while results come in."""
        for round in itertools.count(len(self.rounds)):
            if self.goal.games is not None and 2 * round >= self.goal.games:
                return
            for rotation in (0, 1):
                if (round, rotation) not in self._waiting and round >= len(self.rounds):
                    yield self.key, round, rotation

    def _count(self) -> None:
        """Count the rounds that are complete, up to the first that is not."""
        while not self.reached:
            round = len(self.rounds)
            if (round, 0) not in self._waiting or (round, 1) not in self._waiting:
                return
            pair = self._waiting.pop((round, 0)), self._waiting.pop((round, 1))
            self.rounds.append(pair)
            self._points[half_points(pair)] += 1
            self.reached = self.goal.reached(self.counts)


def half_points(pair: tuple[GameSummary, GameSummary]) -> int:
    """The first bot's half-points in a round, 0 to 4; any score above ½ is a win, below ½ a loss."""
    return sum(0 if game.score < 0.5 else 2 if game.score > 0.5 else 1 for game in pair)


def bot_files(specs: Iterable[str]) -> dict[str, str]:
    """Digests of the files that the bots name, for `check_files`."""
    options = [Spec.parse(spec).options for spec in specs]
    return file_digests(given[key] for given in options for key in FILE_OPTIONS if key in given)


def _digest(value: object) -> str:
    text = json.dumps(value, sort_keys=True)
    return hashlib.sha256(text.encode()).hexdigest()[:16]
