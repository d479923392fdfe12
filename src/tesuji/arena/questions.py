"""Exam questions whose correct moves are certain.

They come from a `Source`: problems whose correct moves the game can prove, or a tablebase, for positions in
which the choice matters:

    win    some moves keep the win and some do not
    draw   some moves keep the draw and some lose
    loss   every move loses, some later than others

A move is graded by the tablebase entry of the position after it. Most wins are one or two moves from the end,
so wins and losses are sampled evenly from groups of distances.
"""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, NamedTuple, Protocol, TypeAlias

from tesuji._helpers.seeds import derived_seed
from tesuji.full_game import FullGame, FullState, Move

Outcome: TypeAlias = Literal["win", "draw", "loss"]

GROUPS = ((1, 2), (3, 4), (5, 6), (7, 10), (11, 20), (21, None))
"""Groups by plies to the end, inclusive; odd distances are wins, even ones losses."""
TRIES = 50  # positions sampled per question: long wins are rare (21 plies and more: 1 in 40)


class GradedMove(NamedTuple):
    """A legal move and its effect."""

    move: Move
    kept: bool
    """Whether the score under best play stays the same: the move is correct."""
    wasted: int = 0
    """Plies by which it delays a win, or hastens a loss."""


@dataclass(frozen=True)
class Question:
    """A position in which the choice matters: `Question(index=7, kind="win", plies=3, moves=(…))`."""

    index: int
    """The index of the position in its source."""
    kind: str
    plies: int
    """Length of the win in question, or distance to the end; 0 for a draw."""
    moves: tuple[GradedMove, ...]
    """All legal moves, in order."""
    group: str = ""
    """The range of plies, for the report: `1`, `7–9`, `21+`."""


class Section(NamedTuple):
    """A part of an exam: questions of one kind, and their report."""

    kind: str
    name: str
    """Plural, for texts: `wins`."""
    heading: str
    """Column heading."""
    share: int = 1
    """Relative number of questions; the first section also fills in for the others."""
    by_plies: str = ""
    """Title of the table by plies; empty: no table."""
    timed: bool = False
    """Whether wasted plies are known."""
    delays: bool = False
    """Whether every move keeps the score, and the correct ones last longest."""


class Source(Protocol):
    """A source of questions."""

    @property
    def sections(self) -> tuple[Section, ...]:
        """The kinds of questions, in the order of the report."""

    def candidates(self, kind: str, count: int, seed: int) -> Iterable[tuple[int, int]]:
        """(Index, group) of positions: enough for `count` questions, evenly from all groups."""

    def question(self, index: int) -> Question | None:
        """The question of a position; None if it is not one."""

    def position(self, index: int) -> FullState:
        """The position of an index."""


class Problems(Protocol):
    """A game's `problems`: positions in which it can prove the correct moves."""

    @property
    def kinds(self) -> Mapping[str, object]:
        """By name."""

    def find(self, kind: str, count: int, seed: int) -> list[tuple[int, int]]:
        """(Number, plies of the win) of problems of a kind."""

    def solve(self, number: int) -> tuple[str, int, frozenset[Move]] | None:
        """The kind, the plies and the correct moves of a problem; None if there is no such problem."""

    def position(self, number: int) -> FullState:
        """The position of a problem."""


class ProblemSource:
    """Questions from a game's problems: equally many of each kind, evenly by plies."""

    def __init__(self, problems: Problems) -> None:
        self.problems = problems
        self.sections = tuple(
            Section(kind, kind, kind.replace(" ", "\n"), by_plies=f"{kind.capitalize()}, by the win's plies:")
            for kind in problems.kinds
        )

    def candidates(self, kind: str, count: int, seed: int) -> list[tuple[int, int]]:
        """(Number, plies) of problems; more than needed, because some take too long to prove."""
        return self.problems.find(kind, count + count // 2, seed)

    def question(self, index: int) -> Question | None:
        """The question of a problem."""
        solved = self.problems.solve(index)
        if solved is None:
            return None
        kind, plies, right = solved
        moves = self.position(index).moves()
        graded = tuple(GradedMove(move, move in right) for move in moves)
        return Question(index, kind, plies, graded, str(plies))

    def position(self, index: int) -> FullState:
        """The position of a problem."""
        return self.problems.position(index)


class EndgameTablebase(Protocol):
    """The tablebase of a game: results under best play."""

    def probe(self, state: FullState) -> tuple[float, int] | None:
        """The score of the side to move and the plies to the end; None if not in the tablebase."""

    def sample(self, kind: Outcome, count: int, seed: int, men: int | None = None) -> list[int]:
        """Up to `count` indices of positions of a kind, in random order."""

    def entry(self, index: int) -> int:
        """Plies to the end, ignoring move limits; 0 for a draw."""

    def position(self, index: int, game: FullGame) -> FullState:
        """The position of an index, with the move limits of this game not yet used up."""


class Endgames:
    """Questions from a tablebase; with `men`, only positions with exactly that many men.

    Half are wins, a quarter draws and a quarter losses; missing draws and losses are replaced by wins.
    """

    sections = (
        Section(
            "win", "wins", "wins\nkept", 2, "Wins, and the share kept by the plies to the end:", timed=True
        ),
        Section("draw", "draws", "draws\nheld"),
        Section("loss", "losses", "longest\ndefence", delays=True),
    )

    def __init__(self, game: FullGame, path: str | Path, men: int | None = None) -> None:
        self.game, self.path, self.men = game, path, men
        self.tablebase: EndgameTablebase = game.open_tablebase(path)

    def candidates(self, kind: str, count: int, seed: int) -> Iterator[tuple[int, int]]:
        """(Index, group of distances) of sampled positions."""
        outcome: Any = kind
        for index in self.tablebase.sample(outcome, TRIES * count, derived_seed(seed, kind), self.men):
            yield index, _group(self.tablebase.entry(index))

    def position(self, index: int) -> FullState:
        """The position of an index."""
        return self.tablebase.position(index, self.game)

    def question(self, index: int) -> Question | None:
        """The question of a position; None if all moves are equally good, or one is unknown."""
        state = self.position(index)
        outcomes = [_outcome(self.tablebase, state, move) for move in state.moves()]
        known = [outcome for outcome in outcomes if outcome is not None]
        if not known or len(known) < len(outcomes):
            return None
        score = max(score for score, _ in known)
        kind: Outcome = "win" if score == 1 else "loss" if score == 0 else "draw"
        lengths = [plies for worth, plies in known if worth == score]
        best = 0 if kind == "draw" else max(lengths) if kind == "loss" else min(lengths)
        moves = tuple(
            GradedMove(move, worth == score, abs(plies - best) if worth == score != 0.5 else 0)
            for move, (worth, plies) in zip(state.moves(), known, strict=True)
        )
        matters = len(set(lengths)) > 1 if kind == "loss" else len(lengths) < len(known)
        name = "" if kind == "draw" else group_name(kind, _group(best))
        return Question(index, kind, best, moves, name) if matters else None


def group_name(kind: Outcome, group: int) -> str:
    """The distances of a group, for the report.

    >>> [group_name("win", group) for group in range(len(GROUPS))]
    ['1', '3', '5', '7–9', '11–19', '21+']
    >>> group_name("loss", 3)
    '8–10'
    """
    shift = 1 if kind == "loss" else 0
    first, last = GROUPS[group]
    first += shift
    if last is None:
        return f"{first}+"
    last -= 1 - shift
    return str(first) if first == last else f"{first}–{last}"


def _outcome(tablebase: EndgameTablebase, state: FullState, move: Move) -> tuple[float, int] | None:
    """The score of the side to move after a move, and the plies to the end including it."""
    after = state.play(move)
    scores = after.scores()
    if scores is not None:
        return float(scores[state.player]), 1
    known = tablebase.probe(after)
    if known is None:
        return None
    score, plies = known
    return score if after.player == state.player else 1 - score, plies + 1


def _group(plies: int) -> int:
    return next(group for group, (_, last) in enumerate(GROUPS) if last is None or plies <= last)


def find_questions(source: Source, count: int, *, seed: int = 1) -> list[Question]:
    """Find `count` questions by the shares of the source's sections, shuffled."""
    whole = sum(section.share for section in source.sections)
    found: list[Question] = []
    for section in reversed(source.sections):
        first = section is source.sections[0]
        wanted = count - len(found) if first else count * section.share // whole
        found += itertools.islice(_round_robin(source, section.kind, wanted, seed), wanted)
    random.Random(derived_seed(seed, "order")).shuffle(found)
    return found


def _round_robin(source: Source, kind: str, wanted: int, seed: int) -> Iterator[Question]:
    """Questions of a kind, one group after another."""
    groups: dict[int, list[int]] = {}
    for index, group in source.candidates(kind, wanted, seed):
        groups.setdefault(group, []).append(index)
    questions = [map(source.question, groups[group]) for group in sorted(groups)]
    # A move limit of the game may change the kind of a question.
    fitting = [(found for found in each if found is not None and found.kind == kind) for each in questions]
    for row in itertools.zip_longest(*fitting):
        yield from (found for found in row if found is not None)
