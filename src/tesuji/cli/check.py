"""`tesuji check`: does a game keep the promises that searches, learners and records rely on?"""

from __future__ import annotations

from typing import Annotated

import typer

from tesuji.check import check_game
from tesuji.cli.inputs import GameSpec, Load, read_game


def check(
    game: GameSpec = None,
    games: Annotated[int, typer.Option(metavar="N", help="Random games to play.", min=1)] = 20,
    seed: Annotated[int, typer.Option(metavar="N", help="For the random games.", min=0)] = 0,
    file: Load = None,
) -> int:
    """Report the promises that a game breaks.

    Searches, learners and records rely on them. Random games are played; the exit code is 1 where a promise
    is broken.
    """
    spec, rules = read_game(game, file)
    problems = check_game(rules, games=games, seed=seed)
    for problem in problems:
        print(f"✗ {problem}")
    count = len(problems)
    verdict = f"breaks {count} promise{'s' if count > 1 else ''}" if problems else "keeps every promise"
    print(f"{'✗' if problems else '✓'} {spec} {verdict}, in {games} random games.")
    return 1 if problems else 0
