"""Generate balanced openings for Gomoku.

    python benchmarks/gomoku_openings.py [--size 15] [--rule freestyle] [--count 100] [--seed 1]
        [--bot SPEC] [--write]

The first player wins Gomoku, so a match from the empty board says little. A candidate has 4 to 7 random
stones near each other and is quiet: no fours or threes to answer, and no win by threats for the side to move.
It is kept if the value of the bot is near a half, in a short search and then in two longer ones.
Openings are distinct up to symmetry. --write puts them into the book of `tesuji match gomoku`, replacing
those of the same board and rule. Takes minutes, on all cores.
"""

from __future__ import annotations

import argparse
import itertools
import sys
from collections.abc import Iterator
from functools import cache
from typing import Any, NamedTuple

from tesuji.any_game import replay
from tesuji.arena.openings import NearOpenings
from tesuji.bots import bot as make_bot
from tesuji.games.gomoku import Gomoku, GomokuState, solve
from tesuji.games.gomoku.knowledge import PatternThreats
from tesuji.games.stone_game import replace_openings
from tesuji.registry import spec_of
from tesuji.scale import cores
from tesuji.scale.local import Processes
from tesuji.scale.processes import TaskLost
from tesuji.spec import Spec

BOT = "zero:visits=60"
PLIES = (4, 5, 6, 7)
EVEN = {1: 0.15, 5: 0.1, 25: 0.06}  # factor of the bot's budget: how far its value may be from a half
NODES = 20_000  # of the threat solver


class Candidate(NamedTuple):
    """An opening to test."""

    game: str
    bot: str
    moves: tuple[str, ...]


def candidates(game: Gomoku, bot: str, seed: int) -> Iterator[Candidate]:
    """Yield distinct quiet openings, without end."""
    seen: set[frozenset[tuple[int, int]]] = set()
    kinds = [NearOpenings(game, plies) for plies in PLIES]
    for round in itertools.count():
        moves = kinds[round % len(kinds)].opening(seed, round)
        state = replay(game, " ".join(moves))
        assert isinstance(state, GomokuState)
        looks = images(state)
        if looks & seen or not quiet(state):
            continue
        seen |= looks
        yield Candidate(spec_of(game), bot, moves)


def images(state: GomokuState) -> set[frozenset[tuple[int, int]]]:
    """The board under all symmetries."""
    size, last = state.size, state.size - 1
    stones = [(*divmod(cell, size), owner) for cell, owner in enumerate(state.cells()) if owner]
    found = set()
    for _ in range(4):
        stones = [(column, last - row, owner) for row, column, owner in stones]
        for mirrored in (False, True):
            found.add(frozenset((row * size + (last - c if mirrored else c), o) for row, c, o in stones))
    return found


def quiet(state: GomokuState) -> bool:
    """Whether there is nothing to answer and no win by threats."""
    urgent = PatternThreats()(state, state.player)
    return urgent is None and solve(state, "vct", nodes=NODES).verdict == "none"


def black_value(candidate: Candidate) -> float | None:
    """The bot's value for Black in its longest search; None as soon as one is uneven."""
    state = replay(candidate.game, " ".join(candidate.moves))
    value = 0.5
    for factor, margin in EVEN.items():
        value = judge(candidate.game, scaled(candidate.bot, factor)).analyse(state).value
        if abs(value - 0.5) > margin:
            return None
    return value if state.player == 0 else 1 - value


@cache
def judge(game: str, bot: str) -> Any:
    """The bot, which each process makes once."""
    return make_bot(bot, game)


def scaled(bot: str, factor: int) -> str:
    """The bot with a multiple of its budget."""
    spec = Spec.parse(bot)
    counted = spec.options.keys() & {"nodes", "iterations", "visits"}
    return str(spec.with_options({key: str(factor * int(spec.options[key])) for key in counted}))


def main(arguments: list[str] | None = None) -> None:
    """Print the openings, and write them with --write."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--size", type=int, default=15)
    parser.add_argument("--rule", choices=("freestyle", "standard", "renju"), default="freestyle")
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--bot", default=BOT, metavar="SPEC")
    parser.add_argument("--processes", type=int, default=cores())
    parser.add_argument("--write", action="store_true")
    options = parser.parse_args(arguments)
    game = Gomoku(size=options.size, rule=options.rule)
    found: list[str] = []
    tried = 0
    tasks = (one for one in candidates(game, options.bot, options.seed) if len(found) < options.count)
    for candidate, value in Processes(workers=options.processes).map(black_value, tasks):
        tried += 1
        if isinstance(value, TaskLost):
            raise RuntimeError(f"{candidate}: {value.detail}")
        if value is not None and len(found) < options.count:
            found.append(" ".join(candidate.moves))
            print(f"{found[-1]:<30} Black {value:.2f}; {tried} tried", flush=True)
            if len(found) == options.count:
                break
    if options.write:
        replace_openings(game.book, game.book_key or "", found)
        print(f"{len(found)} openings are in {game.book}", file=sys.stderr)


if __name__ == "__main__":
    main()
