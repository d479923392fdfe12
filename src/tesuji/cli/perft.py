"""`tesuji perft`: count move sequences."""

from __future__ import annotations

import json
import time
from dataclasses import asdict, dataclass
from typing import Annotated

import typer

from tesuji.any_game import perft as count
from tesuji.cli.inputs import Json, Load, read_game, read_moves


@dataclass(frozen=True)
class Depth:
    """The count at one depth."""

    depth: int
    leaves: int
    seconds: float


def perft(
    game: Annotated[str, typer.Argument(metavar="GAME", help="Game spec, such as hex:size=7.")],
    depth: Annotated[int, typer.Argument(metavar="DEPTH", help="Maximum depth in plies.", min=1, max=100)],
    moves: Annotated[str, typer.Option(metavar="MOVES", help='Moves played so far, such as "f6 d8".')] = "",
    seed: Annotated[int, typer.Option(metavar="N", help="Seed for deals.", min=0)] = 0,
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
    found = []
    for plies in range(1, depth + 1):
        began = time.perf_counter()
        leaves = count(state, plies)
        found.append(Depth(plies, leaves, time.perf_counter() - began))
        if not as_json:
            spent = found[-1].seconds
            print(
                f"{plies:>5}  {leaves:>20,}  {spent:>9.3f}  {leaves / max(spent, 1e-9):>15,.0f}", flush=True
            )
    if as_json:
        facts = {"game": spec, "moves": moves.replace(",", " ").split(), "seed": seed}
        print(json.dumps({**facts, "depths": [asdict(row) for row in found]}, indent=2))
