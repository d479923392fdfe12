"""The solver in the searches: what they call proven is true, and nothing that wins is passed over."""

from __future__ import annotations

from typing import Any

import pytest

import tesuji
from tests.games.test_hex_solver import random_states, replay, slow
from tesuji.games.hex import HexState, solve_moves
from tesuji.search.zero import Zero

WIN_BY_BRIDGES = "f6 a1 e8 k11 g4 a11"  # Black's bridges reach both edges; Black to move
LOST_BY_BRIDGES = "f6 a1 e8 k11 g4"  # the same with White to move


def analyse(state: HexState, **options: Any) -> tesuji.Analysis:
    return tesuji.MCTS(state.game, **{"seed": 1, **options}).analyse(state)


@pytest.mark.parametrize("rave", ["node", "off"])
def test_what_a_search_proves_is_true(rave: str) -> None:
    proven = 0
    for state in random_states(4, 12, 60, seed=1) + random_states(5, 12, 40, seed=2):
        truth = slow(state.size)
        found = analyse(state, iterations=300, expand_after=1, proof_search_after=2, rave=rave)
        assert found.proven in (None, float(truth.winner(state) == state.player)), state
        for candidate in found.candidates:
            if candidate.proven is None:
                continue
            proven += 1
            after = state.play(candidate.move)
            won = after.scores() is not None or truth.winner(after) == state.player
            assert candidate.proven == float(won), (state, state.text(candidate.move))
    assert proven > 150


def test_a_won_position_is_never_thrown_away_where_everything_is_studied() -> None:
    for state in random_states(4, 14, 25, seed=3):
        truth = slow(4)
        if truth.winner(state) != state.player:
            continue
        after = state.play(analyse(state, iterations=400, expand_after=1, proof_search_after=1).move)
        assert after.scores() is not None or truth.winner(after) == state.player


def test_a_win_by_bridges_is_known_before_the_search_begins() -> None:
    state = replay("hex", WIN_BY_BRIDGES)
    found = analyse(state, iterations=1000)
    assert (found.proven, found.stopped, found.iterations) == (1.0, "proven", 0)
    assert found.plies is None  # not known
    assert analyse(state, iterations=100, prover="off").iterations == 100


def test_a_lost_position_is_searched_for_the_best_resistance() -> None:
    found = analyse(replay("hex", LOST_BY_BRIDGES), iterations=500)
    assert (found.iterations, found.stopped) == (500, "iterations")


def test_moves_outside_the_must_play_region_are_proven_lost_at_the_root() -> None:
    lost = 0
    for state in random_states(6, 30, 30, seed=4):
        winners = solve_moves(state).winners
        for candidate in analyse(state, iterations=1).candidates:
            if candidate.proven is not None:
                assert winners[candidate.move] == (state.player if candidate.proven else 1 - state.player)
                lost += candidate.proven == 0
    assert lost > 20


def test_proof_search_after_0_studies_nothing() -> None:
    state = replay("hex", WIN_BY_BRIDGES)
    assert analyse(state, iterations=100, proof_search_after=0).iterations == 100


@pytest.mark.parametrize("moves", ["", "a1", "b2"])
def test_the_swap_is_not_overlooked(moves: str) -> None:
    state = replay("hex:size=3,swap=on", moves)
    found = analyse(state, iterations=20_000, proof_search_after=1)
    # The second player wins: it answers a losing stone and takes over a winning one.
    assert found.proven == float(state.player == 1)
    assert (found.move == 9) == (moves == "b2")


@pytest.mark.threads
def test_threads_study_each_node_once() -> None:
    state = replay("hex:size=6", "c3")
    found = analyse(state, iterations=20_000, threads=2, proof_search_after=50)
    assert found.iterations == 20_000 or found.proven is not None


def test_a_kept_tree_keeps_what_was_studied() -> None:
    game = tesuji.games.Hex(size=6)
    bot = tesuji.MCTS(game, iterations=3000, seed=1, proof_search_after=20)
    state = game.start().play(14)
    while state.scores() is None:
        found = bot.analyse(state)
        assert found.move in state.moves()
        state = state.play(found.move)


def test_the_prover_takes_its_share_of_the_time() -> None:
    found = analyse(replay("hex", "f6 d8"), seconds=0.1)
    assert found.iterations > 0


def test_the_search_with_a_network_uses_it() -> None:
    state = replay("hex:size=7", "d4 a1 c6 g7 e2 a7")
    found = Zero(state.game, visits=50, seed=1).analyse(state)
    assert (found.proven, found.stopped, found.iterations) == (1.0, "proven", 0)


def test_alphabeta_reports_lengths_of_its_own() -> None:
    # A win by connections has no known length, which alpha-beta's scores need.
    found = tesuji.AlphaBeta("hex:size=3", depth=9, seed=1).analyse(replay("hex:size=3", "b2 c1"))
    assert (found.proven, found.plies) == (1.0, 3)
