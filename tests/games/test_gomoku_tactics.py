"""Bots find the right move in tactical positions, however the board is turned, with either colour."""

from itertools import product
from typing import Any

import pytest

import tesuji
from tests.games.gomoku_tactics import TACTICS, position, symmetries
from tests.games.slow_gomoku import stones_of, why_forbidden, wins
from tesuji.games.gomoku import defend, solve

RULES = ("freestyle", "standard", "renju")
# The learned value of greedy mistakes one open four in standard.
QUICK = ("greedy:seed=1,value=hand", "alphabeta:nodes=300,seed=1", "mcts:iterations=100,seed=1")
WHOLE = ("easy:seed=1", "medium:seed=1", "hard:seed=1", "expert:seed=1", None)
"""As people meet them; None is the game's own."""
NOT_LOST = [name for name in TACTICS if "though" not in name]
"""In a lost position, a short search may prefer a move that it has not yet refuted."""


@pytest.mark.parametrize("name", TACTICS)
def test_tactical_positions_agree_with_their_descriptions(name: str) -> None:
    for tactic, colour, rule in product(symmetries(TACTICS[name]), (0, 1), RULES):
        state, right = position(tactic, colour, rule)
        stones = stones_of(state.size, state.cells())
        assert state.scores() is None
        assert state.colour == colour == len(stones) % 2
        assert right <= set(state.moves())
        assert not any(colour == 0 and why_forbidden(15, stones, divmod(move, 15)) for move in right)
        fives = {
            move
            for move in state.moves()
            if wins({**stones, divmod(move, 15): colour}, divmod(move, 15), rule)
        }
        if name.startswith("complete"):
            assert fives == right
        elif name.startswith("stop"):
            assert set(defend(state).moves) == (set() if "though" in name else right)
        else:
            assert not fives
            assert len(solve(state).line) == 3


@pytest.mark.parametrize("bot", QUICK)
@pytest.mark.parametrize("name", NOT_LOST)
def test_a_short_search_finds_the_right_move_in_all_symmetries(name: str, bot: str) -> None:
    for rule in RULES:
        found = tesuji.bot(bot, f"gomoku:rule={rule}")
        for tactic, colour in product(symmetries(TACTICS[name]), (0, 1)):
            state, right = position(tactic, colour, rule)
            assert found.choose(state) in right, (rule, colour, state)


@pytest.mark.parametrize("bot", WHOLE)
@pytest.mark.parametrize("name", NOT_LOST)
def test_the_games_own_bots_find_the_right_move(name: str, bot: str | None) -> None:
    for rule in RULES[:1] if bot == "expert:seed=1" else RULES:  # who thinks for seconds is asked once
        state, right = position(TACTICS[name], rule=rule)
        assert tesuji.bot(bot, state.game).choose(state) in right, (rule, state)


@pytest.mark.parametrize("bot", ["alphabeta:nodes=20000,seed=1", "mcts:iterations=3000,seed=1", *WHOLE[2:]])
def test_a_lost_position_is_still_defended_against_a_five(bot: str | None) -> None:
    for rule in RULES:
        found = tesuji.bot(bot, f"gomoku:rule={rule}")
        for tactic, colour in product(symmetries(TACTICS["stop a four though it is open"]), (0, 1)):
            state, right = position(tactic, colour, rule)
            assert found.choose(state) in right, (rule, colour, state)


def test_a_search_stopped_while_proving_a_loss_still_blocks_the_five() -> None:
    state: Any = tesuji.replay("gomoku", "h8 j10 j11 g9 i12 j6 i13 i14 k14 j7 k4 h5 m6 j8")
    for iterations in range(15_600, 16_300, 100):  # what loses at once is not all refuted yet
        found = tesuji.bot(f"mcts:iterations={iterations},seed=2", state.game).choose(state)
        assert state.text(found) == "j9", iterations


def test_in_a_lost_position_the_move_that_takes_longest_to_refute_is_played() -> None:
    state: Any = tesuji.replay("gomoku", "h8 f10 j10 h7 j8 g8 h5 l7 h10 g6 h11 h9 h3 k5 l6 k4 n6 k7")
    analysis = tesuji.MCTS(state.game, iterations=60_000, seed=1).analyse(state)
    assert analysis.proven == 0
    assert analysis.candidates[0].visits == max(found.visits for found in analysis.candidates)


@pytest.mark.parametrize("proximity", ["off", "soft", "hard"])
@pytest.mark.parametrize("search", ["alphabeta:nodes=300", "mcts:iterations=100"])
@pytest.mark.parametrize("name", NOT_LOST)
def test_proximity_never_prunes_the_right_move(name: str, search: str, proximity: str) -> None:
    found = tesuji.bot(f"{search},seed=1,proximity={proximity}", "gomoku")
    for tactic in symmetries(TACTICS[name]):
        state, right = position(tactic)
        assert found.choose(state) in right, state
