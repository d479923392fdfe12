"""Hashes of native positions: alpha-beta takes equal hashes for equal positions, and proofs rest on it."""

from __future__ import annotations

import random
from typing import Any

import pytest

import tesuji
from tesuji.games.onitama import OnitamaState

GAMES = [
    *(f"hex:size={size},swap={swap}" for size in (2, 3, 4, 7, 11, 19) for swap in ("on", "off")),
    *(
        f"gomoku:size={size},rule={rule}"
        for size in (5, 9, 20)
        for rule in ("freestyle", "standard", "renju")
    ),
    *(f"gomoku:size={size},swap2=on" for size in (5, 6, 15)),
    "onitama",
    "onitama:set=all,ply_limit=off",
]


def met_at_random(game: Any, rng: random.Random, positions: int) -> list[Any]:
    """Positions of games in which now and then many of the moves are looked at, not only the one played."""
    met: list[Any] = []
    while len(met) < positions:
        state = game.start(seed=rng.randrange(5)) if hasattr(game, "cards") else game.start()
        met.append(state)
        while state.scores() is None:
            moves = state.moves()
            met += [state.play(move) for move in rng.sample(moves, min(len(moves), 6))]
            state = state.play(rng.choice(moves))
        met.append(state)
    return met


def what_counts(state: Any) -> object:
    """The key, without what Onitama's hash leaves out: the order of a hand, the past, the plies played."""
    if not isinstance(state, OnitamaState):
        return state.key()
    return state.cells(), frozenset(state.hand(0)), frozenset(state.hand(1)), state.side, state.player


@pytest.mark.parametrize("spec", GAMES)
def test_positions_with_equal_hashes_are_equal(spec: str) -> None:
    known: dict[int, object] = {}
    for state in met_at_random(tesuji.game(spec), random.Random(1), 3000):
        assert known.setdefault(state.core.hash(), what_counts(state)) == what_counts(state), state


@pytest.mark.parametrize("spec", ["hex:size=3,swap=on", "hex:size=3"])
def test_all_positions_of_a_small_board_have_distinct_hashes(spec: str) -> None:
    start: Any = tesuji.game(spec).start()
    keys: dict[object, int] = {}
    seen, layer = 0, {start.key(): start}
    while layer:
        keys |= {key: state.core.hash() for key, state in layer.items()}
        after = [state.play(move) for state in layer.values() for move in state.moves()]
        seen += len(layer)
        layer = {state.key(): state for state in after}
    assert len(set(keys.values())) == len(keys) == seen > 5000


@pytest.mark.parametrize(
    ("spec", "one", "other"),
    [("hex:size=3,swap=on", "c2 swap-pieces", "a1 b3 b1"), ("hex:size=3,swap=on", "a1", "b1 c3 c2")],
)
def test_a_stone_in_the_first_row_does_not_collide_with_the_side_to_move(
    spec: str, one: str, other: str
) -> None:
    first, second = (tesuji.replay(spec, moves) for moves in (one, other))
    assert first.key() != second.key()
    assert first.core.hash() != second.core.hash()


@pytest.mark.parametrize("seed", range(6))
def test_with_the_swap_the_first_player_loses_small_boards(seed: int) -> None:
    game = tesuji.game("hex:size=3,swap=on")
    assert tesuji.AlphaBeta(game, depth=10, seed=seed).analyse(game.start()).proven == 0.0
