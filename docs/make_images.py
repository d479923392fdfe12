"""Draws the pictures of the documentation, the same each time: `python docs/make_images.py`."""

from __future__ import annotations

import random
import sys
import tempfile
from pathlib import Path

import tesuji

sys.path.insert(0, str(Path(__file__).parents[1]))
from benchmarks.tuning import PARAMETERS, pair
from tesuji.arena.plot import ratings_svg
from tesuji.arena.spsa import Spsa
from tesuji.arena.tournament import Tournament
from tesuji.arena.tuning_plot import tuning_svg
from tesuji.learn.dataset import Dataset
from tesuji.learn.linear import LinearValue
from tesuji.learn.plot import calibration_svg
from tesuji.records.store import Store
from tesuji.scale import cores

IMAGES = Path(__file__).parent / "images"

# A game between two searches, stopped where the fight is open.
MOVES = "c2 g4 d9 d5 h4 g6 e6 g5 k2 d8 f7 f4"

CARDS = "onitama:cards=ox-boar-horse-elephant-crab"


def hex_analysis() -> str:
    """A Hex position with what a search thinks of it: colour by visits, numbers for the win rate."""
    game = tesuji.games.Hex(size=11)
    bot = tesuji.MCTS(game, iterations=40_000, rave="node", seed=1)
    return bot.analyse(tesuji.replay(game, MOVES)).svg()


def gomoku_analysis() -> str:
    """A Gomoku position by renju's rules with what a search thinks of it."""
    game = tesuji.games.Gomoku(rule="renju")
    bot = tesuji.MCTS(game, iterations=40_000, rave="node", seed=1)
    return bot.analyse(tesuji.replay(game, "h8 h9 i8 g9 i9 i7 j10 g7 g10 k7")).svg()


def onitama_analysis() -> str:
    """An Onitama position with the candidates of a search as arrows."""
    state = tesuji.replay(CARDS, "boar:c1c2 horse:d5d4 crab:c2c3 elephant:e5d5")
    bot = tesuji.MCTS(tesuji.game(CARDS), iterations=20_000, seed=1)
    return bot.analyse(state).svg()


def ratings() -> str:
    """The ratings of a small tournament, with their intervals."""
    bots = ["easy", "medium", "hard", "greedy", "mcts:iterations=500,rave=off", "random"]
    with tempfile.TemporaryDirectory() as folder, Store(f"{folder}/games.db") as store:
        tournament = Tournament("hex:size=7", bots, store, rounds=10)
        for _ in tournament.play(processes=cores()):
            pass
        return ratings_svg(tournament.ratings(), f"{tournament.game}, {len(tournament.games)} games")


def tuning() -> str:
    """A tuning of three parameters in simulated games, with the optimum in the middle of each range."""
    spsa, rng = Spsa(PARAMETERS, [0.3, 25, 3], iterations=1000), random.Random(1)
    for k in range(spsa.iterations):
        plus, minus = (
            -400 * sum((one.place(float(side[one.name])) - 0.5) ** 2 for one in PARAMETERS)
            for side in spsa.trial(k)
        )
        spsa.add(2 * pair(plus - minus, rng) - 2)
    return tuning_svg(spsa, "A tuning of three parameters, simulated")


def calibration() -> str:
    """How well a linear value, fitted to the games of a small tournament, predicts games it has not seen."""
    bots = [f"mcts:iterations={count}" for count in (30, 60, 120)]
    with tempfile.TemporaryDirectory() as folder, Store(f"{folder}/games.db") as store:
        tournament = Tournament("hex:size=7", bots, store, rounds=40)
        for _ in tournament.play(processes=cores()):
            pass
        value = LinearValue(seed=1).fit(Dataset.from_store(store, tesuji.game("hex:size=7")))
        return calibration_svg(
            value.calibration_, f"Calibration: {value.game_}, {len(tournament.games)} games"
        )


def main() -> None:
    """Write every picture."""
    IMAGES.mkdir(exist_ok=True)
    (IMAGES / "hex-analysis.svg").write_text(hex_analysis() + "\n", encoding="utf-8")
    (IMAGES / "ratings.svg").write_text(ratings() + "\n", encoding="utf-8")
    (IMAGES / "tuning.svg").write_text(tuning() + "\n", encoding="utf-8")
    (IMAGES / "gomoku-analysis.svg").write_text(gomoku_analysis() + "\n", encoding="utf-8")
    (IMAGES / "calibration.svg").write_text(calibration() + "\n", encoding="utf-8")
    (IMAGES / "onitama-analysis.svg").write_text(onitama_analysis() + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
