"""What proximity and patterns contribute to a network: the same training with and without them.

    python benchmarks/zero_proximity.py [--out runs] [--seconds 120] [--seeds 2] [--rounds 2] [--game
    gomoku:size=9] [--only planes --only "one plane"]

Level 1 changes the network's input: planes of patterns, threats and proximity, or patterns times proximity
as one plane. Level 2 changes the search: proximity as a factor of the priors (soft), or distant moves
excluded (hard). Every variant trains for the same processor time, with several seeds; then all networks
play a tournament, and each variant is rated over all its seeds. Existing runs are not trained again, and the
tournament is resumed.

The other columns come from self-play: the share of moves more than two cells from every stone, and of moves
on the outermost line, in the first and in the last fifth of the positions; positions searched per second of
processor time; and the best move's share of the visits, or of Gumbel's improved policy, in full searches.
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from rich import box
from rich.console import Console
from rich.table import Table

import tesuji
from tesuji.arena.ratings import Result, fit_ratings
from tesuji.arena.tournament import Tournament
from tesuji.learn.zero.metrics import read_metrics
from tesuji.records.store import Store

BARE = "patterns=off,threats=off,proximity=off"
VARIANTS = {
    "neither": {"planes": BARE},
    "planes": {},
    "one plane": {"planes": f"{BARE},combined=on"},
    "soft priors": {"planes": BARE, "proximity": "soft"},
    "hard priors": {"planes": BARE, "proximity": "hard"},
    "planes, soft priors": {"proximity": "soft"},
    "planes, hard priors": {"proximity": "hard"},
}
SETTINGS = {
    "net": "resnet:blocks=2,channels=16",
    "games": "64",
    "threads": "1",
    "network_threads": "1",
    "positions": "2000",
    "visits": "32",
    "fast_visits": "8",
    "opening_plies": "4",
    "batch": "256",
    "uses": "8",
    "window": "20000",
    "learning_rate": "0.002",
    "average": "0.99",
    "prover": "off",  # proofs would find what the network should learn
    "checkpoint_every": "1000000",
    "ladder_games": "off",
}
VISITS = 64
FIFTH = 5


def train(game: str, folder: Path, given: dict[str, str], seconds: float) -> float:
    """Train for the given processor time, unless the run exists; return the time used."""
    from tesuji.learn.zero.train import Training

    done = folder / "seconds.json"
    if not done.exists():
        run = Training(tesuji.game(game), folder, given={**SETTINGS, **given}, device="cpu")
        began = time.process_time()
        run.run(watch=lambda row: run.stop() if time.process_time() - began >= seconds else None)
        done.write_text(json.dumps(time.process_time() - began))
    spent: float = json.loads(done.read_text())
    return spent


def shares(runs: Sequence[Path], key: str) -> tuple[float, float]:
    """A metric in the first and in the last fifth of the positions, averaged over the runs."""
    first, last = [], []
    for folder in runs:
        rows = read_metrics(folder)
        most = rows[-1]["positions"]
        first += [row[key] for row in rows if row["positions"] <= most / FIFTH or row is rows[0]]
        last += [row[key] for row in rows if row["positions"] > most * (1 - 1 / FIFTH)]
    return sum(first) / len(first), sum(last) / len(last)


def elo(game: str, out: Path, networks: dict[str, str], rounds: int) -> dict[str, Any]:
    """The variants' ratings; `networks` maps a bot's spec to its variant."""
    with Store(out / "games.db") as store:
        tournament = Tournament(game, list(networks), store, rounds=rounds, openings="random:plies=4")
        for _ in tournament.play(processes=1):
            pass
        names = dict(zip(tournament.bots, networks.values(), strict=True))
        results = [
            Result(tuple(names[player] for player in result.players), result.scores, result.round)
            for result in tournament.results
        ]
    between = [result for result in results if len(set(result.players)) == 2]
    return {rating.name: rating for rating in fit_ratings(between).table}


def main(arguments: Sequence[str] | None = None) -> None:
    """Train, play the tournament, and print the table."""
    parser = argparse.ArgumentParser(description="Measure what proximity contributes to a network.")
    parser.add_argument("--out", type=Path, default=Path("proximity-runs"))
    parser.add_argument("--game", default="gomoku:size=9")
    parser.add_argument("--seconds", type=float, default=120.0)
    parser.add_argument("--seeds", type=int, default=2)
    parser.add_argument("--rounds", type=int, default=2)
    parser.add_argument("--only", action="append", choices=VARIANTS, help="a variant; repeat for several")
    asked = parser.parse_args(arguments)
    variants = {name: VARIANTS[name] for name in asked.only or VARIANTS}
    spent: dict[str, float] = dict.fromkeys(variants, 0.0)
    runs: dict[str, list[Path]] = {name: [] for name in variants}
    networks = {}
    for seed in range(1, asked.seeds + 1):
        for name, given in variants.items():
            folder = asked.out / f"{name.replace(', ', '-').replace(' ', '-')}-{seed}"
            spent[name] += train(asked.game, folder, {**given, "seed": str(seed)}, asked.seconds)
            runs[name].append(folder)
            level2 = given.get("proximity", "off")
            file = folder / "network.safetensors"
            networks[f"zero:net={file},visits={VISITS},prover=off,proximity={level2}"] = name
    ratings = elo(asked.game, asked.out, networks, asked.rounds)
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, show_edge=False)
    for column in ("", "Elo", "distant moves", "border moves", "positions/s", "best move's share"):
        table.add_column(column, justify="left" if not column else "right")
    for name in variants:
        rating, (far, later), (edge, edge_later) = (
            ratings[name],
            shares(runs[name], "distant"),
            shares(runs[name], "border"),
        )
        positions = sum(read_metrics(folder)[-1]["positions"] for folder in runs[name])
        table.add_row(
            name,
            f"{rating.elo:+.0f} ± {(rating.high - rating.low) / 2:.0f}",
            f"{far:.1%} → {later:.1%}",
            f"{edge:.1%} → {edge_later:.1%}",
            f"{positions / spent[name]:.0f}",
            f"{shares(runs[name], 'top_share')[1]:.0%}",
        )
    Console(width=110).print(table)


if __name__ == "__main__":
    main()
