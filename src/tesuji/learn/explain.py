"""Explanations of moves: the value of the position after a move as a sum over features.

A value V is for the side to move, which after a move is the opponent. So a move is worth 1 − σ(V(next)) to
the player who makes it, and contributions change their sign. For a linear value, in the mover's log-odds,

    −V(next) = −b + Σ −θ/(σ + ε) · (φ(next) − μ)

where φ are the features for the opponent, who is to move. Objectives are summed in win probability instead,

    1 − v(next) = ½ + Σ −0.8·w/Σ|w| · (a(next) − ½).

Both are a base plus a sum of terms, weight · (reading − usual reading).

In games with hidden cards all of these are means over deals that are consistent with what the mover has
seen. The sampling is deterministic, so positions that a player cannot tell apart have the same explanation.
"""

from __future__ import annotations

import math
import random
from dataclasses import dataclass, field, replace
from statistics import fmean
from typing import Any, Literal, NamedTuple, TypeAlias

from tesuji.adapter import full_state
from tesuji.any_game import State, determinizations
from tesuji.features import WeightedFeatures
from tesuji.full_game import CHANCE, FullState, Move
from tesuji.knowledge import Reading, combine, shares
from tesuji.models.linear import TrainedLinearPrior, TrainedLinearValue
from tesuji.search.values import HasValue

Unit: TypeAlias = Literal["log-odds", "win probability"]

DEALS = 200  # sampled with hidden cards; the standard error of a probability is at most 0.04
SMALLEST = 1e-12  # probability whose log-odds are shown
ROUNDING = 1e-9  # rounding error allowed between a value and the sum of its terms


class Term(NamedTuple):
    """One feature of the position after a move, and its contribution for the mover."""

    name: str
    reading: float
    """Its value for the `reader` of the explanation."""
    usual: float
    """The reading with no contribution: the mean of the training positions, or ½ for an objective."""
    weight: float
    """Contribution for the mover per unit."""
    contribution: float
    """weight · (reading − usual)."""


Parts: TypeAlias = tuple[float, float, tuple[Term, ...]]
"""The total, the base and the terms."""


class Difference(NamedTuple):
    """One feature after two moves, and by how much it favours the first."""

    name: str
    one: Term
    other: Term

    @property
    def difference(self) -> float:
        """The contribution after the first move minus that after the second."""
        return self.one.contribution - self.other.contribution


@dataclass(frozen=True)
class Explanation:
    """The value of a move for the player who makes it, feature by feature."""

    move: Move
    text: str
    """The move in notation."""
    after: FullState | None = field(repr=False)
    """The position after the move; None with hidden cards."""
    mover: int
    reader: int | None
    """The player whose features are shown: the side to move in `after`. None if the game is over, or if the
    player differs between deals."""
    score: float | None
    """The mover's score, if the move ends the game; then there are no terms."""
    probability: float
    """The mover's win probability; the score if the game is over."""
    unit: Unit
    """The unit of the terms."""
    total: float | None
    """The base plus all contributions: the mover's log-odds or win probability."""
    base: float
    """The value without any contribution: the bias, or ½."""
    terms: tuple[Term, ...] = field(repr=False)
    deals: int = 0
    """The number of deals averaged; 0 without hidden cards."""

    def strongest(self, sign: int, count: int | None = None) -> list[Term]:
        """The terms in favour of the move (sign 1) or against it (−1), strongest first."""
        found = [term for term in self.terms if sign * term.contribution > 0]
        return sorted(found, key=lambda term: -sign * term.contribution)[:count]

    def as_dict(self) -> dict[str, object]:
        """The explanation as plain data for JSON."""
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
    """Explain every move of a position, best first, by a linear value or by objectives.

    >>> import tesuji
    >>> state = tesuji.replay("hex:size=5", "c3 d2")
    >>> best = explain(state, state.game.knowledge.objectives)[0]
    >>> best.text, round(best.probability, 3), best.strongest(1)[0].name
    ('c2', 0.645, 'near-win-within-1')
    >>> round(best.base + sum(term.contribution for term in best.terms), 3)
    0.645
    """
    state = full_state(state)
    if state.scores() is not None:
        raise ValueError("the game is over: there is no move to explain")
    if state.player == CHANCE:
        raise ValueError("a chance move is next: there is no move to explain")
    hidden = state.hidden
    positions = determinizations(state, random.Random(0), DEALS)
    found = []
    for move in state.moves():
        each = [_explain(one, move, value, players) for one in positions]
        found.append(_mean(each) if hidden else each[0])
    return sorted(found, key=_rank, reverse=True)


def explain_prior(state: State, prior: TrainedLinearPrior) -> list[Explanation]:
    """Explain the probability of every move by a linear prior, likeliest first.

    Terms add up to the move's logit; `total` is the log-odds that it is played, and `base` the rest, which
    depends on the other moves.
    """
    state = full_state(state)
    if state.scores() is not None or state.player == CHANCE:
        raise ValueError("no player is to move: there is no move to explain")
    found = []
    for move, probability in prior(state, state.player, list(state.moves())).items():
        terms = tuple(_term(name, 1.0, 0.0, weight) for name, weight in prior.terms(state, move).items())
        total = math.log(max(probability, SMALLEST) / max(1.0 - probability, SMALLEST))
        base = total - math.fsum(term.contribution for term in terms)
        text, mover = state.text(move), state.player
        found.append(
            Explanation(move, text, None, mover, mover, None, probability, "log-odds", total, base, terms)
        )
    return found


def differences(one: Explanation, other: Explanation) -> list[Difference]:
    """The features by which two moves differ, largest difference first; empty if one ends the game."""
    if one.score is not None or other.score is not None:
        return []
    mine, theirs = ({term.name: term for term in each.terms} for each in (one, other))
    pairs = [
        # A position may lack a kind of code that the other has.
        Difference(name, mine.get(name) or _term(name, 0, 0, 0), theirs.get(name) or _term(name, 0, 0, 0))
        for name in mine | theirs
    ]
    return sorted(pairs, key=lambda pair: -abs(pair.difference))


def _rank(explanation: Explanation) -> tuple[float, float]:
    """By probability, then log-odds; a finished win ranks first."""
    if explanation.score is None:
        return explanation.probability, explanation.total or 0.0
    return explanation.score, math.inf if explanation.score == 1 else -math.inf


def _explain(state: FullState, move: Move, value: Any, players: int) -> Explanation:
    after, mover, text = state.play(move), state.player, state.text(move)
    unit: Unit = "log-odds" if isinstance(value, TrainedLinearValue | WeightedFeatures) else "win probability"
    scores = after.scores()
    if scores is not None:
        score = float(scores[mover])
        return Explanation(move, text, after, mover, None, score, score, unit, None, 0.0, ())
    # With two players the value is for the side to move, as in the bots; otherwise for the mover.
    reader = after.player if players == 2 and after.player != CHANCE else mover
    sign = 1.0 if reader == mover else -1.0
    if unit == "log-odds":
        if after.player == CHANCE:
            raise ValueError(f"after {text} a chance move follows, but a linear value needs a player to move")
        total, base, terms = _logit_terms(value, after, mover, sign)
    else:
        total, base, terms = _objective_terms(value, after, reader, sign)
    worth = float(value.value(after, reader))
    probability = worth if reader == mover else 1.0 - worth
    return Explanation(move, text, after, mover, reader, None, probability, unit, total, base, terms)


def _mean(each: list[Explanation]) -> Explanation:
    """The mean of a move's explanations over all deals; terms are of those in which the game continues."""
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


def _logit_terms(
    value: TrainedLinearValue | WeightedFeatures, after: FullState, mover: int, sign: float
) -> Parts:
    readings = value(after, mover)
    if isinstance(value, TrainedLinearValue):
        logit, bias = value.logit(after), value.bias_
        usual = dict(zip(value.names_, value.mean_.tolist(), strict=True))
    else:
        logit, bias, usual = value.native.logit(after.core), value.bias, {}
    terms = tuple(
        _term(name, reading, usual.get(name, 0.0), weight) for name, (reading, weight) in readings.items()
    )
    return sign * logit, sign * bias, terms


def _objective_terms(value: object, after: FullState, reader: int, sign: float) -> Parts:
    readings = _read(value, after, reader)
    weights = shares(readings)
    terms = tuple(_term(name, reading.value, 0.5, sign * weights[name]) for name, reading in readings.items())
    total = combine(readings)
    return (total if sign > 0 else 1.0 - total), 0.5, terms


def _read(value: object, after: FullState, reader: int) -> dict[str, Reading]:
    """The objectives of a value; ValueError if it has none, or is not their weighted sum."""
    if isinstance(value, HasValue) and callable(value):
        readings = value(after, reader)
        if isinstance(readings, dict) and all(isinstance(each, Reading) for each in readings.values()):
            if abs(combine(readings) - value.value(after, reader)) > ROUNDING:
                raise ValueError(f"the objectives of {value!r} do not sum to its value")
            return readings
    raise ValueError(f"{value!r} cannot be explained: it is neither a linear value nor objectives")
