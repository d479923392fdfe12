"""Exam questions whose correct moves are certain.

They come from a `Source`: a tablebase (`arena/endgames.py`), or problems whose correct moves the game can
prove.
"""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol, TypeAlias

from tesuji._helpers.seeds import derived_seed
from tesuji.full_game import FullState, Move

Kind: TypeAlias = str


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
    kind: Kind
    plies: int
    """Length of the win in question, or distance to the end; 0 for a draw."""
    moves: tuple[GradedMove, ...]
    """All legal moves, in order."""
    group: str = ""
    """The range of plies, for the report: `1`, `7–9`, `21+`."""


class Section(NamedTuple):
    """A part of an exam: questions of one kind, and their report."""

    kind: Kind
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

    def candidates(self, kind: Kind, count: int, seed: int) -> Iterable[tuple[int, int]]:
        """(Index, group) of positions: enough for `count` questions, evenly from all groups."""

    def question(self, index: int) -> Question | None:
        """The question of a position; None if it is not one."""

    def position(self, index: int) -> FullState:
        """The position of an index."""


class Problems(Protocol):
    """A game's `problems`: positions in which it can prove the correct moves."""

    @property
    def kinds(self) -> Mapping[Kind, Any]:
        """By name."""

    def find(self, kind: Kind, count: int, seed: int) -> list[tuple[int, int]]:
        """(Number, plies of the win) of problems of a kind."""

    def solve(self, number: int) -> tuple[Kind, int, frozenset[Move]] | None:
        """The kind, the plies and the correct moves of a problem; None if there is no such problem."""

    def position(self, number: int) -> Any:
        """The position of a problem."""


class ProblemSource:
    """Questions from a game's problems: equally many of each kind, evenly by plies."""

    def __init__(self, problems: Problems) -> None:
        self.problems = problems
        self.sections = tuple(
            Section(kind, kind, kind.replace(" ", "\n"), by_plies=f"{kind.capitalize()}, by the win's plies:")
            for kind in problems.kinds
        )

    def candidates(self, kind: Kind, count: int, seed: int) -> list[tuple[int, int]]:
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
        state: FullState = self.problems.position(index)
        return state


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


def _round_robin(source: Source, kind: Kind, wanted: int, seed: int) -> Iterator[Question]:
    """Questions of a kind, one group after another."""
    groups: dict[int, list[int]] = {}
    for index, group in source.candidates(kind, wanted, seed):
        groups.setdefault(group, []).append(index)
    questions = [map(source.question, groups[group]) for group in sorted(groups)]
    # A move limit of the game may change the kind of a question.
    fitting = [(found for found in each if found is not None and found.kind == kind) for each in questions]
    for row in itertools.zip_longest(*fitting):
        yield from (found for found in row if found is not None)
