"""How much stronger is one bot than another? A match of paired games: each opening twice, colours exchanged.

    python benchmarks/strength.py hex mcts:iterations=2000 mcts:iterations=2000,rave=off --pairs 100

The defaults of the searches were chosen with it; the commands stand beside the numbers in docs/.
"""

from __future__ import annotations

import argparse
import math
import multiprocessing
import random
import statistics

import tesuji

# Openings of 11×11 Hex that are close to even.
HEX_11 = "a2 a3 a5 a7 a9 a10 b4 c2 d10 g2 h2 i10 k3 k7 k9".split()


def opening(game: tesuji.Game, number: int) -> list[tesuji.Move]:
    """The moves that pair `number` starts with: from the book where there is one, else two random ones."""
    state = game.start()
    if tesuji.spec_of(game) == "hex":
        return [tesuji.replay(game, HEX_11[number % len(HEX_11)]).history[0]]  # type: ignore[attr-defined]
    rng = random.Random(number)
    first = rng.choice(list(state.moves()))
    return [first, rng.choice(list(state.play(first).moves()))]


def play_pair(job: tuple[str, str, str, int]) -> float:
    """The first bot's score, out of 2, over both games of one pair."""
    game_spec, first, second, number = job
    game = tesuji.game(game_spec)
    total = 0.0
    for seat in (0, 1):
        seed = 2 * number + seat
        specs = [first, second] if seat == 0 else [second, first]
        players = [tesuji.bot(f"{spec}{',' if ':' in spec else ':'}seed={seed}", game) for spec in specs]
        state = game.start()
        for move in opening(game, number):
            state = state.play(move)
        while (scores := state.scores()) is None:
            state = state.play(players[state.player].choose(state))
        total += scores[seat]
    return total


def elo(score: float) -> float:
    """The rating difference that a mean score stands for."""
    score = min(max(score, 1e-3), 1 - 1e-3)
    return -400 * math.log10(1 / score - 1)


def main() -> None:
    """Play the match and print one line."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("game")
    parser.add_argument("first")
    parser.add_argument("second")
    parser.add_argument("--pairs", type=int, default=100)
    parser.add_argument("--processes", type=int, default=1)
    given = parser.parse_args()
    jobs = [(given.game, given.first, given.second, number) for number in range(given.pairs)]
    with multiprocessing.get_context("spawn").Pool(given.processes) as pool:
        results = [total / 2 for total in pool.imap_unordered(play_pair, jobs)]
    # One even pair more than was played: even a clean sweep leaves some doubt.
    doubted = [*results, 0.5]
    mean = statistics.fmean(doubted)
    error = 1.96 * statistics.stdev(doubted) / math.sqrt(len(doubted))
    low, high = elo(mean - error), elo(mean + error)
    print(
        f"{given.first} against {given.second}: {2 * sum(results):g} of {2 * len(results)}, "
        f"Elo {elo(mean):+.0f} [{low:+.0f}, {high:+.0f}]",
        flush=True,
    )


if __name__ == "__main__":
    main()
