"""Tuning a bot: SPSA on pairs of games, and a test of the result against the start.

The file of a tuning has its plan and the result of every pair; the parameters follow from them. The same
plan resumes it.
"""

from __future__ import annotations

import contextlib
import json
import time
from collections import Counter
from collections.abc import Generator, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Unpack

from tesuji._helpers.atomic_write import write_atomically
from tesuji.any_game import Game
from tesuji.arena.match import Goal, Match, Pairing, PairingOptions, Where, bot_files, checked_bot, run_tasks
from tesuji.arena.playing import Played, Task, lost_record, play_slot
from tesuji.arena.sprt import SPRT
from tesuji.arena.spsa import Parameter, Spsa
from tesuji.bots import bot as make_bot
from tesuji.options import unknown
from tesuji.records.store import Store
from tesuji.registry import bots
from tesuji.spec import Spec

SAVE_SECONDS = 1.0
TEST = SPRT(0, 20)
"""What the tuned bot has to pass against the start."""


class Tuning:
    """Tunes options of a bot by games against itself; `file` keeps the results.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     tuning = Tuning("hex:size=3", "mcts:iterations=9", ["rave_k=1..9"], f"{folder}/t.json", games=4)
    ...     for _ in tuning.play():
    ...         pass
    ...     tuning.done, list(tuning.spsa.options())
    (True, ['rave_k'])
    """

    def __init__(
        self,
        game: str | Game,
        bot: str,
        parameters: Sequence[str],
        file: str | Path,
        *,
        games: int = 2000,
        **options: Unpack[PairingOptions],
    ) -> None:
        if games < 2 or games % 2:
            raise ValueError(f"games must be even and at least 2, not {games}: each opening is played twice")
        self.pairing = Pairing(game, (bot, bot), **options)
        self.file = Path(file)
        self.bot = self.pairing.bots[0]
        found = [_checked(Parameter.parse(text), self.bot, self.pairing.game) for text in parameters]
        names = [one.name for one in found]
        if not names or len(set(names)) < len(names):
            raise ValueError(f"name each parameter once, and at least one, not {', '.join(names) or 'none'}")
        self.start = [_start(one, self.bot, self.pairing.rules) for one in found]
        self.spsa = Spsa(found, self.start, games // 2, self.pairing.seed)
        self.faults: Counter[str] = Counter()
        self._results: dict[int, float] = {}
        """Results of pairs, by iteration; one is counted after all those before it."""
        plan = self.pairing.plan | {"parameters": list(map(str, found)), "games": games}
        self._plan: dict[str, object] = json.loads(json.dumps(plan))
        if self.file.exists():
            self._load()

    @property
    def tuned(self) -> str:
        """The spec with the parameters as they are now."""
        return str(Spec.parse(self.bot).with_options(self.spsa.options()))

    @property
    def games(self) -> int:
        """Number of games that are counted."""
        return 2 * self.spsa.counted

    @property
    def done(self) -> bool:
        """Whether all games are counted."""
        return self.spsa.counted == self.spsa.iterations

    def play(self, *, seconds: float | None = None, **where: Unpack[Where]) -> Generator[int, None, None]:
        """Play the missing games, or for so many seconds; yields the number of games after each pair."""
        began, saved = time.monotonic(), 0.0
        longest = self.pairing.clock.seconds if self.pairing.clock else 0.0
        scores: dict[int, list[float]] = {}
        try:
            while not self.done:  # the tasks end early if one pair takes much longer than those after it
                games = run_tasks(play_slot, self._tasks(), bot_files([self.bot]), longest, **where)
                with contextlib.closing(games):
                    for (_, k, task), outcome in games:
                        played = (
                            outcome if isinstance(outcome, Played) else Played(lost_record(task, outcome))
                        )
                        record = played.record
                        self.faults.update([record.fault] if record.fault else [])
                        assert record.scores is not None
                        scores.setdefault(k, []).append(record.scores[self.pairing.seat_of(0, task.rotation)])
                        if len(scores[k]) < 2:
                            continue
                        self._results[k] = 2 * (sum(scores.pop(k)) - 1)
                        self._count()
                        if time.monotonic() - saved > SAVE_SECONDS:
                            self._save()
                            saved = time.monotonic()
                        yield self.games
                        if seconds is not None and time.monotonic() - began > seconds:
                            return
        finally:
            self._save()

    def test(self, store: Store, games: int) -> Match:
        """The match of the tuned bot against the start, with another seed and at most so many games."""
        own = self.pairing
        fresh = Pairing(
            own.rules,
            (self.tuned, self.bot),
            openings=own.openings,
            seed=own.seed + 1,
            move_limit=own.move_limit,
            clock=own.clock,
        )
        return Match(fresh, Goal(games=games, sprt=TEST), store)

    def _tasks(self) -> Iterator[tuple[str, int, Task]]:
        k = self.spsa.counted
        while self.spsa.ready(k):
            if k not in self._results:
                sides = [str(Spec.parse(self.bot).with_options(side)) for side in self.spsa.trial(k)]
                for rotation in (0, 1):
                    task = self.pairing.task(k, rotation)
                    yield "", k, replace(task, players=(sides[rotation], sides[1 - rotation]))
            k += 1

    def _count(self) -> None:
        while self.spsa.counted in self._results:
            self.spsa.add(self._results[self.spsa.counted])

    def _save(self) -> None:
        results = sorted(self._results.items())
        write_atomically(self.file, json.dumps({"plan": self._plan, "results": results}) + "\n")

    def _load(self) -> None:
        try:
            found = json.loads(self.file.read_text(encoding="utf-8"))
            plan, results = found["plan"], {int(k): float(result) for k, result in found["results"]}
        except (OSError, ValueError, KeyError, TypeError) as error:
            raise ValueError(f"{self.file} is not the file of a tuning: {error}") from error
        if changed := [key for key in self._plan if plan.get(key) != self._plan[key]]:
            raise ValueError(
                f"{self.file} is of another tuning (other {', '.join(changed)}): name another file"
            )
        self._results = results
        self._count()


def _checked(parameter: Parameter, bot: str, game: str) -> Parameter:
    """The parameter, whole if the option is; ValueError if the bot refuses it or its range."""
    spec = Spec.parse(bot)
    infos = {info.name: info for info in bots.describe(spec.name)}
    if parameter.name not in infos:
        raise ValueError(unknown(f"option {parameter.name!r} of {spec.name}", parameter.name, infos))
    if not (kind := infos[parameter.name].number):
        raise ValueError(f"{parameter.name} is {infos[parameter.name].kind}, and only numbers can be tuned")
    parameter = replace(parameter, whole=kind == "int")
    for place in (0.0, 1.0):
        checked_bot(str(spec.with_options({parameter.name: parameter.text(place)})), game)
    return parameter


def _start(parameter: Parameter, bot: str, game: Game) -> float:
    """The bot's own value, or the middle of the range if that is not a number."""
    made = make_bot(bot, game)
    with contextlib.closing(made):
        value = getattr(made.options or made.own, parameter.name, None)
    if isinstance(value, int | float) and not isinstance(value, bool):
        return float(value)
    return parameter.value(0.5)
