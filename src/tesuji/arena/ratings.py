"""Ratings of many bots by all results together, with the first-move advantage and draws in the same model.

Two players: the Bradley–Terry–Davidson model (bradley_terry.py). With d = θ_i − θ_j + φ, i moving first,

    P(i wins) = e^(d/2)/D,    P(draw) = ν/D,    P(j wins) = e^(−d/2)/D,    D = e^(d/2) + ν + e^(−d/2).

(θ, φ, ln ν) are estimated jointly by maximum likelihood; the inverse Hessian gives the intervals. Elo is θ
and φ times 400/ln 10: a bot rated 100 higher wins 10^(100/400) games for each that it loses, whatever the
draw rate.

More players: every two players of a game are compared by their scores, with a term φ_s for each seat. The
games of a round (one deal, seats rotated) and the comparisons within a game are not independent, so the
intervals come from a jackknife over rounds.

To keep ratings finite after a clean sweep, each bot also has `prior` virtual games against an average bot,
half of them won; likewise each seat, between equal bots. See docs/statistics.md.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Hashable, Iterable
from dataclasses import dataclass, field
from itertools import combinations
from statistics import NormalDist
from typing import NamedTuple, TypeAlias

import numpy as np

from tesuji.arena.bradley_terry import Comparisons, Floats, NoMinimum, covariance, jackknife, minimize
from tesuji.arena.elo import Z95, Estimate

ELO = 400 / math.log(10)
"""Elo per unit of log-odds."""

Comparison: TypeAlias = tuple[int, int, int, int, int]
"""Bot, seat, bot, seat, and the result of the first: 0 worse, 1 equal, 2 better."""
Counted: TypeAlias = tuple[tuple[Comparison, int], ...]


@dataclass(frozen=True)
class Result:
    """One finished game: the bot and the score in [0, 1] of each seat; seat 0 moves first.

    >>> Result(("mcts", "random"), (1.0, 0.0)).players
    ('mcts', 'random')
    """

    players: tuple[str, ...]
    scores: tuple[float, ...]
    round: Hashable = None
    """Games of a round share an opening or a deal; None: a separate round."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "players", tuple(self.players))
        object.__setattr__(self, "scores", tuple(self.scores))
        if len(self.players) < 2 or len(self.players) != len(self.scores):
            raise ValueError(
                "a result needs at least two players and a score for each, "
                f"not {len(self.players)} players and {len(self.scores)} scores"
            )
        for score in self.scores:
            if not 0 <= score <= 1:
                raise ValueError(f"a score must be from 0 to 1, not {score}")


class Rating(NamedTuple):
    """A row of the rating list; `low` and `high` bound the 95 % interval of `elo`."""

    name: str
    elo: float
    low: float
    high: float
    games: int
    points: float


@dataclass(frozen=True)
class Ratings:
    """The result of `fit_ratings`."""

    table: list[Rating]
    """Best first. Each group has mean 0, or the anchor is 0."""
    first_move: Estimate | None
    """The first-move advantage in Elo; None with more than two players, or if not estimated."""
    seats: tuple[Estimate, ...]
    """For more than two players: the advantage of each seat over the average seat, in Elo."""
    draw: Estimate | None
    """Davidson's ν; None without draws, or if they count as half-wins."""
    draw_share: Estimate | None
    """ν/(2 + ν): the draw rate between equal bots without a first-move advantage."""
    groups: list[list[str]]
    """Connected components of the graph of who met whom, largest first. Ratings are comparable only within a
    group."""
    _covariance: Floats = field(repr=False, compare=False)
    """Covariance of θ in log-odds; names in alphabetical order."""

    @property
    def connected(self) -> bool:
        """Whether all ratings are comparable."""
        return len(self.groups) <= 1

    def difference(self, one: str, other: str) -> Estimate:
        """The Elo difference, with an interval narrower than those of the two ratings suggest."""
        ratings = {row.name: row.elo for row in self.table}
        for name in (one, other):
            if name not in ratings:
                raise ValueError(_unknown(name, ratings))
        value, error = ratings[one] - ratings[other], math.inf
        if any(one in group and other in group for group in self.groups):
            contrast = np.zeros(len(ratings))
            contrast[sorted(ratings).index(one)] += 1
            contrast[sorted(ratings).index(other)] -= 1
            error = ELO * _error(contrast, self._covariance)
        return Estimate(value, value - Z95 * error, value + Z95 * error)

    def los(self, one: str, other: str) -> float:
        """Likelihood of superiority: the probability that `one` is stronger than `other`."""
        value, _, high = self.difference(one, other)
        error = (high - value) / Z95
        return NormalDist().cdf(value / error) if error else 0.5


def fit_ratings(
    results: Iterable[Result],
    *,
    prior: float = 1.0,
    anchor: str | None = None,
    first_move: bool = True,
    draws: bool = True,
) -> Ratings:
    """Rate bots by all results together. The order of the results has no effect, down to the last bit.

    Args:
        results: finished games, all with the same number of players.
        prior: virtual games of each bot against an average bot. 0 gives the plain maximum-likelihood
            estimate; ValueError if that does not exist (after a clean sweep, …).
        anchor: the bot with rating 0; by default the mean of each group is 0.
        first_move: estimate the advantage of the first move (of each seat, with more players); else it is 0.
        draws: estimate the draw rate; else a draw counts as half a win and half a loss.

    >>> games = [("a", "b", 1.0)] * 6 + [("a", "b", 0.0)] * 2 + [("b", "a", 1.0)] * 3 + [("b", "a", 0.0)] * 5
    >>> results = [Result((one, other), (score, 1 - score)) for one, other, score in games]
    >>> for row in fit_ratings(results, anchor="b").table:
    ...     print(f"{row.name} {row.elo:4.0f} [{row.low:4.0f}, {row.high:4.0f}] {row.points:g}/{row.games}")
    a  134 [ -47,  316] 11/16
    b    0 [   0,    0] 5/16
    """
    results = list(results)
    if not 0 <= prior < math.inf:
        raise ValueError(f"prior must be a number of games >= 0, not {prior}")
    names = sorted({name for result in results for name in result.players})
    if anchor is not None and anchor not in names:
        raise ValueError(_unknown(anchor, names))
    sizes = sorted({len(result.players) for result in results})
    if len(sizes) > 1:
        raise ValueError(
            f"all games must have the same number of players, not {' and '.join(map(str, sizes))}"
        )
    if not results:
        return Ratings([], None, (), None, None, [], np.zeros((0, 0)))
    return _Fit(results, names, prior, first_move, draws).ratings(anchor)


class _Fit:
    """Parameters: θ of each bot, φ of each seat, and ln ν."""

    def __init__(
        self, results: list[Result], names: list[str], prior: float, first_move: bool, draws: bool
    ) -> None:
        self.results, self.names, self.prior = results, names, prior
        self.seats = len(results[0].players)
        self.first_move = first_move
        self.groups = _groups(names, results)
        self.rounds = _rounds(results, names)
        together = Counter[Comparison]()
        for round, times in self.rounds:
            for comparison, count in round:
                together[comparison] += times * count
        self.ties = draws and any(outcome == 1 for *_, outcome in together)
        self.data = self._comparisons(sorted(together.items()))
        self.virtual = self._virtual()

    def ratings(self, anchor: str | None) -> Ratings:
        """Fit the model, in Elo."""
        try:
            x, hessian = minimize([self.data, self.virtual], self._constraints())
        except NoMinimum as error:
            raise ValueError(
                "with prior=0 these results do not bound a rating, the first-move advantage or the draw "
                "rate; set a prior above 0"
            ) from error
        if self.seats == 2:
            errors = covariance(hessian)
        else:
            rounds = ((self._comparisons(round), times) for round, times in self.rounds)
            errors = jackknife(x, hessian, rounds, self.virtual)
        return self._report(x, errors, anchor)

    def _comparisons(self, counted: Iterable[tuple[Comparison, int]]) -> Comparisons:
        rows: dict[tuple[int, int, int, int], list[float]] = {}
        for (one, seat, other, other_seat, outcome), count in counted:
            row = rows.setdefault((one, seat, other, other_seat), [0.0, 0.0, 0.0])
            if outcome == 1 and not self.ties:
                row[0] += count / 2
                row[2] += count / 2
            else:
                row[outcome] += count
        bots, sign = len(self.names), 1.0 if self.first_move else 0.0
        columns = [(one, other, bots + first, bots + second) for one, first, other, second in rows]
        signs = np.tile([1.0, -1.0, sign, -sign], (len(rows), 1))
        return Comparisons(np.array(columns), signs, np.array(list(rows.values())), self.ties)

    def _virtual(self) -> Comparisons:
        """Each bot against an average bot at 0; each two seats between equal bots, with draws possible."""
        bots = len(self.names)
        pairs = list(combinations(range(bots, bots + self.seats), 2))
        columns = [(bot, bot) for bot in range(bots)] + pairs
        signs = [(1.0, 0.0)] * bots + [(1.0, -1.0) if self.first_move else (0.0, 0.0)] * len(pairs)
        games = np.array([self.prior] * bots + [self.prior / (self.seats - 1)] * len(pairs))
        counts = np.stack([games / 2, np.zeros_like(games), games / 2], axis=1)
        ties = np.array([False] * bots + [self.ties] * len(pairs))
        return Comparisons(np.array(columns), np.array(signs), counts, ties)

    def _constraints(self) -> Floats:
        """Fix what the games do not determine: the means of ratings and seats, and what is not estimated."""
        bots, size = len(self.names), len(self.names) + self.seats + 1
        fixed = []
        if self.prior == 0:
            fixed += [self._indices(group) for group in self.groups]
        seats = range(bots, bots + self.seats)
        fixed += [list(seats)] if self.first_move else [[seat] for seat in seats]
        if not self.ties:
            fixed.append([size - 1])
        constraints = np.zeros((size, size))
        for indices in fixed:
            constraints[np.ix_(indices, indices)] += 1
        return constraints

    def _indices(self, names: list[str]) -> list[int]:
        return [self.names.index(name) for name in names]

    def _report(self, x: Floats, covariance: Floats, anchor: str | None) -> Ratings:
        bots, seats = len(self.names), slice(len(self.names), len(self.names) + self.seats)
        unit = np.eye(len(x))
        table, tally = [], _tally(self.results)
        for group in self.groups:
            level = unit[self._indices([anchor] if anchor in group else group)].mean(axis=0)
            for name, index in zip(group, self._indices(group), strict=True):
                elo = _estimate(unit[index] - level, x, covariance, ELO)
                table.append(Rating(name, *elo, *tally[name]))
        first_move: Estimate | None = None
        seat_terms: tuple[Estimate, ...] = ()
        if self.first_move and self.seats == 2:
            first_move = _estimate(unit[bots] - unit[bots + 1], x, covariance, ELO)
        elif self.first_move:
            mean = unit[seats].mean(axis=0)
            seat_terms = tuple(_estimate(seat - mean, x, covariance, ELO) for seat in unit[seats])
        draw = share = None
        if self.ties:
            logs = _estimate(unit[-1], x, covariance, 1)
            draw = Estimate(*map(_exp, logs))
            share = Estimate(*(1 / (1 + 2 * _exp(-log)) for log in logs))
        table.sort(key=lambda row: (-row.elo, row.name))
        return Ratings(table, first_move, seat_terms, draw, share, self.groups, covariance[:bots, :bots])


def _rounds(results: list[Result], names: list[str]) -> list[tuple[Counted, int]]:
    """The comparisons of each round, with the number of identical rounds; sorted."""
    indices = {name: index for index, name in enumerate(names)}
    rounds: dict[Hashable, Counter[Comparison]] = {}
    for result in results:
        round = rounds.setdefault(object() if result.round is None else result.round, Counter())
        for first, second in combinations(range(len(result.players)), 2):
            one, other = indices[result.players[first]], indices[result.players[second]]
            ours, theirs = result.scores[first], result.scores[second]
            round[one, first, other, second, 1 + (ours > theirs) - (ours < theirs)] += 1
    return sorted(Counter(tuple(sorted(round.items())) for round in rounds.values()).items())


def _groups(names: list[str], results: list[Result]) -> list[list[str]]:
    """The connected components of the graph of who met whom, largest first."""
    group = {name: {name} for name in names}
    for players in {result.players for result in results}:
        for name in players[1:]:
            if group[name] is not group[players[0]]:
                group[players[0]] |= group[name]
                for member in group[name]:
                    group[member] = group[players[0]]
    parts = {min(part): sorted(part) for part in group.values()}
    return sorted(parts.values(), key=lambda part: (-len(part), part))


def _tally(results: list[Result]) -> dict[str, tuple[int, float]]:
    """Games and points of each bot; fsum is exact in any order."""
    scores = defaultdict(list)
    for result in results:
        for name, score in zip(result.players, result.scores, strict=True):
            scores[name].append(score)
    return {name: (len(each), math.fsum(each)) for name, each in scores.items()}


def _estimate(contrast: Floats, x: Floats, covariance: Floats, unit: float) -> Estimate:
    value, margin = unit * float(contrast @ x), unit * Z95 * _error(contrast, covariance)
    return Estimate(value, value - margin, value + margin)


def _error(contrast: Floats, covariance: Floats) -> float:
    """The standard error of a linear combination of parameters."""
    if not contrast.any():
        return 0.0
    if not np.isfinite(covariance).all():
        return math.inf
    return math.sqrt(max(float(contrast @ covariance @ contrast), 0.0))


def _exp(value: float) -> float:
    return math.exp(value) if value < 700 else math.inf  # overflow


def _unknown(name: str, names: Iterable[str]) -> str:
    return f"no games of {name!r}; there are games of {', '.join(sorted(names)) or 'nobody'}"
