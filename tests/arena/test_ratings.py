"""Ratings: cases computed by hand, choix as an oracle, and simulated tournaments."""

from __future__ import annotations

import importlib
import math
import random
from collections.abc import Iterable
from typing import Any

import numpy as np
import pytest

from tesuji.arena.ratings import ELO, Ratings, Result, fit_ratings

Z95 = 1.959964


def games(first: str, second: str, won: int, drawn: int = 0, lost: int = 0) -> list[Result]:
    scores = [(1.0, 0.0)] * won + [(0.5, 0.5)] * drawn + [(0.0, 1.0)] * lost
    return [Result((first, second), each) for each in scores]


def elos(ratings: Ratings) -> dict[str, float]:
    return {row.name: row.elo for row in ratings.table}


# By hand.


def test_two_bots_without_prior_have_the_odds_of_their_wins() -> None:
    ratings = fit_ratings(games("a", "b", 3, lost=1), prior=0, first_move=False)
    # Odds 3 : 1. The variance of their logarithm is 1/3 + 1/1, and each rating has half of the difference.
    difference, error = ELO * math.log(3), ELO * math.sqrt(4 / 3)
    best, worst = ratings.table
    assert (best.name, best.games, best.points) == ("a", 4, 3)
    assert (worst.name, worst.games, worst.points) == ("b", 4, 1)
    assert best[1:4] == pytest.approx(
        (difference / 2, (difference - Z95 * error) / 2, (difference + Z95 * error) / 2), abs=1e-4
    )
    assert worst.elo == pytest.approx(-best.elo)
    assert ratings.difference("a", "b") == pytest.approx(
        (difference, difference - Z95 * error, difference + Z95 * error), abs=1e-4
    )
    # ln 3/√(4/3) = 0.951426 standard errors: Φ = 0.82931.
    assert ratings.los("a", "b") == pytest.approx(0.82931, abs=1e-5)
    assert ratings.los("b", "a") == pytest.approx(1 - 0.82931, abs=1e-5)
    assert ratings.first_move is None and ratings.draw is None and ratings.seats == ()


def test_the_first_move_advantage_is_separated_from_strength() -> None:
    results = games("a", "b", 6, lost=2) + games("b", "a", 5, lost=4)
    ratings = fit_ratings(results, prior=0, anchor="b")
    # a first: 6 to 2 = e^(d + φ); a second: 4 to 5 = e^(d − φ).
    assert elos(ratings)["a"] == pytest.approx(ELO * math.log(3 * 4 / 5) / 2)
    error = ELO * math.sqrt(1 / 6 + 1 / 2 + 1 / 4 + 1 / 5) / 2
    assert ratings.table[0].high - ratings.table[0].elo == pytest.approx(Z95 * error, abs=1e-4)
    assert ratings.first_move is not None
    assert ratings.first_move.value == pytest.approx(ELO * math.log(3 * 5 / 4) / 2)
    assert ratings.first_move.margin == pytest.approx(Z95 * error, abs=1e-4)
    assert ratings.table[1][:4] == ("b", 0, 0, 0)


def test_draws_follow_davidsons_model() -> None:
    ratings = fit_ratings(games("a", "b", 5, 3, 2), prior=0, first_move=False)
    # e^(d/2) : ν : e^(−d/2) = 5 : 3 : 2, so e^d = 5/2 and ν = 3/√10. Draws tell nothing of d: 1/5 + 1/2.
    assert ratings.difference("a", "b").value == pytest.approx(ELO * math.log(2.5))
    assert ratings.difference("a", "b").margin == pytest.approx(Z95 * ELO * math.sqrt(0.7), abs=1e-4)
    assert ratings.draw is not None and ratings.draw_share is not None
    assert ratings.draw.value == pytest.approx(3 / math.sqrt(10))
    # ln ν = ln 3 − ½·ln 5 − ½·ln 2 has the variance 1/3 + 1/20 + 1/8.
    factor = math.exp(Z95 * math.sqrt(1 / 3 + 1 / 20 + 1 / 8))
    assert ratings.draw.high == pytest.approx(3 / math.sqrt(10) * factor, rel=1e-5)
    assert ratings.draw.low == pytest.approx(3 / math.sqrt(10) / factor, rel=1e-5)
    assert ratings.draw_share.value == pytest.approx(3 / (3 + 2 * math.sqrt(10)))


def test_a_draw_may_count_as_half_a_win() -> None:
    results = games("a", "b", 5, 4, 1)
    ratings = fit_ratings(results, prior=0, first_move=False, draws=False)
    assert ratings.difference("a", "b").value == pytest.approx(ELO * math.log(7 / 3))
    assert ratings.draw is None and ratings.draw_share is None


def test_one_win_and_the_prior() -> None:
    # θ and −θ, y = e^θ: the win pulls each by 1/(1 + y²), its virtual game by (y − 1)/(2·(y + 1)) the other
    # way; they balance where y³ − y² − y − 3 = 0.
    ratings = fit_ratings(games("a", "b", 1), first_move=False)
    y = math.exp(elos(ratings)["a"] / ELO)
    assert y**3 - y**2 - y - 3 == pytest.approx(0, abs=1e-9)


# Beside choix.


def test_choix_finds_the_same_ratings() -> None:
    choix: Any = importlib.import_module("choix")
    rng = np.random.default_rng(4)
    for bots in (3, 8, 20):
        strengths = rng.normal(0, 1, bots)
        pairs = []
        for _ in range(30 * bots):
            one, other = rng.choice(bots, 2, replace=False)
            wins = rng.random() < 1 / (1 + math.exp(strengths[other] - strengths[one]))
            pairs.append((int(one), int(other)) if wins else (int(other), int(one)))
        pairs += [(bot, (bot + 1) % bots) for bot in range(bots)]  # so that everybody has lost to somebody
        results = [Result((f"{one:02}", f"{other:02}"), (1.0, 0.0)) for one, other in pairs]

        ratings = elos(fit_ratings(results, prior=0, first_move=False))
        wanted = choix.opt_pairwise(bots, pairs, tol=1e-12)
        assert [ratings[name] / ELO for name in sorted(ratings)] == pytest.approx(wanted, abs=1e-5)

        # A prior of two games is a win and a loss against one more player, who stands at 0.
        virtual = [game for bot in range(bots) for game in ((bot, bots), (bots, bot))]
        ratings = elos(fit_ratings(results, prior=2, first_move=False))
        wanted = choix.opt_pairwise(bots + 1, pairs + virtual, tol=1e-12)[:-1]
        assert [ratings[name] / ELO for name in sorted(ratings)] == pytest.approx(
            wanted - wanted.mean(), abs=1e-5
        )


# Simulated.


def tournament(
    strengths: Iterable[float], each: int, first_move: float, draw: float, rng: np.random.Generator
) -> list[Result]:
    """A double round robin by the model itself."""
    bots = [(f"bot{number}", strength) for number, strength in enumerate(strengths)]
    results = []
    for one, ours in bots:
        for other, theirs in bots:
            if one != other:
                d = ours - theirs + first_move
                weights = np.array([math.exp(-d / 2), draw, math.exp(d / 2)])
                for score in rng.choice([0, 0.5, 1], size=each, p=weights / weights.sum()):
                    results.append(Result((one, other), (float(score), 1 - float(score))))
    return results


def test_a_long_tournament_recovers_the_true_parameters() -> None:
    rng = np.random.default_rng(1)
    strengths = [1.2, 0.4, 0.0, -0.5, -1.1]
    ratings = fit_ratings(tournament(strengths, 3000, 1.5, 0.8, rng))
    assert ratings.first_move is not None and ratings.draw is not None
    for row in ratings.table:
        assert row.elo == pytest.approx(ELO * strengths[int(row.name[3:])], abs=8)
        assert row.high - row.low < 16
    assert ratings.first_move.value == pytest.approx(ELO * 1.5, abs=6)
    assert ratings.draw.value == pytest.approx(0.8, abs=0.03)


@pytest.mark.parametrize(("bots", "each", "first_move", "draw"), [(5, 6, 1.0, 0.8), (4, 8, 2.3, 0.0)])
def test_the_intervals_cover_95_percent(bots: int, each: int, first_move: float, draw: float) -> None:
    rng = np.random.default_rng(2)
    strengths = np.linspace(-1, 1, bots)
    held = total = held_first_move = 0
    for _ in range(250):
        ratings = fit_ratings(tournament(strengths, each, first_move, draw, rng))
        for row in ratings.table:
            held += row.low <= ELO * strengths[int(row.name[3:])] <= row.high
            total += 1
        assert ratings.first_move is not None
        held_first_move += ratings.first_move.low <= ELO * first_move <= ratings.first_move.high
    assert 0.93 < held / total < 0.975
    assert 0.91 < held_first_move / 250 < 0.995


def rounds_of(
    seats: int, strengths: Any, advantages: Any, rounds: int, luck_shared: float, rng: np.random.Generator
) -> list[Result]:
    """Rounds of games, one for each rotation of the seats.

    Everybody's performance is strength + seat + luck, the luck by Gumbel's distribution: then each two are
    compared by exactly the logistic law. In a shared round a seat has the same luck (its cards) in all games.
    """
    results = []
    for round in range(rounds):
        table = rng.permutation(len(strengths))[:seats]
        luck, shared = rng.gumbel(size=seats), rng.random() < luck_shared
        for turn in range(seats):
            players = np.roll(table, turn)
            performance = strengths[players] + advantages + (luck if shared else rng.gumbel(size=seats))
            ranks = performance.argsort().argsort() / (seats - 1)
            names = tuple(f"bot{player}" for player in players)
            results.append(Result(names, tuple(map(float, ranks)), round))
    return results


@pytest.mark.parametrize(("seats", "bots", "rounds"), [(3, 5, 30), (4, 6, 25), (6, 7, 15)])
def test_the_intervals_cover_95_percent_with_more_players(seats: int, bots: int, rounds: int) -> None:
    rng = np.random.default_rng(3)
    strengths, advantages = np.linspace(-0.7, 0.7, bots), np.linspace(0.5, -0.5, seats)
    held = total = held_seats = 0
    for _ in range(120):
        ratings = fit_ratings(rounds_of(seats, strengths, advantages, rounds, 0.8, rng))
        for row in ratings.table:
            held += row.low <= ELO * strengths[int(row.name[3:])] <= row.high
            total += 1
        for seat, advantage in zip(ratings.seats, advantages, strict=True):
            held_seats += seat.low <= ELO * advantage <= seat.high
    assert 0.91 < held / total < 0.985
    assert 0.91 < held_seats / (120 * seats) < 0.985


def test_many_games_recover_strengths_and_seats() -> None:
    rng = np.random.default_rng(5)
    strengths, advantages = np.array([0.8, 0.1, -0.2, -0.7]), np.array([0.6, 0.0, -0.6])
    ratings = fit_ratings(rounds_of(3, strengths, advantages, 1500, 0.5, rng))
    for row in ratings.table:
        assert row.elo == pytest.approx(ELO * strengths[int(row.name[3:])], abs=12)
    assert [seat.value for seat in ratings.seats] == pytest.approx(ELO * advantages, abs=12)
    assert ratings.first_move is None
    assert all(
        seat.value == 0 for seat in fit_ratings(rounds_of(3, strengths, 0, 9, 0, rng), first_move=False).seats
    )


def test_correlated_games_do_not_narrow_the_intervals() -> None:
    """A round in which every game repeats the first gives no more information than the first."""
    rng = np.random.default_rng(6)
    once = rounds_of(3, np.zeros(3), np.zeros(3), 40, 0, rng)[::3]
    repeated = [
        Result(game.players, game.scores, number) for number, game in enumerate(once) for _ in range(9)
    ]
    alone = fit_ratings(once, prior=1).table
    together = fit_ratings(repeated, prior=9).table
    for row, same in zip(alone, together, strict=True):
        assert row.elo == pytest.approx(same.elo)
        assert same.high - same.low == pytest.approx(row.high - row.low, rel=0.05)


# Corners.


def test_the_order_of_results_changes_nothing() -> None:
    rng = np.random.default_rng(8)
    two = tournament([0.5, 0, -0.5, 1], 5, 1, 0.5, rng)
    three = rounds_of(3, np.array([0.5, 0.0, -0.5, 1.0]), np.zeros(3), 12, 0.5, rng)
    thirds = [Result(("a", "b", "c"), (1 / 3, 1 / 3, 1 / 3)), Result(("c", "b", "a"), (0.1, 0.2, 0.7))] * 5
    for results in (two, three + thirds):
        reference = fit_ratings(results)
        for seed in range(5):
            random.Random(seed).shuffle(results)
            again = fit_ratings(results)
            assert again == reference  # floats and all
            assert again._covariance.tobytes() == reference._covariance.tobytes()


@pytest.mark.parametrize("prior", [1.0, 0.01])
def test_a_clean_sweep_stays_finite(prior: float) -> None:
    def sweep(wins: int) -> Ratings:
        won = games("a", "b", wins) + games("b", "a", 0, lost=wins)
        return fit_ratings(won + games("b", "c", 5, lost=5), prior=prior)

    ratings = sweep(20)
    assert ratings.table[0].name == "a"
    for row in ratings.table:
        assert all(map(math.isfinite, row[1:4]))
        assert row.low < row.elo < row.high
    assert ratings.difference("a", "b").value > 500
    assert sweep(200).difference("a", "b").value > ratings.difference("a", "b").value


def test_five_pairs_of_wins_are_enough_to_be_the_better_bot() -> None:
    ratings = fit_ratings(games("a", "b", 5) + games("b", "a", 0, lost=5))
    assert ratings.difference("a", "b").low > 0
    assert ratings.los("a", "b") > 0.975


def test_a_first_mover_who_always_wins_and_games_all_drawn_stay_finite() -> None:
    always = fit_ratings(games("a", "b", 50) + games("b", "a", 50))
    assert always.first_move is not None
    assert always.difference("a", "b").value == pytest.approx(0, abs=1e-9)
    assert 300 < always.first_move.low < always.first_move.high < 5000
    drawn = fit_ratings(games("a", "b", 0, 50) + games("b", "a", 0, 50))
    assert drawn.draw_share is not None
    assert 0.8 < drawn.draw_share.low < drawn.draw_share.value < drawn.draw_share.high < 1
    assert elos(drawn) == pytest.approx({"a": 0, "b": 0}, abs=1e-9)


def test_without_a_prior_a_clean_sweep_is_an_error() -> None:
    unbounded = [
        games("a", "b", 5),
        games("a", "b", 5, lost=5) + games("b", "c", 3),
        games("a", "b", 0, 5),  # only draws
        games("a", "b", 5, lost=5),  # always the same seats: the first move cannot be told from a's strength
    ]
    for results in unbounded:
        with pytest.raises(ValueError, match="prior above 0"):
            fit_ratings(results, prior=0)
        assert fit_ratings(results).table


def test_groups_that_never_met_are_reported() -> None:
    results = (
        games("a", "b", 6, lost=2)
        + games("b", "a", 3, lost=3)
        + games("b", "c", 1)
        + games("x", "y", 2, lost=1)
    )
    ratings = fit_ratings(results)
    assert ratings.groups == [["a", "b", "c"], ["x", "y"]]
    assert not ratings.connected
    levels = elos(ratings)
    assert levels["a"] + levels["b"] + levels["c"] == pytest.approx(0, abs=1e-9)
    assert levels["x"] + levels["y"] == pytest.approx(0, abs=1e-9)
    assert ratings.difference("a", "x")[1:] == (-math.inf, math.inf)
    assert ratings.los("a", "x") == 0.5
    anchored = elos(fit_ratings(results, anchor="b"))
    assert anchored["b"] == 0
    assert anchored["a"] - anchored["b"] == pytest.approx(levels["a"] - levels["b"])
    assert anchored["x"] == pytest.approx(levels["x"])
    apart = games("a", "b", 3, lost=1) + games("x", "y", 2, lost=1)
    plain = elos(fit_ratings(apart, prior=0, first_move=False))
    assert plain["x"] == pytest.approx(ELO * math.log(2) / 2)
    assert fit_ratings(games("a", "b", 1)).connected


def test_ratings_of_one_bot_and_of_no_games() -> None:
    alone = fit_ratings(games("a", "a", 7, lost=3))
    assert alone.table == [("a", 0, 0, 0, 20, 10)]
    assert alone.first_move is not None and alone.first_move.value > 0
    assert alone.connected
    nothing = fit_ratings([])
    assert nothing.table == [] and nothing.groups == [] and nothing.connected
    assert nothing.first_move is None and nothing.draw is None and nothing.seats == ()


def test_one_round_with_more_players_leaves_wide_intervals() -> None:
    one = [Result(("a", "b", "c"), (1.0, 0.5, 0.0), round=1)]
    for row in fit_ratings(one).table:
        assert row.high - row.low > 100
    circle = ((1.0, 0.5, 0.0), (0.0, 1.0, 0.5), (0.5, 0.0, 1.0))
    several = [Result(("a", "b", "c"), scores, 1) for scores in circle]
    for row in fit_ratings(several, prior=0, first_move=False).table:
        assert (row.low, row.high) == (-math.inf, math.inf)
    drawn = fit_ratings([*several, Result(("a", "b", "c"), (0.5, 0.5, 0.5), 1)], prior=0, first_move=False)
    assert drawn.draw is not None and drawn.draw_share is not None
    assert drawn.draw[1:] == (0, math.inf) and drawn.draw_share[1:] == (0, 1)


def test_bad_values_are_refused_in_one_line() -> None:
    results = games("a", "b", 1)
    with pytest.raises(ValueError, match=r"^no games of 'z'; there are games of a, b$"):
        fit_ratings(results, anchor="z")
    with pytest.raises(ValueError, match=r"^no games of 'z'; there are games of nobody$"):
        fit_ratings([], anchor="z")
    with pytest.raises(ValueError, match=r"^no games of 'z'"):
        fit_ratings(results).difference("a", "z")
    for prior in (-1.0, math.nan, math.inf):
        with pytest.raises(ValueError, match="^prior .*not "):
            fit_ratings(results, prior=prior)
    with pytest.raises(ValueError, match="not 2 and 3$"):
        fit_ratings([*results, Result(("a", "b", "c"), (1.0, 0.0, 0.0))])
    with pytest.raises(ValueError, match="not 1 players and 1 scores"):
        Result(("a",), (1.0,))
    with pytest.raises(ValueError, match="not 2 players and 1 scores"):
        Result(("a", "b"), (1.0,))
    for score in (1.5, -0.1, math.nan):
        with pytest.raises(ValueError, match="^a score .*not "):
            Result(("a", "b"), (score, 0.0))
