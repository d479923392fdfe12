"""Fit a prior of a native game by stochastic gradient descent: for hundreds of thousands of features.

    python benchmarks/prior_descent.py hex games.db prior.json

The objective is that of `tesuji learn prior`. One pass over the positions, in random order, with a step for
each feature of 0.15 / √(0.3 + Σ gradient²) (AdaGrad: Duchi, Hazan and Singer 2011), then one with 0.3 of that
step. There is no penalty; stopping early has its effect. Every sixteenth game is held out for the report, and
the weights in the file are those of a second fit to all games.
"""

from __future__ import annotations

import argparse

import numpy as np
from numpy.typing import NDArray

from tesuji.learn.dataset import MoveDataset
from tesuji.learn.linear import in_units
from tesuji.models.linear_file import PriorModel, PriorQuality
from tesuji.records import Store

STEPS = (0.15, 0.045)
INITIAL = 0.3  # of the sum of squared gradients
SMALLEST = 3e-4  # gradients below are ignored
ZERO = 0.02  # weights below are written as 0, which keeps the file small
HELD_OUT = 16  # one game in this many

Floats = NDArray[np.float64]


class Descent:
    """Weights of features, and the sums of their squared gradients."""

    def __init__(self, data: MoveDataset) -> None:
        self.data = data
        self.begins = data.begins
        self.weights = np.zeros(data.sparse.count)
        self.squares = np.full(data.sparse.count, INITIAL)

    def logits(self, position: int) -> tuple[Floats, NDArray[np.int64], NDArray[np.uint32]]:
        """The sums of each move of a position, the number of its features, and the features."""
        offsets = self.data.sparse.offsets[self.begins[position] : self.data.ends[position] + 1]
        features = self.data.sparse.indices[offsets[0] : offsets[-1]]
        return np.add.reduceat(self.weights[features], offsets[:-1] - offsets[0]), np.diff(offsets), features

    def learn(self, position: int, step: float) -> None:
        """One step by one position."""
        logits, counts, features = self.logits(position)
        gradient = -_softmax(logits)
        gradient[self.data.chosen[position]] += 1.0
        of_feature = np.repeat(np.where(abs(gradient) < SMALLEST, 0.0, gradient), counts)
        np.add.at(self.squares, features, of_feature * of_feature)
        np.add.at(self.weights, features, step * of_feature / np.sqrt(self.squares[features]))

    def fit(self, positions: NDArray[np.int64], rng: np.random.Generator) -> None:
        """All passes over these positions."""
        for step in STEPS:
            for position in rng.permutation(positions):
                self.learn(int(position), step)

    def quality(self, positions: NDArray[np.int64]) -> PriorQuality:
        """How well these positions' moves are predicted; among equal weights the order is random."""
        losses, first, five = [], [], []
        for position in positions:
            logits = self.logits(int(position))[0]
            own = logits[self.data.chosen[position]]
            better, equal = int((logits > own).sum()), int((logits == own).sum())
            losses.append(np.log(np.exp(logits - own).sum()))
            first.append(min(max((1 - better) / equal, 0.0), 1.0))
            five.append(min(max((5 - better) / equal, 0.0), 1.0))
        return PriorQuality(float(np.mean(losses)), float(np.mean(first)), float(np.mean(five)))


def _softmax(logits: Floats) -> Floats:
    weights: Floats = np.exp(logits - logits.max())
    total: float = weights.sum()
    return weights / total


def main() -> None:
    """Fit twice, print the report, write the file."""
    parser = argparse.ArgumentParser(description="Fit a prior by stochastic gradient descent.")
    parser.add_argument("game")
    parser.add_argument("store")
    parser.add_argument("output")
    parser.add_argument("--positions", type=int, default=280_000)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    with Store(args.store) as store:
        data = MoveDataset.from_store(store, args.game, most=args.positions, every_option=True)
    rng = np.random.default_rng(args.seed)
    held_out = rng.integers(HELD_OUT, size=len(data.keys))[data.games] == 0
    numbers = np.arange(data.positions)
    trial = Descent(data)
    flat = trial.quality(numbers[held_out])
    trial.fit(numbers[~held_out], rng)
    quality = {"prior": trial.quality(numbers[held_out]), "uniform": flat}
    for name, found in quality.items():
        print(f"{name}: log-loss {found.log_loss:.4f}, first {found.top1:.1%}, five {found.top5:.1%}")
    final = Descent(data)
    final.fit(numbers, rng)
    final.weights[abs(final.weights) < ZERO] = 0.0
    model = PriorModel(
        game=data.game,
        version=data.version,
        names=(),
        sparse=tuple(map(int, in_units(final.weights))),
        l2=0.0,
        seed=args.seed,
        losses=((0.0, (float(quality["prior"].log_loss or 0.0),)),),
        held_out=quality,
        data={
            "games": len(np.unique(data.games)),
            "positions": data.positions,
            "left_out": dict(data.left_out),
            "store": data.store,
        },
    )
    model.write(args.output)


if __name__ == "__main__":
    main()
