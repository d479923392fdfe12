"""How much of Go Fish is luck: the scores of simple rules, and of a player who sees the opponent's cards.

    python benchmarks/gofish_luck.py
    python benchmarks/gofish_luck.py --games 10000

Two players, each deal from both seats. A rule scores each ask by n, the number of cards of the rank in its
own hand, and p, the probability that the opponent has one, given everything the seat has seen; certain hits
come first in all rules. The last player sees the opponent's hand, an upper bound for fair players.
"""

from __future__ import annotations

import argparse
import math
import random
from collections.abc import Callable

import tesuji
from tesuji.games.gofish import GoFish, GoFishState
from tesuji.games.gofish.cards import RANKS
from tesuji.games.gofish.knowledge import likely_asks, playout_policy

Choice = Callable[[GoFishState, random.Random], int]
CERTAIN = 100.0

RULES: dict[str, Callable[[float, int], float]] = {
    "p": lambda p, n: p,
    "n, then p": lambda p, n: n + p,
    "p·n": lambda p, n: p * n,
    "p·n²": lambda p, n: p * n**2,
    "p·n³": lambda p, n: p * n**3,
    "√p·n³": lambda p, n: math.sqrt(p) * n**3,
    "p²·n⁵": lambda p, n: p**2 * n**5,
}


def by_rule(worth: Callable[[float, int], float]) -> Choice:
    """A player that maximizes `worth` with the information of its seat."""

    def choose(state: GoFishState, rng: random.Random) -> int:
        own, likely = state.hand(state.player), likely_asks(state)

        def value(move: int) -> tuple[float, float]:
            target, rank = divmod(move, RANKS)
            p, n = likely(target, rank), own[rank]
            return (CERTAIN + n + state.sure(target)[rank] if p == 1.0 else worth(p, n)), rng.random()

        return max(state.moves(), key=value)

    return choose


def by_policy(state: GoFishState, rng: random.Random) -> int:
    """The search's playout policy."""
    return playout_policy(state, state.player, state.moves(), rng)


def by_looking(state: GoFishState, rng: random.Random) -> int:
    """Ask for a rank that the opponent has, by looking at their cards."""
    own = state.hand(state.player)

    def value(move: int) -> tuple[float, float]:
        target, rank = divmod(move, RANKS)
        theirs = state.hand(target)[rank]
        return (CERTAIN if theirs else 0.0) + own[rank] + theirs, rng.random()

    return max(state.moves(), key=value)


def by_chance(state: GoFishState, rng: random.Random) -> int:
    """A random ask."""
    return rng.choice(state.moves())


def by_bot(spec: str) -> Choice:
    """A bot without a search."""
    bot = tesuji.bot(spec, "gofish")
    return lambda state, rng: bot.choose(state)


def score(one: Choice, other: Choice, games: int) -> str:
    """Score of the first player, with its 95 % confidence interval."""
    game, points = GoFish(), []
    for deal in range(games // 2):
        points.append(0.0)
        for seat in (0, 1):
            state, rng = game.start(seed=deal), random.Random(2 * deal + seat)
            while (scores := state.scores()) is None:
                state = state.play((one if state.player == seat else other)(state, rng))
            points[-1] += scores[seat] / 2
    mean = sum(points) / len(points)
    error = 1.96 * math.sqrt(sum((point - mean) ** 2 for point in points)) / len(points)
    return f"{mean:6.1%} ± {error:.1%}"


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--games", type=int, default=4000)
    games = parser.parse_args().games
    careful = by_bot("careful:seed=1")
    players = {name: by_rule(worth) for name, worth in RULES.items()}
    players |= {"playout policy": by_policy, "careful": careful, "sees the other's hand": by_looking}
    print(f"{games} games each{'':16}against random   against careful")
    for name, choose in players.items():
        print(
            f"{name:26} {score(choose, by_chance, games):>15}   {score(choose, careful, games):>15}",
            flush=True,
        )


if __name__ == "__main__":
    main()
