"""Reports of a prior: how well it predicts the moves of held-out games, and its strongest weights."""

from __future__ import annotations

from typing import Any

import numpy as np

from tesuji.learn.prior import LinearPrior
from tesuji.models.prior_file import as_dict

SHOWN = 15  # weights at either end
QUALITY_COLUMNS = ("moves ordered by", "log-loss", "first choice", "first five")
WEIGHT_COLUMNS = ("feature", "weight")
NAMES = {"prior": "this prior", "uniform": "equal weights", "ordering": "the game's own ordering"}


def summary(prior: LinearPrior) -> str:
    """The training data: `hex: 200 games, 4,321 positions`."""
    data = prior.data_
    left = ", ".join(f"{number} {reason}" for reason, number in data["left_out"].items())
    text = f"{prior.game_}: {data['games']:,} games, {data['positions']:,} positions"
    return f"{text}; excluded: {left}" if left else text


def quality_table(prior: LinearPrior) -> list[list[str]]:
    """On held-out games: −log P(move played), and how often it is the first, or one of the first five."""
    return [
        [
            NAMES[name],
            "–" if quality.log_loss is None else f"{quality.log_loss:.4f}",
            f"{quality.top1:.1%}",
            f"{quality.top5:.1%}",
        ]
        for name, quality in prior.held_out_.items()
    ]


def loss_lines(prior: LinearPrior) -> list[str]:
    """The log-loss of each λ2 in the cross-validation; the chosen one is marked."""
    return [
        f"{'→' if l2 == prior.l2_ else ' '} λ2 = {l2:g}: {np.mean(losses):.4f}"
        for l2, losses in prior.losses_
    ]


def weight_table(prior: LinearPrior) -> list[list[str]]:
    """The largest and the smallest weights."""
    order = np.argsort(-prior.weights_, kind="stable")
    used = [int(code) for code in order if prior.weights_[code] != 0]
    shown = used if len(used) <= 2 * SHOWN else used[:SHOWN] + used[-SHOWN:]
    return [[prior.name_of(code), f"{prior.weights_[code]:+.3f}"] for code in shown]


def facts(prior: LinearPrior) -> dict[str, Any]:
    """The model and the report as plain data for JSON."""
    strongest = [{"feature": name, "weight": float(weight)} for name, weight in weight_table(prior)]
    return as_dict(prior.model_) | {"strongest": strongest}
