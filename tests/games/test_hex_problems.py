"""Problems of Hex: their answers hold by brute force, and they are made again from their numbers."""

from __future__ import annotations

import pytest

from tests.games.slow_hex import SlowHex
from tesuji.games import Hex
from tesuji.games.hex.problems import Problems


@pytest.mark.parametrize("kind", Problems.kinds)
def test_right_moves_are_those_that_win_by_brute_force(kind: str) -> None:
    problems = Problems(Hex(size=4))
    rules = SlowHex(4)
    found = problems.find(kind, 2, seed=1)
    assert len(found) == 2
    for number, plies in found:
        state = problems.position(number)
        solved = problems.solve(number)
        assert solved is not None
        assert (solved.kind, solved.plies) == (kind, plies)
        assert len(solved.right) in Problems.kinds[kind]
        for move in state.moves():
            after = state.play(move)
            wins = after.scores() is not None or rules.winner(after) == state.player
            assert (move in solved.right) == wins


@pytest.mark.parametrize("game", [Hex(size=5), Hex(size=6), Hex(size=5, swap=True)])
def test_a_problem_is_reproducible_from_its_number(game: Hex) -> None:
    problems, again = Problems(game), Problems(game)
    found = problems.find("only move", 2, seed=3)
    assert len(found) == 2
    assert again.find("only move", 2, seed=3) == found
    assert not set(found) & set(problems.find("only move", 2, seed=4))
    for number, _ in found:
        assert again.position(number).key() == problems.position(number).key()
        assert again.solve(number) == problems.solve(number)
