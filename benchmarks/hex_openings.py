"""Generate even openings for Hex: one to three stones after which every judge sees about equal chances.

    python benchmarks/hex_openings.py JUDGE [JUDGE ...] [--size 11] [--count 40] [--seed 1] [--load FILE.py]
        [--write]

A judge is the spec of a bot whose analysis has a value, such as zero:visits=400,seed=1; --load registers your
own bots. Candidates are all first stones, then random openings of two and three stones. A judge's value is
the mean over a position and its rotation by 180°; an opening is kept if all judges give Black 40 to 60 %. Put
the fastest judge first. No opening contains another one, also after rotation. --write replaces the openings
of this board in the book that `tesuji match hex` uses. Takes minutes on one core.
"""

from __future__ import annotations

import argparse
import itertools
import random
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

from tesuji.any_game import replay
from tesuji.arena.openings import RandomOpenings
from tesuji.bots import FullBot, bot
from tesuji.cli.shared.loading import load
from tesuji.games.hex import Hex, HexState
from tesuji.games.stone_game import replace_openings

LONGER = (2, 3)
"""Numbers of stones of the openings after those of one stone."""
EVEN = 0.4, 0.6
"""Range of Black's win probability, by every judge."""
MOST_ROUNDS = 100_000
"""Random openings to draw before giving up."""

Stones = frozenset[tuple[int, int]]


def candidates(game: Hex, seed: int) -> Iterator[tuple[str, ...]]:
    """All first stones in random order, then random openings, distinct under rotation."""
    first = [(game.start().text(move),) for move in game.start().moves()]
    random.Random(seed).shuffle(first)
    kinds = [RandomOpenings(game, stones) for stones in LONGER]
    drawn = (kinds[round % len(kinds)].opening(seed, round) for round in range(MOST_ROUNDS))
    seen: set[Stones] = set()
    for moves in itertools.chain(first, drawn):
        looks = images(position(game, moves))
        if not looks & seen:
            seen |= looks
            yield moves


def position(game: Hex, moves: Sequence[str]) -> HexState:
    """The position after an opening."""
    state = replay(game, " ".join(moves))
    assert isinstance(state, HexState)
    return state


def images(state: HexState) -> set[Stones]:
    """The stones with their owners, also rotated by 180°: the only symmetry that keeps the colours."""
    last = state.size**2 - 1
    stones = [(cell, owner) for cell, owner in enumerate(state.cells()) if owner]
    return {frozenset(stones), frozenset((last - cell, owner) for cell, owner in stones)}


def turned(game: Hex, moves: Sequence[str]) -> tuple[str, ...]:
    """The opening rotated by 180°."""
    start, last = game.start(), game.size**2 - 1
    return tuple(start.text(last - start.parse(text)) for text in moves)


def black_chance(judge: FullBot, game: Hex, moves: Sequence[str]) -> float:
    """A judge's win probability of Black after an opening: the mean over both rotations."""
    chances: list[float] = []
    for look in (moves, turned(game, moves)):
        state = position(game, look)
        judge.reset()
        value = float(judge.analyse(state).value)
        chances.append(value if state.player == 0 else 1 - value)
    return sum(chances) / len(chances)


def even(judges: Sequence[FullBot], game: Hex, moves: Sequence[str]) -> list[float] | None:
    """Black's win probability by each judge; None as soon as one finds the opening uneven."""
    chances: list[float] = []
    for judge in judges:
        chances.append(black_chance(judge, game, moves))
        if not EVEN[0] <= chances[-1] <= EVEN[1]:
            return None
    return chances


def main(arguments: list[str] | None = None) -> None:
    """Print the openings, and write them with --write."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("judges", nargs="+", metavar="JUDGE")
    parser.add_argument("--size", type=int, default=11)
    parser.add_argument("--count", type=int, default=40)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--load", type=Path, metavar="FILE.py")
    parser.add_argument("--write", action="store_true")
    options = parser.parse_args(arguments)
    load(options.load)
    game = Hex(size=options.size)
    judges = [bot(spec, game) for spec in options.judges]
    for spec, judge in zip(options.judges, judges, strict=True):
        if not judge.analyses:
            parser.error(f"{spec} gives no value: a judge is a bot with analyse, such as zero:visits=400")
    found: list[str] = []
    kept: set[Stones] = set()
    for tried, moves in enumerate(candidates(game, options.seed), 1):
        looks = images(position(game, moves))
        if any(look <= other or other <= look for look in looks for other in kept):
            continue
        if (chances := even(judges, game, moves)) is None:
            continue
        kept |= looks
        found.append(" ".join(moves))
        shown = ", ".join(f"{chance:.0%}" for chance in chances)
        print(f"{found[-1]:<12} Black {shown}; {tried} tried", flush=True)
        if len(found) == options.count:
            break
    if options.write:
        replace_openings(game.book, game.book_key or "", found)
        print(f"{len(found)} openings are in {game.book}", file=sys.stderr)


if __name__ == "__main__":
    main()
