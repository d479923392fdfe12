"""Onitama's codes (pieces, cards and their pairs) against the 52 named features alone, on the same games.

    python benchmarks/onitama_sparse.py games.db [--output FOLDER]

Prints the weighted log-loss on held-out games by λ2, with the same folds for both, and the nodes per second
of alpha-beta with each model, in processor time. The models, FOLDER/codes.json and FOLDER/named.json, are for
a match at equal time. docs/games/onitama.md has the commands that make the games and play the match.
"""

from __future__ import annotations

import argparse
import dataclasses
import time
from pathlib import Path

import tesuji
from tesuji.games import Onitama
from tesuji.learn.dataset import Dataset
from tesuji.learn.linear import LinearValue
from tesuji.records import Store

PENALTIES = {"named": [0.1, 10.0], "codes": [3.0, 10.0, 30.0, 100.0]}
"""λ2 to compare; the named features are few, so that theirs hardly matters."""


def speed(model: Path, deals: int = 8, nodes: int = 200_000) -> float:
    """Nodes per second of processor time, from the start of several deals."""
    searched, took = 0, 0.0
    for seed in range(deals):
        state = Onitama().start(seed=seed)
        bot = tesuji.AlphaBeta(state.game, nodes=nodes, value=str(model), seed=1)
        began = time.process_time()
        searched += bot.analyse(state).nodes
        took += time.process_time() - began
    return searched / took


def main() -> None:
    """Fit both models and print their figures."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("store", type=Path)
    parser.add_argument("--output", type=Path, default=Path("."))
    options = parser.parse_args()
    with Store(options.store) as store:
        data = Dataset.from_store(store, "onitama")
    print(f"{len(data.table):,} positions")
    for name, penalties in PENALTIES.items():
        given = data if name == "codes" else dataclasses.replace(data, codes=None)
        value = LinearValue(l1=0.0, l2=penalties).fit(given)
        model = options.output / f"{name}.json"
        value.save(model)
        for row in value.losses_:
            print(f"{name}: λ2 = {row.l2:g}, weighted log-loss {row.mean:.4f} ± {row.error:.4f}")
        print(f"{name}: {model}, λ2 = {value.l2_:g}, {speed(model) / 1e6:.2f} million nodes/s")


if __name__ == "__main__":
    main()
