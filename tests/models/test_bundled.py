"""The networks that come with the package: small, described, and able to play."""

from __future__ import annotations

import random
from typing import Any

import pytest

import tesuji
from tesuji.models.network import BUNDLED, Network, bundled_networks

LARGEST = 6 << 20  # bytes
boxed = pytest.mark.parametrize("name", bundled_networks())


@boxed
def test_a_network_in_the_box_is_small_and_says_what_it_is_for(name: str) -> None:
    network = Network(name)
    assert network.path.stat().st_size <= LARGEST
    assert network.description.game == BUNDLED[name]
    assert network.description.training["games"] > 10_000


@boxed
def test_a_network_in_the_box_is_its_games_own_and_beats_chance(name: str) -> None:
    game = tesuji.game(BUNDLED[name])
    bot: Any = tesuji.bot("zero:visits=4,seed=1", game)
    assert bot.network.path == Network(name).path
    for seat in (0, 1):
        rng, state = random.Random(seat), game.start()
        while state.scores() is None:
            state = state.play(bot.choose(state) if state.player == seat else rng.choice(list(state.moves())))
        assert state.scores()[seat] == 1.0  # type: ignore[index]
