"""`tesuji check`: test a game's rules for violations of the State and Game contract."""

from __future__ import annotations

from typing import Annotated

from tesuji.check import check_game
from tesuji.cli.shared.arguments import GameSpec, Json, Load, option
from tesuji.cli.shared.inputs import read_game
from tesuji.cli.shared.output import counted, print_json


def check(
    game: GameSpec = None,
    games: Annotated[int, option("N", "Random games to play.", min=1)] = 20,
    seed: Annotated[int, option("N", "Seed for the random games.", min=0)] = 0,
    files: Load = None,
    as_json: Json = False,
) -> int:
    """Check a game's rules with random games.

    Reports violations of what searches, learners and records rely on; the exit code is 1 if there are any.
    """
    spec, rules = read_game(game, files)
    problems = check_game(rules, games=games, seed=seed)
    if as_json:
        print_json({"game": spec, "games": games, "seed": seed, "problems": problems}, ascii=False)
        return 1 if problems else 0
    for problem in problems:
        print(f"✗ {problem}")
    count = len(problems)
    verdict = counted(count, "problem") if problems else "no problems"
    print(f"{'✗' if problems else '✓'} {spec}: {verdict} found in {counted(games, 'random game')}.")
    return 1 if problems else 0
