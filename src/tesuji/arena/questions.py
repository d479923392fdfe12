"""Questions whose answers are certain, and what all exams share of finding them.

Where they come from is the game's matter: a tablebase that knows how positions end (`arena/endgames.py`), or
problems whose right moves the game itself can prove. Either is a `Source`.
"""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol, TypeAlias

from tesuji.game import Move, State
from tesuji.seeds import derived_seed

Kind: TypeAlias = str


class Answer(NamedTuple):
    """A legal move, and what it does to the game."""

    move: Move
    kept: bool
    """It is right: the score under best play is still the same."""
    wasted: int = 0
    """Plies by which a win comes later than it could, or a loss sooner."""


@dataclass(frozen=True)
class Question:
    """A position in which the choice matters: `Question(index=7, kind="win", plies=3, answers=(…))`."""

    index: int
    """The number of the position in its source."""
    kind: Kind
    plies: int
    """Of the win that it is about, or to the end of the game; 0 for a draw."""
    answers: tuple[Answer, ...]
    """One for each legal move, in their order."""
    group: str = ""
    """How far away the end is, as people read it: `1`, `7–9`, `21+`."""


class Section(NamedTuple):
    """A part of an exam: questions of one kind, and how they are reported."""

    kind: Kind
    name: str
    """Of many of them: `wins`."""
    heading: str
    """Of their column; what else is known has columns after it."""
    share: int = 1
    """Of the questions, beside the other sections; the first also gets what the others could not find."""
    by_plies: str = ""
    """The title of a table by plies; without one there is none."""
    timed: bool = False
    """The plies that answers waste are known."""
    delays: bool = False
    """Every move keeps the score, and the right ones last longest."""


class Source(Protocol):
    """Where questions come from."""

    @property
    def sections(self) -> tuple[Section, ...]:
        """The kinds of questions, in the order in which they are reported."""

    def candidates(self, kind: Kind, count: int, seed: int) -> Iterable[tuple[int, int]]:
        """Numbers of positions, each with a group; enough for so many questions, evenly from all groups."""

    def question(self, index: int) -> Question | None:
        """The question that a position asks; None where it asks none."""

    def position(self, index: int) -> State:
        """The position of a number."""


class Problems(Protocol):
    """What a game offers as `problems`: positions in which it can prove what is right."""

    @property
    def kinds(self) -> Mapping[Kind, Any]:
        """By name."""

    def find(self, kind: Kind, count: int, seed: int) -> list[tuple[int, int]]:
        """The numbers of problems of a kind, with the plies of the win that they are about."""

    def solve(self, number: int) -> tuple[Kind, int, frozenset[Move]] | None:
        """The kind, the plies and the right moves of a problem; None where it is none."""

    def position(self, number: int) -> Any:
        """The position of a problem."""


class Proven:
    """The questions that a game's problems ask: as many of each kind, evenly by plies."""

    def __init__(self, problems: Problems) -> None:
        self.problems = problems
        self.sections = tuple(
            Section(kind, kind, kind.replace(" ", "\n"), by_plies=f"{kind.capitalize()}, by the win's plies:")
            for kind in problems.kinds
        )

    def candidates(self, kind: Kind, count: int, seed: int) -> list[tuple[int, int]]:
        """Problems by number, each with its plies; a few more, for those that take too long to prove."""
        return self.problems.find(kind, count + count // 2, seed)

    def question(self, index: int) -> Question | None:
        """The question that a problem asks."""
        solved = self.problems.solve(index)
        if solved is None:
            return None
        kind, plies, right = solved
        moves = self.position(index).moves()
        return Question(index, kind, plies, tuple(Answer(move, move in right) for move in moves), str(plies))

    def position(self, index: int) -> State:
        """The position of a problem."""
        state: State = self.problems.position(index)
        return state


def find_questions(source: Source, count: int, *, seed: int = 1) -> list[Question]:
    """So many questions, in any order, by the shares of the source's sections."""
    whole = sum(section.share for section in source.sections)
    found: list[Question] = []
    for section in reversed(source.sections):
        first = section is source.sections[0]
        wanted = count - len(found) if first else count * section.share // whole
        found += itertools.islice(_in_turn(source, section.kind, wanted, seed), wanted)
    random.Random(derived_seed(seed, "order")).shuffle(found)
    return found


def _in_turn(source: Source, kind: Kind, wanted: int, seed: int) -> Iterator[Question]:
    """Questions of a kind, in turn from each group."""
    groups: dict[int, list[int]] = {}
    for index, group in source.candidates(kind, wanted, seed):
        groups.setdefault(group, []).append(index)
    asked = [map(source.question, groups[group]) for group in sorted(groups)]
    # A limit of the game may have made one another kind.
    fitting = [(found for found in each if found is not None and found.kind == kind) for each in asked]
    for row in itertools.zip_longest(*fitting):
        yield from (found for found in row if found is not None)
