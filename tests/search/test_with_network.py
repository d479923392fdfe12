"""The search with a network has the properties of the search without one, for any number of leaves."""

from __future__ import annotations

import copy
import itertools
import threading
from typing import Any

import numpy as np
import pytest

import tesuji
from tests.search.helpers import hex_state, tic_tac_toe, tree_of
from tests.search.networks import (
    Array,
    Seen,
    SeenRules,
    analyse,
    even,
    opinionated,
    search_options,
    searcher,
)
from tests.search.small_games import DRAW, LOSS, WIN, Broken, Choice, Fields, Nim, RulesBroke, Scores, Tree
from tesuji import _core
from tesuji.games import Gomoku, Hex

LEAVES = pytest.mark.parametrize("leaves", [1, 2, 8, 64])


@LEAVES
@pytest.mark.parametrize("state", [hex_state(5, ""), Fields(), Nim(3)], ids=["hex", "fields", "near the end"])
def test_every_simulation_passes_through_one_candidate(state: Any, leaves: int) -> None:
    analysis = analyse(state, iterations=501, solver=False, leaves=leaves)
    assert (analysis.iterations, analysis.visits, analysis.stopped) == (501, 501, "iterations")
    assert sum(candidate.visits for candidate in analysis.candidates) == 501


@pytest.mark.parametrize("leaves", [16, 64])
def test_many_leaves_at_a_time_find_about_what_one_finds(leaves: int) -> None:
    """A leaf that waits is not taken for a loss, which would send the others to worse moves."""
    one, many = (
        {each.move: each.visits for each in analysis.candidates}
        for analysis in (
            analyse(hex_state(9, ""), network=opinionated, iterations=200, leaves=count)
            for count in (1, leaves)
        )
    )
    assert sum(abs(one[move] - many[move]) for move in one) / 2 < 0.4 * 200


@LEAVES
def test_every_simulation_adds_one_score_at_each_candidate(leaves: int) -> None:
    """A network that always answers the same gives every mean just that value, whatever waits."""

    def sure_of_player_0(moves: int) -> Any:
        def network(planes: Array) -> tuple[Array, Array]:
            # The first plane of Hex has the mover's stones: Black, who began, has as many as White or more.
            black = planes[:, 0].sum(axis=(1, 2)) == planes[:, 1].sum(axis=(1, 2))
            value = np.where(black, np.log(3.0), -np.log(3.0)).astype(np.float32)
            return np.zeros((len(planes), moves), np.float32), value

        return network

    # So large a board is not decided within so few simulations.
    analysis = analyse(hex_state(11, ""), network=sure_of_player_0, iterations=400, leaves=leaves)
    for candidate in analysis.candidates:
        if candidate.visits:
            assert candidate.value == pytest.approx(0.75, abs=1e-6)


@LEAVES
def test_seed_and_iterations_reproduce_the_tree(leaves: int) -> None:
    def search() -> Any:
        return analyse(hex_state(7, "d4"), network=opinionated, iterations=400, leaves=leaves)

    assert tree_of(search()) == tree_of(search())


def test_with_one_leaf_at_a_time_each_position_is_evaluated_once() -> None:
    seen: list[bytes] = []

    def noting(moves: int) -> Any:
        network = opinionated(moves)

        def ask(planes: Array) -> Any:
            seen.extend(row.tobytes() for row in planes)
            return network(planes)

        return ask

    analysis = analyse(hex_state(5, ""), network=noting, iterations=300)
    visited = analysis.nodes - sum(one.visits == 0 for one in analysis.candidates)
    assert len(set(seen)) == len(seen) < visited  # fewer: some are reached by several orders of moves


@LEAVES
def test_a_batch_is_bounded_and_has_no_duplicates(leaves: int) -> None:
    sizes: list[int] = []

    def noting(moves: int) -> Any:
        def ask(planes: Array) -> Any:
            rows = {row.tobytes() for row in planes}
            assert len(rows) == len(planes) <= leaves
            sizes.append(len(planes))
            return opinionated(moves)(planes)

        return ask

    analyse(Fields(list(range(12))), network=noting, iterations=300, leaves=leaves)
    assert sizes[0] == 1  # the root
    assert max(sizes) > leaves // 2


@LEAVES
def test_the_root_position_is_the_same_after_a_search(leaves: int) -> None:
    state = Fields()
    before = copy.deepcopy(state)
    analyse(state, iterations=300, leaves=leaves)
    assert state == before


@LEAVES
@pytest.mark.parametrize("solver", [True, False])
@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize("pile", [5, 6, 7, 9])
def test_each_player_chooses_by_its_own_side_of_the_value(
    pile: int, player: int, solver: bool, leaves: int
) -> None:
    analysis = analyse(Nim(pile, player), iterations=3000, solver=solver, leaves=leaves)
    assert analysis.move == pile % 4
    assert analysis.value > 0.5


@LEAVES
@pytest.mark.parametrize(
    "state",
    [tic_tac_toe("a1 b2 a2 c3"), tic_tac_toe("a1 b1 c3 b2 a2"), hex_state(4, "b1 a1 b2 c1 b3 d1")],
    ids=["X", "O", "Black"],
)
def test_a_win_in_one_is_taken_before_the_first_simulation(state: Any, leaves: int) -> None:
    analysis = analyse(state, iterations=1, leaves=leaves)
    assert state.play(analysis.move).scores() is not None
    assert analysis.stopped == "proven"


@LEAVES
@pytest.mark.parametrize(("moves", "block"), [("b2 a1 c1", "a3"), ("a1 b2 c3 a3", "c1")], ids=["O", "X"])
def test_a_loss_in_one_is_blocked(moves: str, block: str, leaves: int) -> None:
    state = tic_tac_toe(moves)
    assert state.text(analyse(state, iterations=300, leaves=leaves).move) == block


@LEAVES
@pytest.mark.parametrize("solver", [True, False])
def test_a_certain_draw_beats_a_line_that_loses(solver: bool, leaves: int) -> None:
    gamble = Choice(1, {f"reply {i}": LOSS if i == 9 else WIN for i in range(10)})
    state = Tree(Choice(0, {"gamble": gamble, "draw": DRAW}))
    analysis = analyse(state, iterations=2000, solver=solver, leaves=leaves)
    assert analysis.move == "draw"
    assert analysis.proven == (0.5 if solver else None)


@LEAVES
def test_a_loss_is_not_proven_before_every_move_is(leaves: int) -> None:
    moves: dict[str, Choice | Scores] = {f"bad {i}": Choice(1, {"punish": LOSS}) for i in range(49)}
    state = Tree(Choice(0, moves | {"good": Choice(1, {"only": WIN})}))
    for iterations in (1, 10, 25):
        assert analyse(state, iterations=iterations, leaves=leaves).proven != 0.0
    final = analyse(state, iterations=1000, leaves=leaves)
    assert (final.move, final.proven, final.stopped) == ("good", 1.0, "proven")


@LEAVES
def test_tic_tac_toe_is_solved_as_without_a_network(leaves: int) -> None:
    for moves in ("", "a1", "a1 b2", "a1 b1", "b1 a3"):
        state = tic_tac_toe(moves)
        known = tesuji.MCTS("tictactoe", iterations=100_000, seed=1).analyse(state).proven
        assert known is not None
        assert analyse(state, iterations=100_000, leaves=leaves).proven == known


@LEAVES
def test_a_simulation_that_ends_in_a_finished_game_consumes_budget(leaves: int) -> None:
    state = Tree(Choice(0, {"draw": DRAW, "loss": LOSS}))
    analysis = analyse(state, iterations=100, solver=False, leaves=leaves)
    assert (analysis.iterations, analysis.stopped) == (100, "iterations")


@LEAVES
@pytest.mark.parametrize("method", ["player", "moves", "play", "scores"])
def test_an_error_in_the_rules_reaches_the_caller(method: str, leaves: int) -> None:
    with pytest.raises(RulesBroke, match=f"{method} at ply 4"):
        analyse(Broken(method), iterations=1000, leaves=leaves)


def test_an_error_in_the_network_reaches_the_caller_and_the_searcher_stays_usable() -> None:
    state = hex_state(5, "")
    broken = True

    def network(moves: int) -> Any:
        def ask(planes: Array) -> Any:
            if broken:
                raise RuntimeError("out of order")
            return even(moves)(planes)

        return ask

    search = searcher(Hex(size=5), network, leaves=4)
    with pytest.raises(RuntimeError, match="out of order"):
        search.search(state.core, 100, 0.0, True)
    broken = False
    assert search.search(state.core, 100, 0.0, True)["visits"] == 100


@pytest.mark.parametrize(
    ("answer", "message"),
    [
        (lambda n: np.zeros((n, 25), np.float32), "two arrays"),
        (lambda n: (np.zeros((n, 24), np.float32), np.zeros(n, np.float32)), "policy must be .* × 25"),
        (lambda n: (np.zeros((n, 25), np.float32), np.zeros((n, 1), np.float32)), "value must be"),
        (lambda n: (np.full((n, 25), np.nan, np.float32), np.zeros(n, np.float32)), "not finite"),
        (lambda n: (np.zeros((n, 25), np.float32), np.full(n, np.nan, np.float32)), "value is NaN"),
    ],
)
def test_invalid_network_outputs_are_refused(answer: Any, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        analyse(hex_state(5, ""), network=lambda moves: lambda planes: answer(len(planes)), iterations=10)


def test_chance_and_hidden_cards_are_refused_in_one_line() -> None:
    class Hidden(Seen):
        def determinize(self, player: int, rng: Any) -> Hidden:
            return self

    roll = Choice(tesuji.CHANCE, {"six": WIN, "one": LOSS})
    with pytest.raises(ValueError, match="a search with a network cannot play games with chance moves"):
        analyse(Tree(Choice(0, {"roll": roll, "hold": DRAW})), iterations=10)
    with pytest.raises(ValueError, match="a search with a network cannot play games with hidden information"):
        analyse(Hidden(Nim(5)), iterations=10)


def test_a_search_says_whether_the_clock_or_the_count_ended_it() -> None:
    assert analyse(hex_state(11, ""), iterations=10**9, seconds=0.05).stopped == "seconds"
    assert analyse(hex_state(11, ""), iterations=50, seconds=600).stopped == "iterations"


def test_another_thread_can_cancel_a_search() -> None:
    search = searcher(Hex(size=11), even, leaves=4)
    begun = threading.Event()

    def end() -> None:
        begun.wait()
        search.cancel()

    threading.Thread(target=end).start()
    found: Any = search.search(hex_state(11, "").core, 10**9, 0.0, False, begun.set)
    assert found["stopped"] == "cancelled"


@LEAVES
def test_the_subtree_of_the_next_position_is_reused(leaves: int) -> None:
    game = Hex(size=7)
    search = searcher(game, opinionated, leaves=leaves)
    state = game.start()
    first: Any = search.search(state.core, 400, 0.0, True)
    best = first["candidates"][0]
    second: Any = search.search(state.play(best[0]).core, 100, 0.0, True)
    # Of the visits of the move one was the evaluation of the position after it.
    assert second["visits"] == best[1] - 1 + 100
    assert second["iterations"] == 100
    assert sum(one[1] for one in second["candidates"]) == second["visits"]


def test_the_priors_of_a_position_add_up_to_one_and_follow_the_policy() -> None:
    game = Gomoku(size=9)
    network = opinionated(81)
    analysis = analyse(game.start(), network=lambda moves: network, iterations=50)
    priors = {one.move: one.prior for one in analysis.candidates}
    assert sum(priors.values()) == pytest.approx(1.0, abs=1e-5)
    logits = network(game.planes()(game.start())[None])[0][0]
    share = np.exp(logits - logits.max())
    share /= share.sum()
    for move, prior in priors.items():
        assert prior == pytest.approx(share[move], rel=1e-4)


def test_an_extreme_policy_keeps_every_move_with_a_positive_prior() -> None:
    def sharp(moves: int) -> Any:
        def ask(planes: Array) -> Any:
            policy = np.full((len(planes), moves), -1000.0, np.float32)
            policy[:, 12] = 1000.0
            return policy, np.zeros(len(planes), np.float32)

        return ask

    analysis = analyse(hex_state(5, ""), network=sharp, iterations=100)
    assert analysis.candidates[0].move == 12
    assert analysis.candidates[0].visits == 100
    assert len(analysis.candidates) == 25
    assert all(0 < one.prior < 1e-6 for one in analysis.candidates[1:])


@pytest.mark.parametrize("symmetries", [True, False])
def test_policies_are_mapped_back_from_the_symmetry_of_the_planes(symmetries: bool) -> None:
    """A network that points at a stone's neighbour sees it wherever the board is turned."""
    game = Gomoku(size=9)
    state: Any = tesuji.replay(game, "c2")
    planes = game.planes()

    def right_on_the_stone(images: Array) -> Any:
        # The opponent's stones, and nothing else: the policy is the plane itself, shifted by nothing.
        policy = 5.0 * np.ascontiguousarray(
            images[:, planes.names.index("proximity")].reshape(len(images), -1)
        )
        return policy, np.zeros(len(images), np.float32)

    search = _core.ZeroSearcher(
        search_options(4), planes.native, right_on_the_stone, symmetries, game.from_core, {}
    )
    found: Any = search.search(state.core, 50, 0.0, False)
    near = planes(state)[planes.names.index("proximity")].reshape(-1)
    likes = {one[0]: one[3] for one in found["candidates"]}
    for one, other in itertools.pairwise(sorted(likes, key=lambda move: -near[move])):
        assert likes[one] >= likes[other] * 0.999


def test_python_games_are_searched_as_native_ones() -> None:
    search = searcher(SeenRules(Seen(Nim(7))), even, leaves=3)
    found: Any = search.search(Seen(Nim(7)), 2000, 0.0, False)
    assert (found["move"], found["proven"]) == (3, 1.0)
