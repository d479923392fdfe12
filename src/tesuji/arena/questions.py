"""Questions whose answers are certain: positions of a tablebase in which the choice matters.

    win    some moves keep the win and some throw it away
    draw   some moves hold the draw and some lose
    loss   every move loses, some later than others

What a move is worth is looked up after it: a question rests on the rules, and on what the tablebase knows of
the positions that follow. Most wins are a move or two away from the end and would drown the rest, so wins and
losses are taken evenly from groups of distances.
"""

from __future__ import annotations

import itertools
import random
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, NamedTuple, Protocol, TypeAlias, get_args

from tesuji.arena.playing import derived_seed
from tesuji.game import Game, Move, State
from tesuji.registry import games, spec_of

Kind: TypeAlias = Literal["win", "draw", "loss"]
KINDS: tuple[Kind, ...] = get_args(Kind)

GROUPS = ((1, 2), (3, 4), (5, 6), (7, 10), (11, 20), (21, None))
"""Plies to the end, first and last of each group: odd ones are wins, even ones losses."""
TRIES = 50  # positions looked at for each question wanted: far ends are rare (21 plies and more: 1 win in 40)


class Truth(Protocol):
    """What knows how positions end under best play: the tablebase of a game."""

    def probe(self, state: Any) -> tuple[float, int] | None:
        """The mover's score and the plies to the end; None where it does not know the position."""

    def sample(self, kind: Kind, count: int, seed: int, men: int | None = None) -> list[int]:
        """The numbers of so many positions of a kind, or of all that there are, in random order."""

    def entry(self, index: int) -> int:
        """The plies to the end from there, without limits; 0 for a draw."""

    def position(self, index: int, game: Any) -> Any:
        """The position of a number, as one of this game: with its limits, and none of them used up."""


class Answer(NamedTuple):
    """A legal move, and what it does to the game."""

    move: Move
    kept: bool
    """The score under best play is still the same."""
    wasted: int
    """Plies by which a win comes later than it could, or a loss sooner."""


@dataclass(frozen=True)
class Question:
    """A position in which the choice matters: `Question(index=7, kind="win", plies=3, answers=(…))`."""

    index: int
    """The number of the position in the tablebase."""
    kind: Kind
    plies: int
    """To the end of the game under best play; 0 for a draw."""
    answers: tuple[Answer, ...]
    """One for each legal move, in their order."""

    @property
    def group(self) -> str:
        """How far away the end is: `1`, `7–9`, `21+`; empty for a draw."""
        return "" if self.kind == "draw" else group_name(self.kind, _place(self.plies))


def group_name(kind: Kind, place: int) -> str:
    """A group of distances as people read it.

    >>> [group_name("win", place) for place in range(len(GROUPS))]
    ['1', '3', '5', '7–9', '11–19', '21+']
    >>> group_name("loss", 3)
    '8–10'
    """
    shift = 1 if kind == "loss" else 0
    first, last = GROUPS[place]
    first += shift
    if last is None:
        return f"{first}+"
    last -= 1 - shift
    return str(first) if first == last else f"{first}–{last}"


def open_truth(game: Game, path: str | Path) -> Truth:
    """The tablebase in a file; ValueError where the game has none, or the file is none of this game."""
    opener: Any = getattr(game, "open_tablebase", None)
    if opener is None:
        have = [name for name in games.names() if hasattr(games.get(name), "open_tablebase")]
        raise ValueError(f"{spec_of(game)} has no tablebase; these games have: {', '.join(have)}")
    truth: Truth = opener(path)
    return truth


def question(truth: Truth, game: Game, index: int) -> Question | None:
    """The question that a position asks; None where all moves are equally good, or one is not known."""
    state = truth.position(index, game)
    endings = [_ending(truth, state, move) for move in state.moves()]
    known = [ending for ending in endings if ending is not None]
    if not known or len(known) < len(endings):
        return None
    score = max(score for score, _ in known)
    kind: Kind = "win" if score == 1 else "loss" if score == 0 else "draw"
    lengths = [plies for worth, plies in known if worth == score]
    best = 0 if kind == "draw" else max(lengths) if kind == "loss" else min(lengths)
    answers = tuple(
        Answer(move, worth == score, abs(plies - best) if worth == score != 0.5 else 0)
        for move, (worth, plies) in zip(state.moves(), known, strict=True)
    )
    matters = len(set(lengths)) > 1 if kind == "loss" else len(lengths) < len(known)
    return Question(index, kind, best, answers) if matters else None


def find_questions(
    truth: Truth, game: Game, count: int, *, men: int | None = None, seed: int = 1
) -> list[Question]:
    """So many questions, in any order: half wins, a quarter draws, a quarter losses.

    Where there are not enough draws or losses, there are more wins.
    """
    found = _find(truth, game, "draw", count // 4, men, seed)
    found += _find(truth, game, "loss", count // 4, men, seed)
    found += _find(truth, game, "win", count - len(found), men, seed)
    random.Random(derived_seed(seed, "order")).shuffle(found)
    return found


def _find(truth: Truth, game: Game, kind: Kind, wanted: int, men: int | None, seed: int) -> list[Question]:
    """Questions of a kind, in turn from each group of distances until there are enough."""
    groups: list[list[Question]] = [[] for _ in GROUPS]
    for index in truth.sample(kind, TRIES * wanted, derived_seed(seed, kind), men):
        group = groups[_place(truth.entry(index))]
        found = question(truth, game, index) if len(group) < wanted else None
        if found is not None and found.kind == kind:  # a limit of the game may have made it another
            group.append(found)
    in_turn = itertools.chain.from_iterable(itertools.zip_longest(*groups))
    return [found for found in in_turn if found is not None][:wanted]


def _ending(truth: Truth, state: State, move: Move) -> tuple[float, int] | None:
    """The mover's score after a move, and the plies to the end with it."""
    after = state.play(move)
    scores = after.scores()
    if scores is not None:
        return float(scores[state.player]), 1
    known = truth.probe(after)
    if known is None:
        return None
    score, plies = known
    return score if after.player == state.player else 1 - score, plies + 1


def _place(plies: int) -> int:
    return next(place for place, (_, last) in enumerate(GROUPS) if last is None or plies <= last)
