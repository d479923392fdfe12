"""Games as environments of PettingZoo and Gymnasium, checked by their own test suites."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import examples.tic_tac_toe  # noqa: F401

pytest.importorskip("pettingzoo")
pytest.importorskip("gymnasium")

from gymnasium.utils.env_checker import check_env
from pettingzoo.test import api_test, seed_test

from tesuji.envs import MultiAgentEnv, SingleAgentEnv

GAMES = ["hex:size=4", "tictactoe", "gomoku:size=6", "onitama:set=all"]
OPENSPIEL = ["openspiel:game=backgammon", "openspiel:game=kuhn_poker"]
pytestmark = pytest.mark.filterwarnings("ignore")  # those of the suites are not about us


@pytest.mark.parametrize("game", GAMES)
def test_the_multi_agent_environment_passes_pettingzoos_suite(game: str) -> None:
    api_test(MultiAgentEnv(game), num_cycles=60)


@pytest.mark.parametrize("game", OPENSPIEL)
def test_games_with_chance_pass_it_too(game: str) -> None:
    pytest.importorskip("pyspiel")
    api_test(MultiAgentEnv(game), num_cycles=60)


def test_the_same_seed_gives_the_same_game() -> None:
    pytest.importorskip("pyspiel")
    seed_test(lambda: MultiAgentEnv("openspiel:game=backgammon"), num_cycles=20)


@pytest.mark.parametrize("game", GAMES)
def test_the_single_agent_environment_passes_gymnasiums_suite(game: str) -> None:
    check_env(SingleAgentEnv(game, opponent="random:seed=1"), skip_render_check=True)


def test_rewards_are_those_of_the_game() -> None:
    env = MultiAgentEnv("tictactoe", render_mode="ansi")
    env.reset(seed=1)
    for action in (0, 3, 1, 4, 2):
        assert env.observe(env.agent_selection)["action_mask"][action] == 1
        env.step(action)
    assert env.rewards == {"player_0": 1.0, "player_1": -1.0}
    assert all(env.terminations.values())
    assert "X" in str(env.render()).upper()


def test_an_illegal_action_is_refused_or_loses() -> None:
    env: Any = MultiAgentEnv("tictactoe")
    env.reset()
    env.step(4)
    with pytest.raises(ValueError, match="action 4 is not legal"):
        env.step(4)
    single = SingleAgentEnv("tictactoe", opponent="random:seed=1")
    single.reset(seed=1)
    single.step(np.int64(4))
    _, reward, over, _, info = single.step(np.int64(4))
    assert (reward, over, info["illegal"]) == (-1.0, True, True)
    assert not single.action_masks().any()


def test_masks_are_the_legal_moves_and_seats_can_be_chosen() -> None:
    env = SingleAgentEnv("hex:size=3", opponent="mcts:iterations=20", seat=1)
    _, info = env.reset(seed=3)
    assert info["action_mask"].sum() == 8  # the bot has moved
    with pytest.raises(ValueError, match="from 0 to 1, not 2"):
        SingleAgentEnv("hex:size=3", seat=2)


def test_a_game_whose_actions_cannot_be_numbered_is_refused() -> None:
    with pytest.raises(ValueError, match="the actions of gofish cannot be numbered; define move_space"):
        MultiAgentEnv("gofish")
