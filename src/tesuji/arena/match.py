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
from typing import Any

from tesuji import __version__
from tesuji.arena.elo import PairCounts
from tesuji.arena.fingerprint import FILE_OPTIONS, fingerprint, source_digests
from tesuji.arena.openings import make_openings
from tesuji.arena.playing import Played, Task, lost_record, play_slot
from tesuji.arena.repeats import GameKeys
from tesuji.arena.sprt import SPRT
from tesuji.arena.time_control import TimeControl
from tesuji.bots.full_bot import full_bot
from tesuji.game import Game
from tesuji.game import game as as_game
from tesuji.records import Record
from tesuji.records.store import Store
from tesuji.registry import bots, spec_of
from tesuji.scale.build_check import check_files, file_digests
from tesuji.scale.executor import Executor
from tesuji.scale.local import Processes
from tesuji.scale.processes import TaskLost
from tesuji.seeds import derived_seed
from tesuji.spec import Spec

PATIENCE = 120.0
"""Seconds per move after which a bot counts as hung."""

MIN_ROUNDS = 20  # before a match may stop by its confidence interval
DECISIVE_ELO = 500.0
"""Beyond this difference a narrower interval is not worth the thousands of games it takes."""


class Pairing:
    """Bots that play each other: each round has one opening and deal, and one leg for each rotation of seats.

    `Pairing("hex:size=5", ("mcts:iterations=100", "random")).task(round=0, leg=1).players[0] == "random"`
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
        self.legs = len(self.bots)
        self._code = source_digests(type(self.rules.own))
        self.fingerprints = [fingerprint(bot, self.rules) for bot in self.bots]

    @property
    def plan(self) -> dict[str, Any]:
        """Everything that determines the games."""
        code = {"code": self._code} if self._code else {}
        clock = {} if self.clock is None else {"clock": str(self.clock)}
        return code | {
            "game": self.game,
            "bots": list(self.bots),
            "fingerprints": self.fingerprints,
            "openings": self.openings,
            "lines": _digest(getattr(self._openings, "lines", None)),
            "seed": self.seed,
            "move_limit": self.move_limit,
            "version": __version__,
            **clock,
        }

    @property
    def key(self) -> str:
        """The hash of the plan: the name of the match in a store."""
        return _digest(self.plan)

    def task(self, round: int, leg: int) -> Task:
        """One game. In each leg every bot moves on by one seat."""
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
        """The seat of a bot: `seat_of(0, leg=1)` is the last one."""
        return (bot - leg) % self.legs


@functools.cache
def checked_bot(spec: str, game: str) -> str:
    """The spec as it will be recorded. Creates the bot once, so that errors show before the match."""
    bot = bots.make(spec, as_game(game))
    full_bot(bot).close()
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
    *,
    processes: int = 1,
    on: Executor | None = None,
    patience: float | None = PATIENCE,
    setup: Callable[[], object] | None = None,
) -> Generator[tuple[str, int, int, Played], None, None]:
    """Play the games of the slots (key, round, leg) and store each; yields them in order of completion.

    Games run in `processes` worker processes, or on the executor `on`. With a clock, a bot may use its whole
    time for one move, so `patience` is added to that.
    """

    def tasks() -> Iterator[tuple[str, int, Task]]:
        for key, round, leg in slots:
            yield key, round, pairings[key].task(round, leg)

    for key, pairing in pairings.items():
        store.set_plan(key, pairing.plan)
    where = on or Processes(workers=processes)
    files = bot_files(bot for pairing in pairings.values() for bot in pairing.bots)
    longest = max((pairing.clock.seconds for pairing in pairings.values() if pairing.clock), default=0.0)
    patience = None if patience is None else patience + longest
    games = where.map(play_slot, tasks(), patience=patience, setup=partial(check_files, files, setup))
    with contextlib.closing(games):
        for (key, round, task), outcome in games:
            played = Played(lost_record(task, outcome)) if isinstance(outcome, TaskLost) else outcome
            kept = store.add_first(played.record, match=key, round=round)
            yield key, round, task.leg, played if kept is played.record else Played(kept)


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
        return cls(
            record.scores[seat],
            seat,
            len(record.moves),
            *both,
            record.ending,
            record.fault,
            key,
        )


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
        if pairing.legs != 2:
            raise ValueError(
                f"a match has two players, but {pairing.game} has {pairing.legs}: use a tournament"
            )
        self.pairing, self.goal, self.store = pairing, goal, store
        self.key = pairing.key
        self.rounds: list[tuple[GameSummary, GameSummary]] = []
        """The counted rounds, in order."""
        self._waiting: dict[tuple[int, int], GameSummary] = {}
        """Finished games of rounds not yet counted, by round and leg."""
        self._points: list[int] = [0, 0, 0, 0, 0]
        """Number of rounds in which the first bot made 0, ½, 1, 1½ and 2 points."""
        self._keys = GameKeys(pairing.rules)
        self.reached = False
        for stored in store.records(match=self.key):  # streamed: there may be very many
            leg = stored.record.leg
            self._waiting[stored.round or 0, leg] = self._summary(Played(stored.record), leg)
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

    def play(
        self,
        *,
        processes: int = 1,
        on: Executor | None = None,
        patience: float | None = PATIENCE,
        setup: Callable[[], object] | None = None,
    ) -> Generator[Record, None, None]:
        """Play until the goal is reached; yields each game once it is stored."""
        if self.reached:
            return
        games = play_pairings(
            {self.key: self.pairing},
            self._slots(),
            self.store,
            processes=processes,
            on=on,
            patience=patience,
            setup=setup,
        )
        with contextlib.closing(games):
            for _, round, leg, played in games:
                self._waiting[round, leg] = self._summary(played, leg)
                self._count()
                yield played.record
                if self.reached:
                    return

    def _summary(self, played: Played, leg: int) -> GameSummary:
        key = self._keys.key(played.record) if played.key is None else played.key
        return GameSummary.of(played.record, self.pairing.seat_of(0, leg), key)

    def _slots(self) -> Iterator[tuple[str, int, int]]:
        """The slots to play, in order; consumed while results come in."""
        for round in itertools.count(len(self.rounds)):
            if self.goal.games is not None and 2 * round >= self.goal.games:
                return
            for leg in (0, 1):
                if (round, leg) not in self._waiting and round >= len(self.rounds):
                    yield self.key, round, leg

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
