"""An exam: how often does a bot play what is certainly right?

Every bot is asked the same questions, positions in which the choice matters and the truth is known. It is
made afresh for each, and its seed follows from the question: so the marks depend neither on the order nor on
the number of processes, as long as the bot counts iterations and not seconds.

What a random mover would score follows from the questions themselves, without playing: it is the measure for
all others.
"""

from __future__ import annotations

import functools
import json
import math
import time
from collections import Counter
from collections.abc import Callable, Generator, Iterable, Sequence
from contextlib import closing
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import NamedTuple

from tesuji.arena.elo import Z95, Estimate
from tesuji.arena.endgames import Endgames
from tesuji.arena.match import PATIENCE, bot_files, checked_bot
from tesuji.arena.playing import OVER, Failure, Table, Task, derived_seed
from tesuji.arena.questions import Answer, Kind, Problems, Proven, Section, Source, find_questions
from tesuji.bots import RESIGN
from tesuji.game import Game, players_of
from tesuji.game import game as as_game
from tesuji.registry import games, spec_of
from tesuji.scale import ExecutorError
from tesuji.scale.build_check import check_files, file_digests
from tesuji.scale.executor import Executor
from tesuji.scale.local import Processes
from tesuji.scale.processes import NOBODY, TaskLost, heartbeat


class Sheet(NamedTuple):
    """One question for one bot: what a worker gets."""

    game: str
    tablebase: str | None
    position: int
    """Its number in the tablebase, or among the game's problems."""
    bot: str
    seed: int


class Reply(NamedTuple):
    """What the bot did: the place of its move among the legal ones, None where it failed."""

    place: int | None
    seconds: float
    fault: str = ""


@dataclass(frozen=True)
class Marks:
    """How questions were answered. Whoever moves at random answers each in part.

    >>> marks = Marks.of([[(Answer("a", True, 2), 1.0)], [(Answer("b", False, 0), 1.0)]])
    >>> marks.asked, marks.kept, marks.best, marks.mean_wasted
    (2, 1.0, 0.0, 2.0)
    """

    asked: int
    kept: float
    """Answers that kept the game's value."""
    best: float
    """Answers that wasted no ply either."""
    wasted: float
    """Plies, in all answers that kept the value."""

    @classmethod
    def of(cls, given: Iterable[Iterable[tuple[Answer, float]]]) -> Marks:
        """Of the answers to each question, with their probabilities."""
        questions = [list(answers) for answers in given]
        kept = [(answer, chance) for answers in questions for answer, chance in answers if answer.kept]
        return cls(
            len(questions),
            math.fsum(chance for _, chance in kept),
            math.fsum(chance for answer, chance in kept if not answer.wasted),
            math.fsum(chance * answer.wasted for answer, chance in kept),
        )

    @property
    def mean_wasted(self) -> float | None:
        """Plies wasted on average by an answer that kept the value; None where none did."""
        return self.wasted / self.kept if self.kept else None


def share(part: float, whole: int) -> Estimate:
    """A share with its interval, by Wilson's score (1927): it never leaves [0, 1], even where all are right.

    >>> "{:.3f} [{:.3f}, {:.3f}]".format(*share(20, 20))
    '1.000 [0.839, 1.000]'
    """
    if not whole:
        return Estimate(math.nan, 0.0, 1.0)
    middle = (part + Z95**2 / 2) / (whole + Z95**2)
    margin = Z95 / (whole + Z95**2) * math.sqrt(part * (whole - part) / whole + Z95**2 / 4)
    return Estimate(part / whole, max(middle - margin, 0.0), min(middle + margin, 1.0))


class Exam:
    """Questions, and what each bot replied: `Exam("gomoku", None, ["random", "greedy"])`, then `sit()`.

    Where the questions come from a tablebase it is the second argument, and `men` are those on the board.
    """

    def __init__(
        self,
        game: str | Game,
        tablebase: str | Path | None,
        bots: Sequence[str],
        *,
        positions: int = 200,
        men: int | None = None,
        seed: int = 1,
    ) -> None:
        self.rules = as_game(game)
        self.game, self.seed = spec_of(self.rules), seed
        self.tablebase = None if tablebase is None else str(tablebase)
        self.source = open_source(self.rules, tablebase, men)
        self.bots = tuple(checked_bot(bot, self.game) for bot in bots)
        for bot in self.bots:
            if self.bots.count(bot) > 1:
                raise ValueError(f"the bot {bot} is given twice")
        if positions < 1:
            raise ValueError(f"positions must be at least 1, not {positions}")
        self.questions = find_questions(self.source, positions, seed=seed)
        if not self.questions:
            where = "there is" if tablebase is None else f"{tablebase} has"
            raise ValueError(f"{where} no position of {self.game} in which the choice matters")
        self.replies: dict[str, dict[int, Reply]] = {bot: {} for bot in self.bots}
        """Of each bot, by the question's number."""

    @property
    def sections(self) -> tuple[Section, ...]:
        """The kinds of questions, and how they are reported."""
        return self.source.sections

    @property
    def exact(self) -> tuple[Kind, ...]:
        """The kinds in which an answer is right or wrong."""
        return tuple(section.kind for section in self.sections if not section.delays)

    @property
    def planned(self) -> int:
        """How many answers there will be."""
        return len(self.bots) * len(self.questions)

    @property
    def done(self) -> int:
        """How many there are."""
        return sum(map(len, self.replies.values()))

    def sit(
        self,
        *,
        processes: int = 1,
        on: Executor | None = None,
        patience: float | None = PATIENCE,
        setup: Callable[[], object] | None = None,
    ) -> Generator[Sheet, None, None]:
        """Ask every bot every question; gives each as it is answered."""
        sheets = (
            Sheet(self.game, self.tablebase, question.index, bot, derived_seed(self.seed, question.index))
            for question in self.questions
            for bot in self.bots
        )
        where = on or Processes(workers=processes)
        files = bot_files(self.bots) | file_digests([self.tablebase or ""])
        going = where.map(ask, sheets, patience=patience, setup=partial(check_files, files, setup))
        with closing(going):
            for sheet, outcome in going:
                reply = lost_reply(outcome) if isinstance(outcome, TaskLost) else outcome
                self.replies[sheet.bot][sheet.position] = reply
                yield sheet

    def count(self, kind: Kind) -> int:
        """How many questions there are of a kind."""
        return sum(question.kind == kind for question in self.questions)

    def groups(self, kind: Kind) -> dict[str, int]:
        """How many questions of a kind there are in each group of distances to the end, from near to far."""
        found = sorted((one for one in self.questions if one.kind == kind), key=lambda one: one.plies)
        return dict(Counter(question.group for question in found))

    def marks(self, bot: str | None, *kinds: Kind, group: str | None = None) -> Marks:
        """What a bot has scored in questions of these kinds; without a bot, a random mover's expectation."""
        asked = [
            question
            for question in self.questions
            if question.kind in kinds and group in (None, question.group)
        ]
        if bot is None:
            return Marks.of(_anything(question.answers) for question in asked)
        replies = self.replies[bot]
        return Marks.of(
            [(question.answers[place], 1.0)] if (place := replies[question.index].place) is not None else []
            for question in asked
            if question.index in replies
        )

    def seconds(self, bot: str) -> float | None:
        """What a bot took for an answer, on average; where it failed does not count."""
        taken = [reply.seconds for reply in self.replies[bot].values() if reply.place is not None]
        return math.fsum(taken) / len(taken) if taken else None

    def faults(self) -> Counter[str]:
        """What went wrong, and how often."""
        return Counter(
            f"{bot}: {reply.fault}"
            for bot, replies in self.replies.items()
            for reply in replies.values()
            if reply.fault
        )


def open_source(game: Game, tablebase: str | Path | None = None, men: int | None = None) -> Source:
    """Where the questions of a game come from; ValueError where it has none, or the file is of another."""
    problems: Problems | None = getattr(game, "problems", None)
    if hasattr(game, "open_tablebase"):
        if tablebase is None:
            raise ValueError(f"the questions of {spec_of(game)} come from a tablebase, and none is given")
        return Endgames(game, tablebase, men)
    if problems is None:
        have = [name for name in games.names() if asks(games.get(name))]
        raise ValueError(f"{spec_of(game)} has no questions; these games have: {', '.join(have)}")
    if tablebase is not None or men is not None:
        raise ValueError(f"{spec_of(game)} has no tablebase; its questions need none, and no number of men")
    return Proven(problems)


def asks(game: object) -> bool:
    """Whether a game, or its class, can be asked for questions."""
    return hasattr(game, "open_tablebase") or hasattr(game, "problems")


def ask(sheet: Sheet) -> Reply:
    """Ask a bot a question: what a worker does."""
    state = _source(sheet.game, sheet.tablebase).position(sheet.position)
    rules: Game = getattr(state, "game", None) or as_game(
        sheet.game
    )  # where a game deals, its positions name one with the deal
    task = Task(game=spec_of(rules), players=(sheet.bot,) * players_of(rules), seed=sheet.seed)
    with Table(rules, task) as table:
        clock = time.perf_counter()
        place, fault = None, ""
        try:
            move = table.ask(state.player, state).move
            place, fault = (None, "resigned") if move is RESIGN else (list(state.moves()).index(move), "")
        except Failure as failure:
            fault = str(failure)
        reply = Reply(place, time.perf_counter() - clock, fault)
        heartbeat(OVER, json.dumps(reply))  # it has answered, whatever happens when it is put away
    return reply


def lost_reply(lost: TaskLost) -> Reply:
    """What is left of an answer whose worker died or hung."""
    if lost.who == OVER:
        return Reply(*json.loads(lost.log[-1]))
    if lost.who == NOBODY:
        raise ExecutorError(f"a worker was lost while no bot was thinking: {lost.detail}")
    return Reply(None, 0.0, lost.detail)


@functools.lru_cache(maxsize=1)
def _source(game: str, tablebase: str | None) -> Source:
    return open_source(as_game(game), tablebase)


def _anything(answers: Sequence[Answer]) -> list[tuple[Answer, float]]:
    return [(answer, 1 / len(answers)) for answer in answers]
