"""Why a value likes a move: the position after it, feature by feature.

A value V speaks for the side to move. After a move that is the opponent: the move is worth 1 − σ(V(next)) to
the player who makes it, and what features add turns its sign. For a linear value, in the mover's log-odds,

    −V(next) = −b + Σ −θ/(σ + ε) · (φ(next) − μ)

where φ are the features of the opponent, who is to move. Objectives add up in win probability instead,

    1 − v(next) = ½ + Σ −0.8·w/Σ|w| · (a(next) − ½).

Both are a base and a sum of terms, weight · (reading − usual reading).

Where cards are hidden, nobody knows the position after a move. Then all of these are means over deals that
fit what the mover has seen, always the same ones: positions that a seat cannot tell apart have one
explanation.
"""

from __future__ import annotations

import math
import random
from dataclasses import dataclass, field, replace
from statistics import fmean
from typing import Any, Literal, NamedTuple, TypeAlias

from tesuji.features import WeightedFeatures
from tesuji.game import CHANCE, Move, State, determinizations, text_of
from tesuji.knowledge import Reading, combine, shares
from tesuji.learn.linear import LinearValue

Unit: TypeAlias = Literal["log-odds", "win probability"]

DEALS = 200  # imagined where cards are hidden: the error of a probability is 0.04 at most, and it is quick
SAME = 1e-9  # what may be lost to rounding between a value and the sum of its parts


class Term(NamedTuple):
    """One feature of the position after a move, and what it adds for the mover."""

    name: str
    reading: float
    """As the `reader` of the explanation has it."""
    usual: float
    """The reading that adds nothing: the mean of the training positions, or ½ for an objective."""
    weight: float
    """What one more of it adds for the mover."""
    contribution: float
    """What it adds here: weight · (reading − usual)."""


Parts: TypeAlias = tuple[float, float, tuple[Term, ...]]
"""The total, the base, and the terms between them."""


class Difference(NamedTuple):
    """One feature after two moves; `difference` is what it speaks for the first, against the second."""

    name: str
    one: Term
    other: Term

    @property
    def difference(self) -> float:
        """The first move's contribution less the second's."""
        return self.one.contribution - self.other.contribution


@dataclass(frozen=True)
class Explanation:
    """A move, what it is worth to the player who makes it, and why."""

    move: Move
    text: str
    """The move as people write it."""
    after: State | None = field(repr=False)
    """The position after it; None where cards are hidden."""
    mover: int
    reader: int | None
    """From whose side the features are read: the player to move in `after`; None where the game is over, and
    where that is not always the same player."""
    score: float | None
    """The mover's score, where the move ends the game; then there are no terms."""
    probability: float
    """That the mover wins; the score where the game is over."""
    unit: Unit
    """In which the terms add up."""
    total: float | None
    """The base and all contributions: the mover's log-odds, or its win probability."""
    base: float
    """What is there without any feature: the bias, or ½."""
    terms: tuple[Term, ...] = field(repr=False)
    deals: int = 0
    """Over how many deals these are means; 0 where nothing is hidden."""

    def strongest(self, sign: int, count: int | None = None) -> list[Term]:
        """The terms that speak for the move (sign 1) or against it (−1), the strongest first."""
        found = [term for term in self.terms if sign * term.contribution > 0]
        return sorted(found, key=lambda term: -sign * term.contribution)[:count]

    def as_dict(self) -> dict[str, Any]:
        """Everything as plain data, for JSON."""
        return {
            "move": self.text,
            "probability": self.probability,
            "score": self.score,
            "total": self.total,
            "base": self.base,
            "reader": self.reader,
            "deals": self.deals,
            "terms": [term._asdict() for term in self.terms],
        }


def explain(state: State, value: Any, *, players: int = 2) -> list[Explanation]:
    """Every move of a position, best first, by a learned linear value or by objectives.

    >>> import tesuji
    >>> state = tesuji.replay("hex:size=5", "c3 d2")
    >>> best = explain(state, state.game.knowledge.objectives)[0]
    >>> best.text, round(best.probability, 3), best.strongest(1)[0].name
    ('c2', 0.645, 'near-win-within-1')
    >>> round(best.base + sum(term.contribution for term in best.terms), 3)
    0.645
    """
    if state.scores() is not None:
        raise ValueError("the game is over: there is no move to explain")
    if state.player == CHANCE:
        raise ValueError("nature moves next: there is no move to explain")
    hidden = hasattr(state, "determinize")
    positions = determinizations(state, random.Random(0), DEALS)
    found = []
    for move in state.moves():
        each = [_explain(one, move, value, players) for one in positions]
        found.append(_mean(each) if hidden else each[0])
    return sorted(found, key=_rank, reverse=True)


def differences(one: Explanation, other: Explanation) -> list[Difference]:
    """What tells two moves apart, the most important feature first; nothing where one ends the game."""
    if one.score is not None or other.score is not None:
        return []
    pairs = [Difference(mine.name, mine, theirs) for mine, theirs in zip(one.terms, other.terms, strict=True)]
    return sorted(pairs, key=lambda pair: -abs(pair.difference))


def _rank(explanation: Explanation) -> tuple[float, float]:
    """By probability; the log-odds tell where that is all but certain, and a won game is better still."""
    if explanation.score is None:
        return explanation.probability, explanation.total or 0.0
    return explanation.score, math.inf if explanation.score == 1 else -math.inf


def _explain(state: State, move: Move, value: Any, players: int) -> Explanation:
    after, mover, text = state.play(move), state.player, text_of(state, move)
    unit: Unit = "log-odds" if isinstance(value, LinearValue | WeightedFeatures) else "win probability"
    scores = after.scores()
    if scores is not None:
        score = float(scores[mover])
        return Explanation(move, text, after, mover, None, score, score, unit, None, 0.0, ())
    # Between two, a value is asked for the player to move, as the bots do; otherwise for the mover.
    reader = after.player if players == 2 and after.player != CHANCE else mover
    sign = 1.0 if reader == mover else -1.0
    if unit == "log-odds":
        if after.player == CHANCE:
            raise ValueError(
                f"after {text} nature moves, and a linear value judges where a player is to move"
            )
        total, base, terms = _logit_terms(value, after, mover, sign)
    else:
        total, base, terms = _objective_terms(value, after, reader, sign)
    worth = float(value.value(after, reader))
    probability = worth if reader == mover else 1.0 - worth
    return Explanation(move, text, after, mover, reader, None, probability, unit, total, base, terms)


def _mean(each: list[Explanation]) -> Explanation:
    """One explanation from those of a move in every deal; terms are of those in which the game goes on."""
    going = [one for one in each if one.score is None]
    readers = {one.reader for one in going}
    return replace(
        each[0],
        after=None,
        reader=readers.pop() if len(readers) == 1 else None,
        score=None if going else fmean(one.probability for one in each),
        probability=fmean(one.probability for one in each),
        total=fmean(one.total or 0.0 for one in going) if going else None,
        base=fmean(one.base for one in going) if going else 0.0,
        terms=tuple(
            Term(terms[0].name, *(fmean(column) for column in list(zip(*terms, strict=True))[1:]))
            for terms in zip(*(one.terms for one in going), strict=True)
        ),
        deals=len(each),
    )


def _term(name: str, reading: float, usual: float, weight: float) -> Term:
    return Term(name, reading, usual, weight, weight * (reading - usual))


def _logit_terms(value: LinearValue | WeightedFeatures, after: Any, mover: int, sign: float) -> Parts:
    readings = value(after, mover)
    if isinstance(value, LinearValue):
        logit, bias, usual = value.logit(after), value.bias_, value.mean_.tolist()
    else:
        logit, bias, usual = value.native.logit(after.core), value.bias, [0.0] * len(readings)
    terms = tuple(
        _term(name, reading, mean, weight)
        for (name, (reading, weight)), mean in zip(readings.items(), usual, strict=True)
    )
    return sign * logit, sign * bias, terms


def _objective_terms(value: Any, after: State, reader: int, sign: float) -> Parts:
    readings = _read(value, after, reader)
    weights = shares(readings)
    terms = tuple(_term(name, reading.value, 0.5, sign * weights[name]) for name, reading in readings.items())
    total = combine(readings)
    return (total if sign > 0 else 1.0 - total), 0.5, terms


def _read(value: Any, after: State, reader: int) -> dict[str, Reading]:
    """The objectives of a value; ValueError where it has none, or is not what they add up to."""
    readings = value(after, reader) if callable(value) and hasattr(value, "value") else None
    if not isinstance(readings, dict) or not all(isinstance(each, Reading) for each in readings.values()):
        raise ValueError(f"{value!r} is neither a linear value nor objectives, and cannot be explained")
    if abs(combine(readings) - value.value(after, reader)) > SAME:
        raise ValueError(f"the objectives of {value!r} do not add up to its value, and explain nothing")
    return readings
