"""The smallest boards solved in three ways: by independent brute force, by our rules, and by the search."""

from functools import cache

import pytest

import tesuji
from tests.games.hex_boards import neighbours
from tesuji.games import Hex
from tesuji.games.hex import HexState

WINNING_OPENINGS = {2: "b1 a2", 3: "c1 a2 b2 c2 a3", 4: "d1 c2 b3 a4"}


@cache
def solved_openings(size: int) -> frozenset[int]:
    """The openings that win for Black, by brute force over sets of bits."""
    near = [sum(1 << cell for cell in cells) for cells in neighbours(size)]
    top, left = (1 << size) - 1, sum(1 << row * size for row in range(size))
    sides = (top, top << size * (size - 1)), (left, left << size - 1)
    middle = (size - 1) / 2
    # Good moves first: the search ends at the first one that wins.
    order = sorted(
        range(size * size), key=lambda cell: abs(cell // size - middle) + abs(cell % size - middle)
    )

    def connects(stones: int, player: int) -> bool:
        start, goal = sides[player]
        reached = fresh = stones & start
        while fresh and not reached & goal:
            around = 0
            while fresh:
                lowest = fresh & -fresh
                fresh ^= lowest
                around |= near[lowest.bit_length() - 1]
            fresh = around & stones & ~reached
            reached |= fresh
        return bool(reached & goal)

    @cache
    def mover_wins(mine: int, theirs: int, player: int) -> bool:
        for cell in order:
            if not (mine | theirs) >> cell & 1:
                more = mine | 1 << cell
                if connects(more, player) or not mover_wins(theirs, more, 1 - player):
                    return True
        return False

    return frozenset(cell for cell in order if not mover_wins(0, 1 << cell, 1))


@pytest.mark.parametrize("size", [2, 3, 4])
def test_the_brute_force_finds_the_winning_openings_of_the_literature(size: int) -> None:
    state = Hex(size=size).start()
    assert solved_openings(size) == {state.parse(text) for text in WINNING_OPENINGS[size].split()}


def test_a_brute_force_over_our_states_finds_the_same_winning_openings() -> None:
    known: dict[object, bool] = {}

    def mover_wins(state: HexState) -> bool:
        if (scores := state.scores()) is not None:
            return scores[state.player] == 1.0
        key = state.key()
        if key not in known:
            known[key] = any(not mover_wins(state.play(move)) for move in state.moves())
        return known[key]

    start = Hex(size=3).start()
    assert {move for move in start.moves() if not mover_wins(start.play(move))} == solved_openings(3)


@pytest.mark.parametrize("size", [2, 3, 4])
def test_the_search_proves_every_opening_as_the_brute_force_does(size: int) -> None:
    game = Hex(size=size)
    for opening in range(size * size):
        bot = tesuji.MCTS(
            game, iterations=2_000_000, threat_response="game", seed=1
        )  # proofs are short with it
        analysis = bot.analyse(game.start().play(opening))
        assert analysis.proven == (0.0 if opening in solved_openings(size) else 1.0)
        assert analysis.stopped == "proven"
