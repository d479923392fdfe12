"""How much of Go Fish is luck: what rules without a search win, and what seeing the other's cards would win.

    python benchmarks/gofish_luck.py
    python benchmarks/gofish_luck.py --games 10000

Between two, each deal from both seats. A rule scores each ask by n, how many cards of the rank it has itself,
and p, how likely the other has one, by all that the seat has seen; what must be there comes first in all of
them. The last one looks at the other's hand: no fair player can do better than one who plays that well.
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
    """A fair player."""

    def choose(state: GoFishState, rng: random.Random) -> int:
        own, likely = state.hand(state.player), likely_asks(state)

        def value(move: int) -> tuple[float, float]:
            target, rank = divmod(move, RANKS)
            p, n = likely(target, rank), own[rank]
            return (CERTAIN + n + state.sure(target)[rank] if p == 1.0 else worth(p, n)), rng.random()

        return max(state.moves(), key=value)

    return choose


def by_policy(state: GoFishState, rng: random.Random) -> int:
    """What the search's playouts do."""
    return playout_policy(state, state.player, state.moves(), rng)


def by_looking(state: GoFishState, rng: random.Random) -> int:
    """Asks for what the other has: it looks at the cards."""
    own = state.hand(state.player)

    def value(move: int) -> tuple[float, float]:
        target, rank = divmod(move, RANKS)
        theirs = state.hand(target)[rank]
        return (CERTAIN if theirs else 0.0) + own[rank] + theirs, rng.random()

    return max(state.moves(), key=value)


def by_chance(state: GoFishState, rng: random.Random) -> int:
    """Any ask."""
    return rng.choice(state.moves())


def by_bot(spec: str) -> Choice:
    """A bot that does not search."""
    bot = tesuji.bot(spec, "gofish")
    return lambda state, rng: bot.choose(state)


def score(one: Choice, other: Choice, games: int) -> str:
    """The share of the games that the first wins, with its 95 % interval."""
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
    """A table."""
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
