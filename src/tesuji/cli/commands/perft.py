"""`tesuji perft`: count move sequences."""

from __future__ import annotations

import time
from typing import Annotated

from tesuji.any_game import perft as count
from tesuji.cli.shared.arguments import Json, Load, Moves, RequiredGame, argument, option
from tesuji.cli.shared.inputs import read_game, read_moves
from tesuji.cli.shared.output import print_json


def perft(
    game: RequiredGame,
    depth: Annotated[int, argument("DEPTH", "Maximum depth in plies.", min=1, max=100)],
    moves: Moves = "",
    seed: Annotated[int, option("N", "Seed for deals.", min=0)] = 0,
    files: Load = None,
    as_json: Json = False,
) -> None:
    """Count the move sequences up to a depth.

    A finished game is one leaf. Correct implementations of the same rules agree on the counts. Ctrl-C stops.
    """
    spec, rules = read_game(game, files)
    state = read_moves(rules.start(seed), moves)
    if not as_json:
        print(f"{'depth':>5}  {'leaves':>20}  {'seconds':>9}  {'leaves/s':>15}")
    found: list[dict[str, object]] = []
    for plies in range(1, depth + 1):
        began = time.perf_counter()
        leaves = count(state, plies)
        spent = time.perf_counter() - began
        found.append({"depth": plies, "leaves": leaves, "seconds": spent})
        if not as_json:
            print(
                f"{plies:>5}  {leaves:>20,}  {spent:>9.3f}  {leaves / max(spent, 1e-9):>15,.0f}", flush=True
            )
    if as_json:
        facts = {"game": spec, "moves": moves.replace(",", " ").split(), "seed": seed}
        print_json({**facts, "depths": found})
