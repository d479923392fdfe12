"""The threat solver in the searches: what they call lost is lost, and is known without a visit."""

from __future__ import annotations

import random

import pytest

import tesuji
from tests.games.gomoku_boards import RULES
from tests.games.test_gomoku_solver import random_position
from tests.search import networks
from tesuji.games.gomoku import GomokuState, defend, solve

OPEN_THREE = "h8 a1 i8 a3 j8"  # White to move must stop it


def analyse(state: GomokuState, proof_search_after: int) -> tesuji.Analysis:
    return tesuji.MCTS(state.game, iterations=200, seed=1, proof_search_after=proof_search_after).analyse(
        state
    )


@pytest.mark.parametrize("rule", RULES)
def test_moves_that_a_study_calls_lost_lose_by_threats(rule: str) -> None:
    rng, lost, without = random.Random(1), 0, 0
    for _ in range(12):
        state = random_position(rng, 15, rule, rng.randint(9, 16))
        without += sum(one.proven == 0.0 for one in analyse(state, 0).candidates)
        for candidate in analyse(state, 1).candidates:
            if candidate.proven != 0.0:
                continue
            lost += 1
            after = state.play(candidate.move)
            assert solve(after, "vct", nodes=50_000).verdict == "won", (state, state.text(candidate.move))
    assert lost > without + 100


def test_moves_that_do_not_stop_the_fours_are_lost_before_the_search() -> None:
    state = tesuji.replay("gomoku", OPEN_THREE)
    assert isinstance(state, GomokuState)
    kept = set(defend(state).moves)
    found = {one.move for one in analyse(state, 1).candidates if one.proven is None}
    assert found == kept


def test_the_more_evaluations_at_once_the_later_a_node_is_studied() -> None:
    state = tesuji.replay("gomoku", "h8 i9 g7 f6 g9 i7")

    def visits(**options: int) -> list[tuple[object, int]]:
        hooks = {"prover": state.game.knowledge.prover.native}
        found = networks.analyse(state, iterations=600, hooks=hooks, **options)
        return [(each.move, each.visits) for each in found.candidates]

    assert visits() == visits(proof_search_after=8)
    later = visits(evaluations_at_once=4)
    assert (
        later
        == visits(evaluations_at_once=4, proof_search_after=32)
        != visits(evaluations_at_once=4, proof_search_after=8)
    )


def test_the_busier_a_move_the_harder_its_refutation_is_sought() -> None:
    state = tesuji.replay("gomoku", "f4 f3 e5 e3 f2 c7 c8 d6 e7 d5 g3 d4")
    refuted = state.parse("h2")
    after = state.play(refuted)
    assert isinstance(after, GomokuState)
    assert solve(after, "vct", nodes=20_000).won
    assert solve(after, "vct", nodes=4_000).verdict == "unknown"  # not seen by the first study
    blind = tesuji.MCTS("gomoku", iterations=6000, seed=1, proof_search_after=0).analyse(state)
    assert blind.move == refuted
    found = tesuji.MCTS("gomoku", iterations=6000, seed=1).analyse(state)
    assert found.move != refuted
    (one,) = (each for each in found.candidates if each.move == refuted)
    assert one.proven == 0.0


def test_the_move_to_be_played_is_verified() -> None:
    """White wins by threats after e7, which a network has its eye on; no study of a node goes that far."""
    state = tesuji.replay("gomoku", "f10 d8 f6 d9 c9 e10 c8 d11 d10 e11 e12 h9 f9 e8 f7 f8 h8 i10")
    assert isinstance(state, GomokuState)
    refuted = state.parse("e7")
    after = state.play(refuted)
    assert isinstance(after, GomokuState)
    assert solve(after, "vct", nodes=50_000).verdict == "unknown"

    def network(moves: int) -> networks.Network:
        def answer(planes: networks.Array) -> tuple[networks.Array, networks.Array]:
            policy, value = networks.even(moves)(planes)
            policy[:, refuted] = 10
            return policy, value

        return answer

    hooks = {"prover": state.game.knowledge.prover.native}
    for iterations in (50, 500):  # the more simulations, the longer a refutation is sought
        found = networks.analyse(
            state, iterations=iterations, hooks=hooks, network=network, proof_search_after=0
        )
        (one,) = (each for each in found.candidates if each.move == refuted)
        assert (found.move != refuted) == (one.proven == 0.0) == (iterations == 500)
        assert found.iterations == iterations
