"""The networks that come with the package: small, described, and able to play."""

from __future__ import annotations

import random
from typing import Any

import pytest

import tesuji
from tesuji.models.network import BUNDLED, Network, bundled_networks

LARGEST = 6 << 20  # bytes
bundled = pytest.mark.parametrize("name", bundled_networks())


@bundled
def test_a_bundled_network_is_small_and_describes_itself(name: str) -> None:
    network = Network(name)
    assert network.path.stat().st_size <= LARGEST
    assert network.description.game == BUNDLED[name]
    assert network.description.training["games"] > 10_000


@bundled
def test_a_bundled_network_is_the_default_of_its_game_and_beats_random(name: str) -> None:
    game = tesuji.game(BUNDLED[name])
    bot: Any = tesuji.bot("zero:visits=4,seed=1", game)
    assert bot.network.path == Network(name).path
    for seat in (0, 1):
        rng, state = random.Random(seat), game.start()
        while state.scores() is None:
            state = state.play(bot.choose(state) if state.player == seat else rng.choice(list(state.moves())))
        assert state.scores()[seat] == 1.0  # type: ignore[index]
