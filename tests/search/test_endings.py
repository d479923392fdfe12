"""Long games, full memory, threads and cancelling: how a search ends and what it reports."""

import threading

import pytest

import tesuji
from tests.search.helpers import RAVE, analyse, hex_state, tic_tac_toe
from tests.search.small_games import Bits, Nim, Rules, Walk
from tesuji.games.hex import HexState


@RAVE
def test_a_game_that_only_a_ply_limit_ends_can_be_searched(rave: str) -> None:
    analysis = analyse(Walk(2000), iterations=50, rave=rave)
    assert analysis.iterations == 50
    assert analysis.value == pytest.approx(0.5)


def test_a_tree_thousands_of_plies_deep_is_searched() -> None:
    analysis = analyse(Walk(10_000, one_way=True), iterations=5000, playout_depth=1, solver=False)
    assert analysis.iterations == 5000
    assert len(analysis.candidates[0].line) > 1


def test_a_known_position_needs_no_call_of_the_rules() -> None:
    calls: list[list[str]] = [[], []]
    for kept, iterations in zip(calls, (2000, 4000), strict=True):
        analyse(Bits(3, [], kept), iterations=iterations, solver=False)
    assert len(calls[0]) == len(calls[1])


def test_a_full_memory_stops_the_growth_of_the_tree_but_not_the_search() -> None:
    small = analyse(hex_state(11, ""), iterations=60_000, memory=1, rave="off", knowledge="off")
    assert small.iterations == 60_000
    assert small.nodes * 32 <= 2**20


def test_a_finished_game_has_no_move_to_search_for() -> None:
    with pytest.raises(ValueError, match="the game is over"):
        analyse(tic_tac_toe("a1 a2 b1 b2 c1"), iterations=10)


@pytest.mark.parametrize("state", [hex_state(5, "c3"), tic_tac_toe("b2")], ids=["hex", "tic-tac-toe"])
def test_every_line_is_a_legal_game_that_begins_with_its_move(state: tesuji.State) -> None:
    for candidate in analyse(state, iterations=1000).candidates:
        position = state
        assert candidate.line[0] == candidate.move
        for move in candidate.line:
            assert move in position.moves()
            position = position.play(move)


@pytest.mark.threads
@RAVE
def test_threads_lose_no_visit_and_count_none_twice(rave: str) -> None:
    analysis = analyse(hex_state(5, ""), iterations=5000, threads=2, solver=False, rave=rave)
    assert analysis.iterations == 5000
    assert sum(candidate.visits for candidate in analysis.candidates) == analysis.visits == 5000


@pytest.mark.threads
@pytest.mark.parametrize("state", [hex_state(3, "a1"), Nim(9)], ids=["native", "python"])
def test_threads_prove_what_one_thread_proves(state: tesuji.State) -> None:
    analysis = analyse(state, iterations=100_000, threads=2)
    assert analysis.proven == 1.0


@pytest.mark.threads
@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("state", [hex_state(11, ""), Walk(500)], ids=["native", "python"])
def test_a_cancelled_search_ends_soon_and_says_so(state: tesuji.State, threads: int) -> None:
    game = state.game if isinstance(state, HexState) else Rules(state)
    bot = tesuji.MCTS(game, iterations=10**9, seconds=30, threads=threads)
    timer = threading.Timer(0.1, bot.cancel)
    timer.start()
    analysis = bot.analyse(state)
    timer.join()
    assert analysis.stopped == "cancelled"  # and not by its clock, much later
    assert analysis.move in state.moves()
