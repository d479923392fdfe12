"""Go Fish with its own type, for tests that use more than the protocol of games."""

import tesuji
from tesuji.games.gofish.game import GoFish
from tesuji.games.gofish.state import GoFishState


def go_fish(spec: str) -> GoFish:
    game = tesuji.game(spec).own
    assert isinstance(game, GoFish)
    return game


def replayed(spec: str, moves: str, *, seed: int) -> GoFishState:
    state = tesuji.replay(spec, moves, seed=seed).own
    assert isinstance(state, GoFishState)
    return state
