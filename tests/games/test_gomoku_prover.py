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


def analyse(state: GomokuState, study_after: int) -> tesuji.Analysis:
    return tesuji.MCTS(state.game, iterations=200, seed=1, study_after=study_after).analyse(state)


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
        hooks = {"prover": state.game.knowledge.prover.native}  # type: ignore[attr-defined]
        found = networks.analyse(state, iterations=600, hooks=hooks, **options)
        return [(each.move, each.visits) for each in found.candidates]

    at_eight = visits(study_after=8)
    assert visits() == at_eight
    assert visits(evaluations_at_once=4) == visits(study_after=32) != at_eight
    assert visits(evaluations_at_once=4, study_after=8) == at_eight
