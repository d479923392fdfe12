"""Questions from a tablebase: positions in which the choice matters.

    win    some moves keep the win and some throw it away
    draw   some moves hold the draw and some lose
    loss   every move loses, some later than others

What a move is worth is looked up after it: a question rests on the rules, and on what the tablebase knows of
the positions that follow. Most wins are a move or two away from the end and would drown the rest, so wins and
losses are taken evenly from groups of distances.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any, Literal, Protocol, TypeAlias

from tesuji.arena.questions import Answer, Question, Section
from tesuji.game import Game, Move, State
from tesuji.seeds import derived_seed

Ending: TypeAlias = Literal["win", "draw", "loss"]

GROUPS = ((1, 2), (3, 4), (5, 6), (7, 10), (11, 20), (21, None))
"""Plies to the end, first and last of each group: odd ones are wins, even ones losses."""
TRIES = 50  # positions looked at for each question wanted: far ends are rare (21 plies and more: 1 win in 40)


class Truth(Protocol):
    """What knows how positions end under best play: the tablebase of a game."""

    def probe(self, state: Any) -> tuple[float, int] | None:
        """The mover's score and the plies to the end; None where it does not know the position."""

    def sample(self, kind: Ending, count: int, seed: int, men: int | None = None) -> list[int]:
        """The numbers of so many positions of a kind, or of all that there are, in random order."""

    def entry(self, index: int) -> int:
        """The plies to the end from there, without limits; 0 for a draw."""

    def position(self, index: int, game: Any) -> Any:
        """The position of a number, as one of this game: with its limits, and none of them used up."""


class Endgames:
    """The questions of a tablebase; with `men`, only those with exactly so many men on the board.

    Half are wins, a quarter draws and a quarter losses; where there are not enough of these, more wins.
    """

    sections = (
        Section(
            "win", "wins", "wins\nkept", 2, "Wins, and the share kept by the plies to the end:", timed=True
        ),
        Section("draw", "draws", "draws\nheld"),
        Section("loss", "losses", "longest\ndefence", delays=True),
    )

    def __init__(self, game: Game, path: str | Path, men: int | None = None) -> None:
        opener: Any = game.open_tablebase  # type: ignore[attr-defined]
        self.game, self.path, self.men = game, path, men
        self.truth: Truth = opener(path)

    def candidates(self, kind: str, count: int, seed: int) -> Iterator[tuple[int, int]]:
        """Positions by number, each with its group of distances."""
        ending: Any = kind
        for index in self.truth.sample(ending, TRIES * count, derived_seed(seed, kind), self.men):
            yield index, _place(self.truth.entry(index))

    def position(self, index: int) -> State:
        """The position of a number."""
        state: State = self.truth.position(index, self.game)
        return state

    def question(self, index: int) -> Question | None:
        """The question that a position asks; None where all moves are equally good, or one is not known."""
        state = self.position(index)
        endings = [_ending(self.truth, state, move) for move in state.moves()]
        known = [ending for ending in endings if ending is not None]
        if not known or len(known) < len(endings):
            return None
        score = max(score for score, _ in known)
        kind: Ending = "win" if score == 1 else "loss" if score == 0 else "draw"
        lengths = [plies for worth, plies in known if worth == score]
        best = 0 if kind == "draw" else max(lengths) if kind == "loss" else min(lengths)
        answers = tuple(
            Answer(move, worth == score, abs(plies - best) if worth == score != 0.5 else 0)
            for move, (worth, plies) in zip(state.moves(), known, strict=True)
        )
        matters = len(set(lengths)) > 1 if kind == "loss" else len(lengths) < len(known)
        group = "" if kind == "draw" else group_name(kind, _place(best))
        return Question(index, kind, best, answers, group) if matters else None


def group_name(kind: Ending, place: int) -> str:
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
