"""Averaging over symmetries: the average does not depend on how the board is turned."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest

import tesuji
from tesuji.models.averaging import Averaged
from tesuji.models.network import Evaluation, Network, PlaneBatch
from tesuji.planes import planes_of


def position(game: Any, plies: int) -> Any:
    rng, state = random.Random(plies), game.start()
    for _ in range(plies):
        state = state.play(rng.choice(list(state.moves())))
    return state


@pytest.mark.parametrize(("spec", "count"), [("hex:size=5", 2), ("gomoku:size=7", 8)])
def test_the_average_turns_with_the_board_and_asks_each_symmetry_once(spec: str, count: int) -> None:
    game: Any = tesuji.game(spec)
    planes = planes_of(game)
    weights = np.random.default_rng(1).normal(size=(int(np.prod(planes.shape)), planes.policy_size + 1))
    asked: list[int] = []

    def uneven(batch: PlaneBatch) -> Evaluation:
        asked.append(len(batch))
        outputs = (batch.reshape(len(batch), -1) @ weights).astype(np.float32)
        return outputs[:, 1:], outputs[:, 0]

    averaged = Averaged(uneven, planes)
    first, second = planes(position(game, 4)), planes(position(game, 5))
    policy, value = averaged(np.stack([first, second]))
    assert asked == [2 * count]
    for symmetry in range(count):
        images = [np.asarray(planes.native.transform_planes(symmetry, one)) for one in (first, second)]
        turned = np.stack(images).astype(np.float32)
        moves = [planes.native.transform_index(symmetry, move) for move in range(planes.policy_size)]
        turned_policy, turned_value = averaged(turned)
        assert turned_policy[:, moves] == pytest.approx(policy, abs=1e-3)
        assert turned_value == pytest.approx(value, abs=1e-3)
    plain = uneven(first[np.newaxis])[1]
    assert abs(plain[0] - value[0]) > 0.01  # the network itself is uneven


def test_zero_plays_with_the_average() -> None:
    game = tesuji.game("hex:size=5")
    bot: Any = tesuji.bot("zero:visits=1,symmetries=average,seed=1", game)
    state = tesuji.replay(game, "b2")
    network = Network("hex", game)
    policy, _ = Averaged(network, network.planes)(network.planes(state)[np.newaxis])
    priors = {one.move: one.prior for one in bot.analyse(state).candidates}
    weights = np.exp(policy[0] - policy[0].max())
    indices = {move: network.planes.index(state, move) for move in state.moves()}
    total = sum(weights[index] for index in indices.values())
    for move, index in indices.items():
        assert priors[move] == pytest.approx(weights[index] / total, abs=2e-3)
    assert tesuji.spec_of(bot) == "zero:visits=1,symmetries=average,seed=1"
