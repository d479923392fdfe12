"""An exam: how often does a bot play a provably correct move?

All bots get the same questions: positions in which the choice of move matters and the correct moves are
known. A bot is created for each question with a seed derived from it, so its score depends neither on the
order nor on the number of processes, as long as its budget is in iterations, not seconds.

The expected score of a random mover follows from the questions without playing, and is the baseline.
"""

from __future__ import annotations

import functools
import json
import math
import time
from collections import Counter
from collections.abc import Generator, Iterable, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple, Unpack

from tesuji._helpers.seeds import derived_seed
from tesuji.adapter import offers
from tesuji.any_game import Game
from tesuji.any_game import game as as_game
from tesuji.arena.elo import Z95, Estimate
from tesuji.arena.match import Where, bot_files, checked_bot, run_tasks
from tesuji.arena.playing import GAME_OVER, BotFailure, GameBots, Task
from tesuji.arena.questions import (
    Endgames,
    GradedMove,
    Problems,
    ProblemSource,
    Section,
    Source,
    find_questions,
)
from tesuji.bots import RESIGN
from tesuji.full_game import FullGame
from tesuji.registry import games, spec_of
from tesuji.scale import ExecutorError
from tesuji.scale.build_check import file_digests
from tesuji.scale.processes import NOBODY, TaskLost, heartbeat


class ExamTask(NamedTuple):
    """One question for one bot: the task of a worker."""

    game: str
    tablebase: str | None
    position: int
    """Its index in the tablebase, or among the game's problems."""
    bot: str
    seed: int


class Reply(NamedTuple):
    """A bot's answer: the index of its move among the legal moves; None if it failed."""

    move_index: int | None
    seconds: float
    fault: str = ""


@dataclass(frozen=True)
class ExamScore:
    """The score in some questions; fractional for the expectation of a random mover.

    >>> score = ExamScore.of([[(GradedMove("a", True, 2), 1.0)], [(GradedMove("b", False, 0), 1.0)]])
    >>> score.asked, score.kept, score.best, score.mean_wasted
    (2, 1.0, 0.0, 2.0)
    """

    asked: int
    kept: float
    """Moves that kept the value of the position."""
    best: float
    """Moves that kept the value and wasted no ply."""
    wasted: float
    """Plies wasted by moves that kept the value."""

    @classmethod
    def of(cls, given: Iterable[Iterable[tuple[GradedMove, float]]]) -> ExamScore:
        """Score the moves given in each question, with their probabilities."""
        questions = [list(moves) for moves in given]
        kept = [(move, chance) for moves in questions for move, chance in moves if move.kept]
        return cls(
            len(questions),
            math.fsum(chance for _, chance in kept),
            math.fsum(chance for move, chance in kept if not move.wasted),
            math.fsum(chance * move.wasted for move, chance in kept),
        )

    @property
    def mean_wasted(self) -> float | None:
        """Mean plies wasted by moves that kept the value; None if none did."""
        return self.wasted / self.kept if self.kept else None


def wilson(part: float, whole: int) -> Estimate:
    """A proportion with its Wilson score interval (E. B. Wilson, 1927), which stays within [0, 1].

    >>> "{:.3f} [{:.3f}, {:.3f}]".format(*wilson(20, 20))
    '1.000 [0.839, 1.000]'
    """
    if not whole:
        return Estimate(math.nan, 0.0, 1.0)
    middle = (part + Z95**2 / 2) / (whole + Z95**2)
    margin = Z95 / (whole + Z95**2) * math.sqrt(part * (whole - part) / whole + Z95**2 / 4)
    return Estimate(part / whole, max(middle - margin, 0.0), min(middle + margin, 1.0))


class Exam:
    """Questions and replies: `Exam("gomoku", None, ["random", "greedy"])`, then `run()`.

    `men` restricts the questions from a tablebase to positions with this many men.
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
                raise ValueError(f"bot {bot} is given twice; list each bot once")
        if positions < 1:
            raise ValueError(f"positions must be at least 1, not {positions}")
        self.questions = find_questions(self.source, positions, seed=seed)
        if not self.questions:
            where = "" if tablebase is None else f" in {tablebase}"
            raise ValueError(f"no position of {self.game}{where} in which the choice of move matters")
        self.replies: dict[str, dict[int, Reply]] = {bot: {} for bot in self.bots}
        """By bot and index of the question."""

    @property
    def sections(self) -> tuple[Section, ...]:
        """The kinds of questions, for the report."""
        return self.source.sections

    @property
    def exact(self) -> tuple[str, ...]:
        """The kinds in which a move is right or wrong."""
        return tuple(section.kind for section in self.sections if not section.delays)

    @property
    def planned(self) -> int:
        """Total number of replies."""
        return len(self.bots) * len(self.questions)

    @property
    def done(self) -> int:
        """Number of replies so far."""
        return sum(map(len, self.replies.values()))

    def run(self, **where: Unpack[Where]) -> Generator[ExamTask, None, None]:
        """Ask every bot every question; yields each task as it is completed."""
        tasks = (
            ExamTask(self.game, self.tablebase, question.index, bot, derived_seed(self.seed, question.index))
            for question in self.questions
            for bot in self.bots
        )
        files = bot_files(self.bots) | file_digests([self.tablebase or ""])
        finished = run_tasks(ask, tasks, files, **where)
        with closing(finished):
            for task, outcome in finished:
                reply = lost_reply(outcome) if isinstance(outcome, TaskLost) else outcome
                self.replies[task.bot][task.position] = reply
                yield task

    def count(self, kind: str) -> int:
        """Number of questions of a kind."""
        return sum(question.kind == kind for question in self.questions)

    def groups(self, kind: str) -> dict[str, int]:
        """Number of questions of a kind by distance to the end, shortest first."""
        found = sorted((one for one in self.questions if one.kind == kind), key=lambda one: one.plies)
        return dict(Counter(question.group for question in found))

    def score(self, bot: str | None, *kinds: str, group: str | None = None) -> ExamScore:
        """The score of a bot in questions of these kinds; None: the expectation of a random mover."""
        asked = [
            question
            for question in self.questions
            if question.kind in kinds and group in (None, question.group)
        ]
        if bot is None:
            return ExamScore.of(_uniform(question.moves) for question in asked)
        replies = self.replies[bot]
        return ExamScore.of(
            [(question.moves[index], 1.0)]
            if (index := replies[question.index].move_index) is not None
            else []
            for question in asked
            if question.index in replies
        )

    def seconds(self, bot: str) -> float | None:
        """Mean seconds per reply, without failures; None if there is none."""
        taken = [reply.seconds for reply in self.replies[bot].values() if reply.move_index is not None]
        return math.fsum(taken) / len(taken) if taken else None

    def faults(self) -> Counter[str]:
        """Faults with their counts."""
        return Counter(
            f"{bot}: {reply.fault}"
            for bot, replies in self.replies.items()
            for reply in replies.values()
            if reply.fault
        )


def open_source(game: FullGame, tablebase: str | Path | None = None, men: int | None = None) -> Source:
    """The source of a game's questions; ValueError if it has none, or the file is for another game."""
    problems: Problems | None = game.problems
    if game.has_tablebases:
        if tablebase is None:
            raise ValueError(f"an exam of {spec_of(game)} needs a tablebase")
        return Endgames(game, tablebase, men)
    if problems is None:
        have = [name for name in games.names() if has_questions(games.get(name))]
        raise ValueError(f"{spec_of(game)} has no exam questions; games that have: {', '.join(have)}")
    if tablebase is not None or men is not None:
        raise ValueError(f"{spec_of(game)} has no tablebase; leave out the tablebase and the number of men")
    return ProblemSource(problems)


def has_questions(game: object) -> bool:
    """Whether a game, or its class, has exam questions."""
    return offers(game, "open_tablebase") or offers(game, "problems")


def ask(task: ExamTask) -> Reply:
    """Ask a bot a question, in a worker."""
    state = _source(task.game, task.tablebase).position(task.position)
    # A position may fix the deal of its game.
    rules = state.game
    game = Task(game=spec_of(rules), players=(task.bot,) * rules.players, seed=task.seed)
    with GameBots(rules, game) as players:
        began = time.perf_counter()
        index, fault = None, ""
        try:
            move = players.choose(state.player, state).move
            index, fault = (None, "resigned") if move is RESIGN else (list(state.moves()).index(move), "")
        except BotFailure as failure:
            fault = str(failure)
        reply = Reply(index, time.perf_counter() - began, fault)
        heartbeat(GAME_OVER, json.dumps(reply))  # the reply counts even if closing the bot fails
    return reply


def lost_reply(lost: TaskLost) -> Reply:
    """The reply of a bot whose worker died or hung."""
    if lost.who == GAME_OVER:
        return Reply(*json.loads(lost.log[-1]))
    if lost.who == NOBODY:
        raise ExecutorError(f"a worker was lost while no bot was thinking: {lost.detail}")
    return Reply(None, 0.0, lost.detail)


@functools.lru_cache(maxsize=1)
def _source(game: str, tablebase: str | None) -> Source:
    return open_source(as_game(game), tablebase)


def _uniform(moves: Sequence[GradedMove]) -> list[tuple[GradedMove, float]]:
    return [(move, 1 / len(moves)) for move in moves]
