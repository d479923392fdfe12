"""Problems of Gomoku: their answers hold by slow rules, and they are made again from their numbers."""

from __future__ import annotations

import random
from collections import Counter
from functools import cache

import pytest

import tesuji
from tests.games.gomoku_boards import RULES, replay
from tests.games.gomoku_proofs import Judge
from tests.games.gomoku_tactics import TACTICS, position, symmetries
from tests.games.slow_gomoku import stones_of
from tesuji.games import Gomoku
from tesuji.games.gomoku import GomokuState, defend, solve
from tesuji.games.gomoku.problems import FEW, Problems
from tesuji.games.solving import SolvedProblem

MANY, SOME = 6, 2


@cache  # several tests look at the same problems
def answered(
    problems: Problems, kind: str, count: int, seed: int = 1
) -> tuple[tuple[GomokuState, SolvedProblem], ...]:
    found = []
    for number, plies in problems.find(kind, count, seed):
        solved = problems.solve(number)
        if solved is not None:  # it takes too long to prove
            assert (solved.kind, solved.plies) == (kind, plies)
            found.append((problems.position(number), solved))
    return tuple(found)


def judge(state: GomokuState, *moves: int) -> Judge:
    """Of the position after some moves."""
    stones = stones_of(state.size, state.cells())
    for ply, move in enumerate(moves):
        stones[divmod(move, state.size)] = state.colour ^ (ply % 2)
    return Judge(state.size, state.game.rule, stones)


def fives(state: GomokuState, colour: int) -> set[int]:
    slow = judge(state)
    return {cell for cell in slow.empty() if slow.makes_five(cell, colour)}


def some_moves(state: GomokuState, solved: SolvedProblem) -> frozenset[int]:
    """All right moves, and a few others."""
    return solved.right.union(random.Random(state.ply).sample(state.moves(), 25))


@pytest.fixture(scope="module", params=RULES)
def problems(request: pytest.FixtureRequest) -> Problems:
    return Problems(Gomoku(rule=request.param))


@pytest.mark.parametrize("kind", Problems.kinds)
def test_in_every_problem_some_moves_are_right_and_some_are_wrong(problems: Problems, kind: str) -> None:
    for state, solved in answered(problems, kind, MANY):
        assert state.scores() is None
        assert solved.right < set(state.moves())
    lengths = Counter(plies for _, plies in problems.find(kind, MANY, 1))
    assert lengths == dict.fromkeys(Problems.kinds[kind], MANY // len(Problems.kinds[kind]))


def test_answers_of_problems_with_fives_agree_with_the_rules(problems: Problems) -> None:
    for state, solved in answered(problems, "five", MANY):
        assert solved.right == fives(state, state.colour)
    for state, solved in answered(problems, "stop five", MANY):
        assert not fives(state, state.colour)
        assert solved.right == fives(state, 1 - state.colour)


@pytest.mark.parametrize("kind", ["open four", "fours"])
def test_right_moves_win_against_every_reply_by_slow_rules(problems: Problems, kind: str) -> None:
    rng = random.Random(1)
    for state, solved in answered(problems, kind, SOME):
        line = solve(state).line
        assert line[0] in solved.right
        assert judge(state).line_fault(line, state.colour) is None
        after = state.play(rng.choice(sorted(solved.right)))
        for reply in [] if after.scores() else rng.sample(after.moves(), 3):
            held = after.play(reply)
            assert held.scores() is None
            assert judge(held).fault(solve(held).proof, state.colour) is None


@pytest.mark.parametrize("kind", ["open four", "fours"])
def test_a_wrong_move_leaves_the_opponent_a_defence(problems: Problems, kind: str) -> None:
    """Also where a previous defence was tried first."""
    for state, solved in answered(problems, kind, SOME):
        for move in some_moves(state, solved):
            assert (move in solved.right) == (not defend(state.play(move)).moves)


@pytest.mark.parametrize("kind", ["stop four", "hold fours"])
def test_wrong_moves_lose_by_proofs_that_slow_rules_confirm(problems: Problems, kind: str) -> None:
    for state, solved in answered(problems, kind, SOME):
        assert 0 < len(solved.right) <= FEW
        assert judge(state).shortest(1 - state.colour, 3) == (3 if kind == "stop four" else None)
        for move in some_moves(state, solved):
            after = state.play(move)
            solution = solve(after)
            if move in solved.right:
                assert not solution.won
            elif solution.won:
                assert judge(after).line_fault(solution.line, after.colour) is None
            else:  # a four gains time, and no more
                assert fives(after, state.colour)


def test_a_problem_is_reproducible_from_its_number(problems: Problems) -> None:
    again = Problems(problems.game)
    for kind in Problems.kinds:
        found = problems.find(kind, SOME, seed=3)
        assert again.find(kind, SOME, seed=3) == found
        assert not {number for number, _ in found} & {
            number for number, _ in problems.find(kind, SOME, seed=4)
        }
        for number, _ in found:
            state = problems.position(number)
            assert again.position(number).key() == state.key()
            assert repr(replay(*eval(repr(state).removeprefix("tesuji.replay")))) == repr(state)


def test_no_problem_is_a_test_position(problems: Problems) -> None:
    rule = problems.game.rule
    tests = {
        position(turned, colour, rule)[0].cells()
        for tactic in TACTICS.values()
        for turned in symmetries(tactic)
        for colour in (0, 1)
    }
    found = [number for kind in Problems.kinds for number, _ in problems.find(kind, MANY, seed=5)]
    boards = {problems.position(number).cells() for number in found}
    assert len(boards) == len(found)
    assert not boards & tests


@pytest.mark.parametrize("spec", ["gomoku:size=9", "gomoku:size=20,rule=standard", "gomoku:swap2=on"])
def test_every_board_has_problems(spec: str) -> None:
    game = tesuji.game(spec)
    assert isinstance(game, Gomoku)
    for kind in ("five", "stop five", "open four", "stop four", "fours"):
        assert answered(game.problems, kind, SOME)
