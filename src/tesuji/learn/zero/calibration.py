"""Positions to calibrate a quantised network on: games in which it plays itself by sampling its policy.

They are on all boards that the network was trained on, since its activations differ from rule to rule.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import nn

from tesuji.game import Game
from tesuji.learn.zero.boards import Boards
from tesuji.models.network import network_planes
from tesuji.models.network_format import Description
from tesuji.planes import NativePlanes

GAMES = 64
"""Games for calibration, on all boards together."""
PLIES = 200
POSITIONS = 640
"""Calibration positions, spaced evenly over the games; more change the scales little."""
BATCH = 32

Images = NDArray[np.float32]
"""Planes of several positions on one board: [positions, planes, rows, columns]."""


def calibration_batches(network: nn.Module, description: Description, game: Game) -> list[Images]:
    """Planes of positions from games that sample the policy, with a fixed seed: one board per batch."""
    boards = _boards(description, game)
    total, batches = sum(boards.weights), []
    for board, weight in zip(boards.games, boards.weights, strict=True):
        games, positions = (max(2, round(number * weight / total)) for number in (GAMES, POSITIONS))
        planes = _sampled_games(network, description, board, games)
        evenly = np.linspace(0, len(planes) - 1, min(positions, len(planes))).astype(int)
        planes = np.ascontiguousarray(planes[evenly], np.float32)
        batches += [planes[at : at + BATCH] for at in range(0, len(planes), BATCH)]
    return batches


def _boards(description: Description, game: Game) -> Boards:
    """The boards of the training as its description names them, or else the game's own."""
    config = description.training.get("config")
    boards = config.get("boards") if isinstance(config, dict) else None
    return Boards.parse(game, boards if isinstance(boards, str) else "")


def sampled_move(planes: NativePlanes, state: Any, logits: NDArray[Any], random: np.random.Generator) -> Any:
    """A legal move, drawn from the policy with these logits."""
    moves = list(state.moves())
    legal = logits[[planes.index(state, move) for move in moves]]
    chances = np.exp(legal - legal.max())
    return moves[random.choice(len(moves), p=chances / chances.sum())]


def _sampled_games(network: nn.Module, description: Description, game: Game, games: int) -> Images:
    planes, random = network_planes(description, game), np.random.default_rng(0)
    states: list[Any] = [game.start() for _ in range(games)]
    found = []
    for _ in range(PLIES):
        images = np.stack([planes(state) for state in states])
        found.append(images)
        with torch.inference_mode():
            policies = network(torch.from_numpy(images)).policy.numpy()
        after = []
        for state, logits in zip(states, policies, strict=True):
            state = state.play(sampled_move(planes, state, logits, random))
            if state.scores() is None:
                after.append(state)
        states = after
        if not states:
            break
    return np.concatenate(found)
