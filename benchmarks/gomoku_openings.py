"""Generate balanced openings for Gomoku.

    python benchmarks/gomoku_openings.py [--size 15] [--rule freestyle] [--count 32] [--seed 1]
        [--bots SPEC SPEC] [--write]

The first player wins Gomoku, so a match from the empty board says little. A candidate has 4 to 7 random
stones near each other and is quiet: no fours or threes to answer, and no win by threats for the side to move.
Two bots then play it, each against itself and the other, with 0.5 to 1.5 times their budgets so that games
differ. It is kept if Black scores 40 to 60 % in twenty games. Openings are distinct up to symmetry. --write
puts them into the book of `tesuji match gomoku`, replacing those of the same board and rule. Takes minutes,
on all cores.
"""

from __future__ import annotations

import argparse
import itertools
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from tesuji.arena.openings import NearOpenings
from tesuji.arena.playing import Task, play
from tesuji.game import replay
from tesuji.games.gomoku import Gomoku, GomokuState, solve
from tesuji.games.gomoku import openings as book
from tesuji.games.gomoku.knowledge import PatternThreats
from tesuji.registry import spec_of
from tesuji.scale import cores
from tesuji.scale.processes import TaskLost, run
from tesuji.seeds import derived_seed
from tesuji.spec import Spec

BOTS = ("mcts:iterations=1000", "mcts:iterations=1000,value=hand")
PLIES = (4, 5, 6, 7)
GAMES = 20
EVEN = {6: 2, 10: 2, GAMES: 2}  # number of games: points by which Black's score may differ from a half
NODES = 20_000  # of the threat solver


class Candidate(NamedTuple):
    """An opening to test."""

    game: str
    bots: tuple[str, str]
    moves: tuple[str, ...]
    seed: int


def candidates(game: Gomoku, bots: tuple[str, str], seed: int) -> Iterator[Candidate]:
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
        yield Candidate(spec_of(game), bots, moves, derived_seed(seed, round))


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


def black_score(candidate: Candidate) -> float | None:
    """Black's score in twenty games; None as soon as it is unbalanced."""
    black = 0.0
    for number in range(GAMES):
        bots = [varied(bot, number) for bot in candidate.bots]
        players = bots[number % 2], bots[number // 2 % 2]
        task = Task(
            game=candidate.game,
            players=players,
            seed=derived_seed(candidate.seed, number),
            opening=candidate.moves,
        )
        scores = play(task).scores
        assert scores is not None
        black += scores[0]
        if abs(black - (number + 1) / 2) > EVEN.get(number + 1, GAMES):
            return None
    return black


def varied(bot: str, number: int) -> str:
    """The bot with a different budget for each game, so that games do not repeat."""
    spec = Spec.parse(bot)
    counted = spec.options.keys() & {"nodes", "iterations"}
    factor = (GAMES / 2 + number) / GAMES
    return str(spec.with_options({key: str(int(factor * int(spec.options[key]))) for key in counted}))


def main(arguments: list[str] | None = None) -> None:
    """Print the openings, and write them with --write."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--size", type=int, default=15)
    parser.add_argument("--rule", choices=("freestyle", "standard", "renju"), default="freestyle")
    parser.add_argument("--count", type=int, default=32)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--bots", nargs=2, default=BOTS, metavar="SPEC")
    parser.add_argument("--processes", type=int, default=cores())
    parser.add_argument("--write", action="store_true")
    options = parser.parse_args(arguments)
    game = Gomoku(size=options.size, rule=options.rule)
    found: list[str] = []
    tried = 0
    tasks = (one for one in candidates(game, tuple(options.bots), options.seed) if len(found) < options.count)
    for candidate, score in run(black_score, tasks, workers=options.processes):
        tried += 1
        if isinstance(score, TaskLost):
            raise RuntimeError(f"{candidate}: {score.detail}")
        if score is not None and len(found) < options.count:
            found.append(" ".join(candidate.moves))
            print(f"{found[-1]:<30} Black {score:g} of {GAMES}; {tried} tried", flush=True)
            if len(found) == options.count:
                break
    if options.write:
        book.replace(Path(book.FILE), options.size, options.rule, found)
        print(f"{len(found)} openings are in {book.FILE}", file=sys.stderr)


if __name__ == "__main__":
    main()
