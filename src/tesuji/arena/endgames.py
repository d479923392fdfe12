"""Questions from a tablebase: positions in which the choice matters.

    win    some moves keep the win and some do not
    draw   some moves keep the draw and some lose
    loss   every move loses, some later than others

A move is graded by the tablebase entry of the position after it. Most wins are one or two moves from the end,
so wins and losses are sampled evenly from groups of distances.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any, Literal, Protocol, TypeAlias

from tesuji._helpers.seeds import derived_seed
from tesuji.arena.questions import GradedMove, Question, Section
from tesuji.full_game import FullGame, FullState, Move

Ending: TypeAlias = Literal["win", "draw", "loss"]

GROUPS = ((1, 2), (3, 4), (5, 6), (7, 10), (11, 20), (21, None))
"""Groups by plies to the end, inclusive; odd distances are wins, even ones losses."""
TRIES = 50  # positions sampled per question: long wins are rare (21 plies and more: 1 in 40)


class EndgameTablebase(Protocol):
    """The tablebase of a game: results under best play."""

    def probe(self, state: Any) -> tuple[float, int] | None:
        """The score of the side to move and the plies to the end; None if not in the tablebase."""

    def sample(self, kind: Ending, count: int, seed: int, men: int | None = None) -> list[int]:
        """Up to `count` indices of positions of a kind, in random order."""

    def entry(self, index: int) -> int:
        """Plies to the end, ignoring move limits; 0 for a draw."""

    def position(self, index: int, game: Any) -> Any:
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
        ending: Any = kind
        for index in self.tablebase.sample(ending, TRIES * count, derived_seed(seed, kind), self.men):
            yield index, _group(self.tablebase.entry(index))

    def position(self, index: int) -> FullState:
        """The position of an index."""
        state: FullState = self.tablebase.position(index, self.game)
        return state

    def question(self, index: int) -> Question | None:
        """The question of a position; None if all moves are equally good, or one is unknown."""
        state = self.position(index)
        endings = [_ending(self.tablebase, state, move) for move in state.moves()]
        known = [ending for ending in endings if ending is not None]
        if not known or len(known) < len(endings):
            return None
        score = max(score for score, _ in known)
        kind: Ending = "win" if score == 1 else "loss" if score == 0 else "draw"
        lengths = [plies for worth, plies in known if worth == score]
        best = 0 if kind == "draw" else max(lengths) if kind == "loss" else min(lengths)
        moves = tuple(
            GradedMove(move, worth == score, abs(plies - best) if worth == score != 0.5 else 0)
            for move, (worth, plies) in zip(state.moves(), known, strict=True)
        )
        matters = len(set(lengths)) > 1 if kind == "loss" else len(lengths) < len(known)
        name = "" if kind == "draw" else group_name(kind, _group(best))
        return Question(index, kind, best, moves, name) if matters else None


def group_name(kind: Ending, group: int) -> str:
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


def _ending(tablebase: EndgameTablebase, state: FullState, move: Move) -> tuple[float, int] | None:
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
